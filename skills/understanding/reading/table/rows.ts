import type { Heard } from "../slots.ts";
import type { Span } from "../spans.ts";
import type { Piece, Size } from "./pieces.ts";

/** One product with what is said of it alone. */
export interface Row {
  /** Null for one that nobody sells, or that could be several. */
  readonly product: string | null;
  readonly text: string;
  /** Where its figure stands in its text; null where it stands elsewhere. */
  readonly at: Span | null;
  readonly size: Size | null;
  /** Empty without any of its own. */
  readonly dates: string;
  /** They stand in its text. */
  readonly saysDates: boolean;
  readonly hasPrice: boolean;
  readonly behind: readonly string[];
}

export interface Rows {
  readonly rows: readonly Row[];
  readonly total: Piece | null;
  /** Of the products that are not named. */
  readonly others: { readonly size: Size; readonly isEach: boolean } | null;
  /** Of each product in force, where the message names none. */
  readonly each: Size | null;
  /** Of products that stand elsewhere, in their order. */
  readonly figures: readonly Size[];
  /** Where the money for another row comes from. */
  readonly giving: readonly string[];
  /** More or less than before. */
  readonly steps: readonly { readonly product: string; readonly by: number }[];
  readonly shared: readonly Piece[];
  readonly isEven: boolean;
}

export const rowOf = (product: string, name: string, size: Size | null): Row => ({
  product,
  text: name,
  at: null,
  size,
  dates: "",
  saysDates: false,
  hasPrice: false,
  behind: [],
});

const eachWord = /\b(?:each|apiece|jeweils|cada un[oa]|chacun)\b/i;
const othersWord =
  /\b(?:others?|other (?:\w+ )?(?:ones|products|lines)|rest|remainder|remaining|restliche\w*|demas)\b/i;
const evenWord = /\b(?:evenly|equally|equal (?:parts|shares)|same amount|gleichmassig|a partes iguales)\b/i;
const staysWord = /\b(?:unchanged|as (?:it|they) (?:is|are)|stays?|same|keep)\b/i;
const givingWord = /\b(?:take|taken|taking|out of|away|from|off|less|minus|reduce|cut|lower)\b/i;
const takingWord = /\b(?:out of|away from|off|less|minus|from)\b/i;
const totalWord = /\b(?:total|budget|overall|altogether|in all|insgesamt|presupuesto)\b/i;
const splitWord = /\b(?:split|spread|divide|distribute|plan|allocate|aufteilen|verteilen|repartir|repartid\w+)\b/i;

const valueOf = ({ sized }: Piece): number | null =>
  sized === null || sized.size.kind === "share" || sized.size.kind === "rest" ? null : sized.size.value;

/** "Take 3k out of CTV", "add 2k to native". */
const stepIn = (piece: Piece): number | null => {
  const { resize } = piece.heard;
  if (resize !== null && resize.factor === 1) return resize.add;
  const value = valueOf(piece);
  return value !== null && takingWord.test(piece.text) ? -value : null;
};

const isPart = ({ sized }: Piece): boolean => sized?.size.kind === "share";

/** The figure that the others are parts of. */
const totalOf = (pieces: readonly Piece[]): Piece | null => {
  const figures = pieces.filter((piece) => valueOf(piece) !== null && !eachWord.test(piece.text));
  const [first, ...others] = figures;
  const isNamed = ({ text, product }: Piece): boolean =>
    splitWord.test(text) || (product === null && totalWord.test(text));
  const isSplit = pieces.some((piece) => isPart(piece) || evenWord.test(piece.text));
  if (first === undefined) return null;
  if (others.length === 0) return isSplit || isNamed(first) ? first : null;
  const named = figures.find(isNamed);
  if (named !== undefined) return named;
  const sum = others.reduce((all, piece) => all + (valueOf(piece) ?? 0), 0);
  const hasRest = pieces.some(({ sized }) => sized?.size.kind === "rest");
  const value = valueOf(first) ?? 0;
  return first.product === null && (value === sum || (hasRest && value > sum)) ? first : null;
};

const fillers = new Set(
  (
    "a an the for on in into to of with at and or plus also then say about around only just put make do want need " +
    "i i'd we us me it that this please pls thanks said mean meant let's lets would like now so ok okay no not yes " +
    "dollars usd euros eur budget money impressions imps imp k m total each evenly others rest"
  ).split(" "),
);
const mostWords = 3;

