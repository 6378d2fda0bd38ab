import type { EdgeContext } from "../context.ts";
import { shownAddress } from "./deals/shown.ts";
import { withShownMark } from "./media/shown-mark.ts";
import { expandPrice } from "./prices/price-macro.ts";
import type { Bid } from "./provider/bid-answer.ts";

const longestCreative = 1_048_576;

/** Where a creative is shown: in the answer of `/auction`, or inline in a page whose origin is named. */
export type CreativePlace = { readonly kind: "frame" } | { readonly kind: "inline"; readonly origin: string };

/** What reads markup is loaded with the first creative that needs it, so that no start waits for it. */
const sanitized = async (markup: string): Promise<string | null> => {
  const { sanitizeCreative } = await import("../html/sanitize.ts");
  return sanitizeCreative(markup);
};

const bounded = (markup: string): string | null =>
  markup.length > longestCreative || new TextEncoder().encode(markup).length > longestCreative ? null : markup;

/**
 * Sanitises and rewrites markup as the operator set it; unchanged when both are off.
 * `null`: the creative is refused, because it is too long or cannot be made safe.
 */
const prepareCreative = async (
  markup: string,
  { config, tokens, met }: Pick<EdgeContext, "config" | "tokens" | "met">,
  place: CreativePlace,
): Promise<string | null> => {
  if (bounded(markup) === null) return null;
  const clean = config.auction.sanitize_creatives ? await sanitized(markup) : markup;
  if (clean === null || !config.auction.rewrite_creatives) return clean;
  const { rewriteCreative } = await import("../html/creative.ts");
  const rewritten = rewriteCreative(clean, {
    tokens,
    excluded: config.rewrite.exclude_domains,
    origin: place.kind === "inline" ? place.origin : "",
    injectRuntime: place.kind === "frame",
    longest: longestCreative,
    meet: met.meet,
  });
  return rewritten === "" ? null : rewritten;
};

/**
 * The creative of a bid as it is shown; `undefined` where it has none, `null` where it is refused. VAST and native ads
 * pass as they are: a player reads them, no page. Of a seller's deal it carries the mark that counts its showing.
 */
export const creativeOf = async (
  { adm, price, deal, media }: Bid,
  context: EdgeContext,
  place: CreativePlace,
): Promise<string | null | undefined> => {
  if (adm === undefined) return undefined;
  const priced = expandPrice(adm, price);
  const markup = media === "banner" ? await prepareCreative(priced, context, place) : bounded(priced);
  if (markup === null || deal?.type === undefined) return markup;
  return withShownMark(markup, media, shownAddress(deal, context));
};
