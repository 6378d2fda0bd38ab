import { type Memory, recordIds } from "./memory.ts";
import { openIn } from "./open-question.ts";
import { anyOf } from "./reading/any-of.ts";
import { isQuestion } from "./reading/choice/mood.ts";
import { plainText } from "./reading/choice/spelling.ts";
import { clausesOf, isConditional, prepared } from "./reading/clauses.ts";
import { isCourtesy } from "./reading/consent.ts";
import { type ConsentPart, consentPartOf, longestMessage } from "./reading/parts.ts";
import type { ProductFinder } from "./reading/product-finder.ts";
import type { Heard } from "./reading/slots.ts";
import { productIdsOf } from "./terms.ts";
import { only, sold, topicsIn } from "./topics.ts";

/** A doubt, a change of mind or a comparison may be about what the consent was for. */
const doubts = anyOf(
  /\b(?:but|only|unless|except|without|wait|hold|stop|actually|instead|rather|though|although|however)\b/i,
  /\b(?:yet|until|till)\b/i,
  /\b(?:not|no|never|none|nothing|cannot|don'?t|won'?t|can'?t|\w+n't|nicht|nein|kein\w*|pas|nao)\b/i,
  /\b(?:sure|doubt\w*|maybe|perhaps|might|possibly|guess|really|sorry|oops|mistake|wrong|right|correct)\b/i,
  /\b(?:forget|undo|pick|choose|chosen|decide|decision|select|consider)\b/i,
  /\b(?:mean|meant|changed? (?:my|our) mind|back|before|first(?! (?:week|half|quarter|of)))\b|(?:^|[,;.!?\n])\s*or\b/i,
  /\b(?:cheap\w*|better|worse|dear\w*|more expensive|too|compar\w*|versus|vs|alternativ\w*|difference)\b/i,
  /\b(?:smart\w*|suit\w*|recommend\w*|advi[sc]\w*|best|choice|prefer\w*|should|worth|good idea|think|more)\b/i,
  /\b(?:boss|approv\w*|sign(?:ed|s)?[ -]?off|legal|finance|permission)\b|(?<!\band )\b(?:how|what) about\b/i,
  /\b(?:aber|sondern|doch|statt|pero|sino|mais|mas|seulement|nur|solo|erst|eigentlich)\b/i,
);

/** "Native as well?" asks whether what was ordered is right. */
const onlyName =
  /^\W*(?:and )?(?!(?:can|could|would|will|do|does|is|are|what|which|how)\b)[^?.!]{2,40} (?:as well|too|also)\s*\?/i;

/** "Is it final?" asks about what is open. */
const ofIt = anyOf(
  /\b(?:is|are|was|does|do|will|would|can|could|has|did) (?:it|that|this|these|those|they|both)\b/i,
  /\b(?:it|that|this)(?:'s|'ll| is| was| will| has)\b|\b(?:for|of|about|with|on) (?:it|that|this|them|both)\b/i,
);

const isDoneNow = new RegExp(
  "(?:^|(?<=[.!?,;\\n]))\\s?(?:and |so |but )?(?:is|are|was|has|have|did|will) " +
    "(?:it|that|this|they|everything|the (?:deal|booking|change|request))" +
    "(?: (?:be|been|really|now|then|already|all))* " +
    "(?:booked|cancell?ed|done|gone|through|confirmed|reserved|requested|changed|moved|in place)" +
    "(?: (?:now|then|already|for real|for good|right away|immediately|or (?:do|does|must|will) \\w+(?: \\w+)?" +
    " (?:still )?(?:have to |need to )?(?:ok|okay|approve|confirm|review)(?: it)?))*\\s*(?:\\?|$)",
  "gi",
);

const isOrder = /^\W*(?:\w+\W+){0,8}?(?:cancel|book|reserve|move|change)\b/i;

/** "Cancel it. Is it gone now?": what follows an order tells what became of it. */
export const withoutOutcome = (text: string): string => {
  if (!text.includes("?") || text.length > longestMessage) return text;
  const rest = text.replace(isDoneNow, " ").trim();
  return rest !== text.trim() && !rest.includes("?") && isOrder.test(rest) ? rest : text;
};

