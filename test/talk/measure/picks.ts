import { listOf, type Members, textOf, type Terms, type Want, type WantedEffect } from "./case.ts";
import type { Course } from "./course.ts";
import { kindOf, matches, termsOf } from "./matches.ts";
import { isNear, type Shown, toNumber } from "./reply.ts";
import type { Effect } from "./side.ts";

const actionOf = ({ input }: Shown): string => textOf(input["action"] ?? input["decision"]);

const isNegotiation = (option: Shown): boolean => /counter|negotiat/.test(option.operation);

const isBid = (option: Shown): boolean =>
  /counter|negotiat|submit_proposal/.test(option.operation) && !/accept|reject|decline/.test(actionOf(option));

const isCancelling = ({ operation, input }: Shown): boolean =>
  /cancel/.test(operation) || (/change_request/.test(operation) && JSON.stringify(input).includes("cancel"));

const isChange = ({ operation }: Shown): boolean =>
  /change_deal|reschedule|change_request|update_deal/.test(operation) && !operation.startsWith("withdraw");

/** Whether taking it could do that to a seller's records. */
const ofSeller: Readonly<Record<string, (option: Shown) => boolean>> = {
  booked: ({ operation }) => /book|generate_deal|create_deal|^accept/.test(operation),
  accepted: (option) => /accept/.test(option.operation) || (isNegotiation(option) && /accept/.test(actionOf(option))),
  agreed: isBid,
  rejected: (option) =>
    /decline|reject|withdraw/.test(option.operation) ||
    (isNegotiation(option) && /reject|decline/.test(actionOf(option))),
  cancelled: isCancelling,
  withdrawn: ({ operation }) => operation.startsWith("withdraw"),
  change_request: (option) => isChange(option) && !isCancelling(option),
  changed: (option) => isCancelling(option) || isChange(option),
};

const isApproval = ({ operation }: Shown): boolean => /approve|decide_booking/.test(operation);

const ofBuyer: Readonly<Record<string, (option: Shown) => boolean>> = {
  started: ({ operation }) => operation === "create_booking",
  booked: isApproval,
  dropped: (option) => option.operation === "replan_booking" || isApproval(option),
  cancelled: ({ operation }) => operation === "cancel_booking",
  asked: ({ operation }) => /cancel_booked_line|ask_line/.test(operation),
  changed: ({ operation }) => operation === "replan_booking",
};

/** What taking it would do, as far as its input says. */
const namedEffect = (kind: string, { input }: Shown): Effect => ({
  kind: kind === "changed" ? "change_request" : kind,
  product: input["product_id"],
  impressions: input["impressions"],
  deal_type: input["deal_type"],
  deal_id: input["deal_id"],
  cpm: input["price"],
  brief: input["brief"],
});

/** What cannot be checked passes; a quote that nobody knows does not. */
export const couldDo = (course: Course, wanted: WantedEffect, option: Shown): boolean => {
  const kind = kindOf(wanted);
  if ((course.one.agent === "seller" ? ofSeller : ofBuyer)[kind]?.(option) !== true) return false;
  const quote = course.side.quoteOf(option.input["quote_id"]);
  if (kind === "booked" && quote !== undefined) return matches(course, wanted, { kind, ...quote });
  const terms = termsOf(wanted);
  const named = terms["quote"] ?? terms["quote_id"];
  if (kind === "booked" && named !== undefined && option.input["quote_id"] !== undefined) return false;
  const foreseen = course.side.foreseen(option);
  if (foreseen !== null) return foreseen.some((effect) => matches(course, wanted, effect));
  const effect = namedEffect(kind, option);
  const checked = Object.entries(terms).filter(
    ([name]) => name === "deal" || name === "max_cpm" || effect[name] !== undefined,
  );
  return matches(course, { [kind]: Object.fromEntries(checked) }, effect);
};

