import { isOneOf, words } from "../../talk/reader/word-lists.ts";
import { type Segment, isConditional } from "../../talk/reader/cut.ts";
import { type Said, hasTerms } from "./said.ts";
import type { Match } from "../../talk/reader/patterns.ts";
import type { Scan } from "../../talk/reader/entity.ts";
import { type Memory, focusOf, openTopics, dealTopics } from "./memory.ts";

export interface Part {
  readonly segment: Segment;
  readonly said: Said;
  readonly matches: readonly Match[];
}

const followUps = new RegExp(
  "^(?:and|und|et|add|also|same|instead|too|either|rather|then|else|what about|how about|or|plus|but|otherwise|" +
    "as well|likewise|ditto)\\b",
);

export const isFollowUp = ({ text }: Segment): boolean => {
  const plain = text.toLowerCase().trim();
  return (
    followUps.test(plain) || /\b(?:instead|same|as well|what about|how about|i meant|i mean)\b|\btoo\b\W*$/.test(plain)
  );
};

const labels = words(`
  product products package placement format type impressions volume flight dates date start end budget
  cpm price audience geo geography targeting creative kpi notes po advertiser brand client campaign
  market inventory channel media quantity units period timing when rate target deal
`);

/** "Deal type: PG" is a field of a form, whatever its label asks elsewhere. */
const isLabelled = ({ tokens }: Scan, { from, to }: Segment): boolean => {
  for (let at = from; at < Math.min(to, from + 4); at += 1) {
    if (tokens[at]?.text === ":" || tokens[at]?.text === "=") return at > from && at + 1 < to;
    if (!labels.has(tokens[at]?.word ?? "")) return false;
  }
  return false;
};

const least = 1;

interface Signs {
  readonly isQuestion: boolean;
  readonly hasFocus: boolean;
  readonly isOpen: boolean;
  readonly isBooked: boolean;
  readonly hasProduct: boolean;
  readonly hasVolume: boolean;
  readonly hasFlight: boolean;
}

const signsOf = ({ segment, said }: Part, memory: Memory): Signs => {
  const focus = focusOf(memory);
  const isOpen = openTopics(memory).length > 0;
  return {
    isQuestion: segment.isQuestion,
    hasFocus: focus !== null,
    isOpen,
    isBooked: said.ids["deal_id"] !== undefined || (focus?.terms["deal_id"] != null && !isOpen),
    hasProduct: said.products.length > 0,
    hasVolume: said.volumes.length > 0,
    hasFlight: Object.keys(said.flight).length > 0,
  };
};

/** "No new quote, change the deal", "I don't want another quote", "I don't have a quote", "forget the 2.5M quote". */
export const refusesQuote = new RegExp(
  "\\b(?:no|without a?|(?:don't|dont|do not|not) (?:want|need|have) (?:an?|any|the|that|this)?) ?" +
    "(?:new |more |other |another )?quotes?\\b|" +
    "\\bno (?:new|more|other|further) (?:deal|booking|order|campaign)s?\\b|" +
    "\\b(?:forget|scrap|ditch|bin) (?:the|that|this|my|our) (?:(?!and |then |but |to )[^ ,;]+ ){0,3}quotes?\\b",
  "i",
);

