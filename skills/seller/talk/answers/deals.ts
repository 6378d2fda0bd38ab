import { bookingOf } from "../drafts.ts";
import {
  dealTopics,
  focusOf,
  idsIn,
  newTopic,
  openTopics,
  pick,
  productIn,
  type Row,
  rowsOfList,
  sizeNames,
  type Slots,
  soleOf,
  type Topic,
} from "../memory.ts";
import { says } from "../requests.ts";
import { idNameOf } from "../said.ts";
import { ask, clarify, inTurn, read, type Worded, type Spoken, type Talk, tell } from "../spoken.ts";
import { recordOf, rowsMeant } from "../meant.ts";
import { moment, money, saleIn, saleWords, shortWords, sumsWords, totalOf } from "../wording.ts";
import { nameOf, namesOf } from "./discovery.ts";
import { readNegotiation } from "./outcomes.ts";

const changeNames: Readonly<Record<string, string>> = {
  cancellation: "a cancellation",
  flight_dates: "a move of its flight",
  impressions: "a change of its volume",
};

export const changeName = (type: unknown): string => changeNames[String(type)] ?? `a change (${String(type)})`;

export const waitingOf = (deal: Slots): readonly Slots[] => rowsOfList(deal, "changes_waiting");

export const isCancelling = (deal: Slots): boolean =>
  waitingOf(deal).some(({ change_type: type }) => type === "cancellation");

/** "What is my total without it?", asked while the seller reviews its cancellation. */
const withoutCancelled = (deals: readonly Slots[]): string => {
  const left = deals.filter((deal) => !isCancelling(deal));
  return left.length === deals.length || left.length === 0
    ? ""
    : `, ${sumsWords(left.map(saleIn))} without what waits to be cancelled`;
};

export const counted = (deals: readonly Slots[]): string =>
  `${deals.length} ${deals.length === 1 ? "deal" : "deals"}, ${sumsWords(deals.map(saleIn))} in total` +
  withoutCancelled(deals);

export const waitingNames = (deal: Slots): string =>
  waitingOf(deal)
    .map(({ change_request_id: id, change_type: type }) => `${changeName(type)} (${String(id)})`)
    .join(", ");

export const waitingText = (deal: Slots): string => {
  const names = waitingNames(deal);
  return names === ""
    ? ""
    : ` Requested and not done yet: ${names}; until the seller has decided, the deal is as it was.`;
};

export const activationText = (deal: Slots): string => {
  const { status, awaiting_approval: isHeld, approval_id: approval } = deal;
  if (status !== "proposed") return "";
  if (isHeld === true || approval != null) return " It waits for a person's approval before it can start.";
  return ` Not active yet: ${expiryText(deal)}`;
};

const expiryText = ({ expires_at: until }: Slots): string =>
  `it expires on ${moment(until)} unless the seller activates it.`;

export const isStanding = ({ status }: Slots): boolean =>
  status === "proposed" || status === "active" || status === "completed";

export const isRunning = ({ status }: Slots): boolean => status === "proposed" || status === "active";

export const ownDeals = async (talk: Pick<Talk, "context">): Promise<readonly Slots[]> =>
  rowsOfList(await read(talk, "list_deals", { limit: 200 }), "deals");

export const dealsNamed = ({ request: { said } }: Talk): readonly string[] =>
  said.allIds.filter((id) => idNameOf(id) === "deal_id");

export const each = ({ request, ...talk }: Talk, ids: readonly unknown[], of: (one: Talk) => Promise<Spoken>) =>
  inTurn(ids, (id) => of({ ...talk, request: { ...request, said: { ...request.said, ids: { deal_id: id } } } }));

/** Of several deals each is told by itself. */
export const ofEach = async (
  talk: Talk,
  ids: readonly unknown[] | null,
  of: (one: Talk) => Promise<Spoken>,
): Promise<readonly Spoken[]> => (ids === null || ids.length < 2 ? [await of(talk)] : each(talk, ids, of));

