import { isOneOf, words } from "../../talk/reader/word-lists.ts";
import { isDoubtful } from "../../talk/reader/cut.ts";
import type { Scan } from "../../talk/reader/entity.ts";
import { isOf } from "../../talk/reader/lexicon.ts";
import { hasTerms, type Said, saidBy } from "./said.ts";
import type { Part } from "./weighing.ts";

/** A request that is being put together of the parts of a message. */
export interface Draftable {
  readonly command: string;
  readonly parts: Part[];
  readonly used: ReadonlySet<number>;
  /** "Please quote the following:" asks for each of the lines behind it. */
  isHeader?: boolean;
}

/** What is found so far, and the terms that wait for a request of theirs. */
export interface Drafting {
  readonly found: Draftable[];
  waiting: Part[];
  /** Said again in other words. */
  readonly replaced: Part[];
}

export const isBare = ({ said }: Part): boolean => said.products.length === 0 && !hasTerms(said);

/** Words of any request that a part might be are read, whichever it is taken for. */
export const usedInAll = (parts: readonly Part[]): ReadonlySet<number> =>
  new Set(parts.flatMap(({ matches }) => matches.flatMap(({ used }) => [...used])));

export const usedIn = (part: Part): ReadonlySet<number> => usedInAll([part]);

export const selling = words("quote price availability propose plan book offer change compare list");

export const withPart = (draft: Draftable, part: Part): Draftable => ({
  ...draft,
  parts: [...draft.parts, part],
  used: new Set([...draft.used, ...usedIn(part)]),
});

/** "Push the end to 15 July and add 100k" is one change, and "I have 85k. Plan CTV and native" one plan. */
export const isMore = (draft: Draftable, command: string | null, part: Part): boolean => {
  // "Change the booking: 7 February to 3 March, 4,500 in total"
  const isTotal = isOneOf(command ?? "", "spend price") && part.said.budget !== null && !part.segment.isQuestion;
  if (isTotal && draft.command === "change") return takesMore(draft, part);
  // "Which banner sizes do you need, and until when?" asks nothing of a quote.
  if (command === "validity" && isOneOf(draft.command, "formats policy"))
    return /^\W*(?:until|by) when\W*$/i.test(part.segment.text);
  if (draft.command !== command) return false;
  if (command === "plan") return draft.parts.every(({ said }) => said.products.length === 0);
  // "We just booked two lines. What's booked?"
  if (command === "deals") return isBare(part) && part.said.allIds.length === 0;
  return command === "change" && part.said.products.length === 0 && takesMore(draft, part);
};

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

/** One order, or one bid, in other words: the last of them counts. */
export const isSaidAgain = ({ found, waiting }: Drafting, command: string, part: Part): boolean => {
  const before = found.at(-1);
  const isPlain = ({ said }: Part): boolean => said.products.length === 0 && said.allIds.length === 0;
  if (!isOneOf(command, "book offer") || before?.command !== command || waiting.length > 0 || !isPlain(part))
    return false;
  return command === "offer"
    ? part.said.price !== null && before.parts.every(isPlain)
    : isBare(part) && before.parts.every(isBare);
};

export const sayAgain = ({ found, replaced }: Drafting, command: string, part: Part): void => {
  const { parts: before = [] } = found.pop() ?? {};
  if (command === "offer") replaced.push(...before);
  const parts = command === "offer" ? [part] : [...before, part];
  found.push({ command, parts, used: usedInAll(parts) });
};

const costing = `
  what what's how much does do would will is are it that
  this they cost costs price the and be all me us then
`;

const isOrder = ({ command }: Draftable): boolean => command === "book";

const wordsOf = ({ segment: { text } }: Part): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\w']+/)
    .filter((word) => word !== "");

/** The first word, and the next one where the first only takes note. */
const leadOf = (part: Part): readonly string[] => {
  const [first = "", second = ""] = wordsOf(part);
  return isOneOf(first, noting) ? [first, second] : [first];
};

const noting = "good great ok okay fine perfect alright";

const isWhyNow = new RegExp(
  "\\b(?:plans?|budgets?|priorities|strategy|situation|things|client|we) (?:has|have) " +
    "(?:\\w+ )?(?:changed|moved|shifted)\\b",
  "i",
);

