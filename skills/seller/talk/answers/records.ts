import type { Draft } from "../../../talk/gate/record.ts";
import { agreementOn, bookingOf, dealOf, isOfDeal } from "../drafts.ts";
import { dealTopics, idsIn, openTopics, productIn, type Row, rowsOfList, type Slots, inCents } from "../memory.ts";
import { says } from "../requests.ts";
import { ask, inTurn, read, type Skill, type Spoken, type Talk, tell } from "../spoken.ts";
import { asLines, count, moment, money, type Sale, saleIn, shortWords, sumsWords, totalOf } from "../wording.ts";
import { changeName, counted, isStanding, ownDeals, rowOfDeal, rowOfRecord, status, waitingNames } from "./deals.ts";
import { recordFor, saleOfRecord } from "./outcomes.ts";
import { namesOf } from "./discovery.ts";
import { price } from "./pricing.ts";

const mostListed = 12;

const shownOf = (lines: readonly string[]): readonly string[] =>
  lines.length <= mostListed ? lines : [...lines.slice(0, mostListed), `and ${count(lines.length - mostListed)} more`];

const dealLine = (deal: Slots): string => {
  const waiting = waitingNames(deal);
  const waits = waiting === "" ? "" : `; waits: ${waiting}`;
  const notes = typeof deal["notes"] === "string" ? `; ${deal["notes"]}` : "";
  const until = deal["status"] === "proposed" ? `, expires ${String(deal["expires_at"]).slice(0, 10)}` : "";
  return `${String(deal["deal_id"])} (${String(deal["status"])}${until}): ${shortWords(saleIn(deal))}${notes}${waits}`;
};

const narrowed = (talk: Talk, deals: readonly Slots[]): readonly Slots[] => {
  const named = idsIn(talk.request.said);
  const { flight_start: start, flight_end: end } = talk.request.said.flight;
  return deals.filter((deal) => {
    const sale = saleIn(deal);
    const isOf = named.length === 0 || named.includes(productIn(deal));
    // "Move all my native deals to April": when they shall run, and not when they do.
    const isThen =
      typeof start !== "string" ||
      typeof end !== "string" ||
      /\b(?:move|shift|push|reschedule|postpone)\b/i.test(talk.request.text) ||
      (sale.start <= end && (sale.end ?? sale.start) >= start);
    return isOf && isThen;
  });
};

const activeText = (talk: Talk, standing: readonly Slots[]): string => {
  if (!says(talk.request, "running live active")) return "";
  const active = standing.filter(({ status }) => status === "active");
  return active.length === 0
    ? " None of them is active yet."
    : ` Active: ${count(active.length)}, ${sumsWords(active.map(saleIn))}.`;
};

/** Past, and booked in another year: what cannot be told apart here is not guessed. */
export const deals = (talk: Talk): Promise<Spoken> =>
  ask(talk, "deals", "list_deals", { limit: 200 }, (output) => {
    const own = rowsOfList(output, "deals");
    const all = narrowed(talk, own);
    const standing = all.filter(isStanding);
    const rows = standing.map(rowOfDeal);
    if (all.length === 0) return { text: `You have no ${own.length > 0 ? "such " : ""}deals yet.`, rows };
    const state = activeText(talk, standing);
    const named = all.length === own.length ? [] : idsIn(talk.request.said);
    const of = named.length === 0 ? "" : ` of ${namesOf(talk, named)}`;
    const title =
      standing.length === 0 ? "None of your deals stands." : `Your deals${of}: ${counted(standing)}.${state}`;
    const over = moreOf(all.length - standing.length, "rejected, cancelled or expired");
    return { rows, text: `${asLines(title, shownOf(standing.map(dealLine)))}${over}` };
  });

const moreOf = (rest: number, what: string): string =>
  rest === 0 ? "" : `\n${count(rest)} more ${rest === 1 ? "is" : "are"} ${what}.`;

const listed =
  (skill: Skill, kind: string, line: (row: Slots) => string) =>
  (talk: Talk): Promise<Spoken> =>
    ask(talk, skill, `list_${kind}`, { limit: 200 }, (output) => {
      const rows = rowsOfList(output, kind);
      return {
        text: rows.length === 0 ? `You have no ${kind} yet.` : asLines(`Your ${kind}:`, shownOf(rows.map(line))),
      };
    });

const quoteLine = (quote: Slots): string =>
  `${String(quote["quote_id"])} (${String(quote["status"])}): ${shortWords(saleIn(quote))}; ` +
  `valid until ${moment(quote["expires_at"])}`;

