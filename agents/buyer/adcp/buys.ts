import { dateOfSlot, slotOfTime } from "../../../machines/inventory/dates.ts";
import { fromMicros } from "../../../machines/money.ts";
import { boundedText, failureOf } from "../../../protocol/client/client-result.ts";
import {
  type TaskAnswer,
  type BuyPackage,
  buyResult,
  createMediaBuy,
  getMediaBuys,
  readsTaskStatus,
  taskStatusNames,
  updateMediaBuy,
} from "../../../skills/buyer/adcp-tasks.ts";
import type {
  AnsweredDeal,
  BookingCallFailure,
  BookingCallResult,
  BookingRequest,
  BuyAnswer,
  CallFor,
  HeldBuy,
} from "../../../skills/buyer/bookings/flow/ports.ts";
import { isUsableId } from "../../../skills/buyer/bookings/flow/quotes.ts";
import type { Ask } from "../jobs/asking.ts";
import { eachPage, type Link, taskKey, versioned } from "./link.ts";
import { budgetOf } from "./products.ts";

/** Where and under which key a line is bought. */
export interface BuyPlace {
  readonly url: string;
  readonly link: Link;
  readonly booking: BookingRequest;
  readonly optionId: string;
  readonly of: CallFor;
}

/** What the buyer finds its own buy by; it is the key, so that it differs for each line. */
const markOf = ({ of }: BuyPlace): string => taskKey(of.key ?? "");

/** The same for each attempt, as sellers compare the whole request under one key. */
const buyRequest = (place: BuyPlace, nowMs: number) => {
  const { link, booking, optionId } = place;
  const { terms } = booking;
  const today = dateOfSlot(slotOfTime(nowMs)) ?? "";
  const bid = terms.deal_type === "PA" ? { bid_price: fromMicros(terms.cpmMicros) } : {};
  const bought = {
    product_id: terms.product_id,
    pricing_option_id: optionId,
    budget: budgetOf(terms.costCents),
    ...bid,
  };
  return {
    ...versioned(link),
    account: link.account,
    ...("brand" in link.account ? { brand: link.account.brand } : {}),
    po_number: markOf(place),
    start_time: terms.flight_start <= today ? "asap" : `${terms.flight_start}T00:00:00Z`,
    end_time: `${terms.flight_end}T23:59:59Z`,
    packages: [bought],
  };
};

/** A buy's own states; those of a task say nothing of it. */
const buyStates: Readonly<Record<string, string>> = {
  pending_creatives: "proposed",
  pending_start: "proposed",
  active: "active",
  paused: "active",
  completed: "completed",
  canceled: "cancelled",
  rejected: "rejected",
};

/** As the seller says it. `isListed`: elsewhere `completed` is the state of the task. */
export const buyWord = (answer: Pick<TaskAnswer, "status" | "media_buy_status">, isListed: boolean): string | null =>
  answer.media_buy_status ?? (answer.status === "completed" && !isListed ? null : (answer.status ?? null));

export const buyStatus = (answer: Pick<TaskAnswer, "status" | "media_buy_status">, isListed: boolean): string => {
  const word = buyWord(answer, isListed);
  return word === null ? "proposed" : (buyStates[word] ?? boundedText(word).slice(0, 64));
};

export const isTaskOpen = (status: string | null | undefined): boolean =>
  ["submitted", "working", "input-required", "input_required", "auth-required", "pending"].includes(status ?? "");

const dayOfTime = (time: string | null | undefined): string | null => (time == null ? null : time.slice(0, 10));

/** Some impressions more or less are the rounding of the budget, as long as they cost at most a cent. */
const impressionsOf = ({ terms }: BookingRequest, answered: number | null | undefined): number | null => {
  if (answered == null) return terms.impressions;
  const differenceMicros = (Math.abs(answered - terms.impressions) * terms.cpmMicros) / 1_000;
  return differenceMicros <= 10_000 ? terms.impressions : answered;
};

