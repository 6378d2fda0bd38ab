import { noStore } from "../../http/cache-policy.ts";
import type { EdgeContext, EdgeHandler } from "../../context.ts";
import { jsonAnswer } from "../../http/refusals.ts";
import { mostRecent } from "../../auction/recent-auctions.ts";
import { auctionsPage, type AuctionsPage } from "./page.ts";
import { policy } from "./style.ts";

const pageHeaders = { ...noStore, vary: "accept" };

const htmlHeaders = {
  ...pageHeaders,
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy,
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** On the page each auction is a card, so that it begins with fewer. */
const firstOnPage = 50;

const isBrowser = (headers: Headers): boolean => /\btext\/html\b/i.test(headers.get("accept") ?? "");

const notice = /^edge_win_notices_total\{outcome="([a-z_]+)"\}$/;

const noticesOf = async ({ env, metrics }: EdgeContext): Promise<AuctionsPage["notices"]> => {
  const own = metrics.snapshot();
  const all = (await env.peers?.sums(own)) ?? own;
  return all.flatMap(([series, value]) => {
    const outcome = notice.exec(series)?.[1];
    return outcome === undefined || value === 0 ? [] : [[outcome, value] as const];
  });
};

/** `GET /_ts/admin/auctions?limit=200`: the last auctions of all processes, newest first; a page for a browser. */
export const handleAdminAuctions: EdgeHandler = async (request, context) => {
  const { env, auctions, url } = context;
  const isPage = isBrowser(request.headers);
  const given = url.searchParams.get("limit") ?? String(isPage ? firstOnPage : mostRecent);
  if (!/^[1-9]\d{0,2}$/.test(given) || Number(given) > mostRecent) {
    return jsonAnswer(400, { error: `limit must be a number from 1 to ${mostRecent}` }, pageHeaders);
  }
  const limit = Number(given);
  const all = env.peers === undefined ? auctions.last() : await env.peers.auctions(auctions.take());
  const shown = all.slice(0, limit);
  if (!isPage) return jsonAnswer(200, { auctions: shown }, pageHeaders);
  const address = `${url.origin}${url.pathname}`;
  const notices = await noticesOf(context);
  const page = auctionsPage({ auctions: shown, notices, address, limit, most: mostRecent });
  return new Response(page, { headers: htmlHeaders });
};
