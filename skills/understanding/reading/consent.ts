import { bodyOf } from "./letter.ts";

/**
 * Only these sentences commit: every clause of the message must be listed. Anything more (a condition, a number, a
 * name, a negation) commits nothing.
 */
export type ConsentKind = "yes" | "book" | "accept" | "reject" | "cancel" | "no";

export interface PlainConsent {
  readonly kind: ConsentKind;
  readonly isForAll: boolean;
  /** How many offers the words mean: "both" is two and no other number. */
  readonly count: { readonly least: number; readonly most: number };
}

export const anyCount: PlainConsent["count"] = { least: 0, most: Infinity };

/** Ids are read elsewhere; here each is one word. */
const idPattern = /\b(?:qt|prop|neg|demo)-[0-9a-z]+\b/g;
const severalIds = /<id>(?:(?:,|,? and| &) <id>)+/g;
export const longestConsent = 240;

const person = "(?:me|us|our client|the client)";
const noun =
  "(?:one|quote|deal|offer|price|proposal|booking|order|terms|reservation|line|counter|counter-?offer|id|cpm|rate)";
const object =
  "(?:<id>|it|this|that|them|these|those|(?:(?:the|this|that|your|my|our|these|those|last|latest|final|first) ){1,2}" +
  `${noun}s?(?: <id>)?|${noun} <id>|everything|(?:it|them|these|those) all|all of (?:it|them|these|those)|` +
  `(?:(?:them|these|those) )?both(?: ${noun}s| of (?:them|(?:these|those|the)(?: two)?(?: ${noun}s)?))?|` +
  `the two(?: of them)?|(?:the|these|those|all|all of (?:the|these|those)) (?:two|three|four)(?: ${noun}s)?|` +
  `all(?: ${noun}s?)?)`;
/** Of no weight at either end of a sentence, in any language. */
const courtesy =
  "(?:please|pls|plz|kindly|(?:many |very |muito |vielen |muchas )?(?:thanks|thank you|thx|tks|thank u|obrigad[oa]|" +
  "dank|danke(?: schon)?|gracias)(?: (?:very much|so much|a lot|a million|again|indeed|in advance))*|" +
  "much obliged|ty|tx|cheers|por favor|bitte|svp|s'il vous plait|s'il te plait|merci(?: beaucoup)?)";
const tail =
  "(?: (?:please|pls|now|then|too|also|as well|asap|right now|right away|straight away|immediately|at once|" +
  "as (?:shown|quoted|offered|proposed|is)|for (?:now|the time being)|for " +
  `${person}|at (?:that|this) price|on (?:these|those) terms|por favor|bitte|svp|s'il vous plait))*`;
const lead =
  "(?:(?:please|pls|kindly|just|now|so|then|well|also|do|you (?:can|may)(?: now)?|go ahead|let'?s|lets|" +
  "(?:i|we)(?:'d| would)(?: hereby)? like to|(?:(?:i|we) (?:am|are)|i'm|we're) (?:happy|glad|pleased) to) )*";
const us = "(?:me|us|our side|our end)";
const take = "(?:(?:i|we)(?:'ll| will)?)";

/** An end of a talk as much as of an agreement: beside it an "ok" alone is no yes. */
const politeEnd =
  "(?:(?:i|we) )?(?:(?:am |are )?look(?:ing)? forward to (?:your|the) (?:confirmation|reply|answer|deal id)|" +
  "(?:i'm |we're )?looking forward to (?:your|the) (?:confirmation|reply|answer|deal id))|" +
  "(?:(?:many )?thanks|thank you)(?: (?:very|so) much)?(?: again| in advance)? for (?:the|your|all the|all your)" +
  "(?: (?:quick|fast|prompt|kind|great|good|friendly|very))* (?:help|reply|response|answer|assistance|support|" +
  "patience|time|work|service|cooperation)|" +
  "(?:have|i wish you|wish you|wishing you) an? (?:nice|great|good|lovely|pleasant) (?:day|evening|weekend|week|one)|" +
  "(?:(?:it|that|this)(?:'s| is) )?(?:much |very much |greatly |really )?appreciated|" +
  "(?:that|this|it)(?:'s| is) (?:very |so |really )?(?:kind|helpful)(?: of you)?";

