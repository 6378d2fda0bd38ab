import { fromMicros, toMicros } from "../../../machines/money.ts";
import { boundedText, failureOf } from "../../../protocol/client/client-result.ts";
import type {
  AnsweredDeal,
  BookingRequest,
  CallFor,
  DealNews,
  QuoteRequest,
  BookingCallResult,
  SellerCalls,
  BookingCallFailure,
} from "../../../skills/buyer/bookings/flow/ports.ts";
import { differenceOf } from "../../../skills/buyer/bookings/flow/quotes.ts";
import type { Ask } from "../jobs/asking.ts";
import {
  createLine,
  createOrder,
  getLine,
  type LineAnswer,
  listLines,
  listOrders,
  moveLine,
  type OrderAnswer,
} from "./contract.ts";

interface BookingTarget {
  readonly url: string;
  readonly account: string;
  readonly booking: BookingRequest;
  readonly of: CallFor;
}

interface Held {
  readonly order: OrderAnswer;
  /** It is null while the order has none. */
  readonly line: LineAnswer | null;
}

const pageSize = 100;
const mostPages = 100;

/** An order's name has at most 100 characters. It begins with the booking key, by which the order is found again. */
const orderName = ({ booking, of }: BookingTarget): string =>
  `${of.key ?? ""} ${booking.terms.campaignName}`.slice(0, 100).trim();
const isOurs = ({ name }: OrderAnswer, key: string): boolean => name.split(" ")[0] === key;

/** `PendingBooking` waits for the publisher. Both are sold; before them nothing is. */
const soldStatuses: Readonly<Record<string, string>> = {
  PendingBooking: "proposed",
  Booked: "active",
  InFlight: "active",
  Finished: "active",
};
const openStatuses: Readonly<Record<string, "reserve" | "book">> = { Draft: "reserve", Reserved: "book" };

const isSold = (line: LineAnswer): boolean => Object.hasOwn(soldStatuses, line.bookingstatus);

/** All items, or the first page's failure. A server that ignores `$skip` sends the same page again. */
const readAll = async <T extends { readonly id: string }>(
  ask: (page: { readonly $skip: number; readonly $top: number }) => Promise<BookingCallResult<readonly T[]>>,
): Promise<BookingCallResult<readonly T[]>> => {
  const found = new Map<string, T>();
  for (let page = 0; page < mostPages; page += 1) {
    const before = found.size;
    const answer = await ask({ $skip: page * pageSize, $top: pageSize });
    if (!answer.ok) return answer;
    for (const item of answer.value) found.set(item.id, item);
    if (answer.value.length < pageSize || found.size === before) return { ok: true, value: [...found.values()] };
  }
  return failureOf("", 0, "too_many_orders", `The account holds more than ${mostPages * pageSize} orders.`);
};

/** What an earlier attempt left at the server: a sold line first, then one that can be booked, then an empty order. */
const findHeld = async (ask: Ask, place: BookingTarget): Promise<BookingCallResult<Held | null>> => {
  const { url, account: account_id, of } = place;
  const orders = await readAll((page) => ask(url, listOrders, { account_id, ...page }, of));
  if (!orders.ok) return orders;
  const held: Held[] = [];
  for (const found of orders.value.filter((one) => isOurs(one, of.key ?? ""))) {
    const lines = await readAll((page) => ask(url, listLines, { account_id, order_id: found.id, ...page }, of));
    if (!lines.ok) return lines;
    held.push({ order: found, line: null }, ...lines.value.map((line) => ({ order: found, line })));
  }
  const rank = ({ line }: Held): number => {
    if (line === null) return 2;
    return isSold(line) ? 0 : Object.hasOwn(openStatuses, line.bookingstatus) ? 1 : 3;
  };
  const [best] = held.filter((one) => rank(one) < 3).toSorted((left, right) => rank(left) - rank(right));
  return { ok: true, value: best ?? null };
};

