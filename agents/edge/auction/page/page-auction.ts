import type { EdgeContext } from "../../context.ts";
import { activeId } from "../../identity/session.ts";
import type { EcSession } from "../../identity/session.ts";
import type { EdgeRequest } from "../../platform.ts";
import { createUuid, noDefects } from "../auction.ts";
import { gatherEids } from "../auction-eids.ts";
import type { Bid } from "../provider/bid-answer.ts";
import { creativeOf } from "../creative.ts";
import { noticesOf } from "../notices.ts";
import type { PageSlot } from "./page-slots.ts";
import { priceBucket } from "./price-bucket.ts";
import { runAuction } from "../run-auction.ts";
import type { AuctionSource } from "../auction-result.ts";

export type PageBid = Readonly<Record<string, unknown>>;

const LONGEST_PAGE = 8_192;

const rendererBidId = (bid: Bid): string | undefined => {
  const id = bid.renderer?.["bidId"];
  return typeof id === "string" ? id : undefined;
};

const pageBidOf = async (bid: Bid, origin: string, context: EdgeContext): Promise<PageBid | null> => {
  const granularity = context.config.creative_opportunities?.price_granularity ?? "dense";
  const place = { kind: "inline", origin } as const;
  const markup = await creativeOf(bid, context, place);
  if (markup === null && bid.renderer === undefined) return null;
  const members: Record<string, unknown> = {
    hb_pb: priceBucket(bid.price, granularity),
    hb_bidder: bid.seat,
    hb_deal: bid.dealid,
    w: bid.w > 0 ? bid.w : undefined,
    h: bid.h > 0 ? bid.h : undefined,
    hb_adid: bid.cache?.id ?? rendererBidId(bid) ?? bid.adid ?? bid.id,
    ...noticesOf(bid, context),
    renderer: bid.renderer,
    adm: markup ?? undefined,
    hb_cache_host: markup === undefined ? bid.cache?.host : undefined,
    hb_cache_path: markup === undefined ? bid.cache?.path : undefined,
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
};

const pageAddress = (domain: string, path: string): string => {
  const address = `https://${domain}${path}`;
  return path.length <= LONGEST_PAGE && URL.canParse(address) ? new URL(address).href : `https://${domain}`;
};

export type PageAuctionInput = {
  readonly source: Extract<AuctionSource, "page" | "page_bids">;
  readonly slots: readonly PageSlot[];
  readonly path: string;
  readonly origin: string;
  readonly session: EcSession;
};

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
  for (const winner of result.winners) {
    const bid = await pageBidOf(winner, input.origin, context);
    if (bid !== null) bids.push([winner.impid, bid]);
  }
  return Object.fromEntries(bids);
};
