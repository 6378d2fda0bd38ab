import { isIn, lists, says } from "./words.ts";
import { isOf, valueOf } from "../../../talk/reader/lexicon.ts";
import type { Situation } from "./request.ts";
import { nameIdOf, type Place, type Text } from "./text.ts";
import { tokensOf, withoutAccents } from "../../../talk/reader/tokens.ts";

/** Which campaign a part of a message speaks of, as far as names and ids tell. */
export type Campaign =
  | { readonly by: "id"; readonly ids: readonly string[]; readonly isWhole: boolean; readonly words: readonly string[] }
  /** Named one beside the other. */
  | { readonly by: "several"; readonly ids: readonly string[] }
  | { readonly by: "deal"; readonly id: string }
  | { readonly by: "unknown"; readonly name: string }
  /** Of those of this conversation: the first, the other, the one of May, of 4,000. */
  | { readonly by: "place"; readonly value: number }
  | { readonly by: "other" }
  | { readonly by: "month"; readonly start: string; readonly end: string }
  | { readonly by: "budget"; readonly value: number }
  | { readonly by: "both" };

/** Called by its whole name, its id or a deal of it. */
export const isSure = (campaign: Campaign | null): boolean =>
  campaign?.by === "deal" || (campaign?.by === "id" && campaign.isWhole);

