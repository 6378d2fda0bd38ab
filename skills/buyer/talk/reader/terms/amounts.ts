import { isIn } from "../words.ts";
import { type Amount, type Named, textOf } from "../../../../talk/reader/entity.ts";
import { inUsd, type Term } from "../../brief/form.ts";
import { channelsIn } from "../text.ts";
import { before, behind, clauseAt, entitiesOfPart, has, negations, type Part, use, wordAt } from "./part.ts";
import { agesAt } from "./people.ts";
import { channelFor, deniedLimit, fractionAt, namedIn, ofOneSeller, pieceAt } from "./whose.ts";

const limitWords =
  "more max maximum cap capped limit ceiling exceed exceeds above over under below bigger higher pay most never cost";
const targetWords = "target aim around goal ideally";
const leastWords = "least minimum min floor";
const mostCpm = 500;

const isMoney = ({ kind }: { readonly kind: string }): boolean =>
  kind === "money" || kind === "price" || kind === "volume" || kind === "number";

const wordsOf = ({ text }: Part, { from, to }: { readonly from: number; readonly to: number }): string =>
  textOf(text.scan, { from, to });

/** "Nobody over 65" limits no price. */
const personWords = "nobody people adults men women anyone everyone aged age ages kids";
const cpmWords = "cpm tkp thousand mille";
const limitNouns = "cap ceiling limit";

const isCpm = (part: Part, amount: Amount, left: readonly string[], right: readonly string[]): boolean => {
  if (amount.value >= mostCpm || (amount.kind === "volume" && !amount.isUnsure)) return false;
  if (has(left, "budget") || has(left, personWords)) return false;
  if (
    (amount.kind === "price" && !amount.isUnsure) ||
    has([...left, ...right.slice(0, 2)], cpmWords) ||
    part.label === "max_cpm" ||
    part.label === "target_cpm"
  )
    return true;
  const clause = clauseAt(part, amount.from);
  const isNamed = has(part.text.words.slice(clause.from, clause.to), limitNouns);
  if (isNamed || has(left, limitWords) || has(right, "max")) return true;
  const { max_cpm: most, target_cpm: target } = part.open?.kpis ?? {};
  const isForAll = /^for (?:everything|all)/.test(right.join(" "));
  const isReplaced = right[0] === "not" && (Number(right[1]) === most || Number(right[1]) === target);
  // "Raise CTV to 29".
  const isOfChannel = part.open !== null && amount.kind === "number" && channelFor(part, amount, [amount]) !== null;
  return isForAll || isReplaced || isOfChannel || (target !== undefined && has(left, targetWords));
};

const cpm = (part: Part, { amount, left, right }: Figure, figures: readonly Amount[]): void => {
  const { terms } = part;
  const said = left.filter((word) => !isIn(word, cpmWords));
  if (has(said.slice(0, 2), leastWords) || said.slice(0, 3).join(" ") === "than less not") {
    terms.push({ kind: "unclear", words: `${left.slice(0, 3).toReversed().join(" ")} ${wordsOf(part, amount)}` });
    return;
  }
  const denied = deniedLimit(part, amount, said, right);
  if (denied !== null) return void terms.push(denied);
  const isTarget =
    part.label === "target_cpm" ||
    (has(left, targetWords) && !has(left.slice(0, 3), "max maximum above never limit cap")) ||
    (right[0] === "target" && !has(left, limitWords));
  const isBare = part.open === null && part.label === null && !has([...left, ...right], limitWords);
  const named = channelFor(part, amount, figures);
  const channel = named?.inventoryType ?? null;
  if (named !== null && channel !== null) {
    // "No CTV above 28 CPM" is not "no CTV", and "60k on CTV at 28 CPM" names a channel.
    const piece = pieceAt(part, amount.from);
    const isExcept = has(before(part, named.from, 2), "except excluding without");
    const words = isExcept ? wordsOf(part, piece) : `${channel} ${amount.value} CPM`;
    terms.push({ kind: "channel price", channel: isExcept ? "" : channel, value: amount.value, words });
    const isAlone = entitiesOfPart(part).every(
      (one) => one === amount || !isMoney(one) || one.from < piece.from || one.from >= piece.to,
    );
    if (isAlone) use(part, named.from, named.to);
    return;
  }
  terms.push({ kind: isTarget || isBare ? "target_cpm" : "max_cpm", value: amount.value });
};

