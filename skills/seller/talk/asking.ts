import { isWish } from "../../talk/reader/cut.ts";
import { isOneOf, words } from "../../talk/reader/word-lists.ts";
import type { Request } from "./requests.ts";
import { dealTopics, flightNames, type Memory, openTopics, pick, sizeNames, type Slots, withNotes } from "./memory.ts";
import { type Unread, unreadIn } from "../../talk/reader/unread.ts";
import { meansMoney, partOfFlight, without } from "./terms.ts";
import { rowsByNumber } from "./meant.ts";
import { sellerPatterns, commands } from "./commands.ts";
import { priceSaid, resizeIn, shiftIn } from "./figures.ts";
import { hasTerms } from "./said.ts";
import { type Entity, textOf } from "../../talk/reader/entity.ts";
import { type Talk, type Spoken, clarify } from "./spoken.ts";
import { inQuotes, targetingNote } from "./wording.ts";
import { notAdded } from "./answers/notes.ts";
import { mostRead, withoutAccents } from "../../talk/reader/tokens.ts";
import { dayMs } from "../../../machines/inventory/dates.ts";

const taken: Readonly<Record<string, readonly string[]>> = {
  offer: ["percent", "number", "price"],
  plan: ["percent"],
  list: ["number", "price"],
  price: ["number"],
  change: ["percent"],
  compare: ["number"],
  policy: ["cap", "number", "size", "spot"],
  formats: ["size", "spot"],
  rank: ["number"],
};

/** "In June, not until the 5th": a day that is no end of the flight is held nowhere. */
const isEnd = (day: string, { flight_start: start, flight_end: end }: Slots): boolean =>
  [start, end].some((one) => typeof one === "string" && Number(one.slice(-2)) === Number(day.split(" ")[1]));

/** "Book it for ten days": held where the flight is so long; a month may have 28. */
const isLength = ({ said }: Request, { flight_start: start, flight_end: end }: Slots): boolean =>
  said.lengths.every((length) => {
    const days = (Date.parse(String(end)) - Date.parse(String(start))) / dayMs + 1;
    return Math.abs(days - length) <= (length % 30 === 0 ? length / 15 : 0);
  });

const partWords = /^(?:\w+ )?(?:weeks?|days?|months?|half)$/i;
const portions = words("half halves third thirds quarter quarters part portion double twice triple");

/** "Book it for half the price": a share that neither the volume nor the days of what is ordered hold. */
const sharesIn = (request: Request, memory: Memory): readonly Unread[] => {
  if (!isOneOf(request.command, "book accept") || resizeIn(request) !== null) return [];
  if (partOfFlight(request, { ...memory.terms, ...request.said.flight }) !== null) return [];
  return request.parts.flatMap(({ from, to }) =>
    request.scan.tokens
      .slice(from, to)
      .filter(({ word }, at) => portions.has(word) && request.scan.owners[from + at] === undefined)
      .map(({ text }) => ({ text, isTerm: true })),
  );
};

export const unreadOf = (request: Request, terms: Slots, memory: Memory): readonly Unread[] => {
  const price = priceSaid(request, memory);
  const kinds = taken[request.command] ?? [];
  const { days, flight } = request.said;
  const hasFlight = memory.terms["flight_start"] !== undefined || Object.keys(flight).length > 0;
  const isTaken = (kind: string): boolean =>
    kinds.includes(kind) ||
    (kind === "length" && request.command === "change" && shiftIn(request) !== null) ||
    (hasFlight &&
      !isOneOf(request.command, "policy validity") &&
      ((kind === "length" && (request.command !== "book" || isLength(request, terms))) ||
        (kind === "day" && days.every((day) => isEnd(day, terms))))) ||
    (kind === "number" &&
      ((price !== null && request.said.numbers.length === 1) || rowsByNumber(request, memory) !== null));
  const unread = request.parts.flatMap((part) => {
    const own = unreadIn(request.scan, part, request.used, isTaken, (word) => sellerPatterns.common.has(word));
    // Of the prose around a table only what may be a term.
    return request.lines?.includes(part) === false ? own.filter(({ isTerm }) => isTerm) : own;
  });
  // "The 2nd week" is read as days of the flight.
  const isRead = partOfFlight(request, memory.terms) !== null;
  const left = isRead ? unread.filter(({ text }) => !partWords.test(text)) : unread;
  return [...left, ...sharesIn(request, memory)];
};

/** "For our spring collection: 1 to 28 March": beside both days of a flight a season says nothing more. */
const isDated = ({ said: { flight } }: Request): boolean =>
  flight["flight_start"] !== undefined && flight["flight_end"] !== undefined;

