import { isIn } from "../words.ts";
import { type Amount, type Named, textOf } from "../../../../talk/reader/entity.ts";
import { channelsIn } from "../text.ts";
import { before, behind, clauseAt, entitiesOfPart, has, negations, type Part, use, wordAt } from "./part.ts";

const limitWords =
  "more max maximum cap capped limit ceiling exceed exceeds above over under below bigger higher pay most never cost";
const targetWords = "target aim around goal ideally";
const leastWords = "least minimum min floor";
const mostCpm = 500;

const isMoney = ({ kind }: { readonly kind: string }): boolean =>
  kind === "money" || kind === "price" || kind === "volume" || kind === "number";

const wordsOf = ({ text }: Part, { from, to }: { readonly from: number; readonly to: number }): string =>
  textOf(text.scan, { from, to });

const cpmWords = "cpm tkp thousand mille";
const limitNouns = "cap ceiling limit";

const isCpm = (part: Part, amount: Amount, left: readonly string[], right: readonly string[]): boolean => {
  if (amount.value >= mostCpm || (amount.kind === "volume" && !amount.isUnsure)) return false;
  if (has(left, "budget")) return false;
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
  return isForAll || isReplaced || (target !== undefined && has(left, targetWords));
};

const besideWords =
  "on for to into in with of it may be spent should go goes the at most max is only just cap limit under below : = %" +
  " ceiling";

/** The channel that an amount stands beside, with no more than small words between. */
const namedBeside = (part: Part, { from, to }: Amount): Named | null => {
  const clause = clauseAt(part, from);
  const near = (at: number, step: number): Named | null => {
    for (let place = at, gap = 0; place >= clause.from && place < clause.to && gap < 6; place += step, gap += 1) {
      const owner = part.text.scan.owners[place];
      if (owner?.kind === "product" && owner.inventoryType !== null) return owner;
      if (owner !== undefined || (wordAt(part, place) !== "" && !isIn(wordAt(part, place), besideWords))) return null;
    }
    return null;
  };
  return near(to, 1) ?? near(from - 1, -1);
};

const channelBeside = (part: Part, amount: Amount): string | null => namedBeside(part, amount)?.inventoryType ?? null;

const mostWords = "max most maximum cap limit ceiling under below";

/** "Of it max 25,000 for CTV", "the other 35,000 goes to display": a part of a larger budget, and no budget. */
const isPartOfBudget = (part: Part, amount: Amount, left: readonly string[], right: readonly string[]): boolean => {
  const { open, text } = part;
  const isSaid = has([...left.slice(0, 4), ...right], mostWords) || isIn(left[0] ?? "", "other remaining");
  const isOnly = open?.channels?.length === 1 && open.channels[0] === channelBeside(part, amount);
  const isLarger = text.scan.owners.some(
    (one) => one !== undefined && (one.kind === "money" || one.kind === "volume") && one.value > amount.value,
  );
  return isSaid && (isLarger || (!isOnly && open?.budget !== undefined && open.budget > amount.value));
};