const moreWords = "more extra another additional plus up raise increase add higher";
const lessWords = "less lower reduce cut decrease fewer down minus";

/** "10% more", "cut the budget by 5k", "another 5k"; 0 where it says a budget itself. */
const signOf = (left: readonly string[], right: readonly string[]): number => {
  const isBy = left[0] === "by" || left[0] === "another" || left[0] === "extra";
  if (isIn(right[0] ?? "", "more extra") || (isBy && has(left, moreWords))) return left[0] === "no" ? 0 : 1;
  if (isIn(right[0] ?? "", "less fewer") || (isBy && has(left, lessWords))) return -1;
  return 0;
};

const upperWords =
  "max most maximum cap capped limit ceiling under below exceed exceeding over above bigger larger higher";

const limitSideOf = (left: readonly string[], right: readonly string[]): "max" | "min" | "both" => {
  const isNoMore = (has(left, "no not never") && has(left, "more")) || (left[0] === "to" && left[1] === "up");
  const isMost = has(right.slice(0, 1), "max maximum tops most may") || right[1] === "most";
  if (has(left, upperWords) || isNoMore || isMost || has(right, limitNouns)) return "max";
  return has(left, "min least minimum") || has(right.slice(0, 1), "min minimum") ? "min" : "both";
};

/** What is limited is in the brief already: "native should not exceed 40k" is not "not native". */
const pushShare = (
  part: Part,
  { inventoryType, from, to }: Named,
  limit: Pick<Extract<Term, { kind: "share" }>, "share" | "amount" | "side">,
): void => {
  part.terms.push({ kind: "share", channel: inventoryType ?? "", ...limit });
  if (limit.side !== "both") use(part, from, to);
};

const percent = (part: Part, { amount, left, right }: Figure, figures: readonly Amount[]): void => {
  const named = channelFor(part, amount, figures);
  const share = amount.value / 100;
  const sign = signOf(left, right);
  if (ofOneSeller(part, amount)) return;
  if (named !== null && share <= 1) pushShare(part, named, { share, amount: null, side: limitSideOf(left, right) });
  else if (sign !== 0) part.terms.push({ kind: "budget by", factor: 1 + sign * share, more: 0 });
  else {
    const piece = pieceAt(part, amount.from);
    part.terms.push({ kind: "not used", words: wordsOf(part, piece) });
    use(part, piece.from, piece.to);
  }
};

const isOpenDays = "per a each";

/** "75 is too much, let's do 70": thousands, beside a budget of thousands. */
const scaled = (part: Part, amount: Amount, left: readonly string[]): number => {
  const { budget } = part.open ?? {};
  const near = amount.value * 1000;
  const isNear = budget !== undefined && budget >= 5000 && near >= budget / 4 && near <= budget * 4;
  const isSaid = has(left, "do make say at is budget only no to it") || left.length === 0;
  return amount.value < 1000 && amount.currency === null && isNear && isSaid ? near : amount.value;
};

const budget = (part: Part, amount: Amount, left: readonly string[], right: readonly string[]): void => {
  const { terms, open } = part;
  const value = scaled(part, amount, left);
  const said = wordsOf(part, amount);
  const isLabelled = part.label === "budget" || has(left, "budget");
  if (amount.currency !== null && amount.currency !== "USD") {
    terms.push({ kind: "foreign money", words: `${said}${inUsd}${value.toLocaleString("en-US")} USD` });
    return;
  }
  if (amount.kind === "volume" && !amount.isUnsure) {
    terms.push({ kind: "unclear", words: said });
    return;
  }
  if (isIn(right[0] ?? "", isOpenDays) && isIn(right[1] ?? "", "week month day")) {
    terms.push({ kind: "unclear", words: `${said} ${right.slice(0, 2).join(" ")}` });
    return;
  }
  const sign = signOf(left, right);
  if (sign !== 0 && open?.budget !== undefined) {
    terms.push({ kind: "budget by", factor: 1, more: sign * value });
    return;
  }
  if (amount.kind === "number" && value === amount.value && !isLabelled) return;
  if (open?.budget !== undefined && value * 100 < open.budget && value > 0) {
    terms.push({ kind: "two budgets", words: said });
    return;
  }
  terms.push({ kind: "budget", value });
  use(part, amount.from, amount.to);
};