/** Cut as a message is: "Bakery 5k" is another campaign than "Bakery". */
const plain = (name: string): readonly string[] =>
  tokensOf(withoutAccents(name))
    .filter(({ kind }) => kind !== "mark")
    .map(({ word }) => word.replace(/'s$/, ""));

interface Match {
  readonly ids: readonly string[];
  readonly size: number;
  readonly isWhole: boolean;
}

/** Names are called by their first words: "derby", "winter sale". */
const matchAt = (text: Text, at: number, situation: Situation): Match | null => {
  const said = text.scan.tokens
    .slice(at, at + 12)
    .filter(({ kind }) => kind !== "mark")
    .map(({ word }) => word.replace(/'s$/, ""));
  const found = situation.jobs.flatMap(({ job_id: id, campaign_name: name, advertiser }) =>
    [name, advertiser ?? ""].flatMap((one) => {
      const words = plain(one);
      let size = 0;
      while (size < words.length && words[size] === said[size]) size += 1;
      const isEnough =
        size > 0 && (size === words.length || ((words[0]?.length ?? 0) > 3 && !isIn(words[0] ?? "", lists.ofTrade)));
      return isEnough ? [{ id, size, isWhole: size === words.length }] : [];
    }),
  );
  const size = Math.max(0, ...found.map((one) => one.size));
  if (size === 0) return null;
  const best = found.filter((one) => one.size === size);
  const whole = best.filter(({ isWhole }) => isWhole);
  const meant = whole.length > 0 ? whole : best;
  return { ids: [...new Set(meant.map(({ id }) => id))], size, isWhole: whole.length > 0 };
};

const isFree = ({ scan }: Text, at: number): boolean => {
  const owner = scan.owners[at];
  return (
    owner === undefined ||
    owner.kind === "reference" ||
    owner.kind === "geo" ||
    owner.kind === "period" ||
    owner.kind === "vague" ||
    nameIdOf(owner)?.startsWith("job ") === true
  );
};

/** How many words of the open brief's whole name stand there. */
const briefAt = ({ scan }: Text, at: number, { memory }: Situation): number => {
  const own = plain(memory.brief?.name ?? "");
  return own.every((word, step) => scan.tokens[at + step]?.word === word) ? own.length : 0;
};

/** "Start Hiking boots native", where that is what the open brief is called; null where it is not named. */
export const briefNameIn = (text: Text, { from, to }: Place, situation: Situation): Place | null => {
  const step = text.words.slice(from, to).findIndex((_word, at) => briefAt(text, from + at, situation) > 1);
  return step < 0 ? null : { from: from + step, to: from + step + briefAt(text, from + step, situation) };
};

/** Each name once: what stands within a longer one names nothing. */
const mentionsIn = (text: Text, place: Place, situation: Situation): readonly Match[] => {
  const matches: Match[] = [];
  for (let at = place.from; at < place.to; at += 1) {
    // '"Campaign 2028-01-04 to 2028-01-31"' is long enough to be somebody's words.
    const isQuoted = text.scan.owners[at]?.kind === "quoted";
    if (!(isQuoted || isFree(text, at)) || text.scan.tokens[at]?.kind === "mark") continue;
    const found = matchAt(text, at, situation);
    if (
      found === null ||
      (isQuoted && !found.isWhole) ||
      (found.size === 1 && !found.isWhole && isOf(text.scan.tokens[at], "function"))
    )
      continue;
    // "Call it Alpine CTV" speaks of no "Alpine".
    const sizeOf = ({ from, to }: Place): number =>
      text.scan.tokens.slice(from, to).filter(({ kind }) => kind !== "mark").length;
    if (text.titles.some((title) => title.from <= at && at < title.to && sizeOf(title) > found.size)) continue;
    // "Start Hiking boots native" is the open brief, and not "Hiking boots October".
    if (briefAt(text, at, situation) > found.size) continue;
    matches.push(found);
    at += found.size - 1;
  }
  return matches;
};

const byName = (text: Text, place: Place, situation: Situation): Campaign | null => {
  const matches = mentionsIn(text, place, situation);
  const sure = matches.filter(({ ids, size, isWhole }) => ids.length === 1 && (isWhole || size > 1));
  const several = [...new Set(sure.flatMap(({ ids }) => ids))];
  if (several.length > 1) return { by: "several", ids: several };
  const most = Math.max(0, ...matches.map(({ size }) => size));
  const best = matches.filter(({ size }) => size === most);
  const [first] = best;
  return first === undefined
    ? null
    : {
        by: "id",
        ids: [...new Set(best.flatMap(({ ids }) => ids))],
        isWhole: first.isWhole,
        words: situation.jobs
          .filter(({ job_id: id }) => first.ids.includes(id))
          .flatMap(({ campaign_name: name }) => plain(name)),
      };
};

const byId = (text: Text, place: Place): Campaign | null => {
  for (let at = place.from; at < place.to; at += 1) {
    const token = text.scan.tokens[at];
    if (token === undefined) continue;
    const said = token.word;
    if (/^[\da-f]{8}-/.test(said)) return { by: "id", ids: [said], isWhole: true, words: [said] };
    const glued = text.scan.tokens.slice(at, at + 5);
    const isId =
      /^[a-z][a-z\d]{0,8}$/.test(said) &&
      // "premium-pub-001" is a seller.
      !(token.isGlued && text.scan.tokens[at - 1]?.text === "-") &&
      glued[1]?.text === "-" &&
      glued[1].isGlued &&
      glued[2]?.isGlued === true &&
      /\d/.test(glued[2].text);
    if (token.kind === "id") return { by: "deal", id: token.text };
    if (isId) return { by: "deal", id: `${token.text}-${glued[2]?.text ?? ""}` };
  }
  return null;
};

const nouns = "campaign campaigns job jobs booking";

const described = (text: Text, place: Place): Campaign | null => {
  const { words, scan } = text;
  const said = words.slice(place.from, place.to);
  const isMove =
    /\b(?:switch|back|return|go|mean|meant|changed?) (?:over |back |to |the )*\b/.test(said.join(" ")) &&
    says(said.join(" "), "back switch return mean meant");
  if (said.includes("both") && said.some((word) => word === "campaigns" || word === "jobs")) return { by: "both" };
  for (let at = place.from; at < place.to; at += 1) {
    const noun = words.slice(at + 1, at + 4).find((word) => isIn(word, nouns) || word === "one" || word === "status");
    const isCampaign = noun !== undefined && (isIn(noun, nouns) || isMove);
    const ordinal = valueOf(scan.tokens[at], "ordinal");
    if (isCampaign && ordinal !== undefined && isIn(words[at - 1] ?? "", "the my to our") && words[at] !== "back")
      return { by: "place", value: ordinal };
    if (isCampaign && words[at] === "other" && isIn(noun ?? "", nouns)) return { by: "other" };
    const owner = scan.owners[at];
    const isOf = words[at - 1] === "of" && isIn(words[at - 2] ?? "", nouns);
    if (
      owner?.kind === "period" &&
      owner.start !== null &&
      owner.end !== null &&
      (isCampaign || isOf || isIn(words[owner.to] ?? "", nouns) || (words[owner.to] === "one" && isMove))
    )
      return { by: "month", start: owner.start, end: owner.end };
    if ((owner?.kind === "volume" || owner?.kind === "money") && (isOf || isIn(words[owner.to] ?? "", nouns)))
      return { by: "budget", value: owner.value };
  }
  return null;
};

const ofCommands =
  "the this that my our whole entire all a cancel stop end kill please campaign job it of named called";

/** "Cancel the Summer Fest campaign", where none is called so. */
const unknown = (text: Text, place: Place): Campaign | null => {
  for (let at = place.from; at < place.to; at += 1) {
    if (!isIn(text.words[at] ?? "", nouns) || text.words[at] === "booking") continue;
    let from = at;
    while (
      from > place.from &&
      /^\p{Lu}/u.test(text.scan.tokens[from - 1]?.text ?? "") &&
      !isIn(text.words[from - 1] ?? "", ofCommands)
    )
      from -= 1;
    const name = text.scan.text.slice(text.scan.tokens[from]?.start ?? 0, text.scan.tokens[at]?.start ?? 0).trim();
    if (from < at && !isOf(text.scan.tokens[from], "function") && from > place.from) return { by: "unknown", name };
  }
  return null;
};

export const campaignIn = (text: Text, place: Place, situation: Situation): Campaign | null =>
  byId(text, place) ?? described(text, place) ?? byName(text, place, situation) ?? unknown(text, place);