export const days = ({ flight_start: from, flight_end: to }: Pick<QuoteRequest, "flight_start" | "flight_end">) => ({
  startdate: `${from}T00:00:00Z`,
  enddate: `${to}T23:59:59Z`,
});

const makeOrder = (ask: Ask, place: BookingTarget): Promise<BookingCallResult<OrderAnswer>> => {
  const { url, account, booking, of } = place;
  const body = { account_id: account, accountid: account, name: orderName(place), currency: "USD" };
  const money = { budget: booking.terms.costCents / 100, ...days(booking.terms), orderstatus: "PENDING" };
  return ask(url, createOrder, { ...body, ...money }, { ...of, key: `${of.key ?? ""}-order` });
};

const makeLine = (
  ask: Ask,
  { url, account, booking, of }: BookingTarget,
  made: OrderAnswer,
): Promise<BookingCallResult<LineAnswer>> => {
  const { terms, audience_plan: plan } = booking;
  const body = {
    account_id: account,
    order_id: made.id,
    orderid: made.id,
    productid: terms.product_id,
    name: terms.productName.slice(0, 200),
    ...days(terms),
    ratetype: "CPM",
    rate: fromMicros(terms.cpmMicros),
    qty: terms.impressions,
    bookingstatus: "Draft",
    ...(plan === null ? {} : { ext: { audience_plan: plan } }),
  };
  return ask(url, createLine, body, { ...of, key: `${of.key ?? ""}-line` });
};

const centsOf = (cost: number | null | undefined): number | null => {
  const micros = cost == null ? null : toMicros(cost);
  return micros === null ? null : Math.round(micros / 10_000);
};

/** A line names neither deal type nor tier: those are as asked. */
const dealOf = (
  { booking: { quote_id, terms } }: BookingTarget,
  { order: of, line }: Held & { line: LineAnswer },
): AnsweredDeal => ({
  deal_id: line.id,
  quote_id,
  status: soldStatuses[line.bookingstatus] ?? boundedText(line.bookingstatus).slice(0, 64),
  product_id: line.productid,
  deal_type: terms.deal_type,
  cpm_micros: line.ratetype.toUpperCase() === "CPM" ? toMicros(line.rate) : null,
  list_cpm_micros: null,
  currency: of.currency ?? "USD",
  impressions: line.qty,
  flight_start: line.startdate.slice(0, 10),
  flight_end: line.enddate.slice(0, 10),
  buyer_tier: "",
  seller_id: null,
  openrtb_params: null,
  audience_match_summary: null,
  activation: {},
  order_id: of.id,
  cost_cents: centsOf(line.cost),
});

const endedStatuses: Readonly<Record<string, string>> = {
  Finished: "completed",
  Canceled: "cancelled",
  Expired: "expired",
};

const newsOf = (line: LineAnswer): DealNews => ({
  status: endedStatuses[line.bookingstatus] ?? soldStatuses[line.bookingstatus] ?? boundedText(line.bookingstatus),
  reason: null,
  awaitsApproval: line.bookingstatus === "PendingBooking",
  cpm_micros: line.ratetype.toUpperCase() === "CPM" ? toMicros(line.rate) : null,
  impressions: line.qty,
  flight_start: line.startdate.slice(0, 10),
  flight_end: line.enddate.slice(0, 10),
});

/** The money and the terms of a line before it is sold, as the server holds them. */
const differs = (place: BookingTarget, held: Held & { line: LineAnswer }): string | null => {
  const { terms } = place.booking;
  const deal = dealOf(place, held);
  return differenceOf([
    ["product", terms.product_id, deal.product_id],
    ["rate", terms.cpmMicros, deal.cpm_micros],
    ["quantity", terms.impressions, deal.impressions],
    ["first day", terms.flight_start, deal.flight_start],
    ["last day", terms.flight_end, deal.flight_end],
    ["currency", "USD", deal.currency],
    ["cost", terms.costCents, deal.cost_cents ?? terms.costCents],
  ]);
};