/** "Mostly video": of several channels more than half; of one it says nothing of the others. */
const mostly = (part: Part): void => {
  const { place, text, terms, open } = part;
  for (let at = place.from; at < place.to; at += 1) {
    if (!isIn(wordAt(part, at), "mostly mainly primarily chiefly predominantly")) continue;
    const first = channelsIn(text, place).find(({ from }) => from > at);
    if (first === undefined || first.from > at + 4) continue;
    const all = channelsIn(text, { from: 0, to: text.words.length });
    const channel = first.inventoryType ?? "";
    if (all.some(({ inventoryType }) => inventoryType !== channel) || (open?.channels?.length ?? 0) > 1)
      terms.push({ kind: "share", channel, share: 0.5, amount: null, side: "min" });
    else
      terms.push({
        kind: "said",
        words: `Only ${channel} is named, so all of the budget goes there: say for example "add display" for others.`,
      });
    use(part, at, at + 1);
  }
};

const evenly = /^(?:evenly|equally|half half|half and half|half - half|50 [/:-] ?50|equal (?:parts|shares)|same each)$/;

/** "70/30 ctv video", "half half", "CTV two thirds": shares without a percent sign. */
const shares = (part: Part): void => {
  const { place, text, terms } = part;
  const named = namedIn(part);
  for (let at = place.from; at < place.to; at += 1) {
    if (part.used.has(at)) continue;
    const size = [3, 2, 1].find((step) => evenly.test(text.words.slice(at, at + step).join(" ")));
    const channels = named.length > 0 ? named : (part.open?.channels ?? []);
    if (size !== undefined && (channels.length > 1 || part.open !== null)) {
      terms.push({ kind: "split", channels: named.length > 1 ? named : [], shares: [] });
      use(part, at, at + size);
      continue;
    }
    const [one, other] = [Number(wordAt(part, at)), Number(wordAt(part, at + 2))];
    const isPair = wordAt(part, at + 1) === "/" && one + other === 100 && text.scan.tokens[at + 1]?.isGlued === true;
    if (isPair) {
      // Without channels those of the brief are meant, in their order.
      if (channels.length === 2) terms.push({ kind: "split", channels, shares: [one / 100, other / 100] });
      else terms.push({ kind: "unclear", words: wordsOf(part, { from: at, to: at + 3 }) });
      use(part, at, at + 3);
      continue;
    }
    const fraction = fractionAt(part, at);
    const channel = fraction === null ? null : channelFor(part, fraction, [fraction]);
    const isOfMoney =
      fraction !== null &&
      wordAt(part, fraction.to) === "of" &&
      isIn(wordAt(part, fraction.to + 1), "it the our my all");
    if (fraction === null || (channel === null && !isOfMoney)) continue;
    const side = limitSideOf(before(part, at, 4), behind(part, fraction.to, 2));
    const piece = pieceAt(part, at);
    if (channel !== null) pushShare(part, channel, { share: fraction.share, amount: null, side });
    else terms.push({ kind: "not used", words: wordsOf(part, piece) });
    const read = channel === null ? piece : fraction;
    use(part, read.from, read.to);
  }
};

/** "no cap at all", "drop the target", "max CPM: none". */
const lifted = (part: Part): void => {
  const { place, text } = part;
  const words = text.words.slice(place.from, place.to);
  const isLimit = has(words, limitNouns) || part.label === "max_cpm";
  const isTarget = words.includes("target") && !isLimit && part.open?.kpis?.target_cpm !== undefined;
  const isOff = has(words, "no drop remove without none delete lift forget");
  const hasAmount = entitiesOfPart(part).some((entity) => isMoney(entity) || entity.kind === "cap");
  if (hasAmount || !isOff || (!isLimit && !isTarget) || channelsIn(text, place).length > 0) return;
  part.terms.push({ kind: isLimit ? "max_cpm" : "target_cpm", value: null });
  use(part, place.from, place.to);
};

const doubled: Readonly<Record<string, number>> = { double: 2, doubled: 2, triple: 3, halve: 0.5 };

const isRefused = (part: Part, at: number): boolean =>
  isIn(wordAt(part, at - 1), negations) && `${wordAt(part, at - 2)} ${wordAt(part, at - 1)}` !== ", no";