const target = `(?:accepted )?${object}`;
const act = "(?:booking|order|reservation|purchase|deal)";
const approver =
  "(?:(?:the|our|my) )?(?:finance|legal|client|boss|director|team|cfo|ceo|procurement|manager|management|brand)" +
  "(?: (?:team|department))?";

const clauses: Readonly<Record<ConsentKind | "filler", readonly string[]>> = {
  filler: [
    "hello|hi|hey|dear seller",
    "(?:very )?(?:great|perfect|excellent|good|fine|nice|super|wonderful|cool|lovely|brilliant|awesome|cheers|please)",
    `(?:that |this |it |all )?(?:sounds|looks|is|'s) (?:good|great|fine|perfect|ok)(?: (?:to|for|with) ${us})?`,
    "(?:that'?s|(?:that|this|it) is) (?:good|great|fine|perfect|right|correct)|correct|bueno|pues|also|alors|entao|ya",
    "understood|noted|got it|well|now|then|right|all good|all clear|alright then|great stuff",
    "good price|fair enough|(?:(?:it|that|this)(?:'s| is) )?(?:approved|agreed internally)",
    "(?:that|this|it) works|works|all (?:good|fine|clear)(?: (?:from|on) our (?:side|end))?",
    "thumbs up|(?:(?:i|we) )?can confirm|(?:this|that) one|both|sorry|passt|in ordnung so",
    "all(?: of (?:them|these|those))?",
    "(?:(?:i'm|we're|i am|we are) )?(?:very |quite )?happy with (?:it|this|that|the (?:price|terms|quote))",
    "(?:i|we)(?:'d| would) like to (?:go ahead|proceed)",
    `${courtesy}(?: ${courtesy})*|(?:best|kind|warm)? ?regards|best|doch|gut|bien|bom`,
    `${approver} (?:is|are) (?:fine|ok|okay|happy|good) with (?:it|this|that|the (?:price|terms|quote))`,
    `${approver} agrees? (?:with|to|on) (?:it|this|that|the (?:price|terms|quote))`,
    `${approver} (?:(?:has|have) )?(?:approved|signed off|agreed)(?: (?:it|this|that|on it|on this|to it))?`,
    "(?:i|we)(?:'ve| have)? (?:got|have) (?:the|our|my) (?:approval|green light|go-ahead|budget)(?: now)?",
    "(?:and )?sorry for (?:the|my|our|this) (?:delay|wait|late (?:reply|answer)|inconvenience|confusion)",
    "(?:(?:i|we)(?:'ll| will|'m| am|'re| are) )(?:be )?(?:out of (?:the )?office|away|on (?:holiday|vacation|leave))" +
      "(?: (?:until|till|from|next|this) [a-z ]+)?",
    "h+m+|um+|uh|er|(?:and )?(?:just|only) (?:that|this|it)(?: one)?|(?:and )?nothing (?:else|more)",
    "(?:and )?no other (?:quote|deal|one|offer|line)s? (?:should|shall|must|is to|are to|may) be booked",
    politeEnd,
  ],
  yes: [
    `(?:then )?(?:yes|yep|yeah|yup|yea|ya|ok|okay|k|kk|alright|all right|sure|sure thing)${tail}`,
    `${lead}(?:of course|certainly|absolutely|definitely)${tail}`,
    `(?:yes|yep|yeah|ok|okay|sure) to (?:both|all|everything)(?: of (?:them|these|those))?${tail}`,
    `${lead}(?:go|go ahead|do (?:it|that|so)|please do|proceed|go for it|make it so|by all means|affirmative)${tail}`,
    `${lead}(?:go|go ahead|proceed) with (?:it|this|that|(?:the|this|that) (?:change|request)|` +
      `(?:them|both|the two|all)(?: of them)?)${tail}|(?:please|pls) do`,
    `${lead}(?:submit|file|request) (?:it|this|that|(?:the|this|that) (?:change|request))${tail}`,
    "<price> (?:works|is (?:fine|ok|okay|good|acceptable))(?: (?:for|by|with) (?:me|us))?",
    `(?:(?:that|this|it|(?:the|this|that|your) (?:price|rate|cpm))(?:'s| is)? )?` +
      `(?:(?:works|fine|ok|okay|good) (?:for|by|with)|acceptable to) ${us}`,
    `(?:${take} (?:go for|go with|want)|(?:i|we)(?:'ll| will) do) (?:it|this|that)${tail}`,
    "(?:(?:i'm|we're|i am|we are) )?good to go|(?:i'm|we're|i am|we are|count (?:me|us)) in|go on(?: then)?",
    `you (?:have|got|have got) (?:my|our) (?:go-?ahead|ok|okay|approval|green light)|green light(?: from ${us})?`,
    "(?:i|we) can live with (?:it|this|that|the price)",
    "ja(?:wohl)?(?: (?:bitte|gern|gerne))?|gern|gerne|machen sie das|mach das|in ordnung|si|claro|vale",
    "adelante|hazlo|hagalo",
    "oui|allez-?y|vas-?y|faites-?le|sim|pode ser|pode fazer|vamos la|si por favor|oui s'il vous plait",
    "sim por favor",
  ],
  book: [
    `${lead}(?:book|reserve|purchase|buy|order|finali[sz]e|lock in)(?: ${object})?(?: in)?${tail}`,
    `${lead}confirm ${object}${tail}`,
    `${lead}lock ${object} in${tail}`,
    `(?:i|we) (?:hereby )?(?:order|book|reserve)(?: ${object})?` +
      `(?: (?:as )?per (?:your|the|this) (?:quote|offer))?${tail}`,
    `${lead}(?:make|place|confirm|complete|(?:go ahead|proceed) with|do) the ${act}${tail}`,
    `${lead}(?:issue|create|generate|make|give|send)(?: ${person})? (?:the|a) deal(?: id)?(?: for ${target})?${tail}`,
    `${lead}(?:confirm|send|give|tell|share)(?: ${person})? (?:the|its|your) deal id(?:s)?` +
      `(?: (?:of|for) (?:it|this|that|both|all)(?: deals)?)?${tail}`,
    `(?:i|we) (?:hereby )?confirm(?: (?:${object}|the ${act}))?${tail}|confirmed${tail}|hereby confirm(?:ed)?`,
    "consider it booked|book away",
    "(?:(?:bitte|jetzt|fest|so) )*(?:buchen|reservieren|bestatigen)(?: sie)?(?: (?:es|das|dies))?(?: (?:jetzt|bitte))*",
    "(?:bitte )?(?:buche|buch|reserviere)(?: (?:es|das|dies))?(?: (?:jetzt|bitte))*",
    "(?:wir|ich) (?:buchen|buche) (?:es|das)|gebucht|bestatigt",
    "reserva|reservar|reserval[oa]|reservel[oa]|reserve|confirm[oae]|confirmado|confirmamos",
    "(?:lo )?(?:reservamos|compramos)|reserve(?:lo|la)",
    "(?:reservez|confirmez)(?:-le|-la| le| la)?|(?:je|nous) (?:confirme|confirmons|reserve|reservons)",
    "pode (?:reservar|confirmar|fechar)|fechado",
  ],
  accept: [
    `${lead}(?:${take} )?(?:(?:hereby|gladly) )?(?:accept|agree to|take) ${object}${tail}`,
    `${lead}(?:${take} )?(?:(?:hereby|gladly) )?(?:accept|agree to|take) (?:(?:the|your) )?(?:(?:price|offer|` +
      `counter) of )?<price>${tail}`,
    `${lead}(?:(?:i|we) )?(?:accept|agree|agreed|deal) at <price>${tail}`,
    `${lead}(?:(?:i|we) )?(?:(?:hereby|gladly) )?(?:accept|accepted|agree|agreed)${tail}|it'?s a deal|deal|done`,
    "you(?:'ve got| have) a deal|on (?:le |la )?prend",
    "einverstanden|angenommen|(?:ich|wir) (?:nehme|nehmen) (?:es|das)(?: an)?|de acuerdo|acepto",
    "aceptamos|d'accord",
    "j'accepte|nous acceptons|aceito|aceitamos|de acordo|trato hecho|abgemacht",
  ],
  reject: [
    `${lead}(?:(?:i|we) )?(?:reject|decline)(?: ${object})?${tail}`,
    "(?:(?:i|we)(?:'ll| will)?(?: have to| need to| must)? )?pass(?: on (?:it|this|that))?|no deal",
    "(?:i'm|we're|i am|we are) out|not for (?:me|us)|(?:it's |that's |it is )?a no(?: (?:from|for) (?:me|us))?",
    "(?:(?:i'm|we're|i am|we are) )?not interested",
    "(?:(?:i|we) )?walk away|(?:please )?call it off|(?:please )?turn (?:it|this|that) down",
    "wir lehnen ab|ich lehne ab",
    "rechazo|rechazamos|je refuse|nous refusons|recuso|recusamos",
  ],
  cancel: [
    `${lead}(?:cancel|call off)(?: (?:${object}|the cancel?lation))?${tail}`,
    `${lead}(?:request|(?:go ahead|proceed) with) (?:the|its) cancel?lation${tail}`,
    `${lead}confirm the cancel?lation${tail}`,
    "(?:bitte )?(?:stornieren|storniere)(?: sie)?(?: (?:es|das))?|cancelar|cancelal[oa]",
    "annulez(?:-le)?|cancele",
  ],
  no: [
    "no|nope|nah|no thanks|no thank you|thanks but no thanks|not now|not yet|not today|do ?n[o']t|don't|please don't",
    "never ?mind|leave it|(?:keep|leave) (?:it|this|that|everything|the deal|the booking)(?: as it is)?",
    "(?:please |no )?(?:wait|hold off|hold on|stop)|no booking(?: for (?:us|me))?|nothing|nothing yet",
    "nothing for now",
    "no no|(?:(?:no|wait|oh|ah|actually|sorry|stop) ){1,3}(?:keep|leave) (?:it|this|that|the deal|the booking)",
    "(?:(?:no|sorry|oh) )*(?:(?:i|we) )?(?:was |were |am |i'm )?(?:just|only) (?:asking|asked|wondering|checking)",
    "(?:please )?(?:don't|do not) (?:book|reserve|confirm|accept|cancel)(?: (?:it|this|that|anything))?(?: yet)?",
    "nein|nein danke|(?:noch )?(?:nicht|nichts)(?: (?:buchen|reservieren))?|no gracias|todavia no|non",
    "non merci|pas encore",
    "nao|nao obrigad[oa]|ainda nao",
  ],
};