/** Times and sizes that are said and not clear. */
export const binding = (request: Request, memory: Memory): readonly string[] =>
  request.said.entities.flatMap((one) =>
    (one.kind === "vague" && !(isDated(request) && !/\d/.test(textOf(request.scan, one)))) ||
    (one.kind === "percent" && request.command === "quote" && resizeIn(request) === null) ||
    (one.kind === "volume" && request.said.isVolumeUnclear && !meansMoney(request, memory))
      ? [textOf(request.scan, one)]
      : [],
  );

export const needsDates = words("quote book propose plan");

export const named = (unread: readonly Unread[], request: Request): readonly string[] => {
  // What only terms made a request of may ask something else: "can you run our cat videos backwards?"
  const all =
    commands[request.command]?.needsAll === true || (request.used.size === 0 && !wordless.has(request.command));
  return [...new Set(unread.filter(({ isTerm }) => all || isTerm).map(({ text }) => text))];
};

/** They answer nothing that a term could be of. */
const wordless = words("unknown unanswered hand_over withhold policy greet thanks");

/** "US" is not told by "USD", and 7 not by $7.20. */
export const tells = (text: string, words: string): boolean =>
  ` ${text} `
    .split(words)
    .some((part, at, parts) => at > 0 && !/[\w][.,-]?$/.test(parts[at - 1] ?? "") && !/^(?:\w|[.,-]\d)/.test(part));

/** What was read and stands in no answer: who and where, what nobody here sells, what a booking is to carry. */
const unsaidIn = ({ request: { scan, said } }: Talk, answers: readonly Spoken[]) => {
  const told = answers.map(({ text }) => text).join(" ");
  const isTold = (one: string): boolean => tells(told, one);
  const wordsOf = (...kinds: readonly string[]): readonly string[] =>
    said.entities
      .flatMap((one) => (kinds.includes(one.kind) ? [one.kind === "unsold" ? one.value : textOf(scan, one)] : []))
      .filter((one) => !isTold(one));
  return { unsold: wordsOf("unsold"), who: wordsOf("audience", "geo"), notes: said.notes };
};

const lookingUp = `
  formats list describe status deals delivery summary policy activation changes quotes validity change cancel
  cancel_terms discounts deal_types minimum
`;

interface ToldInFull {
  readonly spoken: readonly Spoken[];
  /** Named in the answers, and part of no deal. */
  readonly who: readonly string[];
}

/** The answers, which name all that was read: the one place where nothing is dropped without a word. */
export const toldInFull = (talk: Talk, answers: readonly Spoken[]): ToldInFull => {
  const { command } = talk.request;
  const { unsold, who, notes: said } = unsaidIn(talk, answers);
  const notes = withNotes(talk.memory.notes, said).filter((note) => said.includes(note));
  const isOpen = openTopics(talk.memory).length > 0;
  const isBooked = !isOpen && dealTopics(talk.memory).length > 0;
  const carried = isBooked && commands[command]?.needsAll !== true ? notAdded : "The booking will carry:";
  const isNoted = command === "noted" || answers.some(({ text }) => notes.every((note) => text.includes(note)));
  // "What specs do I need for our client Acme's deal?": no booking is talked about.
  const isElsewhere = !isOpen && !isBooked && isOneOf(command, lookingUp);
  const noted = notes.length === 0 || isNoted || isElsewhere ? "" : ` ${carried} ${notes.join("; ")}.`;
  // "Only in California, and not next to news": where is no word of a policy.
  const isPlaced = !wordless.has(command) || command === "policy";
  const added = `${isPlaced ? targetingNote({ audience: [...new Set(who)] }) : ""}${noted}`;
  const last = answers.length - 1;
  const spoken = answers.map((one, at) => (at === last ? { ...one, text: `${one.text}${added}`.trim() } : one));
  const none = clarify("discovery", `We do not sell ${unsold.join(" or ")}.`, { reason: "not_sold" });
  return { spoken: unsold.length === 0 ? spoken : [...spoken, none], who };
};

const moves = words("cancel change");

/** "What would it cost to cancel it?", "did we move it?" */
export const isEnquiry = ({ command, isQuestion, text }: Request): boolean =>
  moves.has(command) && isQuestion && !isWish(text);

const figures = words("volume money price percent number");

/**
 * Figures of the request that its answers hold nowhere, neither in a text nor in what they offer: "we have 10k" beside
 * a quote of $13,500. Who says yes to such an answer may mean that figure.
 */
