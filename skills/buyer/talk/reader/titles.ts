import type { Scan } from "../../../talk/reader/entity.ts";
import { isOf } from "../../../talk/reader/lexicon.ts";
import { isIn, labels, lists, objectives } from "./words.ts";

/** A name as it was written: of the campaign, or of whom it is for. Nothing inside of it is a date or a channel. */
export interface Title {
  readonly member: "name" | "advertiser";
  readonly value: string;
  /** Where the words begin that lead to it. */
  readonly lead: number;
  readonly from: number;
  readonly to: number;
}

type Member = Title["member"];

const quotes: Readonly<Record<string, string>> = {
  '"': '"',
  "“": "”",
  "„": "“",
  "«": "»",
  "'": "'",
  "‘": "’",
  "'s": "'",
};
const mostWords = 10;

const isBreak = (scan: Scan, at: number): boolean => {
  const token = scan.tokens[at];
  if (token === undefined || token.isFirst) return true;
  const next = scan.tokens[at + 1];
  return isIn(token.text, ", ; : ! ? |") || (token.text === "." && (next === undefined || !next.isGlued));
};

const afterName = `our the we i a only it not max please have has need want would ${lists.openers} ${lists.orders}`;

/** The end of a name that begins at `at`; a quotation ends with its mark. */
const endOf = (
  scan: Scan,
  words: readonly string[],
  at: number,
  member: Member,
): { readonly from: number; readonly to: number; readonly next: number } | null => {
  const close = quotes[scan.tokens[at]?.text ?? ""];
  if (close !== undefined) {
    for (let to = at + 1; to < at + 16 && scan.tokens[to] !== undefined; to += 1)
      if (scan.tokens[to]?.text === close) return to > at + 1 ? { from: at + 1, to, next: to + 1 } : null;
  }
  // 'Without "call it"' names nothing.
  if (close !== undefined && isBreak(scan, at + 1)) return null;
  let to = at;
  while (to < at + mostWords && !(to > at && isBreak(scan, to)) && scan.tokens[to] !== undefined) {
    // "Called FitBox and have 8000 dollars", "call it Spring Two and get it going".
    const isNext =
      (isIn(words[to] ?? "", "instead then now please") && isBreak(scan, to + 1)) ||
      (isIn(words[to] ?? "", "and but with please not from instead then") && isIn(words[to + 1] ?? "", afterName));
    const isPlace = member === "advertiser" && isIn(words[to] ?? "", "in near at based from on (");
    if (to > at && (isPlace || isNext || words[to] === "not" || words[to] === "please")) break;
    to += 1;
  }
  return to === at ? null : { from: at, to, next: to };
};

/** "Northpeak Outdoor (tents, boots)": what it sells is of the name, and calls nobody to be reached. */
const afterBrackets = (words: readonly string[], at: number): number => {
  const end = words[at] === "(" ? words.indexOf(")", at) : -1;
  return end > at && end < at + 16 ? end + 1 : at;
};

const opens = ": = - → –";

const isTitleCase = (scan: Scan, at: number): boolean => /^\p{Lu}/u.test(scan.tokens[at]?.text ?? "");

/** "Call it Trails CTV" names a new campaign, also where one is called "Trails". */
const isChannel = (scan: Scan, at: number): boolean => {
  const owner = scan.owners[at];
  return owner?.kind === "product" && owner.inventoryType !== null;
};

const isQuote = (scan: Scan, at: number): boolean => quotes[scan.tokens[at]?.text ?? ""] !== undefined;

/** "Call it 45,000 USD" names nothing. */
const isFigure = (scan: Scan, at: number): boolean =>
  isIn(scan.owners[at]?.kind ?? "", "money price volume percent") || /^[$€£]/.test(scan.tokens[at]?.text ?? "");

/** The month of "Trail Summer July, 1 to 15 July": the days are said elsewhere. */
const isMonthOfName = (scan: Scan, at: number): boolean => {
  const month = scan.owners[at];
  if (month?.kind !== "period" || month.to !== at + 1) return false;
  return scan.owners.some((other) => other?.kind === "period" && other.from !== at);
};

