/** A number found in a text, with the span it covers. */
interface Found {
  readonly value: number;
  readonly start: number;
  readonly end: number;
}

const scales: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mm: 1e6,
  mio: 1e6,
  mil: 1e6,
  million: 1e6,
  millions: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
};

const words: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  fifteen: 15,
  twenty: 20,
  fifty: 50,
};

const figure = "\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?";
const scale = Object.keys(scales).join("|");
const word = Object.keys(words).join("|");
/** A figure is read from its first digit only: tried anew at each digit, a long row of digits would take its square. */
const moneyPattern = new RegExp(
  `(?:\\$\\s?|usd\\s?)(${figure})|(?<![\\d,.])(${figure})\\s?(?:usd|dollars?|bucks?|cpm)\\b`,
  "gi",
);
const volumePattern = new RegExp(`\\b(?:(${figure})\\s?(${scale})?|(${word})\\s+(${scale}|hundred thousand))\\b`, "gi");

const numberOf = (text: string): number => Number(text.replaceAll(",", ""));

/** Prices and other amounts of money: "$22.50", "25 CPM", "12 dollars". */
export const moneyIn = (text: string): readonly Found[] =>
  [...text.matchAll(moneyPattern)].map((match) => ({
    value: numberOf(match[1] ?? match[2] ?? "0"),
    start: match.index,
    end: match.index + match[0].length,
  }));

const scaled = (match: RegExpMatchArray): number => {
  const unit = (match[2] ?? match[4] ?? "").toLowerCase();
  const factor = unit === "hundred thousand" ? 1e5 : (scales[unit] ?? 1);
  const count = match[1] === undefined ? (words[(match[3] ?? "").toLowerCase()] ?? 0) : numberOf(match[1]);
  return Math.round(count * factor);
};

/** Volumes: "5M", "5,000,000", "five million"; small bare numbers are no volume. Spans of `taken` are left alone. */
export const volumesIn = (text: string, taken: readonly Found[]): readonly Found[] =>
  [...text.matchAll(volumePattern)]
    .map((match) => ({ value: scaled(match), start: match.index, end: match.index + match[0].length }))
    .filter((found) => !taken.some((other) => found.start < other.end && other.start < found.end))
    .filter((found) => found.value >= 1000);
