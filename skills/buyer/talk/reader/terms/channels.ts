import type { Named } from "../../../../talk/reader/entity.ts";
import { channelsIn } from "../text.ts";
import { isIn, lists, modes, saysPhrase } from "../words.ts";
import { clauseAt, has, negations, type Part, use, wordAt } from "./part.ts";

type Mode = "set" | "add" | "drop" | "only" | "keep" | "mention" | "again";

const joints = "and or nor , / + & plus -";

/** Between two channels of one list stand only such. */
const isListed = (part: Part, one: Named, other: Named): boolean =>
  part.text.words.slice(one.to, other.from).every((word) => word === "" || isIn(word, joints)) &&
  other.from - one.to <= 2;

const isBackIn = (words: readonly string[]): boolean =>
  modes.come.has(words[0] ?? "") ||
  (words[0] === "as" && words[1] === "well") ||
  (words[0] === "on" && words[1] === "top");

/** What stands behind it: "CTV is out", "display raus", "audio too"; null where nothing is said. */
const behindOf = (part: Part, channel: Named): Mode | null => {
  const words: string[] = [];
  for (let at = channel.to; at < part.place.to && words.length < 6; at += 1) {
    const owner = part.text.scan.owners[at];
    if (isIn(wordAt(part, at), ", ; . ! ?") || (owner?.kind === "product" && owner !== channel)) break;
    if (wordAt(part, at) === "and" || wordAt(part, at) === "for") break;
    // "Not CTV in March" leaves it out, and puts nothing in.
    if (wordAt(part, at) === "in" && part.text.scan.owners[at + 1] !== undefined) break;
    words.push(
      ...wordAt(part, at)
        .split(" ")
        .filter((word) => word !== ""),
    );
  }
  const isNot = has(words, negations);
  const first = words.findIndex((word) => !isIn(word, lists.channelFillers));
  const rest = words.slice(Math.max(0, first));
  const isKept = has(words, "stay stays fine remain remains remove included") || (isNot && has(words, "out away"));
  if (isKept) return "keep";
  if (first < 0) return isNot && words.length > 0 && !has(words, "is was are") ? "drop" : null;
  if (rest[0] === "instead") return "set";
  if (modes.only.has(rest[0] ?? "") && rest.length === 1) return isNot ? null : "only";
  if (rest[0] === "again") return "again";
  if (isBackIn(rest)) return "add";
  if (modes.gone.has(rest[0] ?? "") && (isIn(rest[0] ?? "", "needed wanted required right") ? isNot : !isNot))
    return "drop";
  return null;
};

const wishes = "add also include plus bring put want have with into like get use buy buying rather too need interested";

/** What stands before it in its clause. */
const beforeOf = (part: Part, channel: Named, from: number): Mode => {
  const words: string[] = [];
  for (let at = channel.from - 1; at >= from; at -= 1) words.push(...wordAt(part, at).split(" ").toReversed());
  const first = (list: string): number => words.findIndex((word) => isIn(word, list));
  const not = first(negations);
  if (words[0] === "of" && words[1] === "instead") return "drop";
  if (words[0] === "but" && has(words, "everything all anything")) return "drop";
  const only = words.findIndex((word) => modes.only.has(word));
  if (only >= 0 && words.slice(0, only).some((word) => isIn(word, "add include bring put"))) return "add";
  if (only >= 0) return not > only && not <= only + 4 ? "mention" : "only";
  const drop = words.findIndex((word) => isIn(word, lists.dropWords) || word === "instead of");
  const out = ["out", "away", "off"];
  const isLeft =
    has(words, "leave take throw kick") &&
    [...words, ...part.text.words.slice(channel.to, channel.to + 3)].some((word) => out.includes(word));
  const wish = first(wishes);
  const isForgotten = has(words, "forget hesitate");
  if (drop >= 0 || isLeft) return not > drop && drop >= 0 ? "keep" : "drop";
  if (isForgotten) return not >= 0 ? "add" : "drop";
  if (not >= 0)
    return words[not] === "no" && wordAt(part, channel.from - 1) !== "no" && wish >= 0 && wish < not ? "add" : "drop";
  if (has(words, "keep stay leave")) return "keep";
  return wish >= 0 && isIn(words[wish] ?? "", "add also include plus bring put too into with rather")
    ? "add"
    : "mention";
};

/** Another verb or channel of its own begins a new clause behind "and". */
const clauseFrom = (part: Part, channel: Named, others: readonly Named[]): number => {
  const { from } = clauseAt(part, channel.from);
  const last = others.filter(({ to }) => to <= channel.from && to > from).at(-1);
  return last === undefined ? from : last.to;
};

const meant = (part: Part, named: readonly Named[]): readonly Mode[] => {
  const found: Mode[] = [];
  for (const [index, channel] of named.entries()) {
    const before = named[index - 1];
    const previous = found[index - 1];
    const after = behindOf(part, channel);
    const isCorrection =
      before !== undefined &&
      previous === "drop" &&
      wordAt(part, before.from - 1) === "not" &&
      wordAt(part, before.to) === "," &&
      !isIn(wordAt(part, channel.from - 1), "no not or nor");
    const isDropped = after === "again" && beforeOf(part, channel, clauseFrom(part, channel, named)) === "drop";
    if (after !== null && !isDropped) found.push(after);
    else if (isCorrection) found.push("add");
    else if (before !== undefined && previous !== undefined && isListed(part, before, channel))
      found.push(previous === "keep" ? "mention" : previous);
    else found.push(beforeOf(part, channel, clauseFrom(part, channel, named)));
  }
  // "Display and video are out": the first of a list follows its last.
  for (let at = named.length - 2; at >= 0; at -= 1) {
    const [one, other] = [named[at], named[at + 1]];
    const isOpen = one !== undefined && other !== undefined && found[at] === "mention" && isListed(part, one, other);
    if (isOpen && isIn(found[at + 1] ?? "", "drop add set only") && behindOf(part, other) !== null)
      found[at] = found[at + 1] ?? "mention";
  }
  return found;
};

