import { anyOf } from "./any-of.ts";
import type { Heard } from "./slots.ts";

export type Act =
  | "price"
  | "quote"
  | "read quote"
  | "list"
  | "describe"
  | "packages"
  | "media kit"
  | "rate card"
  | "availability"
  | "propose"
  | "read proposal"
  | "offer"
  | "read negotiation"
  | "accept"
  | "reject"
  | "book"
  | "read deal"
  | "targeting"
  | "greet"
  | "discounts"
  | "not sold"
  | "my deals"
  | "my quotes"
  | "my proposals"
  | "my negotiations"
  | "summary"
  | "cancel"
  | "withdraw"
  | "change deal"
  | "steps"
  | "plan"
  | "withhold"
  | "elsewhere"
  | "unknown";

export interface Situation {
  readonly heard: Heard;
  readonly asked: Act | null;
  readonly isNegotiating: boolean;
  readonly hasQuote: boolean;
  readonly hasProposal: boolean;
  readonly hasDeal: boolean;
}

const cues = {
  "my deals": anyOf(
    /\b(?:list|show|see) (?:me )?(?:of )?(?:all )?(?:of )?(?:my|our) (?:\w+ )?(?:deals|bookings)\b/,
    /\b(?:overview of|what are) (?:me )?(?:of )?(?:all )?(?:of )?(?:my|our) (?:\w+ )?(?:deals|bookings)\b/,
    /\b(?:which|all|view) (?:me )?(?:of )?(?:all )?(?:of )?(?:my|our) (?:\w+ )?(?:deals|bookings)\b/,
    /\b(?:display|any) (?:me )?(?:of )?(?:all )?(?:of )?(?:my|our) (?:\w+ )?(?:deals|bookings)\b/,
    /^\W*(?:my|our) (?:deals|bookings)\b|\bhow many (?:deals|bookings)\b/,
    /\bwhat (?:(?:did|have|has|had) )?(?:i|we)(?:'ve)? (?:have |already )?(?:book|buy|bought)(?:ed|d)?\b/,
    /\bwhat (?:(?:did|have|has|had) )?(?:i|we)(?:'ve)? (?:so far )?(?:book|buy|bought)(?:ed|d)?\b/,
    /\bwhat (?:(?:did|have|has|had) )?(?:i|we)(?:'ve)? (?:have |already )?(?:reserve|purchase)(?:ed|d)?\b/,
    /\bwhat (?:(?:did|have|has|had) )?(?:i|we)(?:'ve)? (?:so far )?(?:reserve|purchase)(?:ed|d)?\b/,
    /\bwhat (?:(?:did|have|has|had) )?(?:i|we)(?:'ve)? (?:have |already |so far )?(?:order)(?:ed|d)?\b/,
    /\b(?:have|did|do) (?:i|we) (?:book(?:ed)?|reserved?|bought|buy|have any (?:deals|bookings))\b/,
    /\b(?:deals|bookings) (?:do|did|have) (?:i|we)\b/,
  ),
  "my quotes": anyOf(
    /\b(?:list|show|see|overview of) (?:me )?(?:of )?(?:all )?(?:of )?(?:my|our) (?:\w+ )?quotes\b/,
    /\b(?:what are|which|all|any) (?:me )?(?:of )?(?:all )?(?:of )?(?:my|our) (?:\w+ )?quotes\b/,
    /^\W*(?:my|our) (?:open )?quotes\b|\bquotes (?:do|did|have) (?:i|we)\b/,
  ),
  "my proposals": anyOf(
    /\b(?:list|show|see|overview of) (?:me )?(?:of )?(?:all )?(?:of )?(?:my|our) (?:\w+ )?proposals\b/,
    /\b(?:what are|which|all|any) (?:me )?(?:of )?(?:all )?(?:of )?(?:my|our) (?:\w+ )?proposals\b/,
    /^\W*(?:my|our) (?:open )?proposals\b|\bproposals (?:do|did|have|are) (?:i|we|open)\b/,
  ),
  "my negotiations": anyOf(
    /\b(?:list|show|see|all|any) (?:me )?(?:of )?(?:my|our) (?:\w+ )?negotiations\b/,
    /\bnegotiations (?:do|did|have|are) (?:i|we|open)\b/,
  ),
  summary: anyOf(
    /\bsummar\w+|\brecap\b|\bwhere (?:are|do) we (?:stand|are)?|\bsum up\b|\bwhat happens next\b/,
    /\bnext steps?\b|\bwhat'?s next\b/,
  ),
  cancel: /\bcancel\w*|\bcall off\b|\bstornier\w*|\bannul\w*/,
  withdraw: /\b(?:withdraw\w*|take back)\b.{0,40}\b(?:proposal|offer)\b/,
  booked: /\b(?:flight|campaign|deal|booking)\b/,
  move: anyOf(
    /\bmore impressions for the deal\b|\bshift\b.{0,40}\bcampaign\b/,
    /\b(?:move|shift|postpone|reschedule|extend)\b.{0,40}\b(?:flight|dates?|deal|booking|it|start|end)\b/,
    /\b(?:delay|push|bring forward|change|start)\b.{0,40}\b(?:flight|dates?|deal|booking|it|start|end)\b/,
    /\b(?:end|prolong)\b.{0,40}\b(?:flight|dates?|deal|booking|it|start|end)\b/,
    /\b(?:change|set|raise|increase|reduce|lower|cut|add|bump)\b.{0,40}\b(?:volume|impressions|imps|deal|booking|it)\b/,
  ),
  steps: anyOf(
    /\bhow (?:do|can|could|would) (?:i|we|one) get\b.{0,30}\b(?:better|lower|cheaper|best)\b/,
    /\b(?:volume|price|discount) (?:steps|tiers|levels|breaks|thresholds)\b/,
    /\b(?:at what|what|which|from what) (?:volume|quantity|impressions)\b.{0,30}\b(?:discount|cheaper|price)/,
  ),
  plan: anyOf(
    /\bmedia ?plan\b|\bplan\b.{0,30}\b(?:budget|for)\b/,
    /\b(?:split|spread|distribute|allocate)\b.{0,40}\b(?:across|over|between|among)\b/,
  ),
  withhold: anyOf(
    /\bfloors?\b|\b(?:walk-?away|reserve) (?:price|cpm)/,
    /\byour (?:margins?|costs?|strategy|instructions|prompt|rules)\b/,
    /\bother (?:buyers?|customers?|clients?|agenc\w+|advertisers?)\b|\bcompetitors?\b|\bsystem prompt\b/,
    /\b(?:did|does|has|have) (?!i\b|we\b|you\b)\S+(?: \S+)? pa(?:y|id)\b/,
  ),
  discounts: anyOf(
    /\b(?:volume|agency|tier(?:ed)?|advertiser|seat|bulk) discounts?\b|\bany discounts\b/,
    /\b(?:what|which)(?:'s| is| are)?(?: (?:my|our|your|the|kind of|sort of))? discounts?\b/,
    /\bhow (?:much|big)(?: (?:of )?an?| is| are)?(?: (?:my|our|your|the))? discounts?\b/,
  ),
  elsewhere: /\b(?:create|add|open|set up|book) (?:(?:an?|the|my|our) )?(?:new )?(?:accounts?|line ?items?)\b/,
  reject: anyOf(
    /\b(?:reject|decline|pass on|we(?:'ll| will)? pass|no thanks|no deal|walk away|not interested)\b/,
    /\b(?:withdraw|turn (?:it|that|this) down|call it off)\b/,
  ),
  accept: anyOf(
    /\b(?:accept(?:ed|able)?|agreed?|works for (?:us|me)|sounds good|we(?:'ll| will) take)\b/,
    /\b(?:i(?:'ll| will) take|you(?:'ve| have) (?:got )?a deal|fine by (?:us|me))\b/,
    /\b(?:that'?s (?:fine|ok(?:ay)?|good|great)|let'?s do (?:it|that)|ok(?:ay)?,? deal)\b/,
    /^\s*(?:yes|yep|ok(?:ay)?|deal|done)\W*$/,
  ),
  book: anyOf(
    /\b(?:book|reserve|go for it|go ahead|lock (?:it|that|this)? ?in|confirm(?:ed)?|purchase)\b/,
    /\b(?:buy (?:it|that|this)|sign (?:us|me) up|place the order|proceed|reserva\w*|buchen?)\b/,
    /\b(?:issue|generate|create|make|give|send|get|need|want)\b.{0,30}\bdeal(?: id)?\b(?! quotes?\b)/,
  ),
  deal: anyOf(
    /\b(?:remind|again|what (?:is|was)|what'?s|which|check)\b.{0,40}\b(?:deal|booking)\b/,
    /\b(?:status|state|show|activat\w+)\b.{0,40}\b(?:deal|booking)\b/,
    /\bactivat\w+ (?:it|this|that)\b|\b(?:in|on|with|for) (?:dv360|the trade desk|ttd|xandr)\b/,
    /\b(?:deal|booking)\b.{0,30}\b(?:status|again|activat\w+|live)\b/,
  ),
  propose: anyOf(
    /\bpropos\w+\b|\b(?:our|my) (?:terms|bid) (?:is|are)\b|\bwe(?:'d| would)?(?: like to)? bid\b/,
    /\bsubmit\b.{0,30}\b(?:terms|bid|offer)\b/,
  ),
  status: /\b(?:status|was|is|has|did|accepted yet|any news|what happened)\b/,
  offer: anyOf(
    /\bcounter\w*|\bcome down\b|\bgo (?:down|lower)\b|\blower\b/,
    /\btoo (?:high|expensive|steep|much|rich|dear|pricey)\b|\bmeet (?:us|me|you)\b|\bbest and final\b/,
    /\bfinal\b(?! price)|\bgo (?:above|over|higher)\b|\bin the middle\b/,
    /\bnegotiat\w+|\bdiscount\b|\bcheaper\b(?! than)|\bknock\b|\bshave\b|\bsharpen\b/,
    /\bbetter (?:price|rate|cpm)\b|\bwe(?:'d| would)? offer\b/,
    /\b(?:my|our) (?:max(?:imum)?|limit|offer|target|ceiling)\b|\bwiggle room\b/,
    /\d ?(?:%|percent) (?:less|off|lower|cheaper)\b/,
    /\b(?:only|can|could|would|will|to|we'd|i'd) (?:only )?pay\b/,
  ),
  negotiation: anyOf(
    /\b(?:history|state|status|rounds?)\b.{0,20}\bnegotiation\b/,
    /\bnegotiation\b.{0,20}\b(?:stand|history|status)\b|\boffered (?:so far|before|until now)\b/,
    /\brounds? (?:are )?(?:left|remaining)\b/,
  ),
  insists: /\bcounter\w*|\bnegotiat\w+|\bcan you do it for\b|\b(?:would|will) you (?:take|accept)\b/,
  books: /\bdeal id\b|\b(?:book|reserve|lock in)\b.{0,20}\b(?:quote|proposal)\b/,
  "offer word": /\b(?:last|your|the) (?:offer|counter)\b/,
  openly: /\bwe(?:'d| would)? offer\b/,
  priced: anyOf(
    /\b(?:how about|what about|can you do|could you do|would you (?:take|accept|do))\b/,
    /\b(?:will you (?:take|accept))\b/,
  ),
  quote: /\bquot(?:e|es|ed|ing|ation)\b|\bangebot\b|\bcotizaci\w+|\bdevis\b|\bpresupuesto\b/,
  availability: anyOf(
    /\bavail\w*|\bbookable\b|\bin stock\b|\bcapacity\b|\bsold out\b|\bleft\b|\broom for\b/,
    /\b(?:can|could|would) .{0,40}\b(?:carry|deliver|fulfil\w*|fill|support|handle|take on|accommodate)\b/,
    /\bcan (?:i|we) (?:still )?(?:get|have|run|buy)\b|\bdisponib\w+|\bdispon[ií]ve\w*|\bverf[uü]gbar\w*/,
  ),
  price: anyOf(
    /\bpric\w+\b|\bcosts?\b|\brates?\b|\bcpms?\b|\bhow much\b|\bpay\b|\brun (?:us|me)\b|\bset (?:us|me) back\b/,
    /\bper (?:thousand|mille|1000|1,000)\b|\btkp\b|\bcharge\b|\bfees?\b|\bprecio\w*|\bcuesta\w*/,
    /\btarif\w*|\bprix\b|\bco[uû]te\w*|\bpreis\w*|\bkoste\w*|\bpre[cç]o\w*/,
  ),
  buys: /\bhow (?:many|much)\b|\bwhat (?:can|could|would|will|do)\b|\bbuys?\b/,
  packages: /\bpackages?\b|\bbundles?\b/,
  "media kit": /\bmedia ?kit\b|\bfeatured?\b/,
  "rate card": /\brate ?cards?\b/,
  catalog: anyOf(
    /\b(?:which|list|sell|carry|offer|inventory|products?|placements?|formats?|catalog(?:ue)?)\b/,
    /\b(?:deal types?|options|portfolio|on sale|do you have)\b/,
  ),
  targeting: /\btarget(?:ing|ed)?\b(?! cpm)|\baudiences?\b|\bsegments?\b/,
  list: anyOf(
    /\b(?:which|what|show|list|any|carry|offer|have|sell|inventory|products?|placements?|formats?)\b/,
    /\b(?:catalog(?:ue)?|deal types?|options|portfolio|tienen|haben|avez|tem)\b/,
  ),
  describe: anyOf(
    /\b(?:tell me (?:more )?about|details?|describe|what(?:'s| is)|specs?|more about)\b/,
    /\b(?:info(?:rmation)? on)\b/,
  ),
  greet: anyOf(
    /\b(?:hello|hi|hey|good (?:morning|afternoon|evening)|thanks?|thank you|cheers|bye|goodbye)\b/,
    /\b(?:help|who are you|what can you do|hola|hallo|bonjour|gracias|danke|merci)\b/,
  ),
} as const;

/** Words worth recognising when misspelt. */
const vocabulary =
  "price prices pricing quote quotes quotation available availability inventory proposal propose negotiate reserve " +
  "discount accept booking bookings impressions products catalog guaranteed";
const knownWords = vocabulary.split(" ");

/** One letter missing, added, changed or swapped with its neighbour. */
const isNear = (word: string, known: string): boolean => {
  if (Math.abs(word.length - known.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === known[start]) start += 1;
  const rest = (text: string, from: number) => text.slice(start + from);
  return (
    rest(word, 1) === rest(known, 1) ||
    rest(word, 1) === rest(known, 0) ||
    rest(word, 0) === rest(known, 1) ||
    (word[start] === known[start + 1] && word[start + 1] === known[start] && rest(word, 2) === rest(known, 2))
  );
};

export const plainText = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/\b[a-z]{5,14}\b/g, (word) =>
      knownWords.includes(word) || knownWords.includes(word.replace(/s$/, ""))
        ? word
        : (knownWords.find((known) => known[0] === word[0] && isNear(word, known)) ?? word),
    );

type Cue = keyof typeof cues;

const says = (text: string, cue: Cue): boolean => cues[cue].test(text);

const namesPrice = ({ slots, barePrice }: Heard): boolean => slots["target_cpm"] !== undefined || barePrice !== null;

const namesTerms = ({ slots, inventory, volumeFactor }: Heard): boolean =>
  inventory.length > 0 ||
  volumeFactor !== null ||
  ["impressions", "flight_start", "deal_type", "budget", "target_cpm"].some((name) => slots[name] !== undefined);

/** A price here is a filter or condition, never the price of a later quote. */
export const onlyFilters: ReadonlySet<Act> = new Set([
  "list",
  "availability",
  "describe",
  "price",
  "book",
  "accept",
  "reject",
]);

/** Must not go ahead while something said is not understood. */
export const needsAll: ReadonlySet<Act> = new Set(["quote", "propose", "offer", "book", "plan", "change deal"]);

const namesOnlyPrice = (heard: Heard): boolean =>
  namesPrice(heard) &&
  heard.inventory.length === 0 &&
  ["impressions", "flight_start", "deal_type"].every((name) => heard.slots[name] === undefined);

const actOnId = (text: string, { heard }: Situation): Act | null => {
  const { slots } = heard;
  if (slots["deal_id"] !== undefined) return "read deal";
  if (slots["quote_id"] === undefined && slots["proposal_id"] === undefined && slots["negotiation_id"] === undefined)
    return null;
  if (namesPrice(heard) && (says(text, "offer") || says(text, "priced"))) return "offer";
  if (says(text, "reject")) return "reject";
  if (says(text, "book")) return "book";
  if (says(text, "accept")) return slots["quote_id"] === undefined ? "accept" : "book";
  return slots["quote_id"] === undefined ? "read proposal" : "read quote";
};

const actOnOffer = (text: string, situation: Situation): Act | null => {
  const { heard, isNegotiating, hasQuote, hasProposal } = situation;
  const isOpen = isNegotiating || hasQuote || hasProposal;
  if (says(text, "negotiation")) return "read negotiation";
  if (isOpen && says(text, "reject")) return "reject";
  const isOffer = says(text, "offer") || says(text, "insists") || (says(text, "priced") && namesOnlyPrice(heard));
  if (
    says(text, "accept") &&
    !namesPrice(heard) &&
    !says(text, "insists") &&
    (isNegotiating || says(text, "offer word"))
  )
    return "accept";
  if (says(text, "books")) return null;
  if (says(text, "insists") && (isOpen || !namesTerms(heard))) return "offer";
  if (says(text, "propose"))
    return hasProposal && !namesTerms(heard) && says(text, "status") ? "read proposal" : "propose";
  if (isOffer && !isOpen && (says(text, "openly") || (namesPrice(heard) && heard.inventory.length > 0)))
    return "propose";
  if (isOffer && !says(text, "quote")) return "offer";
  const isMore = says(text, "quote") || says(text, "price") || says(text, "book");
  return isOpen && namesOnlyPrice(heard) && !isMore ? "offer" : null;
};

const actOnDeal = (text: string, { hasDeal, hasQuote, hasProposal, heard }: Situation): Act | null => {
  if (says(text, "books") && !(hasDeal && says(text, "deal"))) return "book";
  if (says(text, "deal") && (hasDeal || !says(text, "book")))
    return heard.slots["deal_type"] === undefined ? "read deal" : null;
  if (says(text, "book") && !says(text, "quote")) return "book";
  return (hasQuote || hasProposal) && says(text, "accept") && !namesTerms(heard) ? "book" : null;
};

/** Acts that later terms can add to. */
const continued: ReadonlySet<Act> = new Set(["price", "quote", "availability", "propose", "list", "describe"]);

const goesOn = ({ heard, asked }: Situation): boolean =>
  asked !== null && asked !== "list" && asked !== "describe" && continued.has(asked) && namesTerms(heard);

const questions: readonly (readonly [Cue, Act])[] = [
  ["rate card", "rate card"],
  ["media kit", "media kit"],
  ["packages", "packages"],
  ["quote", "quote"],
  ["availability", "availability"],
  ["price", "price"],
  ["targeting", "targeting"],
];

const actOnQuestion = (text: string, situation: Situation): Act | null => {
  const { heard } = situation;
  const namesOne = heard.inventory.length === 1 && heard.inventory[0]?.products.length === 1;
  const isOpenQuestion =
    !namesOne && heard.slots["flight_start"] === undefined && heard.slots["impressions"] === undefined;
  if (/\bwhich (?:products?|placements?|inventory)\b/.test(text) && !says(text, "price")) return "list";
  if (!namesOne && heard.limit?.measure === "cpm" && says(text, "list")) return "list";
  const asksForAll =
    /\b(?:inventory|products?|packages?|everything)\b.{0,20}\bavail|\bavail\w* (?:inventory|products?)/.test(text);
  if (isOpenQuestion && asksForAll && !says(text, "quote") && !says(text, "price")) return "list";
  if (heard.slots["budget"] !== undefined && says(text, "buys")) return "price";
  const asked = questions.find(([cue]) => says(text, cue));
  if (asked !== undefined) return asked[1];
  if (namesOne && says(text, "describe")) return "describe";
  if (says(text, "catalog")) return "list";
  return says(text, "list") && heard.inventory.length > 0 && !goesOn(situation) ? "list" : null;
};

/** Terms alone continue the last request; without one they are a request themselves. */
const actOnTerms = ({ heard, asked }: Situation): Act | null => {
  if (!namesTerms(heard)) return null;
  const isAboutPrice = (asked === "list" || asked === "describe") && heard.slots["impressions"] !== undefined;
  if (asked !== null && continued.has(asked)) return isAboutPrice ? "price" : asked;
  if (asked === "offer" || asked === "book" || asked === "read quote") return "quote";
  if (heard.limit?.measure === "cpm" && heard.slots["impressions"] === undefined) return "price";
  if (heard.slots["target_cpm"] !== undefined || heard.slots["deal_type"] !== undefined) return "quote";
  if (heard.slots["impressions"] !== undefined || heard.slots["budget"] !== undefined) return "price";
  return heard.slots["flight_start"] === undefined ? "describe" : "availability";
};

const actOnSecrets = (text: string, { heard }: Situation): Act | null => {
  if (says(text, "withhold")) return "withhold";
  if (says(text, "elsewhere")) return "elsewhere";
  return says(text, "discounts") && !namesPrice(heard) ? "discounts" : null;
};

const actOnRecords = (text: string, { heard, hasDeal, hasQuote }: Situation): Act | null => {
  const listed = (["my deals", "my quotes", "my proposals", "my negotiations"] as const).find((cue) => says(text, cue));
  if (listed !== undefined) return listed;
  if (says(text, "summary")) return "summary";
  const isOfDeal = heard.slots["deal_id"] !== undefined || hasDeal;
  if (says(text, "withdraw")) return "withdraw";
  if (says(text, "cancel")) return "cancel";
  const isChange = isOfDeal || (!hasQuote && says(text, "booked") && !namesTerms(heard));
  if (isChange && heard.inventory.length === 0 && says(text, "move")) return "change deal";
  if (says(text, "steps")) return "steps";
  return heard.slots["budget"] !== undefined && says(text, "plan") ? "plan" : null;
};

/** Null where they only add terms, greet or say nothing of use. */
export const actInWords = (text: string, situation: Situation): Act | null =>
  actOnSecrets(text, situation) ??
  actOnRecords(text, situation) ??
  actOnId(text, situation) ??
  actOnOffer(text, situation) ??
  actOnDeal(text, situation) ??
  actOnQuestion(text, situation);

/** These end where the only medium named is not sold here. */
const onInventory: ReadonlySet<Act> = new Set(["price", "quote", "list", "describe", "availability", "unknown"]);

/** `text` is `plainText`. */
export const actOf = (text: string, situation: Situation): Act => {
  const { heard } = situation;
  const act = actInWords(text, situation) ?? actOnTerms(situation) ?? (says(text, "greet") ? "greet" : "unknown");
  return heard.unsold !== null && heard.inventory.length === 0 && onInventory.has(act) ? "not sold" : act;
};
