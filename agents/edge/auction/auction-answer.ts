import type { EdgeContext } from "../context.ts";
import type { Bid } from "./provider/bid-answer.ts";
import type { ProviderOutcome } from "./provider/call-provider.ts";
import { creativeOf } from "./creative.ts";
import { mtypeOf } from "./media/bid-media.ts";
import { noticesOf } from "./notices.ts";
import type { AuctionResult } from "./auction-result.ts";

type DropReason = "no_render_source" | "creative_processing_rejected";

const shownBid = async (
  bid: Bid,
  context: EdgeContext,
): Promise<{ readonly bid: object } | { readonly dropped: DropReason }> => {
  const adm = await creativeOf(bid, context, { kind: "frame" });
  const hasMarkup = adm !== undefined && adm !== null && adm !== "";
  if (!hasMarkup && bid.renderer === undefined) {
    return { dropped: adm === undefined ? "no_render_source" : "creative_processing_rejected" };
  }
  const { impid, price, w, h, adid, crid, adomain, renderer, dealid, media } = bid;
  return {
    bid: {
      id: bid.id ?? `${bid.seat}-${impid}`,
      impid,
      price,
      ...(hasMarkup ? { adm } : {}),
      ...(adid === undefined ? {} : { adid }),
      ...(crid === undefined ? {} : { crid }),
      ...(dealid === undefined ? {} : { dealid }),
      ...(media === "native" ? {} : { w, h }),
      ...(media === "banner" ? {} : { mtype: mtypeOf[media] }),
      ...(adomain === undefined ? {} : { adomain }),
      ...noticesOf(bid, context),
      ...(hasMarkup ? {} : { ext: { trusted_server: { renderer } } }),
    },
  };
};

const dealsOf = ({ bids }: ProviderOutcome): readonly string[] => [
  ...new Set(bids.flatMap(({ dealid }) => dealid ?? [])),
];

const detailsOf = (outcome: ProviderOutcome): object => ({
  name: outcome.id,
  status: outcome.status,
  bid_count: outcome.bids.length,
  bidders: [...new Set(outcome.bids.map((bid) => bid.seat))],
  ...(dealsOf(outcome).length === 0 ? {} : { deals: dealsOf(outcome) }),
  time_ms: outcome.timeMs,
  ...(Object.keys(outcome.metadata).length === 0 ? {} : { metadata: outcome.metadata }),
});

const withoutEmpty = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => {
      if (value === 0 || value === undefined) return false;
      return typeof value !== "object" || value === null || Object.keys(value).length > 0;
    }),
  );

export const auctionAnswer = async (result: AuctionResult, context: EdgeContext): Promise<Record<string, unknown>> => {
  const seatbid: object[] = [];
  const reasons: Partial<Record<DropReason, number>> = {};
  const startedAtMs = context.env.now();
  for (const winner of result.winners) {
    const shown = await shownBid(winner, context);
    if ("bid" in shown) seatbid.push({ seat: winner.seat, bid: [shown.bid] });
    else reasons[shown.dropped] = (reasons[shown.dropped] ?? 0) + 1;
  }
  if (seatbid.length > 0) {
    context.metrics.observe("edge_stage_ms", { stage: "creatives" }, context.env.now() - startedAtMs);
  }
  const dropped = Object.values(reasons).reduce((sum, count) => sum + count, 0);
  const { providers, timeMs, defects } = result;
  const orchestrator = {
    strategy: "parallel_only",
    providers: providers.length,
    total_bids: providers.reduce((sum, outcome) => sum + outcome.bids.length, 0),
    time_ms: timeMs,
    ...withoutEmpty({
      provider_details: providers.map(detailsOf),
      dropped_winner_count: dropped,
      dropped_winner_reasons: reasons,
      routing: withoutEmpty({ ...defects }),
    }),
  };
  return { id: result.id, ...(seatbid.length === 0 ? {} : { seatbid }), ext: { orchestrator } };
};