const kinds = "ctv video,mobile_app video,mobile_app display,native display";

/** "Some CTV video" is one kind; "display ctv video" is a list. */
const isOfBefore = (named: readonly Named[], at: number): boolean => {
  const [before, own] = [named[at - 1], named[at]];
  if (before === undefined || own === undefined || before.to !== own.from) return false;
  const isList = named[at - 2]?.to === before.from || named[at + 1]?.from === own.to;
  return !isList && saysPhrase(`${before.inventoryType} ${own.inventoryType}`, kinds);
};

const namedIn = (part: Part): readonly Named[] => {
  const all = channelsIn(part.text, part.place).filter(
    ({ from, to }) => !part.used.has(from) && !isIn(wordAt(part, to), "views cap limit ceiling"),
  );
  for (const { from, to } of all) use(part, from, to);
  return all.filter((_, at) => !isOfBefore(all, at));
};

const any = "any all best available";
const small =
  "and or the a on is are ok okay please just then , / + & i mean ads channels fine good plus also want for some";

const choosing = "channel channels choose decide pick whatever whichever";

/** "Any channels", "you choose the best": the objectives choose. */
const freed = (part: Part): boolean => {
  const words = part.text.words.slice(part.place.from, part.place.to);
  const isAny = has(words, "channel channels") && has(words, any) && !has(words, "max maximum cpm but except without");
  return (
    (isAny ||
      isIn(words[0] ?? "", "whatever whichever") ||
      (has(words, "choose decide pick") && words.includes("you"))) &&
    channelsIn(part.text, part.place).every((one) => beforeOf(part, one, part.place.from) === "mention")
  );
};

const pushAny = (part: Part): void => {
  const { text, place, terms } = part;
  terms.push({ kind: "any channel" });
  // "You choose the channels, sports fans, reach": the rest has terms of its own.
  const said = text.words.findIndex((word, at) => at >= place.from && isIn(word, choosing));
  const { from, to } = clauseAt(part, said);
  use(part, from, to);
};

export const readChannels = (part: Part): void => {
  const { text, place, terms, open } = part;
  if (freed(part)) {
    pushAny(part);
    return;
  }
  const named = namedIn(part);
  const found = meant(part, named);
  const of = (...wanted: readonly Mode[]): readonly string[] =>
    named.flatMap(({ inventoryType }, at) =>
      wanted.includes(found[at] ?? "mention") && inventoryType !== null ? [inventoryType] : [],
    );
  const words = text.words.slice(place.from, place.to);
  // "Display ads, all of February": alone between commas.
  const isAlone = named.every(({ from }) => {
    const clause = clauseAt(part, from);
    return text.words
      .slice(clause.from, clause.to)
      .every((word, at) => part.used.has(clause.from + at) || isIn(word, small));
  });
  const isOfAll = words.some((word, at) => word === "all" && isIn(words[at + 1] ?? "", "channels the"));
  const mentions = of("mention");
  const only = of("only", "set");
  const drop = of("drop");
  const again = of("again");
  const kept = of("keep");
  if (kept.length > 0 && open !== null)
    terms.push({ kind: "said", words: `${kept.join(", ")} ${kept.length > 1 ? "stay" : "stays"} as it was.` });
  const isLabelled = part.label === "channels";
  const isWanted = mentions.length > 1 && words.includes("want") && !terms.some(({ kind }) => kind === "budget");
  const isReplaced = (has(words, "instead rather") || isWanted) && drop.length === 0;
  const sign = isLabelled ? words.find((word) => isIn(word, "+ -")) : undefined;
  if (sign === "-")
    return void terms.push({ kind: "channels", set: null, add: [], drop: [...mentions, ...drop], isOfAll: false });
  if (sign === "+") return void terms.push({ kind: "channels", set: null, add: mentions, drop, isOfAll: false });
  const isAdded = isIn(wordAt(part, place.from), "and also plus");
  const isSet =
    open === null ||
    isLabelled ||
    isReplaced ||
    (isAlone && !isAdded && (mentions.length > 1 || open.channels == null));
  const set =
    only.length > 0
      ? only
      : again.length > 0
        ? again
        : isSet && mentions.length > 0
          ? [...mentions, ...of("add", "keep")]
          : null;
  // In a question or beside a price a channel is spoken of, and not added.
  const spoken =
    set === null && (isAlone || drop.length > 0 || terms.some(({ kind }) => kind === "budget") || isAdded)
      ? mentions
      : [];
  const add = [...of("add"), ...(only.length > 0 || again.length > 0 ? [] : spoken)];
  if (set !== null || add.length > 0 || drop.length > 0) terms.push({ kind: "channels", set, add, drop, isOfAll });
};
