import { audienceOf } from "../../brief/form.ts";
import { asWritten, type Place } from "../text.ts";
import { exclusions, isIn, lists, objectives } from "../words.ts";
import { before, clauseAt, entitiesOfPart, has, negations, ownerAt, type Part, use, wordAt } from "./part.ts";

/** Words that begin an audience, each behind the one before. */
const leads: readonly (readonly string[])[] = [
  "target group is",
  "target group are",
  "target market is",
  "audience should read",
  "audience should be",
  "audience to",
  "audience is",
  "market is",
  "aimed at",
  "speak to",
  "want to reach",
  "to reach",
  "reaching",
  "reach",
  "targeting",
  "target",
  "audience",
  "broader",
  "group",
  "for",
].map((one) => one.split(" "));

const endOf = (part: Part, from: number): number => {
  if (part.label === "audience") {
    const { to } = clauseAt(part, from);
    return isIn(wordAt(part, to - 1), "too also") ? to - 1 : to;
  }
  let to = from;
  for (; to < part.place.to; to += 1) {
    const word = wordAt(part, to);
    const owner = ownerAt(part, to);
    if (isIn(word, "; ! ? . : )") || (to > from && part.text.scan.tokens[to]?.isFirst === true)) break;
    if (word === "," || (word === "/" && to > from)) break;
    const isPrice = owner?.kind === "price" && !isIn(wordAt(part, to - 1), "over under") && !isIn(word, "over under");
    if (isPrice || isIn(owner?.kind ?? "", "period money reference vague percent volume length")) break;
    // "Men in the US".
    if (word === "in" && ownerAt(part, to + 2)?.kind === "geo" && ownerAt(part, to + 1) === undefined) break;
    const isChannel =
      owner?.kind === "product" &&
      owner.inventoryType !== null &&
      !isIn(wordAt(part, to - 1), "play love like watch who of");
    if (
      isChannel ||
      (to > from && objectives.at(part.text.words, to) !== null && word !== "views" && word !== "visits")
    )
      break;
    const isOfThem = word === "with" && people.test(wordAt(part, to + 1));
    const isInside = isOfThem || (isIn(word, lists.audienceInside) && to > from && !isIn(word, "on with from in"));
    if (to > from && isIn(word, lists.audienceEnds) && !(isInside && to + 1 < part.place.to)) {
      const isWho = part.text.words.slice(from, to).some((one) => isIn(one, "who that"));
      if (!isWho || isIn(word, "please but instead now too max budget call name")) break;
    }
    if (
      word === "and" &&
      (part.used.has(to + 1) || isIn(wordAt(part, to + 1), "make max only start the call it please nothing no"))
    )
      break;
  }
  while (to > from && isIn(wordAt(part, to - 1), "and or in the with on , please - also around near at from")) to -= 1;
  return to;
};

export const agesAt = (part: Part, at: number): number => {
  const [first, last] = [Number(wordAt(part, at)), Number(wordAt(part, at + 2))];
  const isRange = isIn(wordAt(part, at + 1), "- – to") && first >= 12 && last > first && last < 100;
  const owner = ownerAt(part, at);
  if (!isRange || !(owner === undefined || owner.kind === "number" || owner.kind === "audience")) return at;
  let to = at + 3;
  while (isIn(wordAt(part, to), "year years old olds -") && to < part.place.to) to += 1;
  return to;
};

const withoutPlaces = (part: Part, from: number, to: number): string => {
  const place = part.text.scan.owners.slice(from, to).find((owner) => owner?.kind === "geo");
  if (place === undefined) return asWritten(part.text, from, to);
  let end = place.from;
  while (end > from && isIn(wordAt(part, end - 1), "in the")) end -= 1;
  return `${asWritten(part.text, from, end)} ${place.to < to ? asWritten(part.text, place.to, to) : ""}`.trim();
};