/** The deal that the words mean: by id, product, place, or the one talked about; else a question. */
export const dealMeant = async (talk: Talk): Promise<string | Spoken> => {
  const { said } = talk.request;
  const named = said.ids["deal_id"];
  if (typeof named === "string") return named;
  const topics = dealTopics(talk.memory);
  const meant = talk.meant?.terms["deal_id"];
  if (typeof meant === "string") return meant;
  const products = idsIn(said);
  const row = products.length > 0 ? null : soleOf(rowsMeant(talk.request, talk.memory) ?? []);
  const byRow = row?.record ?? topics.find(({ product }) => product === row?.product)?.terms["deal_id"];
  if (typeof byRow === "string" && idNameOf(byRow) === "deal_id") return byRow;
  const focus = focusOf(talk.memory);
  const current = talk.memory.terms["deal_id"];
  if (products.length === 0 && typeof current === "string" && says(talk.request, "that this it its it's"))
    return current;
  const all = (await ownDeals(talk)).filter(isStanding);
  const fitting = products.length === 0 ? all : all.filter((deal) => products.includes(productIn(deal)));
  const inTalk = fitting.filter(({ deal_id: id }) => topics.some(({ terms }) => terms["deal_id"] === id));
  const byFlight = withFlight(talk, inTalk.length > 0 ? inTalk : fitting);
  const only = soleOf(byFlight);
  if (only !== null) return String(only["deal_id"]);
  if (products.length === 0 && typeof current === "string" && all.some(({ deal_id: id }) => id === current))
    return current;
  if (products.length === 0 && focus?.terms["deal_id"] != null) return focus.terms["deal_id"] as string;
  if (byFlight.length === 0)
    return tell("deals", `You have no ${products.length === 0 ? "deals yet" : `deal of ${namesOf(talk, products)}`}.`, {
      reason: "deal_not_found",
      outcome: all.length === 0 ? "clarify" : "answer",
    });
  const some = byFlight.slice(0, 6);
  const lines = some.map((deal, at) => `${at + 1}. ${String(deal["deal_id"])}: ${shortWords(saleIn(deal))}`);
  const rest = byFlight.length - some.length;
  const others = rest === 0 ? "" : ` Here are ${some.length} of ${byFlight.length}; give the id of another.`;
  const which = `Which deal do you mean?${others}`;
  return clarify("deals", [which, ...lines].join("\n"), {
    reason: "several",
    rows: some.map(rowOfDeal),
    numbered: lines.length,
    result: { deals: some },
  });
};

/** Where the same may be done with each of them, the options are the list. */
const asOptions = (which: Spoken, say: (deal: Slots) => Partial<Spoken>): Spoken => {
  if (which.numbered === undefined) return which;
  const deals = rowsOfList(which.result, "deals");
  const drafts = deals.flatMap((deal) => say(deal).drafts ?? []);
  const [question = ""] = which.text.split("\n");
  return drafts.length === deals.length ? { ...which, text: question, drafts, numbered: 0 } : which;
};

/** "The March one": of several deals those that run then. */
const withFlight = (talk: Talk, deals: readonly Slots[]): readonly Slots[] => {
  const { flight_start: start, flight_end: end } = talk.request.said.flight;
  if (deals.length < 2 || typeof start !== "string" || typeof end !== "string" || talk.request.command === "change")
    return deals;
  const found = deals.filter((deal) => {
    const { start: from, end: until } = saleIn(deal);
    return from >= start && (until ?? from) <= end;
  });
  return found.length > 0 ? found : deals;
};

/** Of a deal or a quote. */
export const rowOfRecord = (output: Slots, id: unknown): Row => {
  const sale = saleIn(output);
  return { product: productIn(output), record: String(id), cpm: sale.cpm, total: totalOf(sale) };
};

export const rowOfDeal = (deal: Slots): Row => rowOfRecord(deal, deal["deal_id"]);

export const ownTerms = (deal: Slots): Slots => ({
  product_id: productIn(deal),
  deal_id: deal["deal_id"],
  deal_type: deal["deal_type"],
  quote_id: deal["quote_id"] ?? null,
  proposal_id: deal["proposal_id"] ?? null,
  negotiation_id: null,
  ...pick(deal["terms"] as Slots, sizeNames),
});

