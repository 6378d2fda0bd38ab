import { parseJson } from "../../http/body.ts";
import type { EdgeContext } from "../../context.ts";
import { headersOf } from "../../http/light-headers.ts";
import type { OutboundFault } from "../../platform.ts";
import { readDecoded } from "../../proxy/decoded-body.ts";
import type { Profile } from "../profiles/profile.ts";
import { openExchange, profiles } from "../profiles/profiles.ts";
import { failed } from "./bid-answer.ts";
import type { ProviderAnswer } from "./bid-answer.ts";
import type { AuctionFacts } from "./bid-request.ts";
import type { PlannedSlot } from "../slot.ts";
import type { ProviderPlan } from "./plan.ts";
import { rejectionText, type Cut } from "./rejected.ts";

const mostBytes = 2_097_152;
const longestRejection = 4_096;
/** Less than this is no time for another answer. */
const leastMs = 10;
/** How often what is left of a refused request is asked for again: each refusal names its first fault alone. */
const mostRepeats = 2;
/** Requests that one refused request is split into at most. */
const mostParts = 16;

export interface Call {
  readonly plan: ProviderPlan;
  readonly facts: AuctionFacts;
  readonly tmaxMs: number;
  readonly totalMs: number;
}

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
  const body = await readDecoded(context.env, result.body, result.headers, mostBytes);
  if (body.ok) {
    const answer = parse({ status: result.status, body: parseJson(body.bytes) });
    if (result.status !== 400) return { answer };
    return { answer, rejection: new TextDecoder().decode(body.bytes.subarray(0, longestRejection)) };
  }
  if (body.fault === "too_large") {
    return { answer: failed("parse_response", `Provider answered more than ${mostBytes} bytes`) };
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
  const size = Math.ceil(impressions.length / mostParts);
  return Array.from({ length: Math.ceil(impressions.length / size) }, (_, part) =>
    impressions.slice(part * size, (part + 1) * size),
  );
};

interface Again {
  readonly cut: Cut | null;
  readonly groups: readonly (readonly PlannedSlot[])[];
}

/** What to ask for after a refusal; the last time in parts, so that one more fault empties no more than its own. */
const askAgain = (
  cutRefused: NonNullable<Profile["cutRefused"]>,
  message: string,
  impressions: readonly PlannedSlot[],
  isLast: boolean,
): Again => {
  const cut = cutRefused(message, impressions, isLast ? "rest" : "named");
  const left = cut?.impressions ?? impressions;
  if (cut === null && left.length === 1) return { cut, groups: [] };
  return { cut, groups: left.length > 1 && (isLast || cut === null) ? inParts(left) : [left] };
};

/**
 * Asks a provider. Prebid Server answers 400 to a whole request for one wrong part of it: what its message names is cut
 * and the rest asked again, twice at most, or else each slot by itself, all within the same budget.
 */
export const askProvider = async (call: Call, context: EdgeContext): Promise<Asked> => {
  const { plan } = call;
  const startedAtMs = context.env.now();
  const first = await exchange(call, context);
  const { cutRefused } = profiles[plan.provider.profile];
  if (first.rejection === undefined || cutRefused === undefined) return first;
  const rejection = rejectionText(first.rejection);
  context.metrics.add("edge_provider_rejections_total", { provider: plan.id });
  const removed: string[] = [];
  let [refused, asked] = [first, plan.impressions];
  for (let left = mostRepeats; left > 0 && refused.rejection !== undefined; left -= 1) {
    const { cut, groups } = askAgain(cutRefused, refused.rejection, asked, left === 1);
    asked = cut?.impressions ?? asked;
    removed.push(...(cut?.removed ?? []));
    const spentMs = Math.ceil(context.env.now() - startedAtMs);
    const [totalMs, tmaxMs] = [call.totalMs - spentMs, call.tmaxMs - spentMs];
    if (tmaxMs < leastMs || asked.length === 0 || groups.length === 0) break;
    const again = await Promise.all(
      groups.map((impressions) => exchange({ ...call, plan: { ...plan, impressions }, totalMs, tmaxMs }, context)),
    );
    const metadata = { removed, asked_again: groups.length > 1 ? "by_slot" : "without_removed" };
    if (again.some(isUsable)) return { answer: joined(again, metadata), rejection };
    refused = again[0] ?? refused;
    if (groups.length > 1) break;
  }
  return { ...refused, rejection };
};