export const quotes = (talk: Talk): Promise<Spoken> =>
  ask(talk, "pricing", "list_quotes", { limit: 200 }, (output) => {
    const all = narrowed(talk, rowsOfList(output, "quotes"));
    const isDropped = (id: unknown): boolean =>
      talk.memory.topics.some(({ terms, isOver }) => isOver && terms["quote_id"] === id);
    const open = all.filter(({ status, quote_id: id }) => status === "available" && !isDropped(id));
    const others = moreOf(all.length - open.length, "booked, dropped or over");
    const rows = open.map((quote) => rowOfRecord(quote, quote["quote_id"]));
    const title =
      all.length === 0
        ? "You have no quotes yet."
        : open.length === 0
          ? "None of your quotes is open."
          : asLines("Your open quotes:", shownOf(open.map(quoteLine)));
    return { rows, drafts: bookable(open), text: `${title}${others}` };
  });

const mostOffered = 6;

const bookable = (open: readonly Slots[]): readonly Draft[] =>
  open.slice(0, mostOffered).map(({ quote_id: id }) => bookingOf(id));

export const proposals = listed(
  "proposals",
  "proposals",
  ({ proposal_id: id, status, price: offered, agreed_price: agreed, currency }) =>
    `${String(id)} (${String(status)}): ${money(agreed ?? offered, currency)} CPM`,
);

const moneyOrNone = (amount: unknown, currency: unknown): string => (amount == null ? "none" : money(amount, currency));

export const negotiations = listed(
  "negotiation",
  "negotiations",
  ({ negotiation_id: id, status, product_name: product, currency, ...of }) =>
    `${String(id)} (${String(status)}): ${String(product)}, ` +
    `yours ${moneyOrNone(of["last_buyer_price"], currency)}, ours ${moneyOrNone(of["last_seller_price"], currency)}` +
    (status === "active" ? `, rounds left: ${String(of["rounds_remaining"])}` : ""),
);

const requestLine = ({ change_request_id: id, deal_id: dealId, change_type: type, status_text: text }: Slots): string =>
  `${String(id)}: ${changeName(type)} of deal ID ${String(dealId)}. ${String(text)}`;

/** When a request is answered, and by whom: no time is promised anywhere. */
export const decision = async (talk: Talk): Promise<Spoken> => {
  const pending = talk.open.filter(isOfDeal);
  const waiting = (await ownDeals(talk)).filter(isStanding).map(waitingNames);
  const names = waiting.filter((one) => one !== "").join(", ");
  const lead =
    talk.memory.isHandedOver || names !== "" || pending.length === 0 ? "" : "Nothing is requested of it yet. ";
  const waits = names === "" ? "" : `These wait: ${names}. `;
  return tell("deals", `${lead}${waits}${whoDecides}`, { drafts: pending });
};

export const whoDecides =
  "How long the seller's review takes is not on record here: a person at the seller decides, and until then a deal " +
  "stays as it is. The decision is told here: ask for the deal's status.";

const changeWords = ({ operation, input }: Draft): string => {
  const { deal_id: id, impressions, flight_start: start, flight_end: end } = input;
  const span = start === undefined && end === undefined ? [] : [`${String(start)} to ${String(end)}`];
  const to = [...(impressions === undefined ? [] : [`${count(Number(impressions))} impressions`]), ...span];
  return operation === "cancel_deal"
    ? `It would cancel deal ${String(id)}.`
    : `Deal ${String(id)} would change to ${to.join(", ")}.`;
};

export const changes = async (talk: Talk): Promise<Spoken> => {
  const all = rowsOfList(await read(talk, "list_change_requests", { limit: 50 }), "change_requests");
  // "Have my cancellations gone through?": of those that were requested.
  const isOfRequested = all.length > 0 && says(talk.request, "cancellations changes requests moves");
  const pending = isOfRequested ? [] : talk.open.filter(isOfDeal);
  if (pending.length > 0 && talk.request.isQuestion)
    return tell("deals", ["No, it is not requested yet.", ...pending.map(changeWords)].join(" "), {
      outcome: "clarify",
      drafts: pending,
      ...(pending.length === 1 ? { asks: "Shall I request it?" } : {}),
    });
  const id = talk.request.said.ids["deal_id"];
  const own = typeof id === "string" ? all.filter(({ deal_id: of }) => of === id) : all;
  const waiting = own.filter(({ status }) => status === "pending_approval");
  const result = { change_requests: own };
  const newest = own.slice(0, 3).map(requestLine);
  const text =
    waiting.length > 0
      ? asLines("The seller reviews these; until then the deals are as they were:", shownOf(waiting.map(requestLine)))
      : newest.length === 0
        ? "No change request of yours waits for the seller."
        : asLines("None waits for the seller. The newest:", newest);
  return tell("deals", text, { result });
};

interface Open {
  readonly row: Row;
  readonly product: string;
  readonly sale: Sale;
  readonly line: string;
  readonly draft: Draft | null;
  readonly output: Slots;
}