/** "Don't quote me native, 33k in March": what stands behind it is not asked for. */
const refusesQuoting = /\b(?:don't|dont|do not|never) (?:please )?quote (?!(?:it|them|just|only|but)\b)/i;

/** "Please ask for 833,333 impressions of deal DEMO-…". */
const isSizeOfDeal = ({ ids, volumes }: Said): boolean => ids["deal_id"] !== undefined && volumes.length > 0;

type Boosts = Readonly<Record<string, number>>;

const boostsOfQuestions = (
  scan: Scan,
  { segment, said }: Part,
  { isQuestion, hasFocus, isBooked, hasProduct, hasVolume, hasFlight }: Signs,
  memory: Memory,
): Boosts => ({
  price:
    (isQuestion ? 0.4 : 0) -
    (!isQuestion && /\bat (?:your |the )?(?:list|quoted) ?(?:price|rate)?\b/i.test(segment.text) ? 2 : 0) +
    (hasProduct ? 0.3 : 0) +
    (hasVolume ? 0.3 : 0) -
    (!isQuestion && said.budget !== null && said.products.length > 1 ? 1 : 0),
  quote:
    (refusesQuote.test(segment.text) ? -6 : 0) +
    (isQuestion && isNoun(scan, segment) ? -3 : 0) -
    (segment.hasMark && !asksForQuote(scan, segment) ? 0.8 : 0) +
    (hasVolume ? 0.5 : 0) +
    (hasFlight ? 0.3 : 0) +
    (hasProduct ? 0.2 : 0) -
    (isQuestion && !segment.hasMark ? 0.2 : 0),
  availability: (hasFlight ? 0.6 : 0) + (hasVolume ? 0.2 : 0) + (isQuestion ? 0.2 : 0),
  list: said.products.some(({ inventoryType, ids }) => inventoryType === null && ids.length === 1)
    ? -0.6
    : isQuestion
      ? 0.3
      : 0,
  status:
    (said.allIds.length > 0 ? 1 : 0) +
    (isQuestion ? 0.3 : 0) +
    (isBooked ? 0.4 : 0) -
    (!isQuestion && isSizeOfDeal(said) ? 2 : 0),
  // "It is about our booking DEMO-1" asks for no list.
  deals: (isQuestion ? 0.5 : 0.2) - (said.allIds.length > 0 ? 3 : 0),
  changes: hasVolume || hasFlight ? -3 : 0,
  describe: hasVolume || hasFlight ? -1.5 : 0,
  cancel_terms: isQuestion ? 0.3 : -0.8,
  // "What is the CPM of the homepage?" asks for a price.
  deal_types:
    said.dealTypes.length > 0 && isQuestion
      ? 0.5
      : (hasProduct && /\bcpm\b/i.test(segment.text)) || (hasFocus && /\bthe cpm\b/i.test(segment.text))
        ? -6
        : 0,
  spend:
    (isQuestion ? 0.2 : 0) -
    // "Native and rewarded video in March, 15,000 in total", "to run 1 April to 14 May with $6,000 total"
    (!isQuestion && (hasProduct || hasFlight) && said.budget !== null ? 4 : 0) +
    (said.products.length === 0 && memory.topics.some(({ terms }) => terms["deal_id"] != null) ? 1 : 0),
  compare: said.products.length > 1 ? 0.6 : 0,
});

/** "Accept 1 and 3" names lines of the last answer, and no price. */
const isOfRows = ({ numbers }: Said, memory: Memory): boolean => {
  const most = Math.max(memory.rows.length, openTopics(memory).length);
  return most > 1 && numbers.every((one) => Number.isInteger(one) && one >= 1 && one <= most);
};

/** "I have a travel company as a client" */
const tellsOwn = /\b(?:i|we)(?: have|'ve got| have got) an? (?!.*\b(?:book|order|buy|reserve|take|confirm|deal)\w*)/i;

const boostsOfDeeds = (
  scan: Scan,
  { segment, said }: Part,
  { isQuestion, hasFocus, isOpen, isBooked, hasProduct, hasVolume, hasFlight }: Signs,
  memory: Memory,
): Boosts => ({
  offer:
    (said.price === null ? 0 : 1) +
    (isOpen ? 0.6 : 0) +
    (said.numbers.length > 0 && isOpen ? (isOfRows(said, memory) ? -2 : 0.8) : 0) -
    (isBooked ? 1 : 0) -
    (hasVolume && said.price === null && said.numbers.length === 0 ? 1.2 : 0),
  propose: said.price !== null && hasProduct ? 0.6 : 0,
  plan:
    (said.budget === null ? 0 : 1) +
    (said.products.length > 1 ? 0.6 : 0) +
    (said.percents.length > 1 ? 1 : 0) -
    // "And the budget should be 4,500", "make the budget 20% higher", of a deal.
    ((isBooked || ofBooking.test(segment.text)) && !hasProduct && said.percents.length < 2 ? 2.5 : 0) -
    (said.products.length === 1 && said.budget !== null && said.percents.length === 0 ? 0.8 : 0),
  book:
    (isConditional(scan, segment) && (said.price !== null || said.budget !== null) ? 1.5 : 0) +
    (isQuestion ? -1 : 0.3) -
    (/\b(?:may|might|could|must|should) have\b/i.test(segment.text) || tellsOwn.test(segment.text) ? 3 : 0) -
    // "Please take this video as the creative: https://…", "a 30 second 1920x1080 MP4 that I want to run on both deals"
    (said.entities.some(({ kind }) => kind === "address" || kind === "size") ? 4 : 0) +
    (isOpen ? 0.3 : 0) +
    (said.ids["quote_id"] === undefined && said.ids["proposal_id"] === undefined ? 0 : 0.5),
  accept: isQuestion ? -3 : isOpen ? 0.3 : 0,
  change:
    (isBooked && said.numbers.length > 0 ? 1 : 0) +
    (isBooked ? 0.8 : 0) +
    (hasVolume || hasFlight || said.lengths.length > 0 || said.days.length > 0 ? 0.5 : 0) -
    (said.price !== null ? 1.5 : 0) -
    (!hasFocus && !isBooked ? 0.6 : 0),
  cancel: isQuestion ? -0.3 : 0.3,
  decline: isQuestion ? -1 : 0,
  wait: isQuestion ? -1 : 0,
});

const deeds = words("quote offer propose book accept change cancel plan withdraw");

export const boosted = (scan: Scan, part: Part, memory: Memory): readonly Match[] => {
  if (part.matches.length === 0) return [];
  const signs = signsOf(part, memory);
  const [ofQuestions, ofDeeds] = [
    boostsOfQuestions(scan, part, signs, memory),
    boostsOfDeeds(scan, part, signs, memory),
  ];
  // "Why is it 29.92 when you said 31.50?" orders nothing.
  const isWhy = /^\W*(?:and |but |so )?why\b/i.test(part.segment.text);
  return part.matches
    .filter(({ command }) => !(isWhy && deeds.has(command)))
    .map((one) => ({ ...one, score: one.score + (ofQuestions[one.command] ?? ofDeeds[one.command] ?? 0) }))
    .sort((one, other) => other.score - one.score);
};

/** "When does the quote lapse?", "any quotes outstanding?": what is there already. */
const isNoun = ({ tokens }: Scan, { from, to }: Segment): boolean =>
  tokens
    .slice(from, to)
    .some(
      ({ word }, at) =>
        isOneOf(word, "quote quotes") &&
        isOneOf(tokens[from + at - 1]?.word ?? "", "the our my that this any all your these those of") &&
        !isOneOf(tokens[from + at + 1]?.word ?? "", "for on"),
    );

const asksForQuote = ({ tokens }: Scan, { from, to }: Segment): boolean =>
  tokens
    .slice(from, to)
    .some(({ word }) => isOneOf(word, "quote quotes quotation offer rfp rfq angebot cotizacion devis orcamento"));

const committing = words(
  `
    book booked reserve reserved buy order ordered cancel cancelled canceled accept accepted send
    submit offer start bid propose confirm sign commit issue counter
  `,
);

/** "Don't book it", "must not be booked", "please do not offer 22": nothing of the kind is wanted. */
const isHeldBack = ({ tokens, owners }: Scan, { from, to }: Segment): boolean => {
  for (let at = from; at < to; at += 1) {
    if (
      owners[at] !== undefined ||
      !isOneOf(tokens[at]?.word ?? "", "not don't dont never nicht kein keine no won't shouldn't mustn't can't cannot")
    )
      continue;
    for (let place = at + 1; place <= Math.min(to - 1, at + 4); place += 1) {
      if (isOneOf(tokens[place]?.word ?? "", "only just longer problem but need ,")) break;
      if (committing.has(tokens[place]?.word ?? "") && owners[place] === undefined) return true;
    }
  }
  return false;
};

/** "My pre-roll deal to 1.5M". */
const ofBooking = /\b(?:my|our|the|that|this)\b[^.?!]* (?:deal|booking|order)\b(?! type)/i;

const ofUnpricedTerms = (
  { segment, said }: Pick<Part, "segment" | "said">,
  memory: Memory,
  repeats: string | null,
): string => {
  const focus = focusOf(memory);
  const hasProduct = said.products.length > 0;
  const isBooked = !hasProduct && focus?.terms["deal_id"] != null;
  // "It should end on 3 March, and the budget should be 4,500"
  if (isBooked && /\b(?:the|its) budget\b/i.test(segment.text)) return "change";
  // "And the budget to $4,000 for the same deal?"
  if (!hasProduct && said.budget !== null && ofBooking.test(segment.text)) return "change";
  if (isSizeOfDeal(said) && !segment.isQuestion) return "change";
  if (said.budget !== null && said.products.length !== 1 && said.volumes.length === 0) return "plan";
  if (!hasProduct && focus === null && memory.asked === null) return "quote";
  if (ofBooking.test(segment.text)) return "change";
  if (isBooked && repeats !== "price" && repeats !== "quote" && said.dealTypes.length === 0) return "change";
  if (hasProduct && segment.isQuestion)
    return said.volumes.length === 0 ? (repeats ?? "availability") : repeats === "availability" ? repeats : "price";
  if (hasProduct && segment.hasMark && repeats === "price") return "price";
  return hasProduct
    ? isFollowUp(segment)
      ? (repeats ?? "quote")
      : repeats === "availability" && said.volumes.length === 0
        ? "availability"
        : "quote"
    : repeats === "availability" && said.volumes.length > 0 && !segment.isQuestion
      ? "quote"
      : (repeats ?? "quote");
};

/** Terms alone: what was asked before is asked with them; a new product with terms is quoted, a price is an offer. */
export const ofTerms = ({ segment, said }: Part, memory: Memory): string | null => {
  const focus = focusOf(memory);
  const repeats =
    memory.asked !== null &&
    isOneOf(memory.asked, "price quote availability plan propose change compare describe formats") &&
    !(said.volumes.length > 0 && isOneOf(memory.asked, "describe formats"))
      ? memory.asked
      : null;
  const hasProduct = said.products.length > 0;
  const isOfTypes = said.dealTypes.length > 0 && said.entities.every(({ kind }) => kind === "dealType");
  // "Guaranteed or preferred for Telemundo?"
  if (
    said.dealTypes.length > 1 &&
    segment.isQuestion &&
    said.volumes.length === 0 &&
    !said.entities.some(({ kind }) => kind === "period")
  )
    return "deal_types";
  if (isOfTypes && /\b(?:whether|possible|every|each|all|any)\b/i.test(segment.text)) return "deal_types";
  // "Which product do you mean?", asked for an order.
  const isAnswer = memory.rows.some(({ product, record }) => record === null && said.products[0]?.ids[0] === product);
  if (memory.asked === "book" && isAnswer && said.products.length === 1 && !segment.isQuestion && !segment.hasMark)
    return "book";
  const isPriced = said.price !== null || said.numbers.length > 0 || said.percents.length > 0;
  if (said.products.length > 0 && said.price !== null && said.volumes.length > 0 && Object.keys(said.flight).length > 0)
    return "quote";
  const isOpen = openTopics(memory).some(({ product }) =>
    said.products.some(({ ids }) => ids.length === 1 && ids[0] === product),
  );
  if (isOpen && (said.price !== null || said.numbers.length > 0) && said.volumes.length === 0) return "offer";
  if (hasTerms(said) && said.price === null) return ofUnpricedTerms({ segment, said }, memory, repeats);
  if (said.price !== null && said.volumes.length > 0 && !isOpen) return "quote";
  if (isPriced && focus !== null && !hasProduct) return focus.terms["deal_id"] == null ? "offer" : "change";
  if (said.price !== null) return hasProduct ? "quote" : "offer";
  if (said.allIds.length > 0) return "status";
  const isBooked = dealTopics(memory).some(({ product }) =>
    said.products.some(({ ids }) => ids.length === 1 && ids[0] === product),
  );
  if (isBooked && !isOpen && said.products.length === 1) return "status";
  if (hasProduct) {
    const isSeveral = said.products.some(({ ids }) => ids.length > 1);
    // "And pre-roll?" asks for a price, and for no quote.
    if (repeats === "quote" && segment.hasMark) return "price";
    return repeats !== null && repeats !== "change" ? repeats : isSeveral ? "list" : "price";
  }
  if (focus !== null && /\b(?:first|last|second)\b[^.?!]*\b(?:half|weeks?|days?)\b/i.test(segment.text))
    return "change";
  if (said.geo.length > 0 || said.audience.length > 0) return "targeting";
  return said.unsold !== null || said.excluded.length > 0 ? "list" : said.notes.length > 0 ? "noted" : null;
};

export const hasEntities = ({ said }: Part): boolean =>
  said.notes.length > 0 ||
  said.entities.some(({ kind }) => !["reference", "address", "quoted", "cap", "deadline", "size"].includes(kind));

/** A request in plain words, however it begins. */
const clear = 4.6;

const isCorrection = ({ tokens }: Scan, { from, to }: Segment): boolean => {
  const words = tokens.slice(from, Math.min(to, from + 4)).map(({ word }) => word);
  return (
    isOneOf(words[0] ?? "", "no nope wait oops sorry actually rather hmm hm uh") &&
    words.slice(0, 3).some((word) => isOneOf(word, "wait sorry actually oops rather mean meant")) &&
    to - from <= 12
  );
};

const harmless = words("quote price plan list spend summary compare availability quotes deals");

interface Weighed {
  readonly command: string | null;
  readonly score: number;
}

export const noCommand: Weighed = { command: null, score: 0 };

export const commandOf = (scan: Scan, part: Part, memory: Memory): Weighed => {
  const { segment } = part;
  if (isLabelled(scan, segment)) return noCommand;
  const all = boosted(scan, part, memory);
  const [first] = all;
  // "No wait, February" corrects what was said before it.
  if (isCorrection(scan, segment) && hasEntities(part) && (first?.score ?? 0) < clear) return noCommand;
  if (refusesQuoting.test(segment.text) && segment.text.split(/quot/i).length === 2)
    return { command: "wait", score: 3 };
  if (isHeldBack(scan, segment)) {
    // "Quote 1.85M of it, and don't book it" asks for a quote.
    const asked = all.find(({ command, score }) => harmless.has(command) && score > 3);
    // "Which quotes of ours are not booked?"
    const isLookedUp = isOneOf(asked?.command ?? "", "quotes deals summary");
    return { command: asked !== undefined && (isLookedUp || hasEntities(part)) ? asked.command : "wait", score: 3 };
  }
  return first !== undefined && first.score >= least ? first : noCommand;
};
