import { parseJson } from "../../http/body.ts";
import type { EdgeContext } from "../../context.ts";
import { headersOf } from "../../http/light-headers.ts";
import type { OutboundFault } from "../../platform.ts";
import { readDecoded } from "../../proxy/decoded-body.ts";
import { openExchange } from "../profiles/profiles.ts";
import { failed } from "./bid-answer.ts";
import type { ProviderAnswer } from "./bid-answer.ts";
import type { AuctionFacts } from "./bid-request.ts";
import type { PlannedSlot, ProviderPlan } from "./plan.ts";
import { cutNamed, rejectionText } from "./rejected.ts";

const MOST_BYTES = 2_097_152;
const LONGEST_REJECTION = 4_096;
/** Less than this is no time for another answer. */
const LEAST_MS = 10;
/** Requests that one refused request is split into at most. */
const MOST_PARTS = 16;

export type Call = {
  readonly plan: ProviderPlan;
  readonly facts: AuctionFacts;
  readonly tmaxMs: number;
  readonly totalMs: number;
};

/** What one call came to: an answer, or why there is none. `rejection` is the provider's own text of a 400. */
export type Asked = { readonly rejection?: string } & (
  | { readonly answer: ProviderAnswer; readonly fault?: undefined; readonly cause?: undefined }
  | { readonly answer?: undefined; readonly fault: OutboundFault; readonly cause: string }
);

const exchange = async ({ plan, facts, tmaxMs, totalMs }: Call, context: EdgeContext): Promise<Asked> => {
  const { provider, impressions } = plan;
  const { request, parse } = openExchange(provider, { facts, impressions, tmaxMs });
  const headers = headersOf({ ...request.headers, "content-type": "application/json", "accept-encoding": "gzip" });
  const result = await context.env.send({
    url: new URL(provider.endpoint),
    method: "POST",
    headers,
    body: new TextEncoder().encode(JSON.stringify(request.body)),
    idleMs: totalMs,
    totalMs,
    trust: "operator",
  });
  if (!result.ok) return { fault: result.fault, cause: result.reason };
  const body = await readDecoded(context.env, result.body, result.headers, MOST_BYTES);
  if (body.ok) {
    const answer = parse({ status: result.status, body: parseJson(body.bytes) });
    if (result.status !== 400) return { answer };
    return { answer, rejection: new TextDecoder().decode(body.bytes.subarray(0, LONGEST_REJECTION)) };
  }
  if (body.fault === "too_large") {
    return { answer: failed("parse_response", `Provider answered more than ${MOST_BYTES} bytes`) };
  }
  return { fault: "broken", cause: "the answer broke off or could not be decoded" };
};

const isUsable = ({ answer }: Asked): boolean => answer !== undefined && answer.status !== "error";

const joined = (parts: readonly Asked[], metadata: Record<string, unknown>): ProviderAnswer => {
  const answers = parts.filter(isUsable).flatMap(({ answer }) => (answer === undefined ? [] : [answer]));
  const bids = answers.flatMap((answer) => answer.bids);
  return {
    status: bids.length > 0 ? "success" : "nobid",
    bids,
    metadata: { ...answers[0]?.metadata, rejected_request: metadata },
  };
};

const inParts = (impressions: readonly PlannedSlot[]): (readonly PlannedSlot[])[] => {
  const size = Math.ceil(impressions.length / MOST_PARTS);
  return Array.from({ length: Math.ceil(impressions.length / size) }, (_, part) =>
    impressions.slice(part * size, (part + 1) * size),
  );
};

/**
 * Asks a provider. Prebid Server answers 400 to a whole request for one wrong part of it: what its message names is cut
 * and the rest asked once more, else each slot by itself, all within the same budget.
 */
export const askProvider = async (call: Call, context: EdgeContext): Promise<Asked> => {
  const { plan } = call;
  const startedAtMs = context.env.now();
  const first = await exchange(call, context);
  if (first.rejection === undefined || plan.provider.profile !== "prebid-server") return first;
  const rejection = rejectionText(first.rejection);
  context.metrics.add("edge_provider_rejections_total", { provider: plan.id });
  const cut = cutNamed(first.rejection, plan.impressions);
  const spentMs = Math.ceil(context.env.now() - startedAtMs);
  const [totalMs, tmaxMs] = [call.totalMs - spentMs, call.tmaxMs - spentMs];
  const isSplit = cut === null && plan.impressions.length > 1;
  const groups = cut === null ? (isSplit ? inParts(plan.impressions) : []) : [cut.impressions];
  const asked = groups.filter((group) => group.length > 0);
  if (tmaxMs < LEAST_MS || asked.length === 0) return { ...first, rejection };
  const again = await Promise.all(
    asked.map((impressions) => exchange({ ...call, plan: { ...plan, impressions }, totalMs, tmaxMs }, context)),
  );
  if (!again.some(isUsable)) return { ...(again[0] ?? first), rejection };
  const metadata = { removed: cut?.removed ?? [], asked_again: isSplit ? "by_slot" : "without_removed" };
  return { answer: joined(again, metadata), rejection };
};
