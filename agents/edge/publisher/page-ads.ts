import { isUnseen } from "../auction/unseen.ts";
import { runPageAuction } from "../auction/page/page-auction.ts";
import { matchPageSlots } from "../auction/page/page-slots.ts";
import type { EdgeContext } from "../context.ts";
import { isDocumentNavigation, openSession, type EcSession } from "../identity/session.ts";
import type { EdgeRequest } from "../platform.ts";
import type { PageAds } from "./page.ts";

const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  '"': '\\"',
  "<": "\\u003c",
  ">": "\\u003e",
  "&": "\\u0026",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};

const parsedInScript = (value: unknown): string =>
  `JSON.parse("${JSON.stringify(value).replace(/[\\"<>&\u2028\u2029]/g, (char) => escapes[char] ?? char)}")`;

const slotsScript = (slots: unknown): string =>
  `<script>(window.tsjs=window.tsjs||{}).adSlots=${parsedInScript(slots)};</script>`;

const bidsScript = (bids: unknown): string =>
  `<script>(function(t,b){if(t.scheduleInitialAdInit){t.scheduleInitialAdInit(b)}else{t.bids=b}})` +
  `(window.tsjs=window.tsjs||{},${parsedInScript(bids)});</script>`;

const within = async <T>(work: Promise<T>, limitMs: number, otherwise: T): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
};

const runBids = async (
  request: EdgeRequest,
  context: EdgeContext,
  session: EcSession,
  slots: ReturnType<typeof matchPageSlots>,
): Promise<Readonly<Record<string, unknown>>> => {
  const { origin, pathname } = context.url;
  try {
    return await runPageAuction({ source: "page", slots, path: pathname, origin, session }, request, context);
  } catch (error) {
    context.env.log({ level: "error", event: "page_auction_failed", cause: String(error) });
    return {};
  }
};

/**
 * Starts the auction of a page beside the fetch of the page itself, for a navigation by a person to a page with slots,
 * with consent. `null` where the ad stack does not run.
 */
export const startPageAds = (request: EdgeRequest, context: EdgeContext, opened: EcSession | null): PageAds | null => {
  const { creative_opportunities: config, auction } = context.config;
  if (config === undefined || !auction.enabled || request.method !== "GET") return null;
  if (!isDocumentNavigation(request.headers) || isUnseen(request.headers)) return null;
  const slots = matchPageSlots(config, context.url.pathname);
  if (slots.length === 0) return null;
  const session = opened ?? openSession(request, context);
  if (!session.consent.isAuctionAllowed) return null;
  const limitMs = config.auction_timeout_ms ?? auction.timeout_ms;
  return {
    head: slotsScript(slots.map(({ shown }) => shown)),
    bids: within(runBids(request, context, session, slots), limitMs, {}).then(bidsScript),
  };
};
