import { privateHeaders } from "../../http/cache-policy.ts";
import type { EdgeContext, EdgeHandler } from "../../context.ts";
import { openSession } from "../../identity/session.ts";
import { jsonAnswer } from "../../http/refusals.ts";
import { isUnseen } from "../unseen.ts";
import { runPageAuction } from "./page-auction.ts";
import { matchPageSlots } from "./page-slots.ts";

const alias = "/__ts/page-bids";
const aliasLink = '<https://github.com/IABTechLab/trusted-server/issues/970>; rel="deprecation"';

const isAdmitted = (headers: Headers): boolean => {
  const site = headers.get("sec-fetch-site");
  return site === null ? headers.has("x-tsjs-page-bids") : site === "same-origin";
};

const pagePath = (given: string | null): string => {
  const path = (given ?? "/").split(/[?#]/, 1)[0] ?? "";
  return path.startsWith("/") ? path : `/${path}`;
};

const text = (status: number, body: string, headers: Record<string, string>): Response =>
  new Response(body, { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers } });

const answerPage = async (request: Parameters<EdgeHandler>[0], context: EdgeContext): Promise<object> => {
  const config = context.config.creative_opportunities;
  const session = openSession(request, context);
  if (config === undefined || !context.config.auction.enabled || !session.consent.isAuctionAllowed) {
    return { slots: [], bids: {} };
  }
  const path = pagePath(context.url.searchParams.get("path"));
  const slots = matchPageSlots(config, path);
  const { origin } = context.url;
  const isSilent = slots.length === 0 || isUnseen(request.headers);
  const input = { source: "page_bids", slots, path, origin, session } as const;
  const bids = isSilent ? {} : await runPageAuction(input, request, context);
  return { slots: slots.map(({ shown }) => shown), bids };
};

export const handlePageBids: EdgeHandler = async (request, context) => {
  const link: Record<string, string> = context.url.pathname === alias ? { link: aliasLink } : {};
  if (request.method !== "GET" || !isAdmitted(request.headers)) return text(403, "Forbidden", privateHeaders);
  if (context.config.creative_opportunities === undefined) {
    return text(404, "Creative opportunities not configured", link);
  }
  const format = context.url.searchParams.get("format");
  if (format !== null && format !== "json") return text(400, "Unknown format", privateHeaders);
  return jsonAnswer(200, await answerPage(request, context), { ...privateHeaders, ...link });
};