/** With its days, where several flights of the product are talked about. */
export const topicName = (talk: Talk, { product, terms }: Topic): string => {
  const { flight_start: start, flight_end: end } = terms;
  const isOne = talk.memory.topics.filter((one) => one.product === product).length < 2;
  const days = isOne || typeof start !== "string" || typeof end !== "string" ? "" : `, ${start} to ${end}`;
  return `${nameOf(talk, product)}${days}`;
};

export const recordNames = (talk: Talk, topics: readonly Topic[]): string =>
  topics.map((topic) => `${topicName(talk, topic)} (${recordOf(topic.terms) ?? ""})`).join("; ");

/** " Still open: …", beside some that are not; empty where nothing else is. */
export const alsoOpen = (talk: Talk, but: readonly Topic[]): string => {
  const names = recordNames(
    talk,
    openTopics(talk.memory).filter((topic) => !but.includes(topic)),
  );
  return names === "" ? "" : ` Still open: ${names}.`;
};

const statusOf = (deal: Slots): string => (deal["cancelled"] === true ? "cancelled" : String(deal["status"]));

const textOr = (text: unknown): string => (typeof text === "string" ? text : "");

const reasonOf = ({ status_reason: reason }: Slots): string =>
  typeof reason === "string" && reason !== "" ? ` Reason: ${reason.replace(/[.]+$/, "")}.` : "";

export const stateOf = (deal: Slots): string =>
  `Deal ID ${String(deal["deal_id"])} (${statusOf(deal)}): ${saleWords(deal)}.${reasonOf(deal)}`;

export const shown = async (talk: Talk, say: (deal: Slots) => Worded): Promise<Spoken> => {
  const id = await dealMeant(talk);
  if (typeof id !== "string") return asOptions(id, say);
  return ask(talk, "deals", "get_deal", { deal_id: id }, (deal) => ({
    about: ownTerms(deal),
    learnt: ownTerms(deal),
    topic: newTopic(productIn(deal), ownTerms(deal), saleIn(deal).cpm),
    ...say(deal),
  }));
};

const dsps: Readonly<Record<string, RegExp>> = {
  ttd: /\bttd\b|\btrade ?desk\b/i,
  dv360: /\bdv ?360\b|\bdisplay (?:&|and) video\b/i,
  xandr: /\bxandr\b|\bappnexus\b/i,
};

const stepsText = (deal: Slots, text: string): string => {
  const instructions = (deal["activation_instructions"] ?? {}) as Readonly<Record<string, string>>;
  const named = Object.entries(dsps).find(([, pattern]) => pattern.test(text))?.[0];
  const own = named === undefined ? undefined : instructions[named];
  const steps = own === undefined ? Object.values(instructions) : [own];
  return [`${stateOf(deal)}${activationText(deal)}`, ...steps.map((step) => `- ${step}`)].join("\n");
};

export const hasDeal = (talk: Talk): boolean =>
  talk.request.said.ids["deal_id"] !== undefined || dealTopics(talk.memory).length > 0;

/** How a booked deal starts; before that, that it is not booked. */
export const activation = async (talk: Talk): Promise<Spoken> => {
  if (!hasDeal(talk)) {
    const open = openTopics(talk.memory);
    const lead = open.length > 0 ? "Nothing is booked yet. " : "";
    const deals = open.length > 0 ? [] : (await ownDeals(talk)).filter(isStanding);
    if (deals.length === 0)
      return tell(
        "deals",
        `${lead}Deals run in The Trade Desk, Display & Video 360 and Xandr: once booked, a deal has an ID, ` +
          "which is entered there, and the steps for each.",
      );
  }
  // "Can I start already?" asks for no steps.
  const isWhen = talk.request.isQuestion && says(talk.request, "already now today yet immediately");
  return shown(talk, (deal) => ({
    text: isWhen ? `${stateOf(deal)}${activationText(deal)}` : stepsText(deal, talk.request.text),
  }));
};