/** What a seller that answers in full would have changed; what it leaves out is as it was asked for. */
const breachOf = ({ booking, optionId }: BuyPlace, answer: TaskAnswer): string | null => {
  const { terms } = booking;
  const [bought, ...others] = (answer.packages ?? []).filter(({ canceled }) => canceled !== true);
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ["product", terms.product_id, bought?.product_id],
    ["pricing option", optionId, bought?.pricing_option_id],
    ["budget", budgetOf(terms.costCents), bought?.budget],
    ["bid", fromMicros(terms.cpmMicros), terms.deal_type === "PA" ? bought?.bid_price : null],
    ["impressions", terms.impressions, impressionsOf(booking, bought?.impressions)],
    ["currency", "USD", answer.currency],
    ["last day", terms.flight_end, dayOfTime(bought?.end_time ?? answer.end_time)],
  ];
  const wrong = pairs.find(([, wanted, got]) => got != null && got !== wanted);
  if (wrong !== undefined) return `${wrong[0]} ${boundedText(String(wrong[2]))} instead of ${String(wrong[1])}`;
  return others.length === 0 ? null : `${others.length + 1} packages instead of 1`;
};

const packageId = (bought: BuyPackage | undefined): string | null =>
  bought?.package_id == null ? null : boundedText(bought.package_id).slice(0, 128);

const boughtDeal = ({ booking }: BuyPlace, buyId: string, answer: TaskAnswer, isListed: boolean): AnsweredDeal => {
  const { quote_id, terms } = booking;
  const [bought] = answer.packages ?? [];
  return {
    deal_id: buyId,
    quote_id,
    status: buyStatus(answer, isListed),
    product_id: terms.product_id,
    deal_type: terms.deal_type,
    cpm_micros: terms.cpmMicros,
    list_cpm_micros: null,
    currency: "USD",
    impressions: terms.impressions,
    flight_start: dayOfTime(bought?.start_time ?? answer.start_time) ?? terms.flight_start,
    flight_end: terms.flight_end,
    buyer_tier: "",
    seller_id: null,
    openrtb_params: null,
    audience_match_summary: null,
    activation: {},
    order_id: packageId(bought) ?? buyId,
    cost_cents: terms.costCents,
  };
};

const mostTries = 3;

/** One cancellation of a whole buy; a revision that others moved is read again. */
export const cancelBuy = async (
  ask: Ask,
  { url, link, of }: Pick<BuyPlace, "url" | "link" | "of">,
  buyId: string,
  reason: string,
): Promise<BookingCallResult<TaskAnswer>> => {
  for (let tries = 1; ; tries += 1) {
    const found = await readBuy(ask, { url, link, of }, buyId);
    const revision = found.ok ? (found.value.revision ?? null) : null;
    const input = {
      ...versioned(link),
      account: link.account,
      media_buy_id: buyId,
      canceled: true,
      cancellation_reason: reason.slice(0, 500),
      ...(revision === null ? {} : { revision }),
    };
    const key = taskKey(`${of.key ?? buyId}-cancel-${revision ?? tries}`);
    const answer = await ask(url, updateMediaBuy, input, { ...of, key, isOnce: !link.knowsKeys });
    if (answer.ok || answer.code !== "CONFLICT" || tries === mostTries) return answer;
  }
};

export const readBuy = async (
  ask: Ask,
  { url, link, of }: Pick<BuyPlace, "url" | "link" | "of">,
  buyId: string,
): Promise<BookingCallResult<TaskAnswer>> => {
  const { key: _key, ...read } = of;
  const input = { ...versioned(link), account: link.account, media_buy_ids: [buyId] };
  const answer = await ask(url, getMediaBuys, input, read);
  if (!answer.ok) return answer;
  const found = answer.value.media_buys.find((one) => one.media_buy_id === buyId);
  return found === undefined
    ? failureOf(url, 404, "MEDIA_BUY_NOT_FOUND", "The seller no longer lists this media buy.")
    : { ok: true, value: found };
};

/** A breach is undone at once. Where that is not confirmed the money stays bound. */
const undone = async (ask: Ask, place: BuyPlace, buyId: string, breach: string): Promise<BookingCallFailure> => {
  const ended = await cancelBuy(ask, place, buyId, `Not as ordered: ${breach}`);
  const isDone =
    ended.ok && ended.value.media_buy_id != null && !["active", "paused"].includes(buyWord(ended.value, false) ?? "");
  const what = `The media buy ${boundedText(buyId)} has ${breach}`;
  return isDone
    ? failureOf(place.url, 422, "terms_changed", `${what}; it was cancelled.`)
    : failureOf(place.url, 0, "terms_changed", `${what}, and its cancellation is not confirmed.`);
};

const heldOf = (taskId: string, message: string | null | undefined): HeldBuy => ({
  task_id: taskId,
  message: message == null ? null : boundedText(message),
});

