import { type Amount, type Entity, type Named, textOf } from "../../../../talk/reader/entity.ts";
import type { Term } from "../../brief/form.ts";
import { channelsIn, type Place } from "../text.ts";
import { isIn } from "../words.ts";
import { clauseAt, has, negations, type Part, use, wordAt } from "./part.ts";

const listMarks = ", and / + & plus or";

/** "With video and CTV, split evenly between video and CTV": each counts once. */
export const namedIn = ({ place, text }: Part): readonly string[] => [
  ...new Set(channelsIn(text, place).flatMap(({ inventoryType }) => inventoryType ?? [])),
];

const isCut = (part: Part, at: number): boolean =>
  isIn(wordAt(part, at), "and but plus then while") ||
  (wordAt(part, at) === ":" && part.text.scan.owners[at - 1]?.kind !== "product");

/** A clause is cut at "and" too: "CTV 30k and display 20k"; and behind what it explains: "90k: 50k CTV". */
export const pieceAt = (part: Part, at: number): Place => {
  const clause = clauseAt(part, at);
  let [from, to] = [at, at];
  while (from > clause.from && !isCut(part, from - 1)) from -= 1;
  while (to < clause.to && !isCut(part, to)) to += 1;
  return { from, to };
};

const besideWords =
  "on for to into in with of it may be spent should go goes the at most max is only just cap capped limit under below" +
  " : = % ceiling not no more than must stay exceed part share budget up";

/** The channel that stands nearest, with no more than small words between. */
const besideOf = (part: Part, { from, to }: Place, piece: Place): Named | null => {
  const near = (at: number, step: number): Named | null => {
    for (let place = at, gap = 0; place >= piece.from && place < piece.to && gap < 8; place += step, gap += 1) {
      const owner: Entity | undefined = part.text.scan.owners[place];
      if (owner?.kind === "product" && owner.inventoryType !== null) return owner;
      if (owner !== undefined || (wordAt(part, place) !== "" && !isIn(wordAt(part, place), besideWords))) return null;
    }
    return null;
  };
  return near(to, 1) ?? near(from - 1, -1);
};

const isIn2 = ({ from, to }: Place, at: number): boolean => at >= from && at < to;

/** "60k on CTV and display": a channel of a list that has no figure of its own. */
const isOfList = (part: Part, { from, to }: Named, figures: readonly Place[]): boolean => {
  const isOpen = (at: number, joint: string): boolean => {
    const owner = part.text.scan.owners[at];
    if (owner?.kind !== "product" || owner.inventoryType === null || !(joint === "" || isIn(joint, listMarks)))
      return false;
    const piece = pieceAt(part, at);
    const isBare = piece.to - piece.from === owner.to - owner.from;
    const isTold = figures.some((one) => isIn2(piece, one.from) && !isIn2(piece, from));
    return !isTold && (joint !== "," || isBare) && !has(part.text.words.slice(piece.from, piece.to), "rest remaining");
  };
  return [
    isOpen(to + 1, wordAt(part, to)),
    isOpen(from - 2, wordAt(part, from - 1)),
    isOpen(to, ""),
    isOpen(from - 1, ""),
  ].includes(true);
};

/** "CTV mostly, say 35k": a figure that explains the clause before it. */
const explained = (part: Part, piece: Place, figures: readonly Place[]): Named | null => {
  if (!isIn(wordAt(part, piece.from), "say like max maximum capped most about around") || piece.to - piece.from > 3)
    return null;
  if (piece.from < part.place.from + 2 || !isIn(wordAt(part, piece.from - 1), ", (")) return null;
  const last = pieceAt(part, piece.from - 2);
  const [only, other] = channelsIn(part.text, last);
  return other === undefined && !figures.some(({ from }) => isIn2(last, from)) ? (only ?? null) : null;
};

/**
 * The channel that a figure belongs to: the one its piece of the sentence names.
 * `figures` are all of its kind in the part.
 */