const readQuote = (talk: Talk, id: string): Promise<Spoken> =>
  ask(talk, "pricing", "get_quote", { quote_id: id }, (output) => ({
    about: { ...talk.terms, quote_id: id },
    drafts: output["status"] === "available" ? [bookingOf(id)] : [],
    text: `Quote ${id} is ${String(output["status"])}: ${saleWords(output)}. ${textOr(output["status_text"])}`.trim(),
  }));

const readProposal = (talk: Talk, id: string): Promise<Spoken> =>
  ask(talk, "proposals", "get_proposal", { proposal_id: id }, (output) => ({
    about: { ...talk.terms, proposal_id: id },
    text: [
      `Proposal ${id} is ${String(output["status"])},`,
      `at ${money(output["agreed_price"] ?? output["price"], output["currency"])} CPM.`,
      textOr(output["status_text"]),
    ]
      .join(" ")
      .trim(),
  }));

/** Without the names of operations, which a person cannot call. */
const stepOf = ({ status: state, next_step: step }: Slots): string =>
  state === "pending_approval"
    ? '"Take it back" withdraws the request.'
    : textOr(step).includes("_")
      ? ""
      : textOr(step);

export const readChange = (talk: Talk, id: string): Promise<Spoken> =>
  ask(talk, "deals", "get_change_request", { cr_id: id }, (output) => ({
    text: [
      `Change request ${id}: ${changeName(output["change_type"])} of deal ID ${String(output["deal_id"])}.`,
      String(output["status_text"]),
      stepOf(output),
    ]
      .join(" ")
      .trim(),
  }));

const readers: Readonly<Record<string, (talk: Talk, id: string) => Promise<Spoken>>> = {
  cr_id: readChange,
  quote_id: readQuote,
  proposal_id: readProposal,
  negotiation_id: readNegotiation,
};

/** "Status of DEMO-1 and DEMO-2", "the two quotes qt-a and qt-b with the total" */
export const status = async (talk: Talk): Promise<readonly Spoken[]> => {
  const quotes = talk.request.said.allIds.filter((id) => idNameOf(id) === "quote_id");
  if (quotes.length < 2) return ofEach(talk, dealsNamed(talk), statusOfOne);
  const told = await inTurn(quotes, (id) => readQuote(talk, id));
  const sales = told.flatMap(({ result, outcome }) => (outcome === "refuse" ? [] : [saleIn(result as Slots)]));
  return [...told, tell("pricing", `Together: ${sumsWords(sales)}.`)];
};

/** What a named record, or the one talked about, is and what comes next. */
const statusOfOne = async (talk: Talk): Promise<Spoken> => {
  const { ids, products } = talk.request.said;
  for (const [name, readOne] of Object.entries(readers))
    if (typeof ids[name] === "string") return readOne(talk, ids[name]);
  const focus = focusOf(talk.memory);
  const isOpen = focus !== null && openTopics(talk.memory).includes(focus) && products.length === 0;
  if (
    ids["deal_id"] === undefined &&
    isOpen &&
    (dealTopics(talk.memory).length === 0 ||
      !/\bdeals?\b|\bbook/i.test(talk.request.text) ||
      says(talk.request, "it that this"))
  ) {
    const record = recordOf(focus.terms) ?? "";
    const told = await (readers[idNameOf(record)] ?? readQuote)(talk, record);
    const isBooked = (told.result as Slots | null)?.["deal_id"] != null;
    return isBooked ? told : { ...told, text: `Nothing is booked of it yet. ${told.text}` };
  }
  return shown(talk, (deal) => {
    const words = textOr(deal["status_text"]);
    const isInactive = words.includes("not active yet");
    const isWaiting = waitingNames(deal) !== "";
    const text = isInactive ? ` Booked, and not active yet: ${expiryText(deal)}` : isWaiting ? "" : ` ${words}`;
    const step = deal["status"] === "proposed" && !isInactive ? textOr(deal["next_step"]) : "";
    const next = isWaiting ? ' "Take it back" withdraws the request.' : ` ${step}`.trimEnd();
    return { text: `${stateOf(deal)}${text}${waitingText(deal)}${next}` };
  });
};
