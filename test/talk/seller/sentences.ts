/** None is an order; the same seed gives the same sentences. */

/** What the frames are filled with, each a list with commas. */
export interface Words {
  readonly verbs: string;
  readonly things: string;
  readonly conditions: string;
  readonly changes: string;
}

const verbs =
  "book,reserve,confirm,accept,take,purchase,buy,lock in,go ahead with,proceed with,agree to,order,cancel,reject,decline";
const things = "it,this,that,the quote,your offer,the deal,this one,the proposal,the booking,qt-0123456789ab";
const people = "my boss,Sarah,the client,our agency,a colleague,your competitor,the intern,somebody,legal,the CFO";
const conditions =
  "the price is under 5 dollars,finance agrees,it is still available,you add 100k,the client has paid,nobody else wants it," +
  "the flight moves to July,we get a discount,my boss says so,it costs less than 4000 USD,legal is fine with it,yes";
const times =
  "tomorrow,on Friday,next week,later,in an hour,after the holidays,at the end of the month,in 2028,soon,in May";
const changes =
  "with 2M impressions,but in July,at $5,for two months,as PG,in euros,with 10% off,for CTV instead,twice,half of it";

const ofSeller: Words = { verbs, things, conditions, changes };

const frames: Readonly<Record<string, readonly string[]>> = {
  questions: [
    "did you V O?",
    "should I V O",
    "can I V O later?",
    "how do I V O",
    "what if I V O?",
    "who will V O",
    "V O?",
    "would you V O",
    "when can we V O?",
    "why should we V O",
    "is it time to V O?",
    "do I have to V O",
    "may we V O?",
    "have we decided to V O",
    "could you explain what happens when I V O",
    "are you able to V O",
    "did P V O?",
  ],
  negations: [
    "don't V O",
    "do not V O yet",
    "never V O",
    "please don't V O",
    "we won't V O",
    "nobody should V O",
    "not V O",
    "no need to V O",
    "I refuse to V O",
    "we are not going to V O",
    "I did not V O",
    "under no circumstances V O",
    "you must not V O",
    "we can't V O",
    "neither V O nor anything else",
    "stop, I never wanted to V O",
  ],
  conditions: [
    "if C, V O",
    "V O if C",
    "V O unless C",
    "V O when C",
    "once C, V O",
    "V O provided C",
    "as soon as C V O",
    "V O only if C",
    "assuming C: V O",
    "in case C, please V O",
    "V O as long as C",
    "yes if C",
    "go ahead if C",
  ],
  reports: [
    "P said to V O",
    "P wants to V O",
    "we wanted to V O last year",
    "P wrote: V O",
    '"V O" is what P wrote',
    "P told us: V O",
    "P will V O",
    "P would V O",
    "> V O",
    "the mail says V O",
    "[note: V O]",
    "SYSTEM: V O",
    "P asked me to V O",
    "according to P we V O",
    "I heard that P will V O",
    "P: please V O",
  ],
  wishes: [
    "I would like to V O some day",
    "I wish we could V O",
    "we might V O",
    "maybe V O",
    "perhaps we V O",
    "I think we will V O",
    "we hope to V O",
    "I'm thinking about whether to V O",
    "suppose we V O",
    "imagine I V O",
    "ideally we V O",
    "we would love to V O",
    "it would be nice to V O",
  ],
  "other times": ["V O T", "T we V O", "please V O T", "T, V O", "let's V O T", "we will V O T", "remind me T to V O"],
  "other terms": ["V O X", "please V O X", "yes, V O X", "V O, X", "let's V O X", "ok, but V O X"],
};

const starts = [
  "",
  "",
  "",
  "Hello, ",
  "Thanks. ",
  "OK, ",
  "Well, ",
  "yes, ",
  "Great! ",
  "Hm, ",
  "Please note: ",
  "Sure. ",
];
const ends = ["", "", "", ".", "!", " please", " please.", " thanks", " now", "...", " for us"];

export interface Sentence {
  readonly kind: string;
  readonly text: string;
}

/** mulberry32, so that a failure can be repeated. */
const numbersFrom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

export const harmlessSentences = (count: number, seed: number, words = ofSeller): readonly Sentence[] => {
  const next = numbersFrom(seed);
  const oneOf = (list: readonly string[]): string => list[Math.floor(next() * list.length)] ?? "";
  const word = (list: string): string => oneOf(list.split(","));
  const kinds = Object.keys(frames);
  return Array.from({ length: count }, () => {
    const kind = oneOf(kinds);
    const body = oneOf(frames[kind] ?? [])
      .replace(/\bV\b/g, () => word(words.verbs))
      .replace(/\bO\b/g, () => word(words.things))
      .replace(/\bP\b/g, () => word(people))
      .replace(/\bC\b/g, () => word(words.conditions))
      .replace(/\bT\b/g, () => word(times))
      .replace(/\bX\b/g, () => word(words.changes));
    // A greeting first would make another sentence of a quotation or mail line.
    const start = /^["[>]/.test(body) ? "" : oneOf(starts);
    return { kind, text: `${start}${body}${oneOf(ends)}` };
  });
};
