import { dateWords } from "../../../../understanding/reading/dates/words.ts";
import type { Span } from "../../../../understanding/reading/spans.ts";
import { mentionsIn } from "../words/mentions.ts";
import { isAudience } from "../words/plain-words.ts";
import { channelWords, plainWords } from "../words/vocabulary.ts";

const proper = "(?:\\p{Lu}[\\p{L}\\d&'.-]*(?<!\\.)(?:\\s(?:\\p{Lu}[\\p{L}\\d&'.-]*(?<!\\.)|&(?=\\s\\p{Lu}))){0,3})";
const ours = "(?:(?:our|my|the|a) )?(?:(?:client|customer|brand|advertiser),? )?";
const whose = "(?:[Aa]dvertiser|[Cc]lient|[Cc]ustomer|[Bb]rand|[Kk]unde|[Aa]nunciante|[Aa]nnonceur)";
const article = "(?:(?:[Oo]ur|[Mm]y|[Tt]he) )?";
/** Whoever is named so is no audience and no name of a campaign. */
const named = new RegExp(
  "(?:\\b(?:[Ss]et|[Cc]hange|[Rr]ename|[Cc]orrect|[Aa]dd|[Mm]ake|[Pp]ut|" +
    `[Uu]se)\\s+)?\\b${article}${whose}(?:'s)?(?: name)?\\s*` +
    "(?:[:=]|(?:is|should be|must be|shall be|will be)(?: called| named)?\\s|(?:called|named|to|as|" +
    `into)\\s|(?<=[Aa]dvertiser\\s))\\s*(${proper})` +
    `(?:,?\\s+(?:and\\s+)?(?:not|instead of|rather than)\\s+${proper})?`,
  "u",
);
const forWhom: readonly RegExp[] = [
  new RegExp(
    "\\b(?:[Cc]ampaign|[Pp]lan|[Bb]rief|[Aa]ds?|[Aa]dvertising|[Pp]ush|[Ss]omething|[Ff]ollowing|[Aa]ctivity|" +
      "[Mm]edia|[Bb]ooking) " +
      `for ${ours}(${proper})`,
    "u",
  ),
  new RegExp(`\\b(?:[Oo]ur|[Mm]y|[Tt]he) (?:client|customer|advertiser|brand)(?: is|,)? (${proper})`, "u"),
];
const people = new RegExp(
  "(?:fans|leute|kunden|eltern|familien|frauen|manner|kinder|jugendliche|kaufer|besitzer|liebhaber|sportler)$",
  "i",
);

const isCompany = (name: string): boolean =>
  !isAudience(name) &&
  !people.test(name) &&
  !plainWords.has(name.toLowerCase()) &&
  mentionsIn(name, channelWords).length === 0 &&
  name.search(dateWords) < 0;

/** "A campaign for Bergmann Outdoor": whose it is, and not whom it is to reach. */
export const advertiserIn = (text: string): (Span & { readonly name: string }) | null => {
  for (const pattern of [named, ...forWhom]) {
    const match = pattern.exec(text);
    const name = match?.[1] ?? "";
    if (match === null || !isCompany(name)) continue;
    if (pattern === named) return { name, start: match.index, end: match.index + match[0].length };
    const end = match.index + match[0].length;
    return { name, start: end - name.length, end };
  }
  return null;
};