/** "Alpine Spring, our launch": two words or more that call nothing else. */
const isTitled = (scan: Scan, at: number): boolean => {
  if (isQuote(scan, at)) return true;
  let to = at;
  // "Kids Camp": not all of it calls people.
  while (isTitleCase(scan, to) && isIn(scan.owners[to]?.kind ?? "vague", "vague audience")) to += 1;
  if (scan.owners.slice(at, to).every((owner) => owner?.kind === "audience")) return false;
  if (to > at && isTitleCase(scan, to) && isMonthOfName(scan, to)) to += 1;
  return to > at + 1 && isBreak(scan, to);
};

/** "name: X", "client = X", "name -> X", "the brand is X"; the place of X. */
const labelled = (
  scan: Scan,
  words: readonly string[],
  at: number,
): { readonly member: Member; readonly at: number } | null => {
  const label = labels.at(words, at);
  if (label === null || (label.name !== "name" && label.name !== "advertiser")) return null;
  let to = label.to;
  if (words[to] === "please") to += 1;
  const verb = /^(?:is|(?:should|will|to) be)\b/.exec(words.slice(to, to + 2).join(" "))?.[0];
  if (verb !== undefined) {
    to += verb.split(" ").length;
    const isName = isQuote(scan, to) || (isTitleCase(scan, to) && !isChannel(scan, to));
    return isName ? { member: label.name, at: to } : null;
  }
  if (!isIn(scan.tokens[to]?.text ?? "", opens)) return null;
  if (scan.tokens[to]?.text === "-" && scan.tokens[to + 1]?.text !== ">") return null;
  to += scan.tokens[to]?.text === "-" ? 2 : 1;
  // "For our e-bike client: $15,000, ..."
  if (isFigure(scan, to) && scan.owners[to]?.kind !== "volume") return null;
  // "I did give a name: call it Summer patio"
  if (leads.some((lead) => lead.words.every((word, step) => words[to + step] === word))) return null;
  const isNew = isIn(words[at - 1] ?? "", "new another a this");
  // "New campaign: 20k on CTV" names nothing.
  const isTerms = isFigure(scan, to) || (isNew && (owned(scan, words, to) > to || !isTitled(scan, to)));
  return words[label.to - 1] === "campaign" && isTerms ? null : { member: label.name, at: to };
};

interface Lead {
  readonly words: readonly string[];
  readonly member: Member;
}

const leadOf = (member: Member, text: string): readonly Lead[] =>
  text.split(",").map((words) => ({ member, words: words.split(" ") }));

/** Words before a name, the longest first. */
const leads: readonly Lead[] = [
  ...leadOf("name", lists.nameLeads),
  ...leadOf("advertiser", lists.advertiserLeads),
].toSorted((one, other) => other.words.length - one.words.length);

const led = (
  scan: Scan,
  words: readonly string[],
  at: number,
): { readonly member: Member; readonly at: number } | null => {
  const found = leads.find((lead) =>
    lead.words.every(
      (word, place) =>
        words
          .slice(at, at + lead.words.length)
          .join(" ")
          .split(" ")[place] === word,
    ),
  );
  if (found === undefined || objectives.at(words, at) !== null) return null;
  const to = at + found.words.length - (words.slice(at, at + 2).some((word) => word.includes(" ")) ? 1 : 0);
  const isQuoted = isQuote(scan, to);
  // "Our client, Hansen Ferries, wants".
  if (found.member === "advertiser" && words[to] === "," && isTitled(scan, to + 1))
    return { member: found.member, at: to + 1 };
  // "The client is on board" and "named after" name nobody.
  const isSure =
    isQuoted || isTitleCase(scan, to) || (found.member === "name" && isIn(found.words[0] ?? "", "call name rename"));
  const isNobody =
    found.member === "advertiser" &&
    isIn(found.words[0] ?? "", "plan campaign something run proposal offer quote") &&
    (!isTitleCase(scan, to + 1) || /^\d/.test(scan.tokens[to]?.text ?? ""));
  // "We're a gym called FitBox": who it is for.
  const before = words.slice(Math.max(0, at - 5), at);
  const isUs =
    isIn(found.words[0] ?? "", "called named") &&
    (before.some((word) => isIn(word, "we're i'm we i my our run own have")) || isIn(before.at(-1) ?? "", whoNouns)) &&
    !before.some((word) => isIn(word, "campaign it this job brief"));
  return isSure &&
    !isNobody &&
    !isFigure(scan, to) &&
    !isChannel(scan, to) &&
    !isIn(words[to] ?? "", "it this that the them i we me")
    ? { member: isUs ? "advertiser" : found.member, at: to }
    : null;
};