const kinds: readonly (readonly [ConsentKind | "filler", RegExp])[] = (
  ["filler", "no", "reject", "cancel", "accept", "book", "yes"] as const
).map((kind) => [kind, new RegExp(`^(?:${clauses[kind].join("|")})$`)]);

/** A question, a quotation, an inserted note or somebody else's line never commits. */
export const neverPlain = /[?¿"“”„«»`[\]{}<>|]|(?:^|\s)'|>>/;

const plainForm = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[’‘´]/g, "'")
    .replace(/[:;]-?\)|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{FE0F}/gu, " ")
    .trim();

type Read = ConsentKind | "filler";

const kindOf = (clause: string): Read | null => kinds.find(([, pattern]) => pattern.test(clause))?.[0] ?? null;

const polite = new RegExp(`^(?:${courtesy} )+|(?: ${courtesy})+$`, "g");

/** A sentence may begin with others: "ok fine take it". A good deal, though, is praise. */
const opening = new RegExp(
  "^(?:(sounds good|looks good|all good|that works|yes|yep|yeah|yup|yea|ya|ok|okay|k|kk|alright|sure|no|ja|si|oui|" +
    "sim) (.+)|(great|perfect|excellent|good|fine|cool|super) " +
    "(?!(?:deal|price|offer|quote|booking|order|job|one|done)\\b|book$)(.+))$",
);
const mostOpenings = 4;