/** "Cancel the homepage one, and keep the pre-roll", "Good, no fees. Then please cancel it" */
const isBesideCancel = (command: string, parts: readonly Part[], found: readonly Draftable[]): boolean => {
  if (!isOneOf(command, "cancel_terms status") || found.every((one) => one.command !== "cancel")) return false;
  // "Our plans have changed, please cancel it"
  const isReason = parts.every((part) => isBare(part) && part.said.allIds.length === 0 && !part.segment.isQuestion);
  if (command === "status" && isReason && parts.every(({ segment }) => isWhyNow.test(segment.text))) return true;
  const leads = (list: string): boolean => parts.every((part) => isOneOf(leadOf(part)[0] ?? "", list));
  const isQuiet = parts.every(({ segment }) => !segment.isQuestion);
  return command === "status" ? leads("keep leave") : isQuiet && leads(noting);
};

/** "What does it cost?", and of a plan "how many impressions for each?": the quotes tell it. */
const isOfCost = (part: Part, found: readonly Draftable[]): boolean => {
  const said = wordsOf(part);
  const isSplit = found.some(
    ({ command, parts }) => command === "plan" && parts.every((one) => one.said.products.length !== 1),
  );
  return said.every((word) => isOneOf(word, costing)) || (isSplit && said.includes("impressions"));
};

const receipt =
  /\bids?\b|\b(?:order|deal|booking) (?:number|no)\b|\bin writing\b|\bconfirm (?:it|that|this)? ?(?:back )?to\b/i;

/** "Please confirm that in writing, with the order number" is answered by what is done. */
const isReceipt = (command: string, parts: readonly Part[], found: readonly Draftable[]): boolean =>
  isOneOf(command, "status book policy") &&
  parts.every(({ segment }) => !segment.isQuestion && receipt.test(segment.text)) &&
  found.some(
    (one) => isOneOf(one.command, "book cancel change withdraw") && !one.parts.every((part) => parts.includes(part)),
  );

/** "So that I can hand it to my boss" */
const purpose = /^\W*(?:and )?so (?:that )?(?:i|we|my \w+|our \w+) (?:can|could|may)\b/i;
/** "We would like to book with you. Which formats do you have?": nothing is ordered yet. */
const intends = new RegExp(
  "\\b(?:would like|want|plan|planning|hope|intend|thinking) (?:to|of) (?:book|booking|buy|buying)\\b" +
    "(?!.*\\b(?:it|them|these|those|both|quotes?|(?:this|that)(?! \\w))\\b)",
  "i",
);
const lookedUp = words("list price rate_card formats minimum describe discounts deal_types availability rank");

/** "Forget the 2 million" takes back a size; "give me the deal ID" is answered by the booking. */
export const isSaidBeside = ({ command, parts }: Draftable, found: readonly Draftable[]): boolean => {
  // "A plan for 50k over CTV and display. Which split do you suggest?"
  const isOfPlan = found.some((one) => one.command === "plan" && !one.parts.every(isBare));
  if (command === "plan" && isOfPlan && parts.every(isBare)) return true;
  if (found.every((one) => one.command === command || one.command === "thanks")) return false;
  const said = saidBy(parts.flatMap((part) => part.said.entities));
  const isNamed = said.products.length > 0 || said.allIds.length > 0;
  const isSold = found.some(
    (one) => selling.has(one.command) && one.parts.some(({ said: own }) => own.products.length > 0),
  );
  const isQuiet = parts.every(({ segment }) => !segment.isQuestion);
  if (isQuiet && parts.every(({ segment }) => purpose.test(segment.text))) return true;
  if (command === "book" && parts.every((part) => isBare(part) && intends.test(part.segment.text)))
    return !isNamed && found.some((one) => lookedUp.has(one.command));
  // "I need 500k of CTV in April. What does it cost?": the quote tells it.
  const isPlanned = found.some((one) => one.command === "plan");
  const isQuoted = isPlanned || found.some((one) => one.command === "quote");
  // "What's booked, how much, from when to when, which status?": the list of deals tells it.
  if (isOneOf(command, "price status") && found.some((one) => one.command === "deals"))
    return !isNamed && parts.every((part) => isBare(part) && wordsOf(part).length < 8);
  if (command === "price") return isQuoted && parts.every((part) => isBare(part) && isOfCost(part, found));
  // "8k of run of site. Cheapest you have.", "I'd like to book display. Please use your cheapest banner product."
  const isKind = said.allIds.length === 0 && said.products.every(({ ids }) => ids.length > 1);
  if (command === "rank") return isKind && isSold && isQuiet;
  // "Fine, we'll do the cap in our DSP too. Book it."
  const isOwn = parts.every((part) => leadOf(part).some((word) => isOneOf(word, "we'll we i'll i")));
  if (isOneOf(command, "activation targeting policy")) return isQuiet && isOwn && found.some(isOrder);
  // A change of a deal tells its new total.
  if (command === "spend") return !isNamed && parts.every(isBare) && found.some((one) => one.command === "change");
  if (command === "advice") return !isNamed && isPlanned;
  // "NBC is too dear. Swap it for Telemundo."
  const isUnpriced = said.price === null && said.numbers.length + said.percents.length + said.volumes.length === 0;
  if (command === "offer") return isQuiet && isSold && isUnpriced;
  const isFitting = parts.every(({ segment }) => /\bfits?\b|\bfor (?:that|this|it)\b/i.test(segment.text));
  if (command === "list") return !isNamed && isSold && isFitting;
  // "Both are above our plan"
  if (command === "plan") return !isNamed && parts.every((part) => isBare(part) && !part.segment.isQuestion);
  if (command === "decline")
    return !isNamed && said.volumes.length > 0 && parts.every(({ segment }) => !/\bone\b/i.test(segment.text));
  if (isBesideCancel(command, parts, found)) return true;
  if (command === "cancel_terms") return false;
  return !isNamed && parts.every(isBare) && isReceipt(command, parts, found);
};