const whoNouns = "brand company shop store client customer firm startup business bank gym app";

/** Also "Bikes" of "E-Bikes", and its hyphen. */
const isName = (scan: Scan, at: number): boolean =>
  scan.owners[at] === undefined &&
  ((isTitleCase(scan, at) && scan.tokens[at]?.kind === "word") ||
    (scan.tokens[at]?.text === "-" && scan.tokens[at]?.isGlued === true && isTitleCase(scan, at + 1)));

/** Whom a brief is for, where a name stands in place of a label: "60k for Lumo Lamps", "Brief: Corvin Watches, 80k". */
const owned = (scan: Scan, words: readonly string[], at: number): number => {
  const isFor = words[at] === "for" && !isIn(words[at - 1] ?? "", "audience target reach not now but and");
  const isGot = isIn(words[at - 1] ?? "", "got have") && isIn(words[at - 2] ?? "i've", "i we i've we've");
  const isHead = at === 0 || isGot || scan.tokens[at]?.isFirst === true || isIn(words[at - 1] ?? "", ": . ! ?");
  if (!isFor && !isHead) return at;
  const from = isFor ? at + 1 : at;
  let to = from;
  while (isName(scan, to) && to < from + 5 && (to === from || scan.tokens[to]?.isFirst !== true)) to += 1;
  const names = words.slice(from, to);
  const last = names.at(-1) ?? "";
  const isPeople = scan.tokens.slice(from, to).some((one) => isOf(one, "people")) || /(?:ers|ists|ians)$/.test(last);
  const isOther = names.some((word, step) => isIn(word, lists.noNames) || objectives.at(names, step) !== null);
  if (to === from || isPeople || isOther || isOf(scan.tokens[from], "function")) return at;
  // "Quill Stationery back to school, 25k", "Zephyr Air fryer: 33k"
  const free = (step: number): boolean =>
    (scan.owners[step]?.kind ?? "vague") === "vague" && scan.tokens[step]?.kind === "word";
  let end = to;
  while (end < to + 3 && free(end) && !isBreak(scan, end)) end += 1;
  const isClosed = isBreak(scan, to) || (names.length > 1 && isBreak(scan, end));
  const hasMoney = scan.owners.slice(to, to + 12).some((one) => one?.kind === "money" || one?.kind === "volume");
  // "Sandbank Surf would like to spend 18,000".
  const isSubject = isHead && names.length > 1 && isIn(words[to] ?? "", "would wants want needs need plans has");
  if (!isFor && !((isClosed || isSubject) && hasMoney && (names.length > 1 || words[at - 1] === ":"))) return at;
  return isBreak(scan, end) ? end : to;
};

/** "name Game On", "New campaign Hafen Regatta: …", 'Campaign "Nordic Lights"'. */
const bare = (
  scan: Scan,
  words: readonly string[],
  at: number,
): { readonly member: Member; readonly at: number } | null => {
  if (
    words[at] === "name" &&
    (at === 0 ||
      scan.tokens[at]?.isFirst === true ||
      words[at - 1] === "campaign" ||
      isIn(scan.tokens[at - 1]?.text ?? "", ", . ;") ||
      isQuote(scan, at + 1))
  )
    return isTitleCase(scan, at + 1) || isQuote(scan, at + 1) ? { member: "name", at: at + 1 } : null;
  // 'New brief: "Build & Play", 20,000 USD', 'a new campaign, "Winter Escape"'
  const isOfNew = isIn(words[at] ?? "", "brief campaign") && isIn(words[at - 1] ?? "", "new");
  if (isOfNew && isIn(scan.tokens[at + 1]?.text ?? "", ": ,") && isQuote(scan, at + 2))
    return { member: "name", at: at + 2 };
  // "New brief: Sofa Weeks extension.", beside a campaign "Sofa Weeks"
  const of = scan.owners[at + 2];
  const isOfJob =
    of?.kind === "product" && of.ids[0]?.startsWith("job ") === true && scan.tokens[of.to]?.kind === "word";
  if (isOfNew && words[at + 1] === ":" && isOfJob && !isBreak(scan, of.to)) return { member: "name", at: at + 2 };
  // "A new one on top: Trail Summer July, 5,000 USD"
  const isNewOne =
    words[at] === ":" &&
    /\bnew one (?:on top |as well |too )?$/.test(`${words.slice(Math.max(0, at - 4), at).join(" ")} `);
  if (isNewOne && isTitled(scan, at + 1)) return { member: "name", at: at + 1 };
  if (words[at] !== "campaign" || isIn(words[at - 1] ?? "", "the of for this that my cancel status to")) return null;
  if (isQuote(scan, at + 1)) return { member: "name", at: at + 1 };
  let to = at + 1;
  while (isTitleCase(scan, to) && to < at + 6) to += 1;
  return to > at + 1 && scan.tokens[to]?.text === ":" ? { member: "name", at: at + 1 } : null;
};