/** Null where a part of it is no sentence of the list. */
const kindsOf = (clause: string, depth = 0): readonly Read[] | null => {
  const kind = kindOf(clause) ?? kindOf(clause.replace(polite, ""));
  if (kind !== null) return [kind];
  const [, plain, afterPlain, praise, afterPraise] = opening.exec(clause) ?? [];
  const [first, rest] = [plain ?? praise, afterPlain ?? afterPraise];
  if (first === undefined || rest === undefined || depth === mostOpenings) return null;
  const [one, others] = [kindOf(first), kindsOf(rest, depth + 1)];
  return one === null || others === null ? null : [one, ...others];
};

/** An order outweighs the yes beside it; two different orders commit nothing. */
export const strength: readonly ConsentKind[] = ["yes", "accept", "book"];

const combined = (found: readonly ConsentKind[]): ConsentKind | null => {
  const [first] = found;
  if (first === undefined) return null;
  if (found.every((kind) => kind === first)) return first;
  if (found.every((kind) => strength.includes(kind))) return found.includes("book") ? "book" : "accept";
  if (found.every((kind) => kind === "yes" || kind === "cancel")) return "cancel";
  if (found.every((kind) => kind === "no" || kind === "reject")) return "reject";
  return null;
};

/** What the one open question is about. */
export interface Open {
  readonly isProduct: (words: string) => boolean;
  /** Of a counter-offer. */
  readonly isPrice: (figure: string) => boolean;
  readonly isCounter: boolean;
}