const noun = ({ heard }: Piece): boolean => {
  const words = heard.spoken.match(/\p{L}[\p{L}'-]*/gu) ?? [];
  const others = words.filter((word) => !fillers.has(word));
  return others.length > 0 && words.length <= mostWords;
};

/** "Podcasts 5k" in a row of products. */
const isUnread = (piece: Piece, pieces: readonly Piece[]): boolean => {
  if (piece.heard.inventory.length > 0 || piece.heard.unsold !== null) return true;
  const sized = pieces.filter((one) => one.sized !== null && one !== piece);
  return sized.length > 1 && sized.every(({ product }) => product !== null) && noun(piece);
};

const ofAll = ["deal_type", "audience", "geo"];

/** Said once, these hold for each row. */
export const isOfAll = ({ heard }: Piece): boolean => ofAll.some((name) => heard.slots[name] !== undefined);

interface Building {
  rows: Row[];
  others: Rows["others"];
  each: Size | null;
  figures: Size[];
  giving: string[];
  steps: Rows["steps"][number][];
  shared: Piece[];
}

export const datesIn = ({ heard }: Piece): string => {
  const { flight_start: start, flight_end: end } = heard.slots;
  return typeof start === "string" && typeof end === "string" ? `${start} to ${end}` : "";
};
const hasPrice = ({ slots, barePrice }: Heard): boolean => barePrice !== null || slots["target_cpm"] !== undefined;

const nameIn = ({ text, heard }: Piece): string =>
  heard.inventory.flatMap(({ products }) => products.map(({ name }) => name))[0] ?? text;

/** "Spread 90k over CTV" says no more of CTV than its name. */
const isOnlyName = ({ sized }: Piece, size: Size | null): boolean => size === null && sized !== null;

const rowIn = (piece: Piece, size: Size | null): Row => ({
  product: piece.product,
  text: isOnlyName(piece, size) ? nameIn(piece) : piece.text,
  at: size === null ? null : piece.sized,
  size,
  dates: datesIn(piece),
  saysDates: !isOnlyName(piece, size) && datesIn(piece) !== "",
  hasPrice: hasPrice(piece.heard),
  behind: [],
});

const sizedAll = (rows: readonly Row[], size: Size): Row[] =>
  rows.map((row) => (row.size === null ? { ...row, size } : row));

/** False where a product has two figures. */
const addProduct = (to: Building, piece: Piece, size: Size | null): boolean => {
  const at = to.rows.findIndex(({ product }) => product === piece.product);
  const before = to.rows[at];
  if (before === undefined) {
    to.rows.push(rowIn(piece, size));
    if (size !== null && eachWord.test(piece.text)) to.rows = sizedAll(to.rows, size);
    return true;
  }
  if (size === null) return true;
  if (before.size !== null) return false;
  const row = rowIn(piece, size);
  to.rows[at] = { ...row, dates: row.dates || before.dates };
  return true;
};

const addLoose = (to: Building, piece: Piece): void => {
  const last = to.rows.at(-1);
  const dates = datesIn(piece);
  const isPriced = hasPrice(piece.heard);
  if (last === undefined || isOfAll(piece) || (!isPriced && dates === "")) {
    to.shared.push(piece);
    return;
  }
  const behind = isPriced ? [...last.behind, piece.text] : last.behind;
  to.rows[to.rows.length - 1] = { ...last, dates: last.dates || dates, hasPrice: last.hasPrice || isPriced, behind };
};

const addFigure = (to: Building, piece: Piece, size: Size, pieces: readonly Piece[]): void => {
  const isEach = eachWord.test(piece.text);
  if (size.kind === "rest" || othersWord.test(piece.text)) {
    if (size.kind !== "rest" || !staysWord.test(piece.text)) to.others = { size, isEach };
  } else if (isUnread(piece, pieces)) to.rows.push(rowIn(piece, size));
  else if (!isEach) to.figures.push(size);
  else if (to.rows.some((row) => row.size === null)) to.rows = sizedAll(to.rows, size);
  else to.each = size;
};

/** Figures that stand alone belong to the products that stand alone, in their order. */
const zipped = ({ rows, figures }: Pick<Building, "rows" | "figures">): Pick<Building, "rows" | "figures"> => {
  const open = rows.filter(({ size }) => size === null);
  if (figures.length === 0 || figures.length !== open.length) return { rows, figures };
  return {
    rows: rows.map((row) => (row.size === null ? { ...row, size: figures[open.indexOf(row)] ?? null } : row)),
    figures: [],
  };
};

/** Null where a product has two figures. */
export const rowsOf = (pieces: readonly Piece[], mayChange: boolean): Rows | null => {
  const total = totalOf(pieces);
  const to: Building = { rows: [], others: null, each: null, figures: [], giving: [], steps: [], shared: [] };
  for (const piece of pieces) {
    const { product, sized, text } = piece;
    const size = piece === total ? null : (sized?.size ?? null);
    if (product === null && size === null && piece.heard.inventory.length > 0) return null;
    const by = mayChange && piece !== total ? stepIn(piece) : null;
    if (product !== null && by !== null) to.steps.push({ product, by });
    else if (product !== null && mayChange && piece !== total && size === null && givingWord.test(text))
      to.giving.push(product);
    else if (product !== null && !addProduct(to, piece, size)) return null;
    else if (product !== null && piece === total && isOfAll(piece)) to.shared.push(piece);
    else if (product === null && size !== null) addFigure(to, piece, size, pieces);
    else if (product === null) addLoose(to, piece);
  }
  const isEven = pieces.some(({ text }) => evenWord.test(text)) || (total !== null && splitWord.test(total.text));
  return { ...to, ...zipped(to), total, isEven };
};
