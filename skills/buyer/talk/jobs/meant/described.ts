import { matchesOf, type Span } from "../../../../understanding/reading/spans.ts";
import { mentionsIn, namesOf } from "../../brief/words/mentions.ts";
import { channelWords } from "../../brief/words/vocabulary.ts";
import { bookedLines, isCancelled, type Job } from "../wording.ts";
import { namingsIn } from "./names.ts";

interface Figure {
  readonly value: number;
  /** "22k" may be 22,222. */
  readonly within: number;
}

type State = "booked" | "cancelled" | "waiting" | "running";

/** "The March display deal", "the other campaign", "the one of 2,000": what is meant without its name. */
export interface Description extends Span {
  readonly noun: "campaign" | "line" | "one";
  readonly isDeal: boolean;
  readonly isOther: boolean;
  /** From the oldest campaign on; -1 is the newest. */
  readonly place: number | null;
  readonly channels: readonly string[];
  /** 1 to 12. */
  readonly months: readonly number[];
  readonly figures: readonly Figure[];
  readonly states: readonly State[];
  /** All of them, for names of products and sellers. */
  readonly words: string;
}

const monthNames = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const monthWords = new RegExp(
  "\\b(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|" +
    "nov(?:ember)?|dec(?:ember)?)\\b",
  "gi",
);
const figureWords =
  /(?<![\w.,-])[$€]?\s?(\d[\d.,]*\d|\d)\s?(k|m|thousand|grand|million)?\b(?!\s*(?:%|cpm|impressions?))/gi;
const places: readonly (readonly [RegExp, number])[] = [
  [/\b(?:first|1st|oldest)\b/i, 0],
  [/\b(?:second|2nd)\b/i, 1],
  [/\b(?:third|3rd)\b/i, 2],
  [/\b(?:last|latest|newest|new|newer|recent)\b/i, -1],
];
const stateWords: readonly (readonly [State, RegExp])[] = [
  ["booked", /\b(?:booked|bought)\b/i],
  ["cancelled", /\bcancel(?:l)?ed\b/i],
  ["waiting", /\b(?:waiting|pending|open)\b/i],
  ["running", /\brunning\b/i],
];
const others = /\b(?:other|previous|earlier|old|older)\b/i;

const figuresIn = (text: string): readonly Figure[] =>
  matchesOf(text.replace(monthWords, " "), figureWords).flatMap(([, digits = "", unit = ""]) => {
    const plain = Number(digits.replace(/[.,](?=\d{3}\b)/g, "").replace(",", "."));
    const scale = /^m/i.test(unit) ? 1e6 : unit === "" ? 1 : 1000;
    return plain * scale < 100 ? [] : [{ value: plain * scale, within: Math.max(1, scale / 2) }];
  });

const phrase = new RegExp(
  "\\b(?:the|my|our|your|that|this|which)\\s+((?:(?!the\\b)[\\w$€.,/&'-]+\\s+){0,5}?)" +
    "(campaign|job|one|line|deal|booking|placement|order)\\b(?!\\s+(?:of|in|from)\\s+(?:the\\s+)?(?:campaign|job))" +
    "((?:\\s*,?\\s*(?:which (?:is|was)|that (?:is|was)|of|for|from|on|in|with|at|worth)\\s+" +
    "(?:[^,;?!\\n]|,(?=\\d)){1,50}?(?=,(?!\\d)|[;?!\\n]|\\.\\s|\\.?$|\\bto\\b|\\band\\b))?)",
  "gi",
);
/** "That's the video one" tells what is not meant. */
const denied = /\b(?:not|isn't|that'?s|that is|this is|it'?s|it is)\s*$/i;

const nounOf = (noun: string): Description["noun"] => {
  if (/^(?:campaign|job)/i.test(noun)) return "campaign";
  return /^one/i.test(noun) ? "one" : "line";
};

/** Those that hold more than the noun. */
export const descriptionsIn = (text: string): readonly Description[] =>
  matchesOf(text, phrase).flatMap((match) => {
    const [whole, before = "", noun = "", behind = ""] = match;
    if (denied.test(text.slice(0, match.index))) return [];
    const words = `${before} ${behind}`.trim();
    if (words === "") return [];
    const found = {
      start: match.index,
      end: match.index + whole.length,
      noun: nounOf(noun),
      isDeal: /^(?:deal|booking)/i.test(noun),
      isOther: others.test(words),
      place: places.find(([pattern]) => pattern.test(before))?.[1] ?? null,
      channels: namesOf(mentionsIn(words, channelWords)),
      months: matchesOf(words, monthWords).map(([month]) => monthNames.indexOf(month.slice(0, 3).toLowerCase()) + 1),
      figures: figuresIn(words),
      states: stateWords.filter(([, pattern]) => pattern.test(words)).map(([state]) => state),
      words,
    };
    return [found];
  });

const isOver = (month: number, from: unknown, to: unknown): boolean => {
  if (typeof from !== "string" || typeof to !== "string") return false;
  const [first, last] = [from, to].map((day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)));
  if (first === undefined || last === undefined) return false;
  return Array.from({ length: Math.min(12, last - first + 1) }, (_, at) => ((first + at - 1) % 12) + 1).includes(month);
};

interface Piece {
  readonly channel: string;
  readonly cost: number;
  readonly product_name: string;
  readonly seller_url: string;
}

const near = (value: number, { value: wanted, within }: Figure): boolean => Math.abs(value - wanted) < within;

/** Lines that a description of a line may mean: of a deal only booked ones. */
const piecesOf = (job: Job, { isDeal, states }: Description): readonly Piece[] => {
  const ended = (job.booked_lines ?? []).filter((line) => !bookedLines(job).includes(line));
  if (states.includes("cancelled")) return ended;
  if (isDeal || states.includes("booked")) return job.booked_lines ?? [];
  return [...(job.recommendations ?? []).filter(({ status }) => status !== "rejected"), ...(job.booked_lines ?? [])];
};

const hasState = (job: Job, state: State): boolean => {
  switch (state) {
    case "booked":
      return bookedLines(job).length > 0;
    case "cancelled":
      return isCancelled(job);
    case "waiting":
      return job.status === "awaiting_approval";
    case "running":
      return job.status !== "failed";
  }
};

/** Null where the words hold nothing that a campaign could have. */
export const fits = (job: Job, said: Description): boolean | null => {
  const {
    start_date: from,
    end_date: to,
    channels = [],
  } = job.brief as {
    readonly start_date?: unknown;
    readonly end_date?: unknown;
    readonly channels?: readonly string[];
  };
  const isCampaign = said.noun === "campaign";
  const pieces = piecesOf(job, said);
  const sellers = job.sellers.flatMap(({ name }) => (name === null ? [] : [name]));
  const names = pieces.map(({ product_name: name }) => name);
  const isNamed =
    namingsIn(
      said.words,
      [...names, ...sellers].map((name) => [name, name] as const),
    ).length > 0;
  const channelFits = (channel: string): boolean =>
    pieces.some((piece) => piece.channel === channel) || (isCampaign && channels.includes(channel));
  const figureFits = (figure: Figure): boolean =>
    pieces.some(({ cost }) => near(cost, figure)) || (said.noun !== "line" && near(job.budget, figure));
  const tests = [
    ...said.channels.map(channelFits),
    ...said.months.map((month) => isOver(month, from, to)),
    ...said.figures.map(figureFits),
    ...(isCampaign ? said.states.map((state) => hasState(job, state)) : []),
    ...(isNamed ? [true] : []),
  ];
  return tests.length === 0 ? null : tests.every(Boolean);
};