export const channelFor = (part: Part, figure: Place, figures: readonly Place[]): Named | null => {
  const piece = pieceAt(part, figure.from);
  const named = channelsIn(part.text, piece);
  const [only, other] = named;
  const isSum = Number((part.text.scan.owners[figure.from] as { value?: unknown } | undefined)?.value) >= 500;
  // "Video (60%)".
  const isOf = wordAt(part, piece.from - 1) === "(" && piece.to - piece.from === figure.to - figure.from;
  const of = isOf ? channelsIn(part.text, { from: piece.from - 2, to: piece.from - 1 })[0] : undefined;
  if (only === undefined) return of ?? (isSum ? explained(part, piece, figures) : null);
  const own = figures.filter(({ from }) => isIn2(piece, from));
  const isPaired = own.length > 1 && own.length === named.length;
  const found = isPaired
    ? named[own.indexOf(figure)]
    : other === undefined && own.length === 1
      ? only
      : besideOf(part, figure, piece);
  return found == null || (!isPaired && isOfList(part, found, figures)) ? null : found;
};

const fractions: Readonly<Record<string, number>> = { half: 2, third: 3, thirds: 3, quarter: 4, quarters: 4, fifth: 5 };
const multiples: Readonly<Record<string, number>> = { one: 1, a: 1, two: 2, three: 3 };

export interface Share extends Place {
  readonly share: number;
}

/** "Half", "two thirds", "2/3"; only where a channel or the money stands near. */
export const fractionAt = (part: Part, at: number): Share | null => {
  const [word, next] = [wordAt(part, at), wordAt(part, at + 1)];
  const digits = [Number(word), Number(wordAt(part, at + 2))] as const;
  if (next === "/" && part.text.scan.tokens[at + 1]?.isGlued === true && digits[0] < digits[1] && digits[1] < 6)
    return { from: at, to: at + 3, share: digits[0] / digits[1] };
  const dash = isIn(next, "- –") ? 1 : 0;
  const unit = fractions[wordAt(part, at + 1 + dash)];
  const count = multiples[word];
  if (count !== undefined && unit !== undefined && unit !== 5)
    return { from: at, to: at + 2 + dash, share: count / unit };
  return fractions[word] === undefined ||
    fractions[word] === 5 ||
    isIn(wordAt(part, at - 1), "the first second last one")
    ? null
    : { from: at, to: at + 1, share: 1 / fractions[word] };
};

/** "Max 5,000 per seller", "a line may cost 3,000": no operation takes a limit of one seller or of one line. */
export const ofOneSeller = (part: Part, { from }: Place): boolean => {
  const piece = pieceAt(part, from);
  const words = part.text.words.slice(piece.from, piece.to);
  const isOfSeller = has(words, "seller sellers publisher publishers vendor vendors");
  if (!(isOfSeller && has(words, "per any each every one single no")) && !has(words, "line lines deal placement"))
    return false;
  part.terms.push({ kind: "one", words: textOf(part.text.scan, piece).replace(/^(?:also|and|but|then) /i, "") });
  use(part, piece.from, piece.to);
  return true;
};

const limitNouns = "cap ceiling limit";

/** "No max 15 CPM needed" sets none, and lifts the one that is set; twice denied it is only named. */
export const deniedLimit = (
  part: Part,
  amount: Amount,
  left: readonly string[],
  right: readonly string[],
): Term | null => {
  const [nearest = "", next = ""] = left.filter((word) => !isIn(word, "of at"));
  const isDenied =
    (isIn(nearest, `max maximum ${limitNouns}`) && isIn(next, "no without")) ||
    (nearest === "no" && has(right.slice(0, 2), limitNouns));
  if (!isDenied) return null;
  const isLifted = part.open?.kpis?.max_cpm === amount.value && !has(right, negations);
  return isLifted
    ? { kind: "max_cpm", value: null }
    : { kind: "not used", words: textOf(part.text.scan, clauseAt(part, amount.from)) };
};