const stays = new RegExp(
  "(?:^|(?<=[.!?\\n]))[^.!?\\n\\d]*\\b(?:is|are|stays?|remains?) " +
    "(?:not affected|unaffected|unchanged|untouched|as (?:it|they) (?:is|are))\\b[^.!?\\n\\d]*(?:[.!]|\\n|$)",
  "gi",
);

/** "The native line is not affected" names a product that nothing is asked of. */
export const withoutUnaffected = (text: string, isProduct: (words: string) => boolean): string => {
  if (text.length > longestMessage) return text;
  const rest = text.replace(stays, (said) => (isProduct(said) ? " " : said));
  return /\p{L}{3}/u.test(rest) ? rest : text;
};

const ofTerms = anyOf(
  /\b(?:pric\w*|cpms?|cost\w*|fees?|charg\w*|rates?|discount\w*|penalt\w*|dates?|flights?|start\w*|ends?)\b/i,
  /\bimpressions?\b/i,
  /\b(?:volume|guarant\w*|target\w*|refund\w*|cancel\w*|terms|valid|expir\w*|deliver\w*|chang\w*|mov\w*|budget)\b/i,
);

/** Of all that is booked. */
const ofAll =
  /\b(?:it|that|they|everything) (?:all )?(?:costs?|comes? to)\b[^.?!,]*\b(?:together|altogether|in all)\b/gi;

