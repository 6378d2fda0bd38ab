import { month } from "../../../../understanding/reading/dates/month-words.ts";
import { neverPlain, plainConsent } from "../../../../understanding/reading/consent.ts";
import { bodyOf } from "../../../../understanding/reading/letter.ts";
import { blanked, matchesOf, type Span } from "../../../../understanding/reading/spans.ts";
import { mentionsIn } from "../words/mentions.ts";
import { channelWords, objectiveWords } from "../words/vocabulary.ts";

/** `request`: a change in the form of a question; `order`: to start. */
export type Mood = "terms" | "request" | "question" | "doubt" | "order" | "remark";

interface Sentence extends Span {
  readonly text: string;
  readonly mood: Mood;
}

/** What a message says of a brief, by how it is said. */
export interface Turn {
  /** What states or corrects something, at its places in the text. */
  readonly terms: string;
  /** The same sentence by sentence. */
  readonly pieces: readonly string[];
  /** Of the terms, what is said as a question: one that changes nothing only asks. */
  readonly requests: readonly string[];
  readonly asked: readonly string[];
  readonly doubts: readonly string[];
  readonly isOrder: boolean;
}

const subject =
  "(?:it|this|that|these|those|they|there|i|we|you|my|our|your|all|both|any|anything|something|everything|anyone|" +
  "anybody|somebody|sellers|prices|offers|the|an?|1?\\d)";
const inverted =
  `(?:(?:is|are|was|were|does|did|has|can|could|will|would|shall|should) ${subject}|` +
  "do (?:it|they|these|those|i|we|you|the|all|sellers|prices|any)|am i|have (?:i|we|you|they|sellers)|" +
  "(?:may|might) (?:i|we|you|it|they|the))\\b";
const wh =
  "(?:what(?:'s)?|how(?:'s)?|which|whom?|why|where|when)\\b(?!\\s*[:=]| (?:about|we|i|the client|matters|possible)\\b)";
const toKnow =
  "(?:double[ -]?check\\b|(?:please |kindly )*(?:(?:can|could|would|will) you (?:please |kindly )?)?(?:tell|" +
  "explain|remind|confirm (?:that|" +
  "whether|if|to)|advise)\\b|(?:please )?let (?:me|us) know (?:what|how|when|which|who|whether|where|why)|" +
  "(?:i|we)(?:'d| would)? (?:want|need|like|wish) to (?:know|understand)|(?:i am|i'm|we are|just)? ?wondering|i " +
  "wonder|" +
  "(?:i|we) (?:do |did )?(?:not|n't) (?:understand|know|get) (?:what|which|how|why|the (?:meaning|words?|terms?))|" +
  "(?:i|we) (?:don't|didn't) (?:understand|know|get) (?:what|which|how|why|the (?:meaning|words?|terms?))|" +
  "(?:i|we)(?:'d| would)? (?:want|need|like|prefer)(?: to)? see (?:the |your )?(?:offers|prices|quotes)\\b|what " +
  "(?:we|i) (?:have|must|should|can|get|pay)\\b)";
const asking = `(?:${inverted}|${wh}|${toKnow})`;
const lead =
  "(?:(?:and|but|so|also|then|or|ok|okay|well|hm+|hi|hello|hey|please|oh|btw|by the way|sorry|no|yes|yep|yeah|" +
  "sure|wait|" +
  "actually|one (?:more )?question|(?:a )?quick question|just|good|fine|great|thanks)\\b[\\s,.:;!-]*)*";
const asks = new RegExp(`^\\W*${lead}${asking}`, "i");

const changing =
  "(?:add|include|make|set|change|move|start|begin|end|finish|stop (?!it|the)|run|use|drop|remove|take|leave|" +
  "exclude|skip|raise|" +
  "lower|increase|reduce|cut|extend|shorten|shift|push|put|switch|swap|replace|call|name|rename|have|get|do|go|limit|" +
  "cap|target|focus|plan|spend|keep|correct|update|round|bring|split|prolong|pull|adjust|say|buy|advertise|reach|" +
  "set up|" +
  "prepare|create|launch|propose|assume|delete|spread|pick|choose)\\b";
