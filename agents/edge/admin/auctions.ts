import type { EdgeHandler } from "../context.ts";
import { jsonAnswer } from "../http/refusals.ts";
import { MOST_RECENT } from "../auction/recent-auctions.ts";

const HEADERS = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** `GET /_ts/admin/auctions?limit=200`: the last auctions of all processes, newest first. */
export const handleAdminAuctions: EdgeHandler = async (_, { env, auctions, url }) => {
  const given = url.searchParams.get("limit") ?? String(MOST_RECENT);
  if (!/^[1-9]\d{0,2}$/.test(given) || Number(given) > MOST_RECENT) {
    return jsonAnswer(400, { error: `limit must be a number from 1 to ${MOST_RECENT}` }, HEADERS);
  }
  const all = env.peers === undefined ? auctions.last() : await env.peers.auctions(auctions.take());
  return jsonAnswer(200, { auctions: all.slice(0, Number(given)) }, HEADERS);
};
