import type { BriefInput, Term } from "../../brief/form.ts";
import { asWritten, type Place, type Text } from "../text.ts";
import { doubts, isIn, labels, objectives, phrasesOf } from "../words.ts";
import { readAmounts } from "./amounts.ts";
import { readChannels } from "./channels.ts";
import { readDates } from "./dates.ts";
import { clauseAt, entitiesOfPart, type Part, use } from "./part.ts";
import { readAudience, readExclusions, readKpis, readListed, readObjectives, readPlaces } from "./people.ts";

/** "Budget:", "max CPM =", "where: +"; the place behind it. */
const labelAt = ({ words, scan }: Text, at: number): { readonly name: string; readonly to: number } | null => {
  const found = labels.at(words, at);
  if (found === null) return null;
  return isIn(scan.tokens[found.to]?.text ?? "", ": =") ? { name: found.name, to: found.to + 1 } : null;
};

/** Labels cut a part as commas do: what stands between two of them is of the first. */
const labelled = (
  text: Text,
  { from, to }: Place,
): readonly (Place & { readonly label: string | null; readonly start: number })[] => {
  const found: (Place & { readonly label: string | null; readonly start: number })[] = [];
  let start = from;
  let begin = from;
  let label: string | null = null;
  for (let at = from; at < to; at += 1) {
    const next = text.scan.owners[at]?.kind === "reference" ? null : labelAt(text, at);
    if (next === null) continue;
    if (at > begin) found.push({ from: begin, to: at, label, start });
    // Names are read by themselves, and what follows them is not of their label.
    label = isIn(next.name, "name advertiser") ? null : next.name;
    start = at;
    begin = next.to;
    at = next.to - 1;
  }
  if (to > begin) found.push({ from: begin, to, label, start });
  return found;
};

const readTitlesOf = (part: Part): void => {
  for (const { member, value, lead, from, to } of part.text.titles) {
    if (from < part.place.from || to > part.place.to) continue;
    part.terms.push({ kind: member, value });
    const isMark = part.text.scan.tokens[to]?.kind === "mark";
    use(part, Math.max(lead, part.place.from), Math.min(part.place.to, isMark ? to + 1 : to));
  }
};

const isDoubted = (part: Part): boolean => {
  for (let at = part.place.from; at < part.place.to; at += 1) if (doubts.at(part.text.words, at) !== null) return true;
  return false;
};

const didVerbs = "did spent paid ran invested";
const past = "last ago previously once back then";

/** "Nike did 80k last May", "we had 40k last year": what was, or what others do, is no term of a brief. */
const readPast = (part: Part): void => {
  for (const entity of entitiesOfPart(part)) {
    if (!isIn(entity.kind, "money volume number price") || part.used.has(entity.from)) continue;
    const clause = clauseAt(part, entity.from);
    const words = part.text.words.slice(clause.from, clause.to);
    const left = part.text.words
      .slice(clause.from, entity.from)
      .filter((word) => !isIn(word, "about around some just only $"));
    const verb = left.at(-1) ?? "";
    const isPast =
      left.length > 1 && (isIn(verb, didVerbs) || (verb === "had" && words.some((word) => isIn(word, past))));
    if (!isPast) continue;
    part.terms.push({ kind: "not used", words: asWritten(part.text, clause.from, clause.to) });
    use(part, clause.from, clause.to);
  }
};

const turned = phrasesOf({ turned: "other way round,other way around,other way about,vice versa,reversed" });

/** "Go, but the other way round": it is no start of what is shown. */
const readTurned = (part: Part): void => {
  if (part.open === null) return;
  for (let at = part.place.from; at < part.place.to; at += 1) {
    const found = turned.at(part.text.words, at);
    if (found === null || found.to > part.place.to) continue;
    part.terms.push({ kind: "unclear", words: asWritten(part.text, at, found.to) });
    use(part, at, found.to);
  }
};

/** "12k on anything except display": the money is that of the others. */
const withoutShares = ({ text, place, terms }: Part): void => {
  const isOfOthers = text.words.slice(place.from, place.to).some((word) => isIn(word, "anything everything all"));
  const dropped = terms.flatMap((term) => (term.kind === "channels" ? term.drop : []));
  for (const [at, term] of terms.entries())
    if (isOfOthers && term.kind === "share" && term.amount !== null && dropped.includes(term.channel))
      terms[at] = { kind: "budget", value: term.amount };
};

const readPart = (part: Part, nowMs: number): void => {
  readTitlesOf(part);
  if (isDoubted(part)) {
    part.terms.push({ kind: "doubt", words: asWritten(part.text, part.place.from, part.place.to) });
    use(part, part.place.from, part.place.to);
    return;
  }
  readPast(part);
  readTurned(part);
  readKpis(part);
  readPlaces(part);
  readExclusions(part);
  readAudience(part);
  readAmounts(part);
  readDates(part, nowMs);
  readChannels(part);
  withoutShares(part);
  readObjectives(part);
  readListed(part);
  for (const entity of entitiesOfPart(part)) {
    if (part.used.has(entity.from)) continue;
    if (entity.kind !== "unsold" && entity.kind !== "cap") continue;
    const clause = clauseAt(part, entity.from);
    const isFree = entitiesOfPart(part).every(({ from, to }) => from >= entity.from || to <= clause.from);
    const { from, to } =
      entity.kind === "unsold" ? entity : { from: isFree ? clause.from : entity.from, to: clause.to };
    part.terms.push({ kind: entity.kind === "cap" ? "not used" : "unsold", words: asWritten(part.text, from, to) });
    use(part, from, to);
  }
};

/** All that a part of a message says about a brief, and the tokens that say it. */
export const termsIn = (
  text: Text,
  place: Place,
  open: BriefInput | null,
  nowMs: number,
): { readonly terms: readonly Term[]; readonly used: ReadonlySet<number> } => {
  const used = new Set<number>();
  const terms: Term[] = [];
  for (const { from, to, label, start } of labelled(text, place)) {
    // "KPI: reach" names an objective, "KPI: reach of 40%" does not.
    const own = label === "kpi" && objectives.at(text.words, from)?.to === to ? "objectives" : label;
    const part: Part = { text, place: { from, to }, open, used, terms, label: own };
    if (label !== null) use(part, start, from);
    readPart(part, nowMs);
  }
  return { terms, used };
};