/** What was quoted, agreed or is negotiated in the conversation and is not booked. */
const openInTalk = async (talk: Talk): Promise<readonly Open[]> => {
  const found = await inTurn(openTopics(talk.memory), async ({ terms, product, cpm }) => {
    const { quote_id: quoteId, proposal_id: proposalId, negotiation_id: negotiationId } = terms;
    const isQuote = typeof quoteId === "string";
    const output = await recordFor(talk, isQuote ? { quote_id: quoteId } : { proposal_id: proposalId });
    if (output === null || (isQuote && output["status"] !== "available")) return [];
    const isBargain = isQuote && typeof negotiationId === "string";
    const ours = isQuote ? (isBargain ? cpm : null) : (output["agreed_price"] ?? output["price"]);
    const sale = saleOfRecord(talk, output, ours);
    const row = { product, record: String(quoteId ?? proposalId), cpm: sale.cpm, total: totalOf(sale) };
    if (!isQuote) {
      const draft = output["status"] === "accepted" ? dealOf(proposalId) : null;
      const line = `${row.record} (${String(output["status"])}): ${shortWords(sale)}`;
      return [{ row, product, sale, output, draft, line }];
    }
    const draft = isBargain && cpm !== null ? agreementOn(negotiationId, cpm) : bookingOf(quoteId);
    const state = isBargain ? "in negotiation, at our last price" : "not booked";
    const line = `${quoteId}: ${shortWords(sale)}; ${state}, valid until ${moment(output["expires_at"])}`;
    return [{ row, product, sale, output, draft, line }];
  });
  return found.flat();
};

const nothing = "Nothing is quoted, agreed or booked yet. What do you need?";

/** What the conversation has booked and open; where it has nothing, what the caller has. */
export const summary = async (talk: Talk): Promise<readonly Spoken[]> =>
  talk.request.said.allIds.length > 1 ? status(talk) : [await summaryOfAll(talk)];

const summaryOfAll = async (talk: Talk): Promise<Spoken> => {
  const all = (await ownDeals(talk)).filter(isStanding);
  const open = await openInTalk(talk);
  const ids = new Set(
    talk.memory.topics.flatMap(({ terms }) => (typeof terms["deal_id"] === "string" ? [terms["deal_id"]] : [])),
  );
  const own = all.filter(({ deal_id: id }) => ids.has(String(id)));
  const booked = own.length === 0 && open.length === 0 ? all : own;
  const result = { deals: booked, open: open.map(({ output }) => output) };
  const others = all.filter((deal) => !booked.includes(deal));
  const drafts = open.flatMap(({ draft }) => draft ?? []);
  if (booked.length === 0 && open.length === 0) {
    const found = await read(talk, "list_quotes", { limit: 20 });
    const available = rowsOfList(found, "quotes").filter(({ status }) => status === "available");
    if (available.length === 0) return { skill: "deals", outcome: "clarify", result, text: nothing };
    return tell("deals", asLines("Nothing is booked. Your open quotes:", shownOf(available.map(quoteLine))), {
      result: { ...result, quotes: available },
      drafts: bookable(available),
    });
  }
  const text = [
    booked.length === 0
      ? "So far nothing is booked."
      : asLines(`Booked: ${counted(booked)}.`, shownOf(booked.map(dealLine))),
    ...openLines(open),
    ...(others.length === 0 ? [] : [`From other conversations: ${counted(others)}.`]),
  ].join("\n");
  return tell("deals", text, { result, drafts, rows: open.map(({ row }) => row) });
};

const openLines = (open: readonly Open[]): readonly string[] =>
  open.length === 0
    ? []
    : [
        asLines(
          `Open, not booked: ${sumsWords(open.map(({ sale }) => sale))}.`,
          open.map(({ line }) => line),
        ),
      ];

const dollarsOf = (sales: readonly Sale[]): number =>
  sales.filter(({ currency }) => currency === "USD").reduce((total, sale) => total + inCents(totalOf(sale) ?? 0), 0);

/** What a deal would come to with the change that waits for a yes. */
const totalIfChanged = (talk: Talk, all: readonly Slots[], result: Slots): Spoken | null => {
  const wanted = talk.open.find(({ operation }) => operation === "change_deal");
  if (wanted === undefined || !/\bnew\b|\bthen\b/i.test(talk.request.text)) return null;
  const changed = all.find(({ deal_id: id }) => id === wanted.input["deal_id"]);
  if (changed === undefined) return null;
  const sale = { ...saleIn(changed), impressions: Number(wanted.input["impressions"]) };
  return tell(
    "deals",
    `With ${count(sale.impressions)} impressions the deal comes to ${money(totalOf(sale), sale.currency)}. ` +
      "It is not requested yet.",
    { result, drafts: [wanted] },
  );
};