/** "Could we begin on the 5th?" asks for a change, "can I change it later?" whether there is one. */
const requesting = new RegExp(
  `^\\W*${lead}(?:(?:can|could|would|will|may|might) (?:you|we|i|it|they) (?:(?:please|also|maybe|perhaps|` +
    "possibly|just|" +
    `kindly|then|still|rather|both|not) )*(?:be )?(?:${changing}|moved|changed|added|removed)(?! (?:it|this|that|` +
    "them) (?:later|afterwards|still|back)|" +
    "[^?]*\\b(?:later|afterwards|after the start|summary|e-?mail|list|me (?:know|why|what|how|which))\\b)|" +
    "(?:can|could|would|may|might) (?:the|our|its|this|my) [a-z]+(?: [a-z]+)? (?:please )?be (?:raised|lowered|" +
    "increased|" +
    "reduced|moved|changed|extended|shortened|shifted|postponed|added|removed|dropped|included|excluded|omitted|" +
    "cut|set|" +
    "corrected|renamed)(?! (?:later|afterwards|still))|" +
    "(?:is it|is that|would it be|will it be) (?:ok|okay|possible|fine|alright|feasible)\\b|" +
    "is there (?:a |any )?(?:way|chance|possibility)\\b|any chance\\b|would you mind\\b|(?:what|how) about\\b|" +
    "why (?:not|do(?:n't| not) (?:we|you))\\b)",
  "i",
);
/** "Max 12 CPM, ok?" */
const tag = new RegExp(
  "[\\s,;–-]+(?:is (?:that|this) (?:ok|okay|possible|fine|alright|right)|(?:does|would|will) (?:that|this|it) " +
    "(?:work|be (?:ok|okay|possible|fine))|(?:can|could) you do (?:that|this|it)|ok|okay|right|alright|please|" +
    "possible|if possible|agreed|yes|no)\\s*\\?+\\s*$",
  "i",
);

const doubting = new RegExp(
  "\\b(?:not|n't) (?:(?:so|quite|yet|really|entirely|totally|absolutely|completely|fully|100 ?%) )*(?:sure|" +
    "certain|convinced|" +
    "decided|clear yet)\\b|\\b(?:unsure|undecided|tbc|tbd|to be (?:confirmed|decided|defined|discussed))\\b|" +
    "\\b(?:have|need|want|must|will|should|'ll) (?:to |still )*(?:check|think|discuss|clarify)(?: (?:the|our|my|" +
    "about|it|" +
    "this|that|again|internally|first|" +
    "with|whether|if)\\b)|\\blet me (?:check|think|ask|discuss)\\b|\\bstill (?:thinking|deciding|discussing|" +
    "checking|open|unclear)\\b|" +
    "\\b(?:don't|do not|doesn't|does not) know (?:yet|if|whether)\\b|\\b(?:i|we) doubt\\b|\\b(?:haven't|have " +
    "not) decided\\b",
  "i",
);

const ofSellers =
  "(?:the |your |their |all (?:the )?|some |any )?(?:sellers?|publishers?|prices?|offers?|quotes?|proposals?)";
const starting = new RegExp(
  "^\\W*(?:(?:yes|yep|yeah|ok|okay|so|then|now|please|kindly|just|well|very|good|fine|great|right|correct|" +
    "alright|well then|do|go ahead and|" +
    "(?:you|we) (?:may|can|could)|ye|ja|si|oui|bitte|let's|lets|i'd like (?:you )?to|(?:i|we) (?:hereby " +
    ")?(?:authori[sz]e|instruct|invite|ask) you to|(?:that|this|it)(?:'s| is) " +
    "(?:all )?(?:right|correct|fine|good|ok|okay)|proceed (?:and|to)|" +
    "and)\\b[\\s,.:;!-]*)*(?:" +
    "(?:start|launch|begin|kick off|starten|loslegen|empezar|lancer|demarrer)(?: (?:it|this|that|the (?:campaign|" +
    "brief|search)|off|now))*|go ahead|proceed|" +
    `(?:ask|obtain|get|request|fetch|collect|gather|approach|contact)(?: (?:me|us|for))? ${ofSellers}(?: (?:for|` +
    `from) ${ofSellers})?)` +
    "(?:[\\s,]*(?:please|pls|now|then|already|thanks|thank you|(?:exactly |just )?as " +
    "(?:it is|it stands|(?:you (?:have )?|it is )?(?:shown|displayed|listed|summari[sz]ed)" +
    "(?: it)?)(?: above| here)?))*\\W*$",
  "i",
);

