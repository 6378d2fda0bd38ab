import { createKept } from "../../../protocol/client/wires/spoken.ts";
import type { Clock } from "../../../protocol/seam/ports.ts";
import { getAdcpProducts } from "../../../skills/buyer/adcp-tasks.ts";
import type { BookingCallResult, CallFor } from "../../../skills/buyer/bookings/flow/ports.ts";
import type { Ask } from "../jobs/asking.ts";
import { eachPage, type Link, versioned } from "./link.ts";
import { type AdcpProduct, adcpProduct } from "./products.ts";

export interface AdcpCatalog {
  readonly products: readonly AdcpProduct[];
  readonly seenAtMs: number;
}

/** How old a price may be when a quote is made of it. */
const freshMs = 60_000;
const mostProducts = 2_000;

export interface Catalogs {
  read(sellerUrl: string, link: Link, of: CallFor): Promise<BookingCallResult<AdcpCatalog>>;
  /** Null: read longer ago than a quote may be made of. */
  recent(sellerUrl: string): AdcpCatalog | null;
}

export const createCatalogs = (ask: Ask, clock: Clock): Catalogs => {
  const kept = createKept<AdcpCatalog>();
  return {
    recent: (url) => {
      const known = kept.get(url);
      return known !== undefined && clock.nowMs() - known.seenAtMs < freshMs ? known : null;
    },
    read: async (url, link, { key: _key, ...of }) => {
      const products = new Map<string, AdcpProduct>();
      const input = { ...versioned(link), account: link.account, buying_mode: "wholesale" };
      const failure = await eachPage(
        (page) => ask(url, getAdcpProducts, { ...input, ...page }, of),
        (answer) => {
          for (const found of (answer.products ?? []).map(adcpProduct)) {
            if (found !== null) products.set(found.product_id, found);
          }
          return products.size < mostProducts;
        },
      );
      if (failure !== null) return failure;
      const catalog = { products: [...products.values()], seenAtMs: clock.nowMs() };
      kept.set(url, catalog);
      return { ok: true, value: catalog };
    },
  };
};
