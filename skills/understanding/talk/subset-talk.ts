import type { Offer } from "../../../machines/conversation/machine.ts";
import type { Memory } from "../memory.ts";
import type { Slots } from "../reading/slots.ts";
import { quoteOffer, quoteTerms, termsText, totalOf } from "./shown-terms.ts";
import type { Spoken, Talk } from "./speech.ts";

export interface Line {
  readonly offer: Offer;
  readonly output: Slots;
  /** From zero; a line left out leaves the numbers of the others as they were. */
  readonly place: number;
}

const places: readonly RegExp[] = [
  /\b(?:first|1st|1)\b/i,
  /\b(?:second|2nd|2)\b/i,
  /\b(?:third|3rd|3)\b/i,
  /\b(?:fourth|4th|4)\b/i,
  /\b(?:fifth|5th|5)\b/i,
  /\b(?:sixth|6th|6)\b/i,
  /\b(?:seventh|7th|7)\b/i,
  /\b(?:eighth|8th|8)\b/i,
];
const isCheapest = /\bcheap(?:er|est)\b|\bless(?:er)? expensive\b/i;
const isDearest = /\b(?:more|most) expensive\b|\bdear(?:er|est)\b/i;
const isLast = /\blast\b/i;
const leavesOut = /\b(?:except|but|without|not|excluding|other than|leave out|skip|minus|drop|remove|strike|scrap)\b/i;

const declines = /\b(?:declin\w*|reject\w*|not (?:want|need|tak\w*|book\w*)|no longer)\b/i;

/** "Book 1 and 3. We decline 2." */
const withoutDeclined = (text: string): string => {
  const kept = text.split(/[.;\n]|,? but\b/).filter((clause) => !declines.test(clause));
  return places.some((place) => place.test(kept.join(" "))) ? kept.join(" ") : text;
};

const isNumbered = ({ lines = [], life }: Memory): boolean => life.context.shown.every(({ id }) => lines.includes(id));

export const linesOf = async ({ context, memory }: Talk): Promise<readonly Line[]> => {
  const lines: Line[] = [];
  const { shown } = memory.life.context;
  const numbers = isNumbered(memory) ? (memory.lines ?? []) : shown.map(({ id }) => id);
  for (const { kind, id } of shown) {
    if (kind !== "quote") return [];
    const outcome = await context.call("get_quote", { quote_id: id });
    if (outcome.kind !== "done") return [];
    const output = outcome.output as Slots;
    lines.push({ offer: quoteOffer(output), output, place: numbers.indexOf(id) });
  }
  return lines;
};

/** By the total; null where the message names no such line. */
const costliest = (lines: readonly Line[], text: string): Line | null => {
  if (!isCheapest.test(text) && !isDearest.test(text)) return null;
  const sorted = lines.toSorted(
    (one, other) => (totalOf(quoteTerms(one.output)) ?? 0) - (totalOf(quoteTerms(other.output)) ?? 0),
  );
  return (isDearest.test(text) ? sorted.at(-1) : sorted[0]) ?? null;
};

/** By number, name or cost. */
export const linesIn = ({ finder }: Talk, lines: readonly Line[], clause: string): readonly Line[] => {
  const found = new Set(finder.find(clause).products.map(({ product_id: id }) => id));
  const byName = lines.filter(({ output }) => found.has(String((output["product"] as Slots)["product_id"])));
  if (byName.length === 1) return byName;
  const byCost = costliest(lines, clause);
  if (byCost !== null) return [byCost];
  return lines.filter(
    ({ place }, at) => places[place]?.test(clause) === true || (at === lines.length - 1 && isLast.test(clause)),
  );
};

const wantedOf = ({ heard, text, memory }: Talk, lines: readonly Line[]): readonly Line[] => {
  const productOf = ({ output }: Line) => String((output["product"] as Slots)["product_id"]);
  if (heard.excluded.length > 0) return lines.filter((line) => !heard.excluded.includes(productOf(line)));
  const said = withoutDeclined(text);
  const named = new Set(
    (said === text ? heard.inventory : []).flatMap(({ products }) => products.map(({ product_id: id }) => id)),
  );
  const byName = lines.filter((line) => named.has(productOf(line)));
  const { quote_id: inForce } = memory.terms;
  const isElsewhere =
    named.size === 1 && typeof inForce === "string" && !byName.some(({ offer }) => offer.id === inForce);
  if (isElsewhere) return [];
  if (named.size === 1 && byName.length > 1) return byName.filter(({ offer }) => offer.id === inForce);
  if (byName.length > 0) return byName;
  const byCost = costliest(lines, text);
  if (byCost !== null) return leavesOut.test(text) ? lines.filter((line) => line !== byCost) : [byCost];
  return lines.filter(({ place }, at) => {
    const isThere = places[place]?.test(said) === true || (at === lines.length - 1 && isLast.test(said));
    return leavesOut.test(said) ? !isThere : isThere;
  });
};

export const showLines = ({ memory }: Talk, wanted: readonly Line[]): readonly Spoken[] => {
  const hasNumbers = isNumbered(memory);
  const question = wanted.length === 1 ? 'Shall I book it? Say "book it".' : 'Shall I book these? Say "book all".';
  return wanted.map(({ offer, output, place: number }, place) => ({
    skill: "deals",
    outcome: "clarify",
    result: output,
    offers: [offer],
    about: { ...memory.terms, product_id: (output["product"] as Slots)["product_id"], quote_id: offer.id },
    learnt: wanted.length === 1 ? { quote_id: offer.id } : {},
    text:
      `${hasNumbers ? `${number + 1}. ` : ""}Quote ${offer.id}: ${termsText(quoteTerms(output))}.` +
      (place === wanted.length - 1 ? ` ${question}` : ""),
  }));
};

/** Of several open quotes those that the message means, shown again for one yes; null where it means none or all. */
export const showSome = async (talk: Talk): Promise<readonly Spoken[] | null> => {
  if (talk.memory.life.context.shown.length < 2) return null;
  const lines = await linesOf(talk);
  const wanted = wantedOf(talk, lines);
  const hasNumbers = isNumbered(talk.memory);
  if (wanted.length === 0 || (wanted.length === lines.length && !hasNumbers)) return null;
  return showLines(talk, wanted);
};
