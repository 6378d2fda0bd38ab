import type { EdgeContext } from "../context.ts";
import type { EdgeRequest } from "../platform.ts";
import { activeId } from "../identity/session.ts";
import { signBidRequest } from "../signing/sign-request.ts";
import type { AuctionFacts } from "./provider/bid-request.ts";
import { chooseWinners } from "./prices/choose-winners.ts";
import { openDealBook, type DealBook } from "./deals/deal-book.ts";
import { openSellerDeals } from "./deals/seller-deals.ts";
import { takeImpressions } from "./deals/taken.ts";
import { withFloors } from "./prices/floors.ts";
import { shortenedIp } from "./shortened-ip.ts";
import { callProvider, skippedProvider } from "./provider/call-provider.ts";
import type { ProviderOutcome } from "./provider/call-provider.ts";
import type { AuctionFailure, AuctionInput, AuctionResult, SkipReason } from "./auction-result.ts";
import { logAuction } from "./log-auction.ts";
import { pageOf } from "./page/page-address.ts";
import { redactedPath } from "./page/page-path.ts";
import { planProviders } from "./provider/plan.ts";
import type { ProviderPlan } from "./provider/plan.ts";

/**
 * A provider's failure is an outcome beside the others' bids. Where every provider that had something to sell failed,
 * nothing was decided: that is no intended no-bid, but a slow backend (all were too late) or one that is not there.
 */
const failureOf = (outcomes: readonly ProviderOutcome[]): AuctionFailure | null => {
  const asked = outcomes.filter(({ status, tmaxMs }) => status === "error" || tmaxMs !== null);
  if (asked.length === 0 || asked.some(({ status }) => status !== "error")) return null;
  const isSlow = asked.every(({ metadata }) => metadata["error_type"] === "timeout");
  return isSlow ? "upstream_timeout" : "upstream_failed";
};

const factsOf = async (
  input: AuctionInput,
  page: string,
  request: EdgeRequest,
  context: EdgeContext,
): Promise<AuctionFacts | null> => {
  const signature = await signBidRequest(context, input.id);
  if (signature === "unavailable") return null;
  const { domain } = context.config.publisher;
  const { truncate_ip: cuts } = context.config.auction;
  const { isEcAllowed, jurisdiction } = input.session.consent;
  // At a place that is not known there is no auction without TCF purpose 1, so that consent was given here.
  const lacksConsent = !isEcAllowed && jurisdiction !== "unknown";
  const isCut = cuts === "always" || (cuts === "without_consent" && lacksConsent);
  return {
    id: input.id,
    domain,
    page,
    clientIp: isCut ? shortenedIp(context.clientIp) : context.clientIp,
    rules: context.config.auction,
    geo: context.geo,
    headers: request.headers,
    consent: input.session.consent,
    userId: activeId(input.session),
    eids: input.eids,
    signature: signature === "off" ? null : signature,
    pageContext: input.pageContext,
  };
};

const skipReason = (
  input: AuctionInput,
  plans: readonly ProviderPlan[],
  { config, env }: EdgeContext,
): SkipReason | null => {
  if (!config.auction.enabled) return "auction_disabled";
  if (!input.session.consent.isAuctionAllowed) return "consent_denied";
  if (input.slots.length === 0) return "no_slots";
  if (plans.length === 0) return "no_providers";
  return env.traits.fanout === "single" && plans.length > 1 ? "single_fanout" : null;
};

const notHeld: readonly (SkipReason | null)[] = ["single_fanout", "signing_key_unavailable"];

const isCalled = (plan: ProviderPlan): boolean => plan.impressions.length > 0;

const mostDeals = 100;

const bookOf = ({ config: { auction, deals }, env }: EdgeContext): DealBook => {
  const seller = openSellerDeals(deals, env.dealDesk, env.now());
  return openDealBook({ auction, most: deals?.most_per_slot ?? mostDeals }, seller);
};

/** Runs one auction: gates, plan, every provider at once, winners. */
export const runAuction = async (
  input: AuctionInput,
  request: EdgeRequest,
  context: EdgeContext,
): Promise<AuctionResult> => {
  const { env, config } = context;
  const startedAtMs = env.now();
  let askedAtMs = startedAtMs;
  const page = input.page ?? pageOf(request.headers.get("referer"), config.publisher.domain);
  const path = new URL(page).pathname;
  const slots = withFloors(input.slots, config.auction.floors, path);
  const finish = (providers: readonly ProviderOutcome[], skipped: SkipReason | null): AuctionResult => {
    const choice = chooseWinners(slots, providers, config.auction.prefer_deals);
    const timeMs = skipped === null ? Math.max(0, Math.round(env.now() - startedAtMs)) : 0;
    const failure = notHeld.includes(skipped) ? "upstream_failed" : failureOf(providers);
    const result: AuctionResult = {
      id: input.id,
      path: redactedPath(path),
      ...choice,
      providers,
      timeMs,
      stages: { prepareMs: askedAtMs - context.startedAtMs, askMs: Math.max(0, env.now() - askedAtMs) },
      defects: input.defects,
      skipped,
      failure,
    };
    logAuction(result, input, context);
    return result;
  };
  const plans = planProviders(config.auction, slots, input.defects, bookOf(context));
  const skipped = skipReason(input, plans, context);
  if (skipped !== null) return finish([], skipped);
  const isAnyCalled = plans.some(isCalled);
  const facts = isAnyCalled ? await factsOf(input, page, request, context) : null;
  if (isAnyCalled && facts === null) return finish([], "signing_key_unavailable");
  const budget = { endsAtMs: context.startedAtMs + input.timeoutMs };
  const taken = await takeImpressions(plans, env);
  askedAtMs = env.now();
  const outcomes = await Promise.all(
    taken.plans.map(async (plan) =>
      facts === null || !isCalled(plan) ? skippedProvider(plan) : callProvider(plan, facts, budget, context),
    ),
  );
  const result = finish(outcomes, null);
  taken.settle(result.winners);
  return result;
};