export const unheldIn = (
  { request, terms, memory }: Pick<Talk, "request" | "terms" | "memory">,
  answers: readonly Spoken[],
): readonly string[] => {
  const offers = answers.flatMap(({ drafts = [] }) => drafts);
  // A plan says its sums by product.
  if (request.allocation !== undefined) return [];
  const told = answers
    .flatMap(({ text }) => text.replaceAll(",", "").match(/(?<![\w-])\d+(?:\.\d+)?(?![\w-])/g) ?? [])
    .map(Number);
  const held = new Set(
    offers.length === 0
      ? [...told, ...Object.values(terms)]
      : [...told, ...offers.flatMap(({ input }) => Object.values(input))],
  );
  const step = resizeIn(request)?.by;
  const kinds = taken[request.command] ?? [];
  // A budget buys whole impressions, so cents of it are left.
  // "900k, a third each" stands in as many equal parts.
  const isParted = (value: unknown): boolean =>
    held.has(Math.floor(Number(value) / offers.length)) && offers.length > 1;
  const isSpent = (value: unknown): boolean =>
    Number(value) >= 1000 && told.some((sum) => sum < Number(value) && Number(value) - sum < 0.1);
  // "Book 2" is a place in the list, and "book both at 7" is none.
  const most = Math.max(memory.rows.length, openTopics(memory).length);
  const isPlace = (one: Entity): boolean =>
    one.kind === "number" &&
    Number.isInteger(one.value) &&
    one.value <= most &&
    isOneOf(request.command, "book accept decline quote describe cancel");
  return request.said.entities
    .filter((one) => figures.has(one.kind) && !isPlace(one) && one !== step)
    .filter(({ kind }) => !(offers.length === 0 && kinds.includes(kind)))
    .filter((one) => "value" in one && !held.has(one.value) && !isSpent(one.value) && !isParted(one.value))
    .map((one) => textOf(request.scan, one));
};

/** "Switch it to PG", answered with what PG is: the next order may mean what was told, and not what is open. */
export const isPassedOver = ({ isQuestion, said }: Request, { drafts = [] }: Spoken): boolean =>
  !isQuestion && drafts.length === 0 && (hasTerms(said) || said.price !== null || said.percents.length > 0);

/** "PD or PA", "June or maybe August": of several one must be chosen. */
export const severalIn = (talk: Talk): Spoken | null => {
  const { said, command } = talk.request;
  if (!needsDates.has(command) || said.products.length > 1 || talk.ids.length !== 1) return null;
  const which = (what: string, of: readonly unknown[], learnt: Slots, ...names: readonly string[]): Spoken =>
    clarify("pricing", `${what}: ${of.join(" or ")}?`, {
      about: without(talk.terms, ...names),
      learnt,
      reason: "several",
    });
  const types = said.dealTypes.filter((type) => type !== "");
  const prices = said.entities.flatMap((one) => (one.kind === "price" ? [one.value] : []));
  if (new Set(prices).size > 1 && /\bor\b/i.test(talk.request.text))
    return which("At which price", prices, {}, "target_cpm");
  if (types.length > 1) return which("As which deal type", types, { deal_type: null }, "deal_type");
  const flights = said.entities
    .filter((one) => one.kind === "period")
    .filter(({ start, end }) => start !== null && end !== null && start !== end);
  const { flight_start: from, flight_end: until } = talk.terms;
  const isOne = flights.every(({ start, end }) => start === from && end === until);
  if (flights.length < 2 || isOne || command === "plan") return null;
  const named = flights.map((one) => textOf(talk.request.scan, one));
  return which("For which flight", named, { flight_start: null, flight_end: null }, ...flightNames);
};

export const askAbout = (words: readonly string[]): Spoken =>
  clarify("pricing", `What do you mean by ${inQuotes(words)}: which impressions, money or days?`, {
    reason: "unread_terms",
  });

const foreign = new RegExp(
  "\\b(?:kostet|verfugbar|angebot|preis|buchen|bitte|wie|cuanto|cuesta|precio|cotizacion|combien|coute|prix|" +
    "devis|preco|custa|orcamento|nao|tienen|quanto|qual)\\b",
);

export const notesOf = (text: string): readonly string[] => [
  ...(foreign.test(withoutAccents(text.slice(0, 500).toLowerCase())) ? ["I answer in English."] : []),
  ...(text.length > mostRead ? [`I read the first ${mostRead} characters of your message; the rest is not used.`] : []),
];

/** An answer about something else than a sale understood what it names, and nothing of before. */
export const understoodAside = ({ terms, request: { said } }: Talk): Slots => ({
  ...pick(terms, ["product_id", "inventory_type"]),
  ...said.ids,
  ...pick(terms, [...sizeNames, "quote_id", "deal_id", "deal_type", "audience", "geo", "budget", "target_cpm"]),
});