const budgetLeft = ({ request: { said, text }, memory }: Talk, booked: number): readonly string[] => {
  if (!/\bleft\b|\bremaining\b|\brest\b/i.test(text)) return [];
  const known = memory.budget ?? memory.terms["budget"];
  const unsure = said.isVolumeUnsure ? said.volumes[0] : undefined;
  const budget = said.budget ?? unsure ?? (typeof known === "number" ? known : null);
  if (budget === null) return ["You have named no budget here."];
  return [
    `Of your ${money(budget)}, ${money(booked)} is booked: ` +
      `${budget >= booked ? `${money(budget - booked)} is left` : `${money(booked - budget)} more than it`}.`,
  ];
};

/** "And the total?" beside open quotes is theirs; other conversations have booked for others. */
const isOfOpen = ({ memory, request: { text } }: Talk): boolean =>
  dealTopics(memory).length === 0 &&
  !/\b(?:deals?|book\w*|spen[dt]\w*|committed|so far|overall|with you|left|remain\w*|rest)\b/i.test(text);

const impressionsOf = ({ request: { text } }: Talk, open: readonly Open[]): readonly string[] =>
  open.length > 1 && /\b(?:impressions|imps)\b/i.test(text)
    ? [`Together ${count(open.reduce((sum, { sale }) => sum + (sale.impressions ?? 0), 0))} impressions.`]
    : [];

const isNamedIn = ({ request: { said, text } }: Talk, product: string): boolean =>
  said.products.length === 0 ||
  /\b(?:whole|entire) plan\b/i.test(text) ||
  said.products.some(({ ids }) => ids.includes(product));

/** What the deals come to, and what would come to it with all that is open. */
export const spend = async (talk: Talk): Promise<Spoken> => {
  const everyOpen = await openInTalk(talk);
  const named = everyOpen.filter(({ product }) => isNamedIn(talk, product));
  const open = named.length > 0 ? named : everyOpen;
  const own = open.length > 0 && isOfOpen(talk) ? [] : await ownDeals(talk);
  const all = narrowed(talk, own.filter(isStanding));
  const result = { deals: all, open: open.map(({ output }) => output) };
  const changed = totalIfChanged(talk, all, result);
  if (changed !== null) return changed;
  const rest = budgetLeft(talk, dollarsOf(all.map(saleIn)));
  const isNone = all.length === 0 && open.length === 0;
  // "In total?" of what was only priced.
  if (isNone && talk.ids.length > 0 && rest.length === 0 && talk.terms["impressions"] !== undefined)
    return (await price(talk))[0] ?? tell("deals", nothing, { result });
  if (isNone) return tell("deals", [...rest, nothing].join(" "), { result });
  const lines = [
    ...rest,
    ...(all.length === 0
      ? []
      : [asLines(`Your deals: ${counted(all)}.${activeText(talk, all)}`, shownOf(all.map(dealLine)))]),
    ...(all.length > 0 || isOfOpen(talk) ? [] : ["Nothing is booked yet."]),
    ...openLines(open),
    ...impressionsOf(talk, open),
    ...(all.length === 0 || open.length === 0
      ? []
      : [`With it all: ${sumsWords([...all.map(saleIn), ...open.map(({ sale }) => sale)])}.`]),
  ];
  return tell("deals", lines.join("\n"), {
    result,
    rows: all.map(rowOfDeal),
    drafts: open.flatMap(({ draft }) => draft ?? []),
  });
};

/** Which of what is open is dearer, larger, or has the better price. */
export const compareOpen = async (talk: Talk): Promise<Spoken | null> => {
  const open = await openInTalk(talk);
  if (open.length < 2) return null;
  const isVolume = /\b(?:impressions|volume|imps)\b/i.test(talk.request.text);
  const isLeast = /\b(?:cheap\w*|least|fewe\w+|lower|lowest|small\w*|less)\b/i.test(talk.request.text);
  const size = ({ sale }: Open): number => (isVolume ? (sale.impressions ?? 0) : (totalOf(sale) ?? sale.cpm));
  const sorted = open.toSorted((one, other) => (isLeast ? size(one) - size(other) : size(other) - size(one)));
  const [first] = sorted;
  if (first === undefined) return null;
  const words = isVolume
    ? isLeast
      ? "has the fewest impressions"
      : "has the most impressions"
    : isLeast
      ? "is cheaper"
      : "is dearer";
  return tell(
    "pricing",
    asLines(
      `${first.sale.product} ${words}.`,
      sorted.map(({ line }) => line),
    ),
    {
      result: { open: sorted.map(({ output }) => output) },
      about: { product_id: first.product },
      drafts: sorted.flatMap(({ draft }) => draft ?? []),
      rows: sorted.map(({ row }) => row),
    },
  );
};
