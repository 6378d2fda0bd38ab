import { isOneOf, words } from "./word-lists.ts";
import { type Amount, type Entity, entitiesOf, type Scan, take } from "./entity.ts";

const marker = words(
  "actually sorry correction scratch wait oops rather mean meant typo quatsch perdon pardon desculpe doch instead",
);
const reach = 8;
const kinds: ReadonlySet<Entity["kind"]> = new Set([
  "volume",
  "money",
  "price",
  "number",
  "period",
  "product",
  "dealType",
  "percent",
  "length",
]);
const sizes: ReadonlySet<Entity["kind"]> = new Set(["volume", "money", "price", "number"]);

/** "No, B" takes back; "no NBC" leaves out. */
const isMarker = ({ tokens }: Scan, at: number): boolean => {
  const { word = "", isFirst = false } = tokens[at] ?? {};
  if (marker.has(word)) return !isOneOf(tokens[at + 1]?.word ?? "", "than of");
  const isNo = isOneOf(word, "no nope nein non nao");
  const opens =
    isFirst ||
    isOneOf(tokens[at - 1]?.word ?? "", "hm hmm uh oh ah well or wait maybe") ||
    isOneOf(tokens[at - 1]?.text ?? "", "? … , . ; : – -");
  return (
    isNo &&
    opens &&
    (isOneOf(tokens[at + 1]?.text ?? "", ", . ; :") || isOneOf(tokens[at + 1]?.word ?? "", "wait sorry make"))
  );
};

/** A product stays known as the one that is not wanted: the next takes its place. */
const drop = (scan: Scan, one: Entity): void =>
  take(
    scan,
    one.kind === "product"
      ? { ...one, isExcluded: true }
      : { kind: "reference", value: "", from: one.from, to: one.to },
  );

/** A figure without a unit takes that of the figure whose place it takes: "800k, sorry 900", "$900 - sorry, 1200". */
const inItsPlace = (scan: Scan, earlier: Amount, later: Amount): void => {
  if (earlier.kind === later.kind && later.value * 10 >= earlier.value) {
    take(scan, { ...later, former: earlier.value });
    return;
  }
  const factor = [1, 1e3, 1e6].find((one) => later.value * one * 10 >= earlier.value) ?? 1;
  take(scan, {
    ...later,
    kind: earlier.kind,
    former: earlier.value,
    value: later.value * factor,
    currency: later.currency ?? earlier.currency,
  });
};

const isAmount = (one: Entity): one is Amount => sizes.has(one.kind);

const isAlike = (earlier: Entity, later: Entity): boolean =>
  earlier.kind === later.kind || (isAmount(earlier) && isAmount(later) && later.isUnsure);

/** "From 6,000 to 8,000 dollars" */
const isFromTo = ({ tokens }: Scan, earlier: Entity, later: Entity): boolean =>
  isAmount(earlier) &&
  isAmount(later) &&
  later.from - earlier.to <= 2 &&
  tokens[earlier.from - 1]?.word === "from" &&
  tokens[later.from - 1]?.word === "to";

const negation = words("not nicht isn't aren't wasn't");

/** "Instead of 40k", "rather than the 40k". */
const isReplacedAt = ({ tokens }: Scan, from: number): boolean => {
  const at = isOneOf(tokens[from - 1]?.word ?? "", "the our my") ? from - 2 : from - 1;
  return isOneOf(tokens[at]?.word ?? "", "of than") && isOneOf(tokens[at - 1]?.word ?? "", "instead rather");
};

/** A day alone is vague before it is told that another one takes its place. */
const isReplaceable = ({ kind }: Entity): boolean =>
  kind === "vague" || (kinds.has(kind) && kind !== "product" && kind !== "dealType");

/** "50k instead of 40k", "instead of 40k, 50k", "until 3 January instead of 20 December". */
const readReplaced = (scan: Scan): void => {
  const all = entitiesOf(scan).filter(isReplaceable);
  for (const [place, old] of all.entries()) {
    if (!isReplacedAt(scan, old.from)) continue;
    const now = [all[place - 1], all[place + 1]].find(
      (one) =>
        one !== undefined &&
        (isAlike(old, one) || isAlike(one, old) || (old.kind === "vague" && one.kind === "period")),
    );
    if (now === undefined) continue;
    drop(scan, old);
    // "Budget 20,000 instead of 15,000": the new figure has its own word.
    if (isAmount(old) && isAmount(now) && now.isUnsure) inItsPlace(scan, old, now);
  }
};

/** "A, sorry, I mean B", "not A but B", "from A to B": what a later word takes back is read as nothing. */
export const readCorrections = (scan: Scan): void => {
  readReplaced(scan);
  const all = entitiesOf(scan).filter(({ kind }) => kinds.has(kind));
  for (const [place, later] of all.entries()) {
    const earlier = all
      .slice(Math.max(0, place - 4), place)
      .findLast((one) => isAlike(one, later) || isFromTo(scan, one, later));
    if (earlier === undefined || later.from - earlier.to > reach + 6) continue;
    const between = scan.tokens.slice(earlier.to, later.from);
    const before = scan.tokens.slice(Math.max(0, earlier.from - 3), earlier.from).map(({ word }) => word);
    const isTaken = between.some((_, at) => later.from - (earlier.to + at) <= reach && isMarker(scan, earlier.to + at));
    const isNotBut =
      before.some((word) => negation.has(word)) &&
      between.length <= 4 &&
      between.some(({ word }) => isOneOf(word, "but , sondern just it's only"));
    const last = between.at(-1)?.word === "to" ? between.slice(0, -1) : between;
    const isChanged =
      isAmount(later) &&
      later.kind === "number" &&
      isOneOf(last.at(-2)?.word ?? "", "make change reduce cut lower raise") &&
      isOneOf(last.at(-1)?.word ?? "", "it that this");
    if (!isTaken && !isFromTo(scan, earlier, later) && !isNotBut && !isChanged) continue;
    drop(scan, earlier);
    if (isAmount(earlier) && isAmount(later) && isAlike(earlier, later)) inItsPlace(scan, earlier, later);
  }
};