const isYear = (part: Part, { from, kind }: Amount): boolean =>
  kind === "number" && /^20[2-5]\d$/.test(wordAt(part, from)) && part.open?.start_date !== undefined;

/** "People who like cycling, 25-55" is no budget. */
const isAge = (part: Part, { from, kind }: Amount): boolean =>
  kind === "number" && [from, from - 2].some((at) => agesAt(part, at) > at) && !has(before(part, from, 3), "budget");

const others = "pounds euros eur gbp francs yen pesos";

/** "Our money is in pounds." */
const foreign = (part: Part): void => {
  for (let at = part.place.from; at < part.place.to; at += 1) {
    if (!isIn(wordAt(part, at), others) || part.used.has(at) || part.text.scan.owners[at] !== undefined) continue;
    if (!has(before(part, at, 4), "in money budget") || part.place.to - part.place.from > 8) continue;
    part.terms.push({ kind: "foreign money", words: wordAt(part, at) });
    use(part, at, at + 1);
  }
};

/** "7,000 + 5,000 = 12,000" reckons, and sets nothing. */
const isReckoned = (part: Part, { from, to }: Amount): boolean => {
  const clause = clauseAt(part, from);
  const words = part.text.words.slice(clause.from, clause.to);
  return words.includes("+") && words.includes("=") && has([wordAt(part, from - 1), wordAt(part, to)], "+ =");
};

interface Figure {
  readonly amount: Amount;
  readonly left: readonly string[];
  readonly right: readonly string[];
  readonly kind: "share" | "cpm" | "sum";
}

/** "70 linear 30 ctv": numbers of channels that make a hundred. */
const areShares = (part: Part, amounts: readonly Amount[]): boolean =>
  amounts.length > 1 &&
  amounts.every((one) => one.kind === "number" && channelFor(part, one, amounts) !== null) &&
  amounts.reduce((sum, { value }) => sum + value, 0) === 100;

const figuresIn = (part: Part, amounts: readonly Amount[]): readonly Figure[] => {
  const isSplit = areShares(part, amounts);
  let isListed = false;
  return amounts.map((amount, at) => {
    const own = part.text.words
      .slice(amount.from, amount.to)
      .filter((_word, step) => part.text.scan.tokens[amount.from + step]?.kind === "word");
    const left = [
      ...own.filter((word) => isIn(word, targetWords) || isIn(word, limitWords) || isIn(word, cpmWords)),
      ...before(part, amount.from, 6),
    ];
    const right = behind(part, amount.to, 4);
    const isNext = isListed && at > 0 && amount.kind === "number" && channelFor(part, amount, amounts) !== null;
    const isPrice = amount.kind !== "percent" && !isSplit && (isNext || isCpm(part, amount, left, right));
    isListed = isPrice;
    return { amount, left, right, kind: amount.kind === "percent" || isSplit ? "share" : isPrice ? "cpm" : "sum" };
  });
};

/** "Between 40 and 50k", "60k or 70k": which of them is asked. */
const isRange = (part: Part, { amount, left }: Figure, next: Figure): boolean => {
  const gap = part.text.words.slice(amount.to, next.amount.from);
  const isPair = isIn(gap[0] ?? "", "or and to - –") && amount.kind !== "number";
  return (
    gap.length === 1 && ((isPair && next.amount.value >= mostCpm / 5) || (gap[0] === "and" && left[0] === "between"))
  );
};

/** What is said of approvals sets no budget. */
const besideBudget = (part: Part, { amount }: Figure): boolean => {
  if (amount.value < mostCpm) return false;
  if (ofOneSeller(part, amount)) return true;
  const clause = clauseAt(part, amount.from);
  const words = part.text.words.slice(clause.from, clause.to);
  if (!has(words, "sign sign-off approve approval approved authorise authorize")) return false;
  part.terms.push({ kind: "said", words: "Every line waits for your approval, whatever its price." });
  use(part, clause.from, clause.to);
  return true;
};

