import type { EdgeContext } from "../context.ts";
import type { AuctionRecord } from "../platform.ts";
import type { AuctionInput, AuctionResult } from "./auction-result.ts";

const reasonOf = ({ status, metadata }: AuctionResult["providers"][number]): string | undefined => {
  if (status === "success") return undefined;
  if (typeof metadata["error_type"] === "string") return metadata["error_type"];
  const routing = metadata["routing"] as { skipped_no_eligible_slots?: boolean } | undefined;
  if (routing?.skipped_no_eligible_slots === true) return "no_eligible_slots";
  if (metadata["unsupported_currency"] !== undefined) return "unsupported_currency";
  const drops = Object.entries((metadata["drop_reasons"] ?? {}) as Record<string, number>);
  return drops.toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? "no_bid";
};

const cures: Readonly<Record<string, (key: string) => string>> = {
  timeout: (key) => `upstream timeout; raise ${key}.timeout_ms, or auction.timeout_ms where that is less`,
  transport: (key) => `backend not found; check that ${key}.endpoint is the provider's canonical HTTPS address`,
  launch_failed: (key) => `backend not found; check ${key}.endpoint, the provider's id and the number of providers`,
  http_status: (key) => `the provider refuses the request; check ${key}.endpoint and profile`,
  parse_response: (key) => `the provider's answer cannot be read; check ${key}.endpoint and profile`,
  circuit_open: (key) => `no call until ${key}.circuit_breaker.pause_ms is over, because it did not answer before`,
};

const cureOf = ({ id, status, metadata }: AuctionResult["providers"][number]): string | undefined =>
  status === "error" ? cures[String(metadata["error_type"])]?.(`auction.providers.${id}`) : undefined;

const outcomeOf = ({ skipped, failure, winners }: AuctionResult): string =>
  skipped ?? failure ?? (winners.length > 0 ? "won" : "empty");

const mostUnsold = 50;
const longestWords = 200;

/** A copy: a part of a text would hold the whole of it in memory. */
const copied = (text: string, most: number): string =>
  new TextDecoder().decode(new TextEncoder().encode(text.slice(0, most)));

const longestCode = 128;

const unsoldOf = ({ winners }: AuctionResult, { slots }: AuctionInput): readonly string[] => {
  const sold = new Set(winners.map(({ impid }) => impid));
  const unsold = slots.filter(({ code }) => !sold.has(code));
  return unsold.slice(0, mostUnsold).map(({ code }) => copied(code, longestCode));
};

const winnerOf = ({ impid, seat, price, dealid, nurl, burl, isWinCalled }: AuctionResult["winners"][number]) => ({
  slot: impid,
  seat,
  price,
  deal: dealid ?? null,
  win_notice: nurl === undefined ? null : isWinCalled === true ? ("edge" as const) : ("page" as const),
  billing_notice: burl === undefined ? null : ("page" as const),
});

const wordsOf = ({ rejection, cause }: AuctionResult["providers"][number]): string | null => {
  const words = rejection ?? cause;
  return words === undefined || words === "" ? null : copied(words, longestWords);
};

const recordOf = (result: AuctionResult, input: AuctionInput, { env, requestId }: EdgeContext): AuctionRecord => {
  const best = result.winners.toSorted((a, b) => b.price - a.price)[0];
  return {
    at: new Date(env.now()).toISOString(),
    request_id: requestId,
    source: input.source,
    page: result.path,
    slots: input.slots.length,
    ms: result.timeMs,
    budget_ms: input.timeoutMs,
    outcome: outcomeOf(result),
    winner: best?.seat ?? null,
    price: best?.price ?? null,
    winners: result.winners.map(winnerOf),
    unsold: unsoldOf(result, input),
    providers: result.providers.map((one) => ({
      name: one.id,
      status: one.status,
      reason: reasonOf(one) ?? null,
      words: wordsOf(one),
      ms: one.timeMs,
      tmax_ms: one.tmaxMs,
      bids: one.bids.length,
    })),
  };
};

const countAuction = (result: AuctionResult, source: AuctionInput["source"], metrics: EdgeContext["metrics"]): void => {
  const outcome = outcomeOf(result);
  metrics.add("edge_auctions_total", { source, outcome });
  if (result.skipped === null) {
    metrics.observe("edge_stage_ms", { stage: "prepare" }, result.stages.prepareMs);
    metrics.observe("edge_stage_ms", { stage: "ask" }, result.stages.askMs);
  }
  for (const one of result.providers) {
    const { id: provider, status } = one;
    metrics.add("edge_provider_calls_total", { provider, status, reason: reasonOf(one) ?? "bid" });
    metrics.add("edge_provider_ms_total", { provider }, one.timeMs);
    if (one.tmaxMs !== null) metrics.observe("edge_provider_ms", { provider }, one.timeMs);
  }
};

/** Writes one line per auction that says who was asked, with what budget, and why nothing was bid; counts the same. */
export const logAuction = (result: AuctionResult, input: AuctionInput, context: EdgeContext): void => {
  const { env, requestId } = context;
  const defects = Object.fromEntries(Object.entries(result.defects).filter(([, count]) => count > 0));
  env.log({
    level: "info",
    event: "auction",
    request_id: requestId,
    auction_id: result.id,
    source: input.source,
    page: result.path,
    slots: input.slots.length,
    budget_ms: input.timeoutMs,
    time_ms: result.timeMs,
    winners: result.winners.length,
    ...(result.skipped === null ? {} : { skipped: result.skipped }),
    ...(result.failure === null ? {} : { failure: result.failure }),
    ...defects,
    providers: result.providers.map((outcome) => ({
      id: outcome.id,
      status: outcome.status,
      reason: reasonOf(outcome),
      drops: outcome.metadata["drop_reasons"],
      bids: outcome.bids.length,
      deals: outcome.bids.filter(({ dealid }) => dealid !== undefined).length || undefined,
      time_ms: outcome.timeMs,
      tmax_ms: outcome.tmaxMs,
      cause: outcome.cause,
      rejection: outcome.rejection,
      cure: cureOf(outcome),
    })),
  });
  countAuction(result, input.source, context.metrics);
  context.auctions.add(recordOf(result, input, context));
  for (const [defect, count] of Object.entries(defects)) {
    context.metrics.add("edge_demand_defects_total", { defect }, count);
  }
};
