import { isOneOf, words } from "../../talk/reader/word-lists.ts";
import type { Segment } from "../../talk/reader/cut.ts";
import type { Amount, Entity, Scan } from "../../talk/reader/entity.ts";
import { type Memory, numberIn, openTopics, type Topic, costOf, inCents } from "./memory.ts";

/** How much of a budget a product gets: a sum, a share of the whole, or an equal part of what the others leave. */
type Size =
  | { readonly by: "sum"; readonly value: number }
  | { readonly by: "share"; readonly value: number }
  | { readonly by: "rest" };

interface Line {
  readonly id: string;
  readonly size: Size;
}

/** A budget by products, as one message says it or changes it. */
export interface Allocation {
  /** Null where the message names none. */
  readonly total: number | null;
  readonly lines: readonly Line[];
  /** Only moves sums between open lines, whatever verb says so: "take 3k out of CTV". */
  readonly isMove: boolean;
}

interface Place {
  readonly at: number;
}

/** `id` null: "the others", whatever is open and not named. */
interface Slot extends Place {
  readonly id: string | null;
  readonly isSource: boolean;
  /** All that it had is for another: "drop line 3 and give the money to native". */
  readonly isDropped: boolean;
  readonly isSold: boolean;
}

interface Sized extends Place {
  readonly size: Size;
  readonly to: number;
  readonly isEach: boolean;
  readonly isTotal: boolean;
  /** "Evenly": all of the one sum that stands beside it. */
  readonly isEven?: true;
}

const fractions: ReadonlyMap<string, number> = new Map([
  ["half", 1 / 2],
  ["third", 1 / 3],
  ["quarter", 1 / 4],
]);
const restWords = words("rest remaining remainder balance leftover");
const eachWords = words("each apiece");
const evenWords = words("evenly equally");
const binders = words("for on in into to onto behind towards goes go");
const totals = words("total budget altogether overall over across between among together combined");
const ceilings = words("under below over exceed exceeding than within");
const dropping = words("drop remove skip forget scrap lose cancel");
/** Without a figure, "take native, forget CTV" gives nobody any money. */
const giving = words("put give add move shift reallocate transfer money budget");
const taking = words("take took move shift reallocate transfer cut pull put give add use");

const sumOf = ({ cpm, terms }: Topic): number => numberIn(terms["budget"]) ?? costOf(cpm, terms["impressions"]) ?? 0;

const word = ({ tokens }: Scan, at: number): string => tokens[at]?.word ?? "";

/** "Not 10,000", "instead of 5k": said of what was. */
const isFormer = (scan: Scan, at: number): boolean =>
  isOneOf(word(scan, at - 1), "not") ||
  (isOneOf(word(scan, at - 1), "of than") && isOneOf(word(scan, at - 2), "instead rather"));

const sizeAt = (owner: Amount): Size =>
  owner.kind === "percent" ? { by: "share", value: owner.value / 100 } : { by: "sum", value: owner.value };

const isTotalAt = (scan: Scan, from: number, to: number): boolean =>
  totals.has(word(scan, to)) ||
  (word(scan, to) === "in" && isOneOf(word(scan, to + 1), "total all")) ||
  (word(scan, from - 1) === "of" && isOneOf(word(scan, from - 2), "budget total each")) ||
  isOneOf(word(scan, from - 1), "budget total") ||
  // "So that both together stay under $20,000"
  (ceilings.has(word(scan, from - 1)) &&
    scan.tokens.slice(Math.max(0, from - 5), from).some((token) => isOneOf(token.word, "together both combined")));

interface Read {
  readonly slots: readonly Slot[];
  readonly sizes: readonly Sized[];
}

/** "Out of CTV", "from the native". */
const isSourceAt = (scan: Scan, at: number): boolean => {
  const before = word(scan, at - 1) === "the" ? at - 2 : at - 1;
  return isOneOf(word(scan, before), "from off") || (word(scan, before) === "of" && word(scan, before - 1) === "out");
};