/** "Display stays as it is": nothing is asked of it. */
const tellsBefore = /^\s*you (?:only |just )?(?:quoted|gave|sent|showed|told|priced|booked|did)\b/i;
const staysAsIs = /\b(?:stays?|remains?|keep|leave)\b.*\b(?:as (?:it )?(?:is|are)|unchanged|the same)\b|\bunchanged\b/i;

const mustStay = /\b(?:must|should|may) stay\b/i;

/** "So 27k more, fine." */
export const recaps = new RegExp(
  "^\\W*(?:ok(?:ay)? )?so,? (?:that's |it's )?\\S+ (?:more|less|extra|in total|altogether)\\W*" +
    "(?:fine|ok|okay|good|great)?\\W*$",
  "i",
);

export const asksNothing = ({ said, segment: { text } }: Part): boolean =>
  recaps.test(text) || (!hasTerms(said) && (staysAsIs.test(text) || mustStay.test(text) || tellsBefore.test(text)));

/** "No, not a second booking", "we've never bought from you": nothing is ordered, and nothing is to be quoted. */
export const isRefusedOrder = (scan: Scan, { command, parts }: Pick<Draftable, "command" | "parts">): boolean =>
  (command === "book" ||
    (isOneOf(command, "wait decline") && parts.every(({ segment }) => noSecond.test(segment.text)))) &&
  parts.every(
    (part) =>
      isBare(part) &&
      isDoubtful(scan, part.segment) &&
      (noOrder.test(part.segment.text) ||
        scan.tokens
          .slice(part.segment.from, part.segment.to)
          .some(({ word }) => isOneOf(word, "not never don't dont"))),
  );

/** "Please don't book a second one" */
const noSecond =
  /(?:\bnot|\bnever|n't|\bdont) (?:book|order|buy|reserve) (?:a |an |any )?(?:second|new|another|other)\b/i;

/** "No booking", "no new order please" */
const noOrder = /\bno (?:new |more |further )?(?:bookings?|orders?|reservations?)\b/i;

/** "Can you set that up?", "can you book both if it fits?", "ask for both, please": what is offered answers it. */
export const asksForIt = new RegExp(
  "^\\W*(?:(?:can|could|would) you (?:please )?(?:set|do|arrange|book|make|sort)|(?:please )?(?:ask for|list|show)) " +
    "(?:that|this|it|both|them)\\b",
  "i",
);

/** A sentence with words of its own that only names something in passing. */
export const isMentioned = (scan: Scan, part: Part): boolean => {
  const { segment, said } = part;
  const used = usedIn(part);
  const own = scan.tokens
    .slice(segment.from, segment.to)
    .filter(
      (token, at) =>
        scan.owners[segment.from + at] === undefined &&
        token.kind === "word" &&
        !used.has(segment.from + at) &&
        !isOf(token, "function") &&
        !isOf(token, "question"),
    );
  return own.length > 1 && !hasTerms(said);
};