const courtesy = new RegExp(
  "^\\W*(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening|day)|morning|(?:many |very many |big " +
    ")?(?:thanks|thank you|" +
    "thx|cheers|ty)(?: (?:so much|a lot|very much|again|in advance|for (?:the|your|all)(?: [\\w-]+){1,4}))*|" +
    "great|perfect|" +
    "good|fine|nice|super|cool|excellent|very well|well|understood|noted|sorry|apologies|please|ok|okay|alright|" +
    "all right|(?:my |our )?apologies|there|team|all|everyone|much appreciated|well done|got it|i see|sure|no " +
    "problem|" +
    "sounds good|looks good|that's (?:good|fine|great|all)|that is (?:good|fine|great|all))\\b[\\s,.!:;-]*)+$",
  "i",
);
const phrases = new RegExp(
  "^\\W*(?:and |so |but |please )*(?:" +
    "(?:i |we )?(?:do )?(?:hope|trust) (?:you|this|that|all|everything|your)\\b.*|" +
    "(?:please )?let (?:me|us) know (?:if|whether|should|in case|when)\\b.*\\b(?:questions?|need|unclear|missing|" +
    "else|wrong|help|ready|done)\\b.*|" +
    "(?:please )?(?:do not|don't) hesitate\\b.*|(?:please )?feel free\\b.*|(?:i|we)?(?:'m| am| are|'re)? " +
    "?look(?:ing)? forward\\b.*|" +
    "(?:if|in case|should) (?:you have|of|there are) (?:further |any )*questions\\b.*|" +
    "(?:have|enjoy) (?:a|your) (?:nice|great|good|lovely)?.{0,20}|(?:here|below|attached|following) (?:is|are|" +
    "you(?:'ll| will)? find)\\b[^\\d:]{0,60}:?|" +
    "(?:i|we)(?:'ve| have)? (?:just |now )?(?:spoke|spoken|talked|had a (?:call|meeting|chat)|met|been in " +
    "touch)\\b[^\\d]{0,70}|" +
    "(?:(?:that|this|it)(?: all)?|everything|all|the (?:brief|summary|plan))(?:'s| is| are| looks?| seems?)? " +
    "(?:now |all |perfectly )?(?:correct|right|fine|good|perfect|ok|okay|complete|in order)(?: (?:like this|as " +
    "it is|for (?:me|us)|now))?|" +
    "(?:i|we) (?:trust|rely on|count on) you|(?:sorry|apologies|my apologies|excuse me)(?: (?:for|about|" +
    "to)\\b[^\\d,;]{0,60})?)\\W*$",
  "i",
);
const namesTerm = (text: string): boolean =>
  mentionsIn(text, channelWords).length + mentionsIn(text, objectiveWords).length > 0;

const isRemark = (text: string): boolean => courtesy.test(text) || (phrases.test(text) && !namesTerm(text));

/** "3. Mai", "max. 20" and "St. Gallen" end no sentence. */
const abbreviated = new RegExp(
  `(?:\\b(?:max|min|approx|ca|avg|incl|excl|vs|no|nr|st|dr|mr|mrs|ms|e\\.g|i\\.e|z\\.b|p\\.a|est|tel)\\.|` +
    `\\b\\d{1,2}\\.(?=\\s*(?:${month}\\b|[-–\\d]|bis\\b|to\\b|until\\b)))$`,
  "i",
);
const ends = new RegExp(
  `(?<=[.?!;])\\s+|\\n+|(?:\\s*[,;:–—]|\\s+-)\\s+(?:(?:and|but|also|so|then|or)\\s+)?(?=(?:${inverted}|` +
    "(?:what|how|why|when|where|who)(?:'s)? (?:is|are|was|were|do|does|did|will|would|can|could|should|much|many|" +
    "long|" +
    `happens|means)\\b|${toKnow}))|\\s+(?:and|but|also|so|then)(?: (?:also|please|then))*\\s+(?=${asking})|` +
    "\\s*,?\\s+but\\s+(?=(?:let's|let us|say|please|for now|make)\\b)",
  "gi",
);

const cutsIn = (text: string): readonly Span[] => {
  const cuts = matchesOf(text, ends).filter(({ 0: words, index }) => {
    const before = text.slice(Math.max(0, index - 12), index);
    return words.includes("\n") || !abbreviated.test(`${before}`) || !/\.$/.test(before);
  });
  const starts = [0, ...cuts.map(({ index, 0: words }) => index + words.length)];
  return starts.map((start, place) => ({ start, end: cuts[place]?.index ?? text.length }));
};

/** "60k?" and "audio too?" propose; a verb asks. */
const asksByVerb =
  /\b(?:is|are|was|were|includes?|contains?|means?|will|does|has|have|had|works?|holds?|costs?|gets?|goes|happens?)\b/i;