interface Reader {
  readonly scan: Scan;
  readonly memory: Memory;
  readonly slots: Slot[];
  readonly sizes: Sized[];
}

/** "Half", "one third", "two thirds". */
const fractionAt = (scan: Scan, at: number): number | undefined => {
  const plain = word(scan, at);
  const many = new Map([
    ["two", 2],
    ["three", 3],
  ]).get(word(scan, at - 1));
  const part = fractions.get(plain.replace(/s$/, ""));
  return plain.endsWith("s") ? part && many && part * many : part;
};

const addWord = ({ scan, memory, slots, sizes }: Reader, at: number): void => {
  const plain = word(scan, at);
  const fraction = fractionAt(scan, at);
  const slot = { at, isSource: isSourceAt(scan, at), isDropped: false, isSold: true };
  const sized = { at, to: at + 1, isEach: false, isTotal: false };
  if (fraction !== undefined) sizes.push({ ...sized, size: { by: "share", value: fraction } });
  else if (restWords.has(plain)) sizes.push({ ...sized, size: { by: "rest" }, isEach: true });
  else if (evenWords.has(plain) && sizes.at(-1)?.size.by !== "rest")
    sizes.push({ ...sized, size: { by: "rest" }, isEach: true, isEven: true });
  else if (plain === "others") slots.push({ ...slot, id: null });
  else if (plain === "both" && !scan.owners.some((owner) => owner?.kind === "product"))
    slots.push(...memory.rows.flatMap(({ product: id }) => (id === null ? [] : [{ ...slot, id }])));
  else if (eachWords.has(plain) && sizes.length > 0) sizes.push({ ...(sizes.pop() as Sized), isEach: true });
  else if (isOneOf(plain, "line row option")) {
    const id = memory.rows[Number(scan.tokens[at + 1]?.text ?? 0) - 1]?.product ?? null;
    const isDropped = scan.tokens.slice(Math.max(0, at - 3), at).some((token) => dropping.has(token.word));
    if (id !== null) slots.push({ ...slot, id, isSource: isDropped || slot.isSource, isDropped });
  }
};

/** False where it is about impressions or a price per thousand. */
const addEntity = ({ scan, memory, slots, sizes }: Reader, owner: Entity): boolean => {
  const { from: at, to } = owner;
  if (owner.kind === "product") {
    const isOpen = (id: string): boolean => openTopics(memory).some(({ product }) => product === id);
    const id = owner.ids.find(isOpen) ?? owner.ids[0] ?? null;
    const isDropped = owner.isExcluded;
    if (id !== null && (!isDropped || isOpen(id)))
      slots.push({ at, id, isSource: isDropped || isSourceAt(scan, at), isDropped, isSold: true });
  } else if (owner.kind === "unsold") slots.push({ at, id: null, isSource: false, isDropped: false, isSold: false });
  else if (owner.kind === "money" || owner.kind === "percent" || (owner.kind === "volume" && owner.isUnsure)) {
    const isTotal = owner.kind !== "percent" && isTotalAt(scan, at, to);
    if (!isFormer(scan, at)) sizes.push({ at, to, size: sizeAt(owner), isEach: false, isTotal });
  }
  return owner.kind !== "price" && owner.kind !== "id" && (owner.kind !== "volume" || owner.isUnsure);
};

const readIn = (scan: Scan, parts: readonly Segment[], memory: Memory): Read | null => {
  const reader: Reader = { scan, memory, slots: [], sizes: [] };
  for (const { from, to } of parts)
    for (let at = from; at < to; at += 1) {
      const owner = scan.owners[at];
      if (owner === undefined) addWord(reader, at);
      else if (at === owner.from && !addEntity(reader, owner)) return null;
    }
  return reader;
};

