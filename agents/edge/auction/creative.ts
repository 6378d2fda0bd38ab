import type { EdgeContext } from "../context.ts";
import { shownAddress } from "./deals/shown.ts";
import { expandPrice } from "./price-macro.ts";
import type { Bid } from "./provider/bid-answer.ts";

const LONGEST_CREATIVE = 1_048_576;

/** Where a creative is shown: in the answer of `/auction`, or inline in a page whose origin is named. */
export type CreativePlace = { readonly kind: "frame" } | { readonly kind: "inline"; readonly origin: string };

/** What reads markup is loaded with the first creative that needs it, so that no start waits for it. */
const sanitized = async (markup: string): Promise<string | null> => {
  const { sanitizeCreative } = await import("../html/sanitize.ts");
  return sanitizeCreative(markup);
};

/**
 * Sanitises and rewrites markup as the operator set it; unchanged when both are off.
 * `null`: the creative is refused, because it is too long or cannot be made safe.
 */
const prepareCreative = async (
  markup: string,
  { config, tokens }: Pick<EdgeContext, "config" | "tokens">,
  place: CreativePlace,
): Promise<string | null> => {
  if (markup.length > LONGEST_CREATIVE || new TextEncoder().encode(markup).length > LONGEST_CREATIVE) return null;
  const clean = config.auction.sanitize_creatives ? await sanitized(markup) : markup;
  if (clean === null || !config.auction.rewrite_creatives) return clean;
  const { rewriteCreative } = await import("../html/creative.ts");
  const rewritten = rewriteCreative(clean, {
    tokens,
    excluded: config.rewrite.exclude_domains,
    origin: place.kind === "inline" ? place.origin : "",
    injectRuntime: place.kind === "frame",
    longest: LONGEST_CREATIVE,
  });
  return rewritten === "" ? null : rewritten;
};

/** Behind the creative, so that it is fetched where the creative is shown. */
const shownMark = (address: string): string =>
  `<img src="${address.replaceAll("&", "&amp;")}" alt="" width="1" height="1" style="position:absolute">`;

/**
 * The markup of a bid as it is shown; `undefined` where it has none, `null` where it is refused. Of a seller's deal it
 * carries the mark by which its showing is counted.
 */
export const creativeOf = async (
  { adm, price, deal }: Bid,
  context: EdgeContext,
  place: CreativePlace,
): Promise<string | null | undefined> => {
  if (adm === undefined) return undefined;
  const markup = await prepareCreative(expandPrice(adm, price), context, place);
  return markup === null || deal?.type === undefined ? markup : markup + shownMark(shownAddress(deal.id, context));
};
