import type { ProviderConfig } from "../../config.ts";
import type { EdgeContext } from "../../context.ts";
import type { OutboundFault } from "../../platform.ts";
import { isHostListed } from "../../proxy/host-list.ts";
import { profiles } from "../profiles/profiles.ts";
import { askProvider } from "./ask-provider.ts";
import { failed } from "./bid-answer.ts";
import type { Bid, ProviderAnswer } from "./bid-answer.ts";
import type { AuctionFacts } from "./bid-request.ts";
import { openBreaker } from "./breaker.ts";
import type { ProviderPlan } from "./plan.ts";

const timerSlackMs = 10;

export type ProviderOutcome = ProviderAnswer & {
  readonly id: string;
  readonly timeMs: number;
  readonly tmaxMs: number | null;
  /** The runtime's own words for a call that failed: for the log, never for an answer. */
  readonly cause?: string;
  /** The provider's own text of a request that it refused: for the log, like `cause`. */
  readonly rejection?: string;
};

export interface Budget {
  readonly endsAtMs: number;
}

const faults: Readonly<Record<OutboundFault, readonly [type: string, message: string]>> = {
  timeout: ["timeout", "Provider request timed out"],
  refused: ["transport", "Provider request failed"],
  broken: ["transport", "Provider request failed"],
  blocked: ["launch_failed", "Provider launch failed"],
};

const withNotices = (bid: Bid, { suppress_all, suppress_seats, win }: ProviderConfig["notifications"]): Bid => {
  if (!suppress_all && !suppress_seats.includes(bid.seat)) return win === "call" ? { ...bid, isWinCalled: true } : bid;
  const { nurl: _nurl, burl: _burl, ...rest } = bid;
  return rest;
};

/** Bidders do not always heed the list that they were sent. */
const takenBids = (bids: readonly Bid[], plan: ProviderPlan, { config, metrics }: EdgeContext): readonly Bid[] => {
  const { badv } = config.auction;
  if (badv.length === 0) return bids;
  const patterns = badv.flatMap((domain) => [domain, `*.${domain}`]);
  const taken = bids.filter(({ adomain = [] }) => !adomain.some((one) => isHostListed(patterns, one.toLowerCase())));
  const refused = bids.length - taken.length;
  if (refused > 0) metrics.add("edge_bids_blocked_total", { provider: plan.id }, refused);
  return taken;
};

export const skippedProvider = (plan: ProviderPlan): ProviderOutcome => ({
  status: "nobid",
  bids: [],
  metadata: { routing: { unused_bidder_params_count: plan.unusedParams, skipped_no_eligible_slots: true } },
  id: plan.id,
  timeMs: 0,
  tmaxMs: null,
});

/**
 * Asks one provider within what is left of the budget. `tmax` is that rest, less the operator's reserve for transit, so
 * that nobody works on a bid that comes too late.
 */
export const callProvider = async (
  plan: ProviderPlan,
  facts: AuctionFacts,
  budget: Budget,
  context: EdgeContext,
): Promise<ProviderOutcome> => {
  const { provider, id } = plan;
  const { env, config } = context;
  const startedAtMs = env.now();
  const outcome = (answer: ProviderAnswer, tmaxMs: number | null): ProviderOutcome => ({
    ...answer,
    bids: takenBids(answer.bids, plan, context).map((bid) => withNotices(bid, provider.notifications)),
    metadata: { ...answer.metadata, routing: { unused_bidder_params_count: plan.unusedParams } },
    id,
    timeMs: Math.max(0, Math.round(env.now() - startedAtMs)),
    tmaxMs,
  });
  const own = provider.timeout_ms ?? profiles[provider.profile].timeoutMs ?? config.auction.timeout_ms;
  const totalMs = Math.min(own, Math.floor(budget.endsAtMs - startedAtMs));
  const tmaxMs = totalMs - provider.tmax_reserve_ms;
  if (tmaxMs <= 0) return outcome(failed("timeout", "Provider request timed out"), null);
  const breaker = openBreaker(config, id, provider.circuit_breaker, env.peers);
  if (!breaker.admits(startedAtMs)) {
    return outcome(failed("circuit_open", "Provider is paused because it did not answer before"), null);
  }
  const { answer, fault, cause, rejection } = await askProvider({ plan, facts, tmaxMs, totalMs }, context);
  const words = rejection === undefined ? {} : { rejection };
  const endedAtMs = env.now();
  breaker.report(answer === undefined ? "unreachable" : "answered", endedAtMs);
  if (answer !== undefined) return { ...outcome(answer, tmaxMs), ...words };
  // A body that breaks off when the time is over was cut by our own deadline, whose timer may be a little early.
  const isLate = fault === "broken" && endedAtMs - startedAtMs >= totalMs - timerSlackMs;
  return { ...outcome(failed(...faults[isLate ? "timeout" : fault]), tmaxMs), cause, ...words };
};