/** "ROS, budget 8,000, and native, budget 6,000": each product has its own. */
const withOwnBudgets = (scan: Scan, read: Read): Read => {
  const { slots, sizes } = read;
  const isInTurn =
    slots.length > 1 &&
    slots.length === sizes.length &&
    sizes.every(({ at, size }, place) => {
      const [slot, next] = [slots[place], slots[place + 1]];
      return size.by === "sum" && (slot?.at ?? at) < at && (next === undefined || at < next.at);
    });
  const isOwn = ({ at }: Sized): boolean => isInTurn && word(scan, at - 1) === "budget";
  return { slots, sizes: sizes.map((one) => (isOwn(one) ? { ...one, isTotal: false } : one)) };
};

/** The sum that the others are parts of. */
const totalIn = ({ slots, sizes }: Read): Sized | null => {
  const sums = sizes.filter(({ size }) => size.by === "sum");
  const named = sums.find(({ isTotal }) => isTotal);
  if (named !== undefined) return named;
  const [first, other] = sums;
  const others = sums.slice(1).reduce((all, { size }) => all + (size.by === "sum" ? size.value : 0), 0);
  const places = new Set(slots.map(({ id, at }) => id ?? at)).size;
  // "60k: 36k on CTV, 12k on native, 12k on display"
  if (first?.size.by === "sum" && sums.length > Math.max(2, places) && Math.abs(first.size.value - others) < 1)
    return first;
  const isParted = sizes.some(({ size }) => size.by === "share");
  if (first === undefined) return null;
  const hasRest = sizes.some(({ size }) => size.by === "rest");
  // "So $42,500 CTV and the rest evenly"
  if (hasRest && slots.some(({ at }) => at === first.to)) return null;
  if ((isParted || sizes.some(({ isEven }) => isEven)) && other === undefined) return first;
  return hasRest && sizes.length > places ? first : null;
};

/** The slots that a size is said of: those ahead of it, or those behind it. */
const slotsOf = (scan: Scan, { slots, sizes }: Read, one: Sized, bound: ReadonlySet<Slot>): readonly Slot[] => {
  const earlier = sizes.findLast(({ at }) => at < one.at)?.at ?? -1;
  const later = sizes.find(({ at }) => at > one.at)?.at ?? Number.POSITIVE_INFINITY;
  const ahead = slots.filter((slot) => slot.at > earlier && slot.at < one.at && !slot.isDropped && !bound.has(slot));
  const behind = slots.filter((slot) => slot.at > one.at && slot.at < later);
  const [next] = behind;
  const isForward =
    next !== undefined &&
    // Of "11 to 24 January" no word says where the money goes.
    scan.tokens
      .slice(one.to, next.at)
      .some(({ word: said }, at) => scan.owners[one.to + at] === undefined && (binders.has(said) || said === "of"));
  const run = isForward || ahead.length === 0 ? behind : ahead.toReversed();
  return one.isEach ? run : run.slice(0, 1);
};

interface Movable {
  readonly lines: readonly Topic[];
  /** What a share is one of. */
  readonly whole: number;
}

/** "Move 4k from native to CTV", "put 14k in native, and take it out of CTV". */
const moved = (scan: Scan, { slots, sizes }: Read, { lines, whole }: Movable): readonly Line[] | null => {
  const source = slots.find(({ isSource }) => isSource);
  const target = slots.find(({ isSource, id }) => !isSource && id !== null && id !== source?.id);
  const [from, to] = [source, target].map((slot) => lines.find(({ product }) => product === slot?.id));
  if (source === undefined || target === undefined || from === undefined || to === undefined) return null;
  const sums = sizes.flatMap(({ at, size }) =>
    size.by === "rest" ? [] : [{ at, value: size.by === "sum" ? size.value : size.value * whole }],
  );
  const isFirst = source.at < target.at;
  const [one, other] = sums;
  if (sums.length > 2 || (one === undefined && !source.isDropped)) return null;
  const step =
    one === undefined
      ? { less: sumOf(from), next: sumOf(to) + sumOf(from) }
      : source.isDropped
        ? { less: sumOf(from), next: one.value }
        : other === undefined
          ? // One figure: what is moved, where the source follows it; else the target's new sum.
            isFirst ||
            scan.tokens.slice(0, one.at).some(({ word: said }) => isOneOf(said, "move shift transfer reallocate"))
            ? { less: one.value, next: sumOf(to) + one.value }
            : { less: one.value - sumOf(to), next: one.value }
          : isFirst
            ? { less: one.value, next: other.value }
            : { less: other.value, next: one.value };
  return lines.map((line): Line => {
    const value = line === from ? sumOf(line) - step.less : line === to ? step.next : sumOf(line);
    return { id: line.product, size: { by: "sum", value: inCents(value) } };
  });
};