const isFragment = (text: string): boolean => !asksByVerb.test(text) && text.trim().split(/\s+/).length <= 8;

/** "Please send me the revised brief": it is shown after each change. */
const showing = new RegExp(
  "^\\W*(?:(?:please|and|kindly|then|also|could you|can you|would you|so|now)\\b[\\s,]*)*(?:show|send|repeat|" +
    "display|give|tell)(?: (?:me|us))?(?: (?:back|again))* (?:(?:the |your |my |our )?(?:(?:whole|full|complete|" +
    "revised|new|updated|final|changed|corrected) )*(?:brief|summary|plan|it|version)|what you(?:'ve| have)? " +
    "(?:understood|understand|have|got|noted|read))(?: (?:again|once more|once again|back|now|please|so far|as a " +
    "whole|in full|then))*\\W*$",
  "i",
);

const moodOf = (said: string): Mood => {
  const text = said.replace(tag, "");
  if (isRemark(text) || showing.test(text)) return "remark";
  if (starting.test(text) || plainConsent(text)?.kind === "yes") return "order";
  if (requesting.test(said)) return "request";
  if (asks.test(text)) return "question";
  if (text === said && /\?\W*$/.test(said)) return isFragment(said) ? "request" : "question";
  return doubting.test(text) ? "doubt" : "terms";
};

/** "Hmm, I am not sure..." before an order is thinking aloud. */
const bareDoubt =
  /^\W*(?:(?:hm+|well|i|we|am|are|i'm|we're|not|so|quite|really|entirely|sure|certain|unsure|yet|still|but)\b\W*)+$/i;

const signer = /[\s,;.–-]+(?:many )?(?:thanks|thank you|thx|cheers|best|regards)[\s,!]+\p{Lu}\p{Ll}+[\s.!]*$/u;

const sentencesIn = (text: string): readonly Sentence[] =>
  cutsIn(text)
    .map(({ start, end }) => ({ start, end, text: text.slice(start, end) }))
    .filter((one) => /[\p{L}\d]/u.test(one.text))
    .map((one) => ({ ...one, mood: moodOf(one.text) }));

export const turnIn = (said: string): Turn => {
  const text = bodyOf(said).replace(signer, "");
  const sentences = sentencesIn(text);
  const of = (...moods: readonly Mood[]): readonly Sentence[] => sentences.filter(({ mood }) => moods.includes(mood));
  const isOn = of("question", "order").length > 0;
  const others = of("question", "doubt", "order", "remark");
  return {
    terms: blanked(text, others),
    pieces: of("terms", "request").map((one) => one.text),
    requests: of("request").map((one) => one.text.trim()),
    asked: of("question").map((one) => one.text.trim()),
    doubts: of("doubt")
      .map((one) => one.text.trim())
      .filter((one) => !isOn || !bareDoubt.test(one)),
    isOrder: of("order").length > 0,
  };
};

/** Nothing in it states, doubts or orders anything. */
export const isOnlyAsking = (text: string): boolean => {
  const { terms, asked, doubts, isOrder } = turnIn(text);
  return asked.length > 0 && terms.trim() === "" && doubts.length === 0 && !isOrder;
};

/** How it goes on, and none of the terms that wait for a yes. */
const ofProcess = /\bhow (?:long|fast|soon|quickly)\b|\bwhen (?:will|do|can|shall) (?:i|we|you)\b|\bnext\b/i;
const ofTerms = /\b(?:budget|cpm|price|fees?|pay|costs?|channels?|audience|dates?|days?|if|not|never|change)\b|n't\b/i;

/** "Please send me the revised brief." */
export const asksToSee = (text: string): boolean =>
  isOnlyRemark(text) && sentencesIn(text).some((one) => showing.test(one.text));

/** Nothing in it is said of the brief. */
export const isOnlyRemark = (text: string): boolean => {
  const { terms, asked, doubts, isOrder } = turnIn(text);
  return asked.length + doubts.length === 0 && terms.trim() === "" && !isOrder;
};

/** "The brief is correct. Please obtain the offers.": an order to start, and nothing beside it. */
export const startIn = (text: string): { readonly asked: readonly string[] } | null => {
  const { terms, asked, doubts, isOrder } = turnIn(text);
  const said = asked.reduce((left, one) => left.replace(one, ""), text);
  const isPlain = doubts.length === 0 && terms.trim() === "" && !neverPlain.test(said);
  return isOrder && isPlain && asked.every((one) => ofProcess.test(one) && !ofTerms.test(one)) ? { asked } : null;
};