/** Each move is read back: an answer may be the line before it. */
const sell = async (
  ask: Ask,
  place: BookingTarget,
  first: Held & { line: LineAnswer },
): Promise<BookingCallResult<AnsweredDeal>> => {
  const { url, account: account_id, of } = place;
  const at = { account_id, order_id: first.order.id, line_id: first.line.id };
  let { line } = first;
  for (let moves = 0; moves < 2 && Object.hasOwn(openStatuses, line.bookingstatus); moves += 1) {
    const action = openStatuses[line.bookingstatus] ?? "book";
    const defect = differs(place, { ...first, line });
    if (defect !== null) return failureOf(url, 422, "line_differs", `The line has ${defect}; it was not booked.`);
    const moved = await ask(url, moveLine, { ...at, action }, { ...of, key: `${of.key ?? ""}-${action}` });
    if (!moved.ok) return moved;
    const read = await ask(url, getLine, at, of);
    if (!read.ok) return { ...read, status: 0 };
    line = read.value;
  }
  if (isSold(line)) return { ok: true, value: dealOf(place, { ...first, line }) };
  const status = boundedText(line.bookingstatus).slice(0, 64);
  const isOpen = ["Draft", "Reserved", "PendingReservation"].includes(line.bookingstatus);
  return failureOf(url, isOpen ? 0 : 422, "line_not_booked", `The line ${line.id} is ${status}.`);
};

const bookOnce = async (ask: Ask, place: BookingTarget): Promise<BookingCallResult<AnsweredDeal>> => {
  const found = await findHeld(ask, place);
  if (!found.ok) return found;
  const made = found.value === null ? await makeOrder(ask, place) : { ok: true as const, value: found.value.order };
  if (!made.ok) return made;
  const known = found.value?.line ?? null;
  const line = known === null ? await makeLine(ask, place, made.value) : { ok: true as const, value: known };
  return line.ok ? sell(ask, place, { order: made.value, line: line.value }) : line;
};

/** Without an answer the step may have been done: a second attempt finds what it left and goes on from there. */
const mayHaveActed = ({ status }: BookingCallFailure): boolean => status < 400 || status >= 500 || status === 408;

export const createLineCalls = (
  ask: Ask,
  account: string,
): Pick<SellerCalls, "book" | "findBooking" | "readDeal" | "order" | "cancelOrder" | "readCancellation"> => ({
  book: async (url, booking, of) => {
    const place = { url, account, booking, of };
    const first = await bookOnce(ask, place);
    return first.ok || !mayHaveActed(first) || of.signal.aborted ? first : bookOnce(ask, place);
  },
  findBooking: async (url, booking, of) => {
    const place = { url, account, booking, of };
    const found = await findHeld(ask, place);
    if (!found.ok || found.value === null) return null;
    const { order: in_, line } = found.value;
    return line === null || !isSold(line) ? null : { ok: true, value: dealOf(place, { order: in_, line }) };
  },
  order: async (url) => failureOf(url, 501, "not_offered", "An order is made with its line."),
  cancelOrder: async (url, { orderId, dealId }, of) => {
    const at = { account_id: account, order_id: orderId, line_id: dealId };
    const moved = await ask(url, moveLine, { ...at, action: "cancel" }, of);
    if (!moved.ok) return moved;
    const read = await ask(url, getLine, at, of);
    if (!read.ok) return read;
    const { bookingstatus: standing } = read.value;
    const isDone = standing === "Canceled";
    const reason = isDone ? null : `The line is ${boundedText(standing).slice(0, 64)}.`;
    return { ok: true, value: { changeRequestId: dealId, status: isDone ? "applied" : "rejected", reason } };
  },
  readDeal: async (url, { dealId, orderId }, of) => {
    if (orderId === null) return failureOf(url, 501, "not_offered", "A line is found by its order.");
    const read = await ask(url, getLine, { account_id: account, order_id: orderId, line_id: dealId }, of);
    return read.ok ? { ok: true, value: newsOf(read.value) } : read;
  },
  readCancellation: async (url) => failureOf(url, 501, "not_offered", "A line is cancelled at once or not at all."),
});
