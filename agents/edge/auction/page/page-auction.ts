import type { EdgeContext } from "../../context.ts";
import { activeId } from "../../identity/session.ts";
import type { EcSession } from "../../identity/session.ts";
import type { EdgeRequest } from "../../platform.ts";
import { createUuid, noDefects } from "../auction.ts";
import { gatherEids } from "../auction-eids.ts";
import type { Bid } from "../provider/bid-answer.ts";
import { creativeOf } from "../creative.ts";
import { mtypeOf } from "../media/bid-media.ts";
import { noticesOf } from "../notices.ts";
import type { PageSlot } from "./page-slots.ts";
import { customSteps, priceBucket, type PriceGranularity, type Steps } from "./price-bucket.ts";
import { runAuction } from "../run-auction.ts";
import type { AuctionResult, AuctionSource } from "../auction-result.ts";

export type PageBid = Readonly<Record<string, unknown>>;

const longestPage = 8_192;

const rendererBidId = (bid: Bid): string | undefined => {
  const id = bid.renderer?.["bidId"];
  return typeof id === "string" ? id : undefined;
};

const granularityOf = ({ config }: EdgeContext): PriceGranularity | Steps => {
  const { price_granularity: named = "dense", price_buckets: buckets = [] } = config.creative_opportunities ?? {};
  return named === "custom" ? customSteps(buckets) : named;
};

const pageBidOf = async (bid: Bid, origin: string, context: EdgeContext): Promise<PageBid | null> => {
  const place = { kind: "inline", origin } as const;
  const markup = await creativeOf(bid, context, place);
  if (markup === null && bid.renderer === undefined) return null;
  const members: Record<string, unknown> = {
    hb_pb: priceBucket(bid.price, granularityOf(context)),
    hb_bidder: bid.seat,
    hb_deal: bid.dealid,
    w: bid.w > 0 ? bid.w : undefined,
    h: bid.h > 0 ? bid.h : undefined,
    hb_adid: bid.cache?.id ?? rendererBidId(bid) ?? bid.adid ?? bid.id,
    mtype: bid.media === "banner" ? undefined : mtypeOf[bid.media],
    ...noticesOf(bid, context),
    renderer: bid.renderer,
    adm: markup ?? undefined,
    hb_cache_host: markup === undefined ? bid.cache?.host : undefined,
    hb_cache_path: markup === undefined ? bid.cache?.path : undefined,
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
};

/** Longer keys are cut by the ad server, as Prebid.js cuts them. */
const longestKey = 20;

/** Key values of every seat's best bid, where the operator sends them all. */
const seatTargeting = (
  slot: string,
  { bestOfSeats }: Pick<AuctionResult, "bestOfSeats">,
  context: EdgeContext,
): { readonly targeting?: Readonly<Record<string, string>> } => {
  if (context.config.creative_opportunities?.send_all_bids !== true) return {};
  const granularity = granularityOf(context);
  const pairs = bestOfSeats
    .filter(({ impid }) => impid === slot)
    .flatMap(({ seat, price, dealid }): [string, string][] => [
      [`hb_pb_${seat}`, priceBucket(price, granularity)],
      [`hb_bidder_${seat}`, seat],
      ...(dealid === undefined ? [] : [[`hb_deal_${seat}`, dealid] as [string, string]]),
    ]);
  return { targeting: Object.fromEntries(pairs.map(([key, value]) => [key.slice(0, longestKey), value])) };
};

const pageAddress = (domain: string, path: string): string => {
  const address = `https://${domain}${path}`;
  return path.length <= longestPage && URL.canParse(address) ? new URL(address).href : `https://${domain}`;
};

export interface PageAuctionInput {
  readonly source: Extract<AuctionSource, "page" | "page_bids">;
  readonly slots: readonly PageSlot[];
  readonly path: string;
  readonly origin: string;
  readonly session: EcSession;
}

/** Auctions the slots of a page. Bids by slot id; empty when nobody bid, and when the auction failed. */
export const runPageAuction = async (
  input: PageAuctionInput,
  request: EdgeRequest,
  context: EdgeContext,
): Promise<Readonly<Record<string, PageBid>>> => {
  const { config, env } = context;
  const { session } = input;
  const ec = activeId(session);
  const { domain } = config.publisher;
  const result = await runAuction(
    {
      id: ec === null ? `ts-req-${createUuid((count) => env.random(count))}` : `ts-${ec}`,
      source: input.source,
      slots: input.slots.map(({ slot }) => slot),
      session,
      eids: await gatherEids(undefined, session, context),
      pageContext: {},
      timeoutMs: config.creative_opportunities?.auction_timeout_ms ?? config.auction.timeout_ms,
      defects: noDefects(),
      page: pageAddress(domain, input.path),
    },
    request,
    context,
  );
  const bids: [string, PageBid][] = [];
  const startedAtMs = env.now();
  for (const winner of result.winners) {
    const bid = await pageBidOf(winner, input.origin, context);
    if (bid !== null) bids.push([winner.impid, { ...bid, ...seatTargeting(winner.impid, result, context) }]);
  }
  if (bids.length > 0) context.metrics.observe("edge_stage_ms", { stage: "creatives" }, env.now() - startedAtMs);
  return Object.fromEntries(bids);
};