const isQuoteOf = (option: Shown, terms: Terms): boolean => {
  const { input, operation } = option;
  const has = (is: unknown, wanted: unknown): boolean => is === undefined || wanted === undefined || is === wanted;
  const month = input["flight_start"] === undefined ? undefined : Number(textOf(input["flight_start"]).slice(5, 7));
  return (
    operation.includes("quote") &&
    !/book|decline/.test(operation) &&
    has(input["product_id"], terms.product) &&
    has(input["impressions"], terms.impressions) &&
    has(input["deal_type"], terms.deal_type) &&
    has(month, terms.month)
  );
};

const gives: Readonly<Record<string, RegExp>> = {
  answer: /^(?:get|list|check|discover|search|compare)_/,
  quoted: /request_quote/,
  booked: /book|generate_deal|create_deal/,
  accepted: /accept|counter|negotiat|submit_proposal/,
  counter: /counter|negotiat|submit_proposal/,
  rejected: /decline|reject|withdraw|counter|negotiat/,
  pending: /submit_proposal|counter|negotiat|cancel|change|reschedule|handover/,
  started: /create_booking/,
};

const inputOf = ({ input }: Shown, names: readonly string[]): unknown =>
  names.map((name) => input[name]).find((one) => one !== undefined);

const inputs: readonly (readonly [string, readonly string[]])[] = [
  ["product", ["product_id"]],
  ["impressions", ["impressions"]],
  ["cpm", ["buyer_price", "price", "target_cpm"]],
  ["deal_type", ["deal_type"]],
  ["flight_start", ["flight_start", "start_date"]],
  ["flight_end", ["flight_end", "end_date"]],
];

const isOf = (option: Shown, understood: Members): boolean =>
  inputs.every(([slot, names]) => {
    const is = inputOf(option, names);
    const wanted = understood[slot] ?? understood[`?${slot}`];
    const all = (wanted as { all?: unknown } | undefined)?.all ?? wanted;
    if (is === undefined || all === undefined) return true;
    return [all].flat().some((one) => one === is || isNear(toNumber(one), toNumber(is)));
  });

const toOutcome = (option: Shown, want: Want): boolean => {
  const outcomes = [...listOf(want.outcome), ...(want.outcomes ?? [])];
  const isEnd = /reject|decline/.test(actionOf(option));
  return (
    outcomes.some(
      (one) => gives[one]?.test(option.operation) === true && isEnd === (one === "rejected" && isNegotiation(option)),
    ) && isOf(option, want.understood ?? {})
  );
};

interface Lacking {
  readonly commits: readonly WantedEffect[];
  readonly bids: number;
  readonly isQuoteMissing: boolean;
  readonly isWrong: boolean;
  /** A later turn accepts or refuses what this one must offer. */
  readonly isBidNeeded: boolean;
}

const isCommit = (course: Course, option: Shown): boolean =>
  Object.entries(course.one.agent === "seller" ? ofSeller : ofBuyer).some(
    ([kind, does]) => kind !== "agreed" && does(option),
  );

/** What somebody would take next who lacks that; only what is wanted is ever committed. */
export const nextPick = (
  course: Course,
  want: Want,
  options: readonly Shown[],
  lacking: Lacking,
): Shown | undefined => {
  const [wanted] = lacking.commits.flatMap((one) => options.find((option) => couldDo(course, one, option)) ?? []);
  if (wanted !== undefined) return wanted;
  // The price that the seller named may be taken by offering it.
  if (lacking.commits.some((one) => kindOf(one) === "accepted")) return options.find(isBid);
  if (lacking.bids > 0) return options.find(isBid);
  const terms = want.quoted ?? want.shows;
  if (lacking.commits.length === 0 && lacking.isQuoteMissing && terms !== undefined) {
    const quote = options.find((option) => isQuoteOf(option, terms));
    if (quote !== undefined) return quote;
  }
  if (lacking.isBidNeeded) return options.find(isBid);
  const isFree = (option: Shown): boolean => want.commits === undefined || !isCommit(course, option);
  return lacking.isWrong ? options.find((option) => isFree(option) && toOutcome(option, want)) : undefined;
};
