import { randomBytes } from "node:crypto";
import { isOnPace } from "../../../auction/deals/seller-deals.ts";
import type { SellerDeal } from "../../../platform.ts";

/** Most creatives are shown within seconds, some when the visitor scrolls to them. */
const holdMs = 600_000;

const idBytes = 16;

/** Impressions by deal that an auction offers or a page was sent. What is not shown in time is free again. */
const createHolds = (now: () => number) => {
  const held = new Map<string, { readonly dealId: string; readonly endsAtMs: number }>();
  const counts = new Map<string, number>();
  const add = (dealId: string, by: number): void => {
    const count = (counts.get(dealId) ?? 0) + by;
    if (count === 0) counts.delete(dealId);
    else counts.set(dealId, count);
  };
  const release = (id: string): void => {
    const one = held.get(id);
    if (one !== undefined && held.delete(id)) add(one.dealId, -1);
  };
  const expire = (): void => {
    // The oldest come first.
    for (const [id, { endsAtMs }] of held) {
      if (endsAtMs > now()) return;
      release(id);
    }
  };
  return {
    release,
    take(dealId: string): string {
      const id = randomBytes(idBytes).toString("hex");
      held.set(id, { dealId, endsAtMs: now() + holdMs });
      add(dealId, 1);
      return id;
    },
    of(dealId: string): number {
      expire();
      return counts.get(dealId) ?? 0;
    },
  };
};

export interface Pace {
  /** The deals that are active now. */
  follow(deals: readonly SellerDeal[]): void;
  /** Takes one impression of a deal: its id; `null` where none is due. */
  readonly take: (dealId: string) => string | null;
  /** The impression was shown, or will not be. */
  readonly release: (impressionId: string) => void;
}

/** Hands out what is due of each deal, and no more. */
export const createPace = (now: () => number, shownHere: (dealId: string) => number): Pace => {
  const holds = createHolds(now);
  let dealOf: ReadonlyMap<string, SellerDeal> = new Map();
  return {
    follow(deals) {
      dealOf = new Map(deals.map((deal) => [deal.id, deal]));
    },
    take(id) {
      const deal = dealOf.get(id);
      if (deal === undefined) return null;
      const used = deal.delivered + shownHere(id) + holds.of(id);
      return isOnPace(deal, used, now()) ? holds.take(id) : null;
    },
    release: holds.release,
  };
};