const describe = (part: Part, from: number, to: number): string =>
  withoutPlaces(part, from, to)
    .replace(/\s+/g, " ")
    .replace(/^["'“]|["'”]$/g, "");

const isAdding = (part: Part, at: number, to: number): boolean =>
  part.open?.target_audience !== undefined &&
  (has(before(part, at, 4), "also plus add") || isIn(wordAt(part, to), "too also"));

const push = (part: Part, from: number, to: number, lead: number, isListed = false): void => {
  const value = describe(part, from, to);
  const isMore = part.terms.some(({ kind }) => kind === "audience");
  const isOnlyAges = /^\d{2}\s?(?:-|–|to)\s?\d{2}(?: ?-?years?(?: olds?)?)?$/.test(value);
  if (isOnlyAges && !isMore) part.terms.push({ kind: "ages", value });
  else {
    const isPeople = part.text.words
      .slice(from, to)
      .some((word, step) => isPersons(part, from + step) || people.test(word));
    const isGuess = isListed && !isPeople && !isOnlyAges;
    part.terms.push({ kind: "audience", value, isAdded: isMore || isAdding(part, lead, to), isListed, isGuess });
  }
  use(part, lead, to);
};

const ledAt = (part: Part, at: number): number => {
  for (const lead of leads) {
    if (!lead.every((word, step) => wordAt(part, at + step) === word)) continue;
    let to = at + lead.length;
    while (
      isIn(wordAt(part, to), 'the are is : = now to at about read mainly broader narrower wider just only " “') &&
      to < part.place.to
    )
      to += 1;
    return to;
  }
  return at;
};

/** "Not for students": who is left out is no audience. */
const pushExcluded = (part: Part, from: number, lead: number): void => {
  const to = endOf(part, from);
  const isPeople = part.text.words
    .slice(from, to)
    .some((word, step) => isPersons(part, from + step) || people.test(word));
  if (!isPeople) return;
  const words = describe(part, from, to);
  const known =
    audienceOf(part.open ?? {})
      ?.toLowerCase()
      .split(", ") ?? [];
  const isOne = known.length > 1 && known.includes(words.toLowerCase());
  part.terms.push(isOne ? { kind: "no audience", words: words.toLowerCase().split(" ") } : { kind: "excluded", words });
  use(part, lead, to);
};

/** Behind words that lead to it, and after a label; otherwise a part between commas that nothing else has read. */
export const readAudience = (part: Part): void => {
  const { place } = part;
  for (let at = place.from; at < place.to; at += 1) {
    const next = part.text.words.slice(at + 1, at + 3);
    const size =
      next[0] === "target" && next[1] === "group" ? 3 : isIn(next[0] ?? "", "people audience target targets") ? 2 : 0;
    if (wordAt(part, at) !== "same" || size === 0) continue;
    const from = wordAt(part, at - 1) === "the" ? at - 1 : at;
    part.terms.push({ kind: "same audience", words: asWritten(part.text, from, at + size) });
    use(part, from, at + size);
    while (isIn(wordAt(part, at + size), "as before last time") && at + size < place.to)
      use(part, at + size, ++at + size);
  }
  const isDenied = has(part.text.words.slice(place.from, place.to), "remove drop without");
  for (let at = place.from; at < place.to; at += 1) {
    const from = part.label === "audience" && at === place.from ? place.from : ledAt(part, at);
    const isLabelled = part.label === "audience" && at === place.from;
    if (from === at && !isLabelled) continue;
    const owner = ownerAt(part, from);
    const isOther =
      owner !== undefined && owner.kind !== "audience" && owner.kind !== "number" && owner.kind !== "quoted";
    if (
      from >= place.to ||
      part.used.has(from) ||
      (!isLabelled && (isOther || isIn(wordAt(part, from), lists.notPeople)))
    )
      continue;
    const isUnder =
      (wordAt(part, at - 1) === "the" && isIn(wordAt(part, at - 2), "isn't not")) ||
      isIn(wordAt(part, at - 1), negations) ||
      isIn(wordAt(part, at - 1), "budget sorry apologies apology thanks plan too ready cap cpm limit asked drop");
    if (isUnder && isIn(wordAt(part, at - 1), "not never")) pushExcluded(part, from, at - 1);
    if (isUnder || isDenied) continue;
    const to = endOf(part, from);
    if (to === from) continue;
    push(part, from, to, at);
    at = to - 1;
  }
  if (isDenied && part.open?.target_audience !== undefined) {
    const words = part.text.words.slice(place.from, place.to).filter((word) => plural.test(word) && word.length > 3);
    const known = audienceOf(part.open)?.toLowerCase().split(/[ ,]+/) ?? [];
    if (words.some((word) => known.includes(word))) {
      part.terms.push({ kind: "no audience", words });
      use(part, place.from, place.to);
    }
  }
};

const plural = /(?:[^s]s|people|children|everyone|everybody|anyone|men|women|youth|households?|public)$/;

const people = /(?:ers|ors|ists|ians|ees|people|men|kids|everyone|everybody|anyone|public)$/;

const isPersons = (part: Part, at: number): boolean => ownerAt(part, at)?.kind === "audience";

/** Nothing else has read it, and it calls people: "car buyers", "couples without kids". */
const isListed = (part: Part, at: number, to: number): boolean => {
  const words = part.text.words.slice(at, to);
  const isPlural = (word: string, step: number): boolean =>
    plural.test(word) && /^(?:who|aged|with|without|\d+)$/.test(words[step + 1] ?? "who");
  const isPeople = words.some((word, step) => isPersons(part, at + step) || isPlural(word, step));
  const isTold = (step: number): boolean => words.slice(0, step).some((word) => isIn(word, "who without"));
  const isOther = (word: string, step: number): boolean =>
    !isPersons(part, at + step) &&
    (isIn(word, `${lists.chatter} prices price quotes offers sellers publishers seller publisher`) ||
      exclusions.has(word) ||
      (isIn(word, lists.verbs) && !isTold(step)));
  const denied = words.filter((word) => word !== "without");
  return words.length <= 9 && isPeople && !words.some(isOther) && !has(denied, negations);
};

/** "People who want to get fit": all that the clause says of them. */
const isOfPeople = (part: Part, at: number): boolean =>
  isIn(wordAt(part, at), "people anyone anybody everyone everybody folks those women men parents families") &&
  (isIn(wordAt(part, at + 1), "who that with in near nearby living interested around looking") ||
    /.ing$/.test(wordAt(part, at + 1)));

const isFree = (part: Part, at: number): boolean => {
  const kind = ownerAt(part, at)?.kind;
  return !part.used.has(at) && (kind === undefined || isIn(kind, "audience number quoted"));
};

/** Without the place that it ends with. */
const placeStart = (part: Part, from: number, end: number): number => {
  let to = end;
  while (to > from && (ownerAt(part, to - 1)?.kind === "geo" || (isIn(wordAt(part, to - 1), "in the") && to < end)))
    to -= 1;
  return to;
};

/** "60k on CTV, car buyers, awareness": what a list of terms calls and nothing else read. */
export const readListed = (part: Part): void => {
  const { place } = part;
  if (part.label !== null && part.label !== "audience") return;
  for (let at = place.from; at < place.to; at += 1) {
    while (isIn(wordAt(part, at), "also plus and no for then") && at < place.to) at += 1;
    const { to: end } = clauseAt(part, at);
    const to = placeStart(part, at, end);
    const isGiven = part.terms.some((term) => term.kind === "audience" && !term.isListed);
    const isWhole = to > at && part.text.words.slice(at, to).every((_word, step) => isFree(part, at + step));
    const ageEnd = agesAt(part, at);
    if (ageEnd > at && ageEnd >= to) push(part, at, ageEnd, at, true);
    else if (isWhole && !isGiven && (isListed(part, at, to) || isOfPeople(part, at))) push(part, at, to, at, true);
    at = Math.max(end, at);
  }
  // Ages beside other words: "should be 30-54 actually".
  for (let at = place.from; at < place.to; at += 1) {
    const to = agesAt(part, at);
    if (to === at || part.used.has(at)) continue;
    part.terms.push({ kind: "ages", value: describe(part, at, to) });
    use(part, at, to);
    at = to;
  }
  const isGiven = part.terms.some((term) => term.kind === "audience" && !term.isListed);
  for (const entity of entitiesOfPart(part))
    // "A kids' camp, for parents": whom the camp is for.
    if (entity.kind === "audience" && !part.used.has(entity.from) && !isGiven)
      push(part, entity.from, endOf(part, entity.from), entity.from);
};

const asking = "more for ask asked want need a the any our my say said about";

export const readObjectives = (part: Part): void => {
  const { place, text, open } = part;
  const names: string[] = [];
  let isAdded = false;
  for (let at = place.from; at < place.to; at += 1) {
    const found = part.used.has(at) || ownerAt(part, at)?.kind === "reference" ? null : objectives.at(text.words, at);
    if (found === null || found.to > place.to) continue;
    const word = wordAt(part, at);
    // "Reach young families" is no objective, and "views" alone are figures.
    const next = wordAt(part, found.to);
    const isEnd =
      found.to >= place.to ||
      isIn(next, ", . ; ! )") ||
      next === "and" ||
      next === "please" ||
      part.text.scan.tokens[found.to]?.isFirst === true;
    const isTo = isIn(word, "clicks visits bookings") && isIn(next, "to on for via in at first second too");
    const isVerb = !isTo && isIn(word, "reach sell views visits bookings clicks install") && found.to === at + 1;
    const left = before(part, at, 4);
    // "The boots are what we sell", "I didn't ask for sales": no objective is named.
    const first = left.findIndex((one) => !isIn(one, asking));
    const isDenied = isIn(left[first] ?? "", `${negations} didn't`);
    if (isDenied || (word === "sell" && has(left, "what which"))) {
      const clause = clauseAt(part, at);
      if (isDenied && open?.objectives?.includes(found.name) === true)
        part.terms.push({ kind: "no objectives", names: [found.name] });
      use(part, isDenied ? at - 1 - first : clause.from, isDenied ? found.to : clause.to);
      continue;
    }
    const isWish = isIn(word, "sell") && has(left, "want to we i");
    if (isVerb && !isWish && !(isEnd && part.label !== "kpi") && part.label !== "objectives") continue;
    if (
      word === "bookings" &&
      part.label !== "objectives" &&
      !has(before(part, at, 3), "need want more is aim goal objective")
    )
      continue;
    names.push(found.name);
    isAdded ||= has(before(part, at, 4), "also plus add");
    // "Sell more lamps": what is sold tells no other term.
    const end = word === "sell" && !isEnd ? clauseAt(part, at).to : found.to;
    for (let place = at; place < end; place += 1) if (ownerAt(part, place) === undefined) use(part, place, place + 1);
    at = found.to - 1;
  }
  if (names.length > 0)
    part.terms.push({ kind: "objectives", names: [...new Set(names)], isAdded: isAdded && open !== null });
};

/** "CTR 0.4 %", "reach of 40%", "CPA 20": goals that no seller is asked for; a CPM is none of them. */
export const readKpis = (part: Part): void => {
  const { place, text } = part;
  for (let at = place.from; at < place.to; at += 1) {
    const isReach = wordAt(part, at) === "reach" && [1, 2].some((step) => ownerAt(part, at + step)?.kind === "percent");
    if (!isIn(wordAt(part, at), lists.kpis) && !isReach) continue;
    const clause = clauseAt(part, at);
    if (part.used.has(at)) continue;
    let from = at;
    while (from > clause.from && isIn(wordAt(part, from - 1), "max min reach target a the of with at under - and"))
      from -= 1;
    part.terms.push({ kind: "kpi", words: asWritten(text, from, clause.to) });
    use(part, from, clause.to);
    at = clause.to;
  }
};

const denies =
  "nobody noone away pause stop nothing none no not without exclude excluding avoid avoided avoiding leave skip omit " +
  "off only never block next left don't";

/** "Not for women either". */
const deniedPeople = (part: Part, { from, to }: Place): boolean => {
  let at = from;
  while (isIn(wordAt(part, at), "and but also just definitely")) at += 1;
  if (!isIn(wordAt(part, at), "not no never")) return false;
  at += 1;
  while (isIn(wordAt(part, at), "for to at the any aimed")) at += 1;
  const owner = ownerAt(part, at);
  let end = owner?.kind === "audience" ? owner.to : to + 1;
  while (end < to && isIn(wordAt(part, end), "either please though again")) end += 1;
  return end === to;
};

/** What sellers are not asked for: sites, topics, days of the week, hours. */
export const readExclusions = (part: Part): void => {
  const { place, text } = part;
  for (let at = place.from; at < place.to;) {
    const clause = clauseAt(part, at);
    const words = text.words.slice(at, Math.min(clause.to, place.to)).flatMap((word) => word.split(" "));
    const isNamed =
      words.some((word) => exclusions.has(word)) ||
      isIn(words[0] ?? "", "nobody noone") ||
      text.scan.owners.slice(at, clause.to).some((owner) => owner?.kind === "address");
    const isOfSome = deniedPeople(part, { from: at, to: Math.min(clause.to, place.to) });
    const isFree =
      isOfSome ||
      !part.terms.some(({ kind }) => kind === "channels") ||
      words.some((word) => /^(?:sites?|pages|news|gambling|betting|casino|sundays?)$/.test(word));
    const first = words.findIndex((word) => isIn(word, denies));
    const isOfPeople = first > 0 && plural.test(words[first - 1] ?? "") && !exclusions.has(words[first - 1] ?? "");
    if ((isNamed || isOfSome) && isFree && !isOfPeople && (first >= 0 || part.label === "exclusions")) {
      const isLed = words
        .slice(0, first)
        .every((word) => isIn(word, "keep it us me our ads them please and also put stay"));
      // "Parents of kids, not the kids themselves": who is meant, once more.
      const isOfThem = isIn(words.at(-1) ?? "", "themselves itself");
      const from = Math.max(at, at + (words.length === clause.to - at && first > 0 && !isLed ? first : 0));
      if (!isOfThem) part.terms.push({ kind: "excluded", words: asWritten(text, from, clause.to) });
      use(part, from, clause.to);
    }
    at = Math.max(clause.to, at) + 1;
  }
};

const placeLeads = "in , the only not market geo across";

export const readPlaces = (part: Part): void => {
  for (const entity of entitiesOfPart(part)) {
    // "2/1/27 (US dates)".
    if (isIn(wordAt(part, entity.to), "date dates format")) use(part, entity.from, entity.to + 1);
    if (entity.kind !== "geo" || part.used.has(entity.from) || wordAt(part, entity.to) === "-") continue;
    part.terms.push({ kind: "place", words: asWritten(part.text, entity.from, entity.to) });
    use(part, entity.from, entity.to);
  }
  for (let at = part.place.from; at < part.place.to; at += 1) {
    const isUs = isIn(wordAt(part, at), "us usa uk") && ownerAt(part, at) === undefined && !part.used.has(at);
    const isAlone =
      isIn(wordAt(part, at - 1), placeLeads) &&
      /^(?:,|only|$)/.test(at + 1 < part.place.to ? wordAt(part, at + 1) : "");
    if (!isUs || !isAlone) continue;
    part.terms.push({ kind: "place", words: asWritten(part.text, at, at + 1) });
    use(part, at, at + 1);
  }
};