/** "Video and CTV, 7,500 each": money of each channel, and no budget. */
const moneyOfEach = (part: Part, { amount, left, right }: Figure): boolean => {
  const isSaid =
    (isIn(right[0] ?? "", "each apiece") && !isIn(right[1] ?? "", "day week month")) ||
    (isIn(right[0] ?? "", "on for to in per") && isIn(right[1] ?? "", "each channel") && right[2] !== "line") ||
    left[0] === "each" ||
    (left[0] === "gets" && left[1] === "each");
  const named = namedIn(part);
  const channels = named.length > 0 ? named : (part.open?.channels ?? []);
  const isForeign = amount.currency !== null && amount.currency !== "USD";
  if (!isSaid || channels.length < 2 || isForeign || amount.value < mostCpm) return false;
  for (const channel of channels)
    part.terms.push({ kind: "share", channel, share: null, amount: amount.value, side: limitSideOf(left, right) });
  use(part, amount.from, amount.to + 1);
  return true;
};

/** `isShared`: the part tells the shares of its channels too, as in "45k on video (60%) and CTV (40%)". */
const sum = (part: Part, figure: Figure, figures: readonly Amount[], isShared: boolean): void => {
  const { amount, left, right } = figure;
  if (besideBudget(part, figure) || moneyOfEach(part, figure)) return;
  const channel = amount.value < mostCpm ? null : channelFor(part, amount, figures);
  const isForeign = amount.currency !== null && amount.currency !== "USD";
  const isMore = signOf(left, right) !== 0;
  if (channel === null || isForeign || isShared) return budget(part, amount, left, right);
  if (isMore && part.open !== null)
    return void part.terms.push({ kind: "unclear", words: wordsOf(part, pieceAt(part, amount.from)) });
  pushShare(part, channel, { share: null, amount: amount.value, side: limitSideOf(left, right) });
  use(part, amount.from, amount.to);
};

/** With what stands around it in its clause, so that the same price in dollars is read as this one is. */
const foreignPrice = (part: Part, { amount: { from, to, value } }: Figure): void => {
  const piece = pieceAt(part, from);
  const [left, right] = [wordsOf(part, { from: piece.from, to: from }), wordsOf(part, { from: to, to: piece.to })];
  const same = `${left} ${value} USD CPM ${right}`.replace(/\bCPM +CPM\b/, "CPM").trim();
  part.terms.push({ kind: "foreign money", words: `${wordsOf(part, piece)}${inUsd}${same}` });
  use(part, piece.from, piece.to);
};

export const readAmounts = (part: Part): void => {
  foreign(part);
  shares(part);
  mostly(part);
  lifted(part);
  const { place } = part;
  const amounts = entitiesOfPart(part).filter(
    (entity): entity is Amount => isMoney(entity) || entity.kind === "percent",
  );
  const plain = amounts.filter((one) => !part.used.has(one.to - 1) && !isYear(part, one) && !isAge(part, one));
  const figures = figuresIn(part, plain);
  const of = (kind: Figure["kind"]) => figures.filter((one) => one.kind === kind).map(({ amount }) => amount);
  const shared = of("share").flatMap((one) => channelFor(part, one, of("share"))?.inventoryType ?? []);
  const isShared = of("sum").length === 1 && new Set(shared).size > 1;
  let isPassed = false;
  for (const [index, figure] of figures.entries()) {
    const { amount, kind } = figure;
    const next = figures[index + 1];
    if (isPassed || isReckoned(part, amount) || (index > 0 && isRefused(part, amount.from))) {
      use(part, amount.from, amount.to);
      isPassed = false;
    } else if (kind === "share") percent(part, figure, of(kind));
    else if (kind === "cpm") {
      use(part, amount.from, amount.to);
      if (amount.currency !== null && amount.currency !== "USD") foreignPrice(part, figure);
      else cpm(part, figure, of(kind));
    } else if (next !== undefined && isRange(part, figure, next)) {
      part.terms.push({ kind: "two budgets", words: wordsOf(part, { from: amount.from, to: next.amount.to }) });
      isPassed = true;
    } else sum(part, figure, of(kind), isShared);
  }
  for (let at = place.from; at < place.to; at += 1) {
    const factor = doubled[wordAt(part, at)];
    if (factor === undefined || part.open?.budget === undefined || !isIn(wordAt(part, at + 1), "the it our my budget"))
      continue;
    part.terms.push({ kind: "budget by", factor, more: 0 });
    use(part, at, at + 1);
  }
};