const cpm = (part: Part, amount: Amount, left: readonly string[], right: readonly string[]): void => {
  const { place, terms } = part;
  const said = left.filter((word) => !isIn(word, cpmWords));
  if (has(said.slice(0, 2), leastWords) || said.slice(0, 3).join(" ") === "than less not") {
    terms.push({ kind: "unclear", words: `${left.slice(0, 3).toReversed().join(" ")} ${wordsOf(part, amount)}` });
    return;
  }
  const clause = clauseAt(part, amount.from);
  const named = channelsIn(part.text, clause);
  const isForAll = has(part.text.words.slice(clause.from, clause.to), "all everything");
  const [only, other] = named;
  const isOfOne = only !== undefined && other === undefined && !isForAll && only.inventoryType !== null;
  const isTarget =
    part.label === "target_cpm" ||
    (has(left, targetWords) && !has(left.slice(0, 3), "max maximum above never limit cap")) ||
    (right[0] === "target" && !has(left, limitWords));
  const isBare = part.open === null && part.label === null && !has([...left, ...right], limitWords);
  const isWithMode = has(part.text.words.slice(clause.from, clause.to), "spend usd budget");
  if (isOfOne && !isWithMode) {
    const words = wordsOf(part, { from: clause.from, to: Math.min(clause.to, place.to) });
    terms.push({ kind: "channel price", channel: only.inventoryType ?? "", value: amount.value, words });
    use(part, only.from, only.to);
  } else terms.push({ kind: isTarget || isBare ? "target_cpm" : "max_cpm", value: amount.value });
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

const percent = (part: Part, amount: Amount, left: readonly string[], right: readonly string[]): void => {
  const channel = channelBeside(part, amount);
  const share = amount.value / 100;
  const side =
    has(left, "max most maximum") || (has(right, "may") && channel !== null)
      ? "max"
      : has(left, "min least minimum")
        ? "min"
        : "both";
  if (channel !== null && share <= 1) part.terms.push({ kind: "share", channel, share, amount: null, side });
  else {
    const sign = signOf(left, right);
    if (sign !== 0) part.terms.push({ kind: "budget by", factor: 1 + sign * share, more: 0 });
    else
      part.terms.push({
        kind: "not used",
        words: wordsOf(part, { from: Math.max(part.place.from, amount.from - 1), to: amount.to }),
      });
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
    terms.push({ kind: "foreign money", words: said });
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

/** "70/30 ctv video", "60/40": two shares of a hundred. */
const pairAt = (part: Part, at: number): number => {
  const [one, other] = [Number(wordAt(part, at)), Number(wordAt(part, at + 2))];
  return wordAt(part, at + 1) === "/" && one + other === 100 && part.text.scan.tokens[at + 1]?.isGlued === true
    ? at + 3
    : at;
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

const shares = (part: Part): void => {
  const { place, text } = part;
  for (let at = place.from; at < place.to; at += 1) {
    const to = pairAt(part, at);
    const word = wordAt(part, at);
    const named = channelsIn(text, place);
    if (to > at) {
      const [first, second, third] = named;
      if (first !== undefined && second !== undefined && third === undefined) {
        part.terms.push({
          kind: "share",
          channel: first.inventoryType ?? "",
          share: Number(word) / 100,
          amount: null,
          side: "both",
        });
        part.terms.push({
          kind: "share",
          channel: second.inventoryType ?? "",
          share: Number(wordAt(part, at + 2)) / 100,
          amount: null,
          side: "both",
        });
      } else part.terms.push({ kind: "unclear", words: wordsOf(part, { from: at, to }) });
      use(part, at, to);
      at = to;
    } else if (word === "half" && named.length === 1 && isIn(wordAt(part, at + 1), "on to into for of")) {
      part.terms.push({
        kind: "share",
        channel: named[0]?.inventoryType ?? "",
        share: 0.5,
        amount: null,
        side: "both",
      });
      use(part, at, at + 1);
    }
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
  isIn(wordAt(part, at - 1), negations) && wordAt(part, at - 1) !== "no"
    ? true
    : wordAt(part, at - 1) === "not" ||
      (wordAt(part, at - 1) === "no" &&
        /^(?:,|)$/.test(wordAt(part, at - 2)) &&
        at - 2 >= part.place.from &&
        wordAt(part, at - 2) === ",");

const isYear = (part: Part, { from, kind }: Amount): boolean =>
  kind === "number" && /^20[2-5]\d$/.test(wordAt(part, from)) && part.open?.start_date !== undefined;

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

/** A sum beside a channel, where a larger one or others of channels are the budget. */
const shareOfChannel = (
  part: Part,
  amount: Amount,
  left: readonly string[],
  right: readonly string[],
  isEach: boolean,
): boolean => {
  const named = namedBeside(part, amount);
  if (named === null || named.inventoryType === null || amount.value < mostCpm) return false;
  const isPartOfIt = isPartOfBudget(part, amount, left, right);
  const isOfIt = has(left, "put add with") || right[0] === "of";
  if (!isEach && !isPartOfIt && !(part.open?.budget !== undefined && isOfIt)) return false;
  // "Only the cap for CTV" is not "only CTV".
  if (isPartOfIt) use(part, named.from, named.to);
  const isMost = has(left, "max most under below") || (isPartOfIt && has([...left, ...right], mostWords));
  const side = isMost ? "max" : "both";
  part.terms.push({ kind: "share", channel: named.inventoryType, share: null, amount: amount.value, side });
  return true;
};

export const readAmounts = (part: Part): void => {
  foreign(part);
  shares(part);
  mostly(part);
  lifted(part);
  const { text, place } = part;
  const amounts = entitiesOfPart(part).filter(
    (entity): entity is Amount => isMoney(entity) || entity.kind === "percent",
  );
  const isPlain = (one: Amount): boolean => !part.used.has(one.to - 1) && !isYear(part, one);
  const plain = amounts.filter(isPlain);
  const eachOfChannel = plain.filter(
    (one) => one.kind !== "percent" && one.value >= mostCpm && channelBeside(part, one) !== null,
  );
  plain.forEach((amount, index) => {
    const own = part.text.words
      .slice(amount.from, amount.to)
      .filter((_word, at) => part.text.scan.tokens[amount.from + at]?.kind === "word");
    const left = [
      ...own.filter((word) => isIn(word, targetWords) || isIn(word, limitWords) || isIn(word, cpmWords)),
      ...before(part, amount.from, 6),
    ];
    const right = behind(part, amount.to, 4);
    const next = plain[index + 1];
    if (amount.kind !== "number" || channelBeside(part, amount) !== null) use(part, amount.from, amount.to);
    if (index > 0 && isRefused(part, amount.from)) return use(part, amount.from, amount.to);
    if (amount.kind === "percent") return percent(part, amount, left, right);
    if (isCpm(part, amount, left, right)) {
      use(part, amount.from, amount.to);
      if (amount.currency !== null && amount.currency !== "USD")
        return void part.terms.push({ kind: "foreign money", words: `${wordsOf(part, amount)}` });
      return cpm(part, amount, left, right);
    }
    const gap = next === undefined ? [] : text.words.slice(amount.to, next.from);
    const isPair =
      gap.length === 1 &&
      isIn(gap[0] ?? "", "or and to - –") &&
      next !== undefined &&
      next.value >= mostCpm / 5 &&
      amount.kind !== "number";
    const isFirstOfRange = isPair || (gap.length === 1 && gap[0] === "and" && left[0] === "between");
    if (isFirstOfRange && next !== undefined) {
      part.terms.push({ kind: "two budgets", words: wordsOf(part, { from: amount.from, to: next.to }) });
      use(part, next.from, next.to);
      plain.splice(index + 1, 1);
      return;
    }
    if (shareOfChannel(part, amount, left, right, eachOfChannel.length > 1)) return;
    return budget(part, amount, left, right);
  });
  for (let at = place.from; at < place.to; at += 1) {
    const factor = doubled[wordAt(part, at)];
    if (factor === undefined || part.open?.budget === undefined || !isIn(wordAt(part, at + 1), "the it our my budget"))
      continue;
    part.terms.push({ kind: "budget by", factor, more: 0 });
    use(part, at, at + 1);
  }
};
