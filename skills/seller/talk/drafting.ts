import { hasTerms, type Said, saidBy } from "./said.ts";
import type { Part } from "./weighing.ts";

/** A request that is being put together of the parts of a message. */
export interface Draftable {
  readonly command: string;
  readonly others: readonly string[];
  readonly parts: Part[];
  readonly used: ReadonlySet<number>;
  /** "Please quote the following:" asks for each of the lines behind it. */
  isHeader?: boolean;
}

/** What is found so far, and the terms that wait for a request of theirs. */
export interface Drafting {
  readonly found: Draftable[];
  waiting: Part[];
}

export const isBare = ({ said }: Part): boolean => said.products.length === 0 && !hasTerms(said);

/** Words of any request that a part might be are read, whichever it is taken for. */
export const usedIn = ({ matches }: Part): ReadonlySet<number> => new Set(matches.flatMap(({ used }) => [...used]));

export const selling: ReadonlySet<string> = new Set([
  "quote",
  "price",
  "availability",
  "propose",
  "plan",
  "book",
  "offer",
  "change",
  "compare",
  "list",
]);

/** "Push the end to 15 July and add 100k" is one change. */
export const isMore = (draft: Draftable, part: Part): boolean =>
  part.said.products.length === 0 && takesMore(draft, part);

export const takesMore = ({ command, parts }: Draftable, { said }: Part): boolean => {
  const own = saidBy(parts.flatMap((part) => part.said.entities));
  if (!selling.has(command)) return command === "cancel" || command === "hand_over" || command === "deals";
  const isNew = (has: (one: Said) => boolean): boolean => has(said) && has(own);
  return (
    !isNew(({ volumes }) => volumes.length > 0) &&
    !Object.keys(said.flight).some((name) => own.flight[name] !== undefined) &&
    !isNew(({ price }) => price !== null)
  );
};

/** "Forget the 2 million" takes back a size; "give me the deal ID" is answered by the booking. */
export const isSaidBeside = ({ command, parts }: Draftable, found: readonly Draftable[]): boolean => {
  const said = saidBy(parts.flatMap((part) => part.said.entities));
  const isNamed = said.products.length > 0 || said.allIds.length > 0;
  const isSold = found.some(
    (one) => selling.has(one.command) && one.parts.some(({ said: own }) => own.products.length > 0),
  );
  const isQuiet = parts.every(({ segment }) => !segment.isQuestion);
  // A change of a deal tells its new total.
  if (command === "spend") return !isNamed && parts.every(isBare) && found.some((one) => one.command === "change");
  // "NBC is too dear. Swap it for Telemundo."
  const isUnpriced = said.price === null && said.numbers.length + said.percents.length + said.volumes.length === 0;
  if (command === "offer") return isQuiet && isSold && isUnpriced;
  // "Both are above our plan"
  if (command === "plan") return !isNamed && parts.every((part) => isBare(part) && !part.segment.isQuestion);
  if (command === "decline")
    return !isNamed && said.volumes.length > 0 && parts.every(({ segment }) => !/\bone\b/i.test(segment.text));
  const isId = parts.every(({ segment }) => /\bids?\b/i.test(segment.text));
  return command === "status" && !isNamed && isId && found.some((one) => one.command === "book");
};

/** "Display stays as it is": nothing is asked of it. */
const tellsBefore = /^\s*you (?:only |just )?(?:quoted|gave|sent|showed|told|priced|booked|did)\b/i;
const staysAsIs = /\b(?:stays?|remains?|keep|leave)\b.*\b(?:as (?:it )?(?:is|are)|unchanged|the same)\b|\bunchanged\b/i;

/** "So 27k more, fine." */
export const recaps = new RegExp(
  "^\\W*(?:ok(?:ay)? )?so,? (?:that's |it's )?\\S+ (?:more|less|extra|in total|altogether)\\W*" +
    "(?:fine|ok|okay|good|great)?\\W*$",
  "i",
);

export const asksNothing = ({ said, segment: { text } }: Part): boolean =>
  recaps.test(text) || (!hasTerms(said) && (staysAsIs.test(text) || tellsBefore.test(text)));