/** "44k, same split", "make it 70/30": the open plan with another sum, or other shares in the order of its lines. */
const ofPlan = ({ sizes }: Read, lines: readonly Topic[]): Allocation | null => {
  const sums = sizes.flatMap(({ size }) => (size.by === "sum" ? [size.value] : []));
  const shares = sizes.flatMap(({ size }) => (size.by === "share" ? [size.value] : []));
  const [sum = null, other] = sums;
  const isSplit = shares.length === lines.length && Math.abs(shares.reduce((all, one) => all + one, 0) - 1) < 0.01;
  if (lines.length < 2 || other !== undefined || (!isSplit && (sum === null || shares.length > 0))) return null;
  const whole = lines.reduce((all, line) => all + sumOf(line), 0);
  return {
    total: sum,
    isMove: true,
    lines: lines.map((line, at) => ({
      id: line.product,
      size: { by: "share", value: (isSplit ? shares[at] : undefined) ?? sumOf(line) / whole },
    })),
  };
};

/** Each size with the product that it is said of. */
const boundIn = (scan: Scan, rest: Read): ReadonlyMap<Slot, Size> => {
  const bound = new Map<Slot, Size>();
  for (const one of rest.sizes) {
    const said = slotsOf(scan, rest, one, new Set(bound.keys()));
    // "10k for native. I said eleven."
    const of = said.length > 0 || one.size.by !== "sum" ? said : [...bound.keys()].slice(-1);
    for (const slot of of) bound.set(slot, one.size);
  }
  // "CTV, homepage and native, 50/30/20".
  const listed = [...new Map(rest.slots.map((slot) => [slot.id ?? slot.at, slot])).values()];
  const isApart = (one: Place, other: Place | undefined): boolean => one.at > (other?.at ?? one.at);
  const isListed =
    rest.sizes.length === listed.length &&
    (rest.sizes.every((one) => isApart(one, listed.at(-1))) ||
      (listed.length > 1 && listed.every((one) => isApart(one, rest.sizes.at(-1)))));
  if (isListed)
    for (const [place, slot] of listed.entries()) bound.set(slot, rest.sizes[place]?.size ?? { by: "rest" });
  return bound;
};

/**
 * Who gets how much of a budget: by two products and more, or anew over the lines of a plan. Null where the message is
 * about something else.
 */
export const allocationIn = (scan: Scan, parts: readonly Segment[], memory: Memory): Allocation | null => {
  const lines = openTopics(memory);
  const found = readIn(scan, parts, memory);
  const read = found === null ? null : withOwnBudgets(scan, found);
  if (read === null || (read.sizes.length === 0 && !read.slots.some(({ isDropped }) => isDropped))) return null;
  const moves = read.sizes.length === 0 ? giving : taking;
  const isMoving = parts.some(({ from, to }) => scan.tokens.slice(from, to).some((token) => moves.has(token.word)));
  const whole = memory.budget ?? lines.reduce((sum, line) => sum + sumOf(line), 0);
  const shift = isMoving ? moved(scan, read, { lines, whole }) : null;
  if (shift !== null) {
    const isPossible = shift.every(({ size }) => size.by === "sum" && size.value >= 0);
    return isPossible ? { total: null, lines: shift, isMove: true } : null;
  }
  const again = read.slots.length === 0 && memory.budget !== null ? ofPlan(read, lines) : null;
  if (again !== null) return again;
  const total = totalIn(read);
  const rest: Read = { ...read, sizes: read.sizes.filter((one) => one !== total) };
  const isMoney =
    memory.budget !== null ||
    total !== null ||
    rest.sizes.every(({ size }) => size.by !== "sum" || size.value < 50_000) ||
    rest.sizes.some(({ at }) => scan.owners[at]?.kind === "money");
  const sums = read.sizes.flatMap(({ size }) => (size.by === "sum" ? [size.value] : []));
  // "300k pre-roll and 800k ROS, total under 12k": what is far more than a sum is impressions.
  const least = Math.min(
    ...read.sizes.flatMap(({ at, size }) =>
      scan.owners[at]?.kind === "money" && size.by === "sum" ? [size.value] : [],
    ),
  );
  if (!isMoney || sums.some((value) => value >= 10 * least)) return null;
  return allocated(boundIn(scan, rest), rest, {
    total: total?.size.by === "sum" ? total.size.value : null,
    lines,
    budget: memory.budget,
  });
};

