import type { Warning } from "../record.ts";
import { typesOf } from "./channels.ts";
import type { OfferedPackage, OfferedProduct } from "./ports.ts";
import { failureText } from "./quotes.ts";
import { callFor, type FlowSession } from "./session.ts";

/** The formats that packages of an inventory type are described with; other types are described with their name. */
const formats: Readonly<Record<string, readonly string[]>> = {
  display: ["banner"],
  ctv: ["video"],
  linear_tv: ["video"],
  mobile_app: ["banner", "video"],
};

const wordsFor = (channels: readonly string[]): string => {
  const types = channels.flatMap((channel) => [channel, ...typesOf(channel)]);
  return [...new Set(types.flatMap((type) => [type, ...(formats[type] ?? [])]))].join(" ").slice(0, 500);
};

/** A seller that does not answer it in time is still asked for quotes of its products. */
const longestKitMs = 30_000;

/** Statuses of a seller without a media kit. */
const hasNone = new Set([404, 405, 501]);

/** One price for all its parts. Null unless the catalog sells each of them: only then is it known what is bought. */
const packageProduct = (offered: OfferedPackage, products: readonly OfferedProduct[]): OfferedProduct | null => {
  const parts = offered.product_ids.map((id) => products.find((product) => product.product_id === id) ?? null);
  const known = parts.filter((part) => part !== null);
  if (known.length === 0 || known.length < parts.length) return null;
  const types = [...new Set(known.map((part) => part.inventory_type))];
  const publishers = [...new Set(known.map((part) => part.publisher))];
  return {
    product_id: offered.package_id,
    name: offered.name,
    publisher: publishers.length === 1 ? (publishers[0] ?? "") : "",
    inventory_type: types.length === 1 ? (types[0] ?? "") : "package",
    part_types: types,
    deal_types: offered.deal_types,
    minimum_impressions: Math.max(...known.map((part) => part.minimum_impressions)),
    available_impressions: null,
    price_micros: offered.price_micros,
    currency: offered.currency,
    targeting: offered.targeting,
    is_negotiable: offered.is_negotiable,
  };
};

export interface KitRead {
  readonly products: readonly OfferedProduct[];
  readonly warnings: readonly Warning[];
}

/** The packages of a media kit, beside the catalog. A kit that fails is left out with a warning. */
export const readMediaKit = async (
  session: FlowSession,
  sellerUrl: string,
  catalog: readonly OfferedProduct[],
): Promise<KitRead> => {
  const waitMs = Math.min(longestKitMs, Math.ceil(session.policy.researchDeadlineMs / 4));
  const of = { ...callFor(session), signal: AbortSignal.any([session.signal, AbortSignal.timeout(waitMs)]) };
  const words = wordsFor(session.job().allocations.map(({ channel }) => channel));
  const answer = await session.calls.packages(sellerUrl, words, of);
  if (!answer.ok) {
    const isQuiet = hasNone.has(answer.status) || session.signal.aborted;
    const cause =
      answer.code === "aborted" ? `no answer within ${waitMs / 1000} seconds` : failureText(sellerUrl, answer);
    const message = `the media kit of ${sellerUrl} is left out: ${cause}`;
    return { products: [], warnings: isQuiet ? [] : [{ field: "media_kit", message }] };
  }
  const products = answer.value.map((offered) => packageProduct(offered, catalog)).filter((one) => one !== null);
  return { products, warnings: [] };
};