/** "A colleague ran a campaign called Spring launch": one that is there is spoken of, and no new one gets its name. */
const isOfRecord = (scan: Scan, words: readonly string[], lead: number, at: number): boolean => {
  const from = isQuote(scan, at) ? at + 1 : at;
  const owner = scan.owners[from];
  if (owner?.kind !== "product" || owner.ids[0]?.startsWith("job ") !== true || owner.from !== from) return false;
  const isGiven = isIn(words[lead] ?? "", "call name rename change should");
  const isNew = words.slice(Math.max(0, lead - 2), lead + 1).some((word) => isIn(word, "new another second"));
  // "Called Spring launch 2" is another one.
  const isLonger = isTitleCase(scan, owner.to) || scan.tokens[owner.to]?.kind === "number";
  return !isGiven && !isNew && !isLonger;
};

/** "The name is wrong, it should be X." */
const corrected = (words: readonly string[], at: number): number =>
  words[at] === "name" && /^is wrong , it should be$/.test(words.slice(at + 1, at + 7).join(" ")) ? at + 7 : -1;

/** "Zephyr One, no wait, Zephyr Prime": the place of what is meant; -1 without such words. */
const meantAt = (scan: Scan, words: readonly string[], at: number): number => {
  let to = at;
  let isSaid = false;
  for (; isIn(words[to] ?? "", ", ; . - no wait sorry actually rather make that i mean hmm it"); to += 1)
    isSaid ||= isIn(words[to] ?? "", "no wait sorry actually rather");
  return isSaid && isTitleCase(scan, to) ? to : -1;
};

export const readTitles = (scan: Scan, words: readonly string[], isForeign: boolean): readonly Title[] => {
  const titles: Title[] = [];
  const push = (member: Member, lead: number, at: number): number => {
    const end = endOf(scan, words, at, member);
    if (end === null) return lead;
    const { from, to } = end;
    const value = scan.text.slice(scan.tokens[from]?.start ?? 0, scan.tokens[to - 1]?.end ?? 0).slice(0, 100);
    // "You don't name it."
    if (!/[\p{L}\d]/u.test(value)) return lead;
    const meant = meantAt(scan, words, end.next);
    const last = member === "advertiser" ? afterBrackets(words, end.next) : end.next;
    titles.push({ member, value, lead, from, to: meant >= 0 ? meant : last > end.next ? last : to });
    if (meant >= 0) return push(member, meant, meant);
    return member === "advertiser" ? named(last, Math.max(lead, last - 1)) : Math.max(lead, last - 1);
  };
  // "New campaign for Northpeak (tents, boots): 'Summer Trails'".
  const named = (at: number, last: number): number =>
    words[at] === ":" && isQuote(scan, at + 1) ? push("name", at, at + 1) : last;
  for (let at = 0; at < scan.tokens.length; at += 1) {
    const place = corrected(words, at);
    const lead = led(scan, words, at);
    const found =
      place > 0
        ? { member: "name" as const, at: place }
        : (labelled(scan, words, at) ??
          (lead !== null && isOfRecord(scan, words, at, lead.at) ? null : lead) ??
          bare(scan, words, at));
    const to = found === null && !isForeign ? owned(scan, words, at) : at;
    if (found !== null) at = push(found.member, at, found.at);
    else if (to > at) {
      const from = words[at] === "for" ? at + 1 : at;
      const value = scan.text.slice(scan.tokens[from]?.start ?? 0, scan.tokens[to - 1]?.end ?? 0).slice(0, 100);
      const last = afterBrackets(words, to);
      titles.push({ member: "advertiser", value, lead: at, from, to: last });
      at = named(last, last - 1);
    }
  }
  return titles;
};