const bareFigure =
  /(?<![\w$€£.,:%-])(\d{1,4}(?:[.,]\d{1,3})?)(?: cpm\b)?(?![\w$€£%-]|[.,:]\d| ?(?:[$€£%]|(?:[a-z]{3}|k|m)\b))/g;
const ofProduct = new RegExp(`\\b(the|your|our|my) ([^.!,;:]{2,60}?) (${noun})(?=$|[.!,;:\\s])`, "g");
const ofOrder = new RegExp(
  "\\b(book|reserve|order|take|accept) (?:(?:the|your|our|my) )?([^.!,;:]{2,60}?)" +
    "(?=(?: (?:please|pls|now|then|too|as (?:shown|quoted|offered|proposed)))*\\s*(?:$|[.!,;:]))",
  "g",
);
const atPrice = /<price> (?:for|on) (?:the |our |your )?([^.!,;:]{2,40}?)(?=\s+(?:and|n|&)\s|\s*(?:$|[.!,;:]))/g;
const priceFor = / (price|rate|cpm) for (?:the |our |your )?([^.!,;:]{2,60}?)(?=\s*(?:$|[.!,;:]))/g;

/** "The native quote" is "the quote" where the native is what was asked about. */
const withoutOwn = (plain: string, { isProduct, isPrice, isCounter }: Open): string =>
  plain
    .replace(bareFigure, (said, figure: string) => (isPrice(figure) ? "<price>" : said))
    .replace(ofProduct, (said, the: string, words: string, what: string) =>
      isProduct(words) ? `${the} ${what}` : said,
    )
    .replace(ofOrder, (said, order: string, words: string) => (isProduct(words) ? `${order} it` : said))
    .replace(atPrice, (said, words: string) => (isProduct(words) ? "<price>" : said))
    .replace(priceFor, (said, what: string, words: string) => (isCounter && isProduct(words) ? ` ${what}` : said));

const bareOk = /^(?:then )?(?:ok|okay|k|kk|alright|all right|sure)\b/;
const onlyOk = new RegExp(`${bareOk.source}(?: (?:then|great|fine|good|cool|thanks|thank you|thx))*$`);
const isPoliteEnd = new RegExp(`^(?:${politeEnd})$`);