/** It has nothing to do with what is open. */
const elsewhere = anyOf(
  /\bdeal ids?\b|\b(?:next steps?|(?:comes|happens|is|to do) next|what'?s next|what now)\b/i,
  /\b(?:invoic\w*|bill(?:ing|ed)?|purchase order|person|human|someone|somebody|colleague|account manager|phone)\b/i,
  /\b(?:file|format|specs?|specifications?|creatives?|banners?|sizes?|vast|media kit|rate card)s?\b/i,
  /\bwhat(?:'?s| is| are) (?:(?:all|still) )*(?:booked|waiting|open|pending)\b/i,
  /\b(?:all|list|show|which)\b[^.?!]{0,20}\b(?:deals|bookings|quotes)\b|\b(?:summar\w*|recap|overview)\b/i,
  /\b(?:do|did|have) (?:i|we)\b[^.?!]{0,20}\b(?:have|got|booked|now|so far)\b|\bhave (?:i|we) booked\b/i,
);

const asks = new RegExp(
  "^\\W*(?:(?:and|also|then|next|please|pls|kindly|could you|can you|plus)\\W+)*" +
    "(?:quote|price|show|send|give|tell|check|offer|list)\\b",
  "i",
);
/** "Book it. Book the CTV" may correct itself. */
const ordersToo = new RegExp(
  "^\\W*(?:(?:and|also|then|next|please|pls|kindly|plus)\\W+)+(?:book|reserve|cancel|move|change|order)\\b|" +
    "^\\W*(?:book|reserve|cancel|move|change|order)\\b.*\\b(?:too|as well|also)\\b",
  "i",
);

const needs = new RegExp(
  "^\\W*(?:(?:and|also|please|pls)\\W+)*(?:(?:i|we)(?:'d| would|'ll| will)? (?:also )?(?:like|need|want)|" +
    "connect|put|hand|let|have|call|pass)\\b",
  "i",
);

const isRequest = (text: string): boolean => isQuestion(plainText(text)) || asks.test(text) || ordersToo.test(text);

const hasTerms = ({ slots, resize, shift, barePrice, priceCut, limit, leftovers }: Heard): boolean =>
  Object.keys(only(slots, [...sold, "target_cpm", "budget"])).length > 0 ||
  [resize, shift, barePrice, priceCut, limit].some((one) => one !== null) ||
  leftovers.some(({ isBinding }) => isBinding);

const anyId = /\b(?:qt|prop|neg|demo)-[0-9a-z]+\b/gi;

/** Null where one of them is not known: any product may be its own. */
const openProducts = (memory: Memory, consent: string): ReadonlySet<unknown> | null => {
  const topics = topicsIn(memory);
  const productOf = (id: string): string | undefined =>
    topics.find(({ terms }) => recordIds.some((name) => String(terms[name]).toLowerCase() === id.toLowerCase()))
      ?.product;
  const named = (consent.match(anyId) ?? []).map(productOf);
  // A request for a quote has the id of its product.
  const shown = memory.life.context.shown.map(({ kind, id }) => (kind === "request" ? id : productOf(id)));
  const open = [...named, ...shown];
  return open.includes(undefined) ? null : new Set([...open, ...productIdsOf(memory.terms)]);
};

interface Ears {
  readonly finder: ProductFinder;
  readonly hearing: (text: string) => Heard;
}

const isOfOther = (heard: Heard, open: ReadonlySet<unknown> | null): boolean => {
  const named = heard.inventory.flatMap(({ products }) => products.map(({ product_id: id }) => id));
  return open !== null && named.length > 0 && named.every((id) => !open.has(id));
};

/** "When" that asks is no condition. */
const whenAsked = /^\W*(?:and\W+)?when (?=(?:will|do|does|can|is|are|shall)\b)/i;

/** Nothing in it can be about the terms that the consent is for. */
const isIndependent = (text: string, open: ReadonlySet<unknown> | null, { hearing }: Ears): boolean => {
  const own = text.replace(ofAll, " ");
  if (doubts.test(own.replace(/\bor not\b/i, "")) || ofIt.test(own)) return false;
  return clausesOf(prepared(text)).every(({ text: said }) => {
    if (isConditional(said.replace(whenAsked, ""))) return false;
    if (isCourtesy(said)) return true;
    const heard = hearing(said);
    if (isOfOther(heard, open)) return isRequest(said) && !onlyName.test(said);
    const isOther = elsewhere.test(said) && !ofTerms.test(said.replace(ofAll, " ")) && !hasTerms(heard);
    return isOther && (isRequest(said) || needs.test(said));
  });
};

export interface Parts {
  /** What is done first, as if it stood alone. Null: what it consents to stays open. */
  readonly done: string | null;
  /** What is answered then; the whole message where a condition must not lose what it is of. */
  readonly rest: string;
}

/** "No. Make it 2M" goes on about what is open, as one. */
const isOtherWish = ({ isFirst, rest }: ConsentPart, open: ReadonlySet<unknown> | null, { hearing }: Ears): boolean =>
  isFirst && isOfOther(hearing(rest), open) && !/\b(?:mean|meant|said|asked)\b/i.test(rest);

const isDone = (part: ConsentPart, memory: Memory, ears: Ears): boolean => {
  const open = openProducts(memory, part.consent);
  if (part.kind === "no") return isOtherWish(part, open, ears);
  // "Yes, what would it cost?" only begins to ask.
  if (part.seam === "comma" && part.kind === "yes") return false;
  if (!isIndependent(part.rest, open, ears)) return false;
  return part.isFirst || ears.hearing(part.rest).inventory.length === 0;
};

const refuses = /\b(?:do not|don'?t) (?:book|reserve|confirm|accept|cancel)\b/i;

/** A plain consent or order beside something else. Null where the message is one or holds none. */
export const partsIn = (text: string, memory: Memory, ears: Ears): Parts | null => {
  const isAsked = memory.life.context.shown.length > 0 || text.search(anyId) >= 0;
  if (!isAsked && !refuses.test(text)) return null;
  const isProduct = (words: string): boolean => ears.finder.find(words).products.length > 0;
  const part = consentPartOf(text, openIn(memory, ears.finder, text), isProduct);
  if (part === null || (!isAsked && !(part.isFirst && part.kind === "no" && refuses.test(part.consent)))) return null;
  if (!isAsked) return isRequest(part.rest) ? { done: part.consent, rest: part.rest } : null;
  if (isDone(part, memory, ears)) return { done: part.consent, rest: part.rest };
  if (part.kind === "no" || part.kind === "reject") return null;
  const isAlone = isRequest(part.rest) && !isConditional(part.rest);
  return { done: null, rest: isAlone ? part.rest : text };
};