interface Known {
  readonly total: number | null;
  readonly lines: readonly Topic[];
  /** Of the plan that is open. */
  readonly budget: number | null;
}

/** What is named without a size, and what is open and not named, gets the rest where one is left; else it stays. */
const allocated = (
  bound: ReadonlyMap<Slot, Size>,
  { slots, sizes }: Read,
  { total, lines, budget }: Known,
): Allocation | null => {
  const sized = new Map<string, Size>();
  for (const [{ id }, size] of bound) if (id !== null) sized.set(id, size);
  const hasRest = sizes.some(({ size }) => size.by === "rest");
  const others = [...bound].find(([{ id, isSold }]) => id === null && isSold)?.[1];
  const named = new Set(slots.flatMap(({ id }) => id ?? []));
  const unnamed = lines.map(({ product }) => product).filter((id) => !named.has(id));
  const isAnew =
    budget !== null && lines.length > 1 && [...sized.keys()].some((id) => lines.some(({ product }) => product === id));
  if (sized.size === 0 || (sized.size + (others === undefined ? 0 : 1) + (hasRest ? 1 : 0) < 2 && !isAnew)) return null;
  for (const { id, isDropped } of slots)
    if (id !== null && isDropped && sized.size > 0 && !sized.has(id)) sized.set(id, { by: "sum", value: 0 });
  for (const id of named) if (!sized.has(id) && hasRest) sized.set(id, { by: "rest" });
  if ([...named].some((id) => !sized.has(id))) return null;
  const spent = [...sized.values()].reduce((sum, size) => sum + (size.by === "sum" ? size.value : 0), 0);
  // "The whole plan is 90k, 45k and 45k": nothing of the budget is left for what is not named.
  const isSpent = total === null && budget !== null && Math.abs(spent - budget) < 1;
  const isLeftOpen = hasRest && ![...sized.values()].some(({ by }) => by === "rest");
  for (const id of unnamed) {
    const size = others ?? (isLeftOpen ? ({ by: "rest" } as const) : null);
    const line = lines.find(({ product }) => product === id);
    if (size !== null) sized.set(id, size);
    else if (isAnew && line !== undefined) sized.set(id, { by: "sum", value: isSpent ? 0 : sumOf(line) });
  }
  return { total, lines: [...sized].map(([id, size]) => ({ id, size })), isMove: false };
};

export interface Portion {
  readonly id: string;
  readonly budget: number;
}

/** In whole cents; null where shares are said of a budget that nobody named. */
export const sumsOf = ({ lines }: Allocation, budget: number | null): readonly Portion[] | null => {
  if (budget === null && lines.some(({ size }) => size.by !== "sum")) return null;
  const whole = budget ?? 0;
  const fixed = lines.map(({ size }) =>
    size.by === "sum" ? size.value : size.by === "share" ? whole * size.value : null,
  );
  const left = Math.max(0, whole - fixed.reduce((sum: number, one) => sum + (one ?? 0), 0));
  const open = fixed.filter((one) => one === null).length;
  return lines.map(({ id }, at) => ({
    id,
    budget: Math.floor(Math.round(1000 * (fixed[at] ?? left / Math.max(1, open))) / 10) / 100,
  }));
};