const takesNote = new RegExp(
  "^(?:(?:then|ok|okay|k|kk|alright|all right|fine|great|good|perfect|cool|right|well|now|noted|understood|got it|" +
    `i see|all clear|${courtesy})(?: |$))+$`,
);
const isNote = /\b(?:noted|understood|got it|i see|all clear|right|thanks?|thx|tks|ty|tx|cheers|obliged)\b/;

/** "Noted, ok" and "alright, thanks" take note as much as they agree. */
const isUnclearYes = (said: readonly string[]): boolean =>
  (said.some((clause) => isPoliteEnd.test(clause)) &&
    said.every((clause) => bareOk.test(clause) || kindOf(clause) === "filler")) ||
  (said.some((clause) => isNote.test(clause.replace(/^(?:all )?right$/, ""))) &&
    said.every((clause) => takesNote.test(clause)));

const clausesIn = (plain: string): readonly string[] =>
  plain
    .split(/[.!,;:\n]+|\s[-–—]+\s|\s(?:and|und|y|et|e|n|&)\s/)
    .map((clause) => clause.trim().replace(/\s+/g, " "))
    .filter((clause) => clause !== "");

/** Beside other words an "ok" only takes note. */
export const isBareOk = (text: string): boolean =>
  clausesIn(plainForm(text)).every((clause) => onlyOk.test(clause) || kindOf(clause) === "filler");

export const isCourtesy = (text: string): boolean =>
  clausesIn(plainForm(text)).every((clause) => kindsOf(clause)?.every((kind) => kind === "filler") === true);

const exactly: readonly (readonly [RegExp, number])[] = [
  [/\b(?:both|two)\b(?! (?:right|good|fine|clear))/, 2],
  [/\bthree\b/, 3],
  [/\bfour\b/, 4],
];
const ofSeveral = new RegExp(
  "\\b(?:them|(?:these|those)(?! (?:terms|prices?|rates?|conditions)\\b)|all of(?! (?:it|this|that)\\b)|" +
    "(?:quote|offer|line|deal|proposal)s)\\b",
);
const ofNone = new RegExp(`^(?:${politeEnd})$|\\bno other\\b`);

const countIn = (said: readonly string[]): PlainConsent["count"] => {
  const words = said.filter((clause) => !ofNone.test(clause)).join(". ");
  const numbers = exactly.filter(([pattern]) => pattern.test(words)).map(([, number]) => number);
  if (numbers.length > 0) return { least: Math.max(...numbers), most: Math.min(...numbers) };
  return ofSeveral.test(words) ? { ...anyCount, least: 2 } : anyCount;
};

const consentIn = (plain: string): PlainConsent | null => {
  const said = clausesIn(plain);
  const read = said.map((clause) => kindsOf(clause));
  if (read.some((kinds) => kinds === null)) return null;
  const kind = combined(read.flatMap((kinds) => kinds ?? []).filter((one) => one !== "filler"));
  if (kind === null || (kind === "yes" && isUnclearYes(said))) return null;
  const count = countIn(said);
  return {
    kind,
    isForAll:
      count.most < Infinity ||
      said.some((clause) => /\b(?:all|everything)\b(?! (?:right|good|fine|clear|the|your))/.test(clause)),
    count,
  };
};

/** Null where the message is anything else or anything more. */
export const plainConsent = (text: string, open?: Open): PlainConsent | null => {
  const body = bodyOf(text);
  if (body.length > longestConsent) return null;
  const plain = plainForm(body);
  if (neverPlain.test(plain)) return null;
  const said = plain
    .replace(idPattern, "<id>")
    .replace(/\((<id>)\)/g, "$1")
    .replace(severalIds, "<id>")
    .replace(/,? <id>,(?= (?:as well|too|also|please)\b)|, <id>(?=[.!]|$)/g, " <id>");
  const consent = consentIn(said);
  // A sign-off is part of what takes note.
  if (consent?.kind === "yes" && isUnclearYes(clausesIn(plainForm(text)))) return null;
  if (consent !== null || open === undefined) return consent;
  const own = consentIn(withoutOwn(said, open));
  return own !== null && strength.includes(own.kind) ? own : null;
};
