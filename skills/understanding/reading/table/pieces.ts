import { inMoney } from "../figures/budgets.ts";
import { figure, quantitiesIn, scale } from "../figures/numbers.ts";
import { refusedIn } from "../figures/refused.ts";
import { prepared } from "../clauses.ts";
import { corrected } from "../corrections.ts";
import type { Heard } from "../slots.ts";
import { blanked, matchesOf, type Span } from "../spans.ts";

/** How much of a product: a share of the whole, the rest of it, or a figure; no word tells what "12k" counts. */
export type Size =
  | { readonly kind: "share"; readonly share: number }
  | { readonly kind: "rest" }
  | { readonly kind: "money" | "volume" | "unmarked"; readonly value: number };

export interface Sized extends Span {
  readonly size: Size;
}

export interface Piece {
  readonly text: string;
  readonly heard: Heard;
  /** Null where none is named, or one of several. */
  readonly product: string | null;
  readonly sized: Sized | null;
}

const percent = "(?:%|percent\\b|per cent\\b|prozent\\b|por ?cien?to\\b|pour ?cent\\b)";

const separator = new RegExp(
  [
    `,\\s+(?!20\\d\\d\\b)|;\\s*|\\n+|\\s*[+&]\\s*|[.?!:]\\s+|(?<=%)\\s?\\/\\s?`,
    ",?\\s(?<!\\bbetween [^,;]{1,20}\\s)(?:and|plus|und|y|et|e)\\s+(?:also\\s+)?(?:for\\s+)?",
    // "40k over CTV 50%" names the whole and a part of it.
    "(?<=\\d[km]?(?:\\s?(?:usd|dollars|eur|euros|\\$|€))?)\\s(?:over|across|among|between|on)\\s" +
      `(?=[^,;.\\n]{2,60}?\\d\\s?${percent})`,
    "\\s(?=(?:the )?(?:rest|remainder)\\b)|(?<=(?:%|each|half|percent))\\sof\\s(?=[$€£]?\\d)",
  ].join("|"),
  "gi",
);

const ofPrice = "(?!\\s?(?:off|less|more|lower|higher|cheaper|discount|below|above|fewer|extra|rabatt|nachlass))";
const shareFigure = new RegExp(`(?<![\\d.,])(\\d{1,3}(?:[.,]\\d{1,2})?)\\s?${percent}${ofPrice}`, "gi");
const shareWords: readonly (readonly [RegExp, number])[] = [
  [/\btwo[ -]thirds\b/gi, 2 / 3],
  [/\b(?:a|one) third\b/gi, 1 / 3],
  [/\bthree[ -]quarters\b/gi, 0.75],
  [/\b(?:a|one) quarter\b/gi, 0.25],
  [
    /(?<!\b(?:first|second|last) )\b(?:the other |one |a )?half\b(?! (?:a|an)\b)|\b(?:halfte|mitad|moitie|metade)\b/gi,
    0.5,
  ],
];
const rest =
  /\b(?:(?:the )?(?:rest|remainder|remaining|balance)|what(?:'s| is) left|restliche\w*|el resto|le reste)\b/gi;

const shareIn = (text: string): Sized | null => {
  const [figure] = matchesOf(text, shareFigure);
  if (figure !== undefined) {
    const share = Number((figure[1] ?? "").replace(",", ".")) / 100;
    return { size: { kind: "share", share }, start: figure.index, end: figure.index + figure[0].length };
  }
  for (const [words, share] of shareWords) {
    const [match] = matchesOf(text, words);
    if (match !== undefined)
      return { size: { kind: "share", share }, start: match.index, end: match.index + match[0].length };
  }
  return null;
};

const figureIn = (text: string, { slots, sums, isCounted }: Heard): Sized | null => {
  const { budget, impressions } = slots;
  const [sum] = sums;
  const found = [
    typeof budget === "number" ? ({ kind: "money", value: budget } as const) : null,
    typeof impressions === "number" ? ({ kind: isCounted ? "volume" : "unmarked", value: impressions } as const) : null,
    sum === undefined ? null : ({ kind: "unmarked", value: sum.value } as const),
  ].find((size) => size !== null);
  if (found === undefined) return null;
  const at = quantitiesIn(text).find(({ value }) => value === found.value);
  return { size: found, start: at?.start ?? text.length, end: at?.end ?? text.length };
};

const sizedIn = (text: string, heard: Heard): Sized | null => {
  const own = shareIn(text) ?? figureIn(text, heard);
  if (own !== null) return own;
  const [match] = matchesOf(text, rest);
  return match === undefined
    ? null
    : { size: { kind: "rest" }, start: match.index, end: match.index + match[0].length };
};

const productOf = ({ inventory }: Heard): string | null => {
  const [only, other] = inventory.flatMap(({ products }) => products);
  return other === undefined ? (only?.product_id ?? null) : null;
};

const anyFigure = `[$€£]?${figure}\\s?(?:(?:${scale})\\b)?(?:\\s?(?:dollars|usd|\\$))?`;

const shareList = /(?<![\d.,/$€£-])\d{1,2}(?:\s?[/:-]\s?\d{1,2}){1,7}(?![\d/%k-]|\.\d)/g;

/** "50/25/25" in full; figures that make no whole are none. */
const withShares = (text: string): string =>
  text.replace(shareList, (list) => {
    const shares = list.split(/[/:-]/).map(Number);
    return shares.reduce((sum, share) => sum + share, 0) === 100 ? shares.map((share) => `${share}%`).join(", ") : list;
  });

const moving = new RegExp(
  `\\b(?:move|shift|transfer|take|put)\\s(${anyFigure})\\s(?:from|out of|away from)\\s([^\\d,.;]{2,40}?),?\\s` +
    "(?:and (?:put|add|move) (?:it|that|them) )?(?:over )?(?:to|into|in|onto)\\s",
  "gi",
);

/** Without what the message takes back. */
export const tableText = (said: string): string => {
  const text = corrected(prepared(said));
  const kept = blanked(text, refusedIn(text)).replace(moving, "take $1 out of $2, add $1 to ");
  return withShares(inMoney(kept));
};

/** `text` is a `tableText`. */
export const piecesOf = (text: string, hear: (text: string) => Heard): readonly Piece[] => {
  const cuts = matchesOf(text, separator);
  const starts = [0, ...cuts.map((match) => match.index + match[0].length)];
  return starts
    .map((start, at) => text.slice(start, cuts[at]?.index ?? text.length))
    .filter((piece) => /[\p{L}\d]/u.test(piece))
    .map((piece) => {
      const heard = hear(piece);
      const named = heard.inventory.length === 0 && heard.spoken.includes("@") ? hear(`quote ${piece}`) : heard;
      return { text: piece, heard, product: productOf(named), sized: sizedIn(piece, heard) };
    });
};