/** Of create, or of the result of its task. */
const boughtOf = async (
  ask: Ask,
  place: BuyPlace,
  answer: TaskAnswer,
  isListed: boolean,
): Promise<BookingCallResult<BuyAnswer>> => {
  const { media_buy_id: buyId, task_id: taskId, message, status } = answer;
  if (buyId == null) {
    if (taskId != null && isTaskOpen(status ?? "submitted")) return { ok: true, value: heldOf(taskId, message) };
    const text = `The seller answered ${boundedText(String(status ?? "nothing"))} without a media buy.`;
    return failureOf(
      place.url,
      ["failed", "rejected", "canceled"].includes(status ?? "") ? 422 : 0,
      "no_media_buy",
      text,
    );
  }
  const breach = isUsableId(buyId) ? breachOf(place, answer) : "no usable id";
  if (breach !== null) return undone(ask, place, buyId, breach);
  return { ok: true, value: boughtDeal(place, buyId, answer, isListed) };
};

/** The buy that carries our mark. Null where there is none, or the seller does not repeat marks. */
export const findBuy = async (ask: Ask, place: BuyPlace): Promise<BookingCallResult<BuyAnswer> | null> => {
  const { url, link, of } = place;
  const { key: _key, ...read } = of;
  let found: TaskAnswer | undefined;
  await eachPage(
    (page) => ask(url, getMediaBuys, { ...versioned(link), account: link.account, ...page }, read),
    ({ media_buys: buys }) => {
      found = buys.find((one) => one.po_number === markOf(place));
      return found === undefined;
    },
  );
  return found === undefined ? null : boughtOf(ask, place, found, true);
};

const mostSends = 3;

/** A seller that knows the key answers a repeat with its first answer: so a lost one is heard after all. */
const sendBuy = async (ask: Ask, place: BuyPlace, nowMs: number): Promise<BookingCallResult<TaskAnswer>> => {
  const { url, link, of } = place;
  const request = buyRequest(place, nowMs);
  for (let sends = 1; ; sends += 1) {
    const answer = await ask(url, createMediaBuy, request, { ...of, key: markOf(place), isOnce: !link.knowsKeys });
    const isLost = !answer.ok && answer.status === 0 && !of.signal.aborted;
    if (!isLost || !link.knowsKeys || sends === mostSends) return answer;
  }
};

/** One package for each line. A seller that does not know a repeat by its key is sent the line once. */
export const buy = async (ask: Ask, place: BuyPlace, nowMs: number): Promise<BookingCallResult<BuyAnswer>> => {
  const { url, link, booking } = place;
  if (booking.isRepeat && !link.knowsKeys) {
    const found = await findBuy(ask, place);
    return found ?? failureOf(url, 0, "outcome_unknown", "The seller cannot be asked whether it has this buy already.");
  }
  const answer = await sendBuy(ask, place, nowMs);
  return answer.ok ? boughtOf(ask, place, answer.value, false) : answer;
};

/** How the task of a buy stands, under the name that the seller has for this question. */
export const askTask = (ask: Ask, { url, link, of }: Pick<BuyPlace, "url" | "link" | "of">, taskId: string) => {
  const name = taskStatusNames.find((one) => link.tasks.has(one)) ?? taskStatusNames[0];
  const { key: _key, ...read } = of;
  const input = { ...versioned(link), account: link.account, task_id: taskId, include_result: true };
  return ask(url, readsTaskStatus(name), input, read);
};

/** The task of a buy that was submitted: what it led to, or that it still waits. */
export const readTask = async (ask: Ask, place: BuyPlace, taskId: string): Promise<BookingCallResult<BuyAnswer>> => {
  const { url } = place;
  const unknown = (code: string, text: string) => failureOf(url, 0, code, text);
  const answer = await askTask(ask, place, taskId);
  if (!answer.ok) {
    if (answer.status !== 404) return answer;
    return (await findBuy(ask, place)) ?? unknown(answer.code, "The seller no longer knows the task.");
  }
  const { status, message, error, result } = answer.value;
  if (isTaskOpen(status)) return { ok: true, value: heldOf(taskId, message) };
  if (status !== "completed") {
    const code = boundedText(error?.code ?? `task_${status}`);
    return failureOf(
      url,
      422,
      code,
      boundedText(`The seller did not take the buy: ${error?.message ?? message ?? ""}`),
    );
  }
  const bought = buyResult.safeParse(result ?? {});
  if (bought.success && bought.data.media_buy_id != null) return boughtOf(ask, place, bought.data, false);
  return (await findBuy(ask, place)) ?? unknown("no_result", "The seller's task is done, without a media buy.");
};
