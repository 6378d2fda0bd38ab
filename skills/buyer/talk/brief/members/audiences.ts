import { audiencesIn as demographicsIn } from "../../../../understanding/reading/audiences.ts";
import { blanked, matchesOf, type Span, spansOf } from "../../../../understanding/reading/spans.ts";
import { isAudience, peopleWords } from "../words/plain-words.ts";
import { mentionsIn } from "../words/mentions.ts";
import type { BriefInput } from "../input.ts";
import { channelWords, objectiveWords, plainWords } from "../words/vocabulary.ts";

export interface Audience extends Span {
  readonly text: string;
}

/** A single blank, so that it does not reach over what was read before. */
const ends = [
  "in|on|from|at|with(?!(?:out)? (?:kids|children|babies|pets|dogs|cats|an? |small|young|kindern|hijos|enfants|" +
    "filhos))|max|maximum|under|below|until|during|between|and we|via|using",
  "if|unless|but|no|not|without|except|excluding",
].join("|");
const behindFor = new RegExp(
  "\\b(?:for|target(?:ing)?(?: (?:audience|group|market|demographics?)(?: is| are)?)?:?|" +
    "to reach|reaching|reach|aim(?:ed)? at|(?:speak|talk) to|" +
    "audience(?: is| (?:should|must|shall|has to) (?:be|read)| reads| to)?:?)" +
    "\\s((?:[a-z0-9][\\w'+&/-]*)(?:\\s[a-z0-9][\\w'+&/-]*){0,6}?)" +
    `(?=\\s*(?:[,.;!?\\n|]|$)|\\s(?:\\s|[-–]\\s)|\\s(?:${ends})\\b)`,
  "gi",
);
const anyone =
  "everyone|everybody|anyone|anybody|people|those|users|women|men|parents|adults|families|fans|students|owners";
const clauseEnd =
  "(?=\\s*(?:[,.;!?()\\n]|$)|\\s{2,}|\\s(?:but|if|unless|max|budget|and (?:we|i|the|please)|(?:on|via|using) " +
  "(?:ctv|tv|video|" +
  "display|audio|native|banners|mobile|dooh))\\b)";
/** "People who work at home", "everyone over 18". */
const described = new RegExp(
  `\\b(?:(?:${anyone})(?:\\s\\d{2}(?:-\\d{2}|\\+))?\\s(?:who|that|with an interest in|interested ` +
    `in)\\s[^,.;!?()\\n]{2,80}?${clauseEnd}|` +
    "\\b(?:hhi|(?:household )?income)\\s(?:of |over |above |from )?[$]?\\d[\\d.,]*k?\\+?|" +
    `(?:${peopleWords}),?\\s(?:aged?\\s|between\\s)?[1-9]\\d\\s?(?:-|–|to|and)\\s?[1-9]\\d\\b(?!\\s?(?:k\\b|%|cpm|` +
    "usd))|" +
    "(?:everyone|everybody|anyone|anybody)\\s(?:over|under|above|below|older than|younger than|" +
    "from)\\s\\d{2}\\b(?!\\s?(?:k\\b|%|cpm)))",
  "gi",
);
export const ageRange = /\b(\d{2})\s?(?:-|–|to)\s?(\d{2})\b/;
const agePattern = /\b\d{2}(?:-\d{2}\b|\+)/g;

const nobody = new RegExp(
  "\\bcampaign$|\\b(?:my|our|unser\\w*|mein\\w*|nuestr\\w+|notre|noss[oa]|shops?|stores?|company|business|cpms?|" +
    "prices?|" +
    "budget)\\b|^(?:(?:[\\w-]+ )?(?:days?|weeks?|months?)(?: only)?|all|everything|all channels|both)$",
  "i",
);

/** "For the dates", "for your reply" and "the audience has been altered" name nobody. */
const noPeople = new RegExp(
  "^(?:market|me|us|it|them)\\b|^(?:group|demographics?)(?: (?:is|are|will|should|must|has|was)\\b|$)|" +
    "^(?:has|have|had|was|were|be|been|is|are|should|must|seems?|looks?|got|gets?|did|" +
    "does|changed|" +
    "wrong|incorrect|missing|lost|gone|fine|good|right|ok(?:ay)?|which|that|you|we|i)\\b|" +
    "^(?:(?:the|this|that|these|those|your|any|all|wrong|late|long|quick|new|a|an|my|our)\\s)*(?:dates?|days?|flight|" +
    "start|end|delays?|mistakes?|errors?|typos?|confusion|misunderstandings?|inconvenience|trouble|brief|offers?|" +
    "quotes?|deals?|lines?|channels?|objectives?|goals?|reply|repl(?:y|ies)|answers?|response|help|patience|" +
    "information|attention|proposals?)$|\\b(?:launch|release|opening|promo(?:tion)?)$",
  "i",
);

const isPeople = (text: string): boolean =>
  !noPeople.test(text) &&
  mentionsIn(text, channelWords).length === 0 &&
  (isAudience(text) || mentionsIn(text, objectiveWords).length === 0) &&
  !plainWords.has(text.toLowerCase()) &&
  !/\d/.test(text.replace(agePattern, "")) &&
  !nobody.test(text) &&
  (isAudience(text) || !/^an?\s/i.test(text));

const behind = (text: string): readonly Audience[] =>
  matchesOf(text, behindFor)
    .map((match) => ({ text: (match[1] ?? "").trim(), start: match.index, end: match.index + match[0].length }))
    .filter((found) => isPeople(found.text));

/** Whoever is named as the people to reach. */
export const audiencesIn = (text: string): readonly Audience[] => {
  const told = spansOf(text, described).map((span) => ({ ...span, text: text.slice(span.start, span.end) }));
  return [...told, ...behind(blanked(text, told))].toSorted((one, other) => one.start - other.start);
};

/** "Couples without" kids over 40. */
const ofWhom = /[\p{L}-]+\s+with(?:out)?\s+$/iu;

/** "Who play mobile games", behind the ages. */
const trait = new RegExp(
  `^\\s+(?:who|that|interested in|into|with an interest in)\\s[^,.;!?()\\n]{2,80}?${clauseEnd}`,
  "i",
);

/** "18-34" between commas; where both could be days of a month, it is no age. */
const bareAges = /(?<=^|[,;(\n]\s?)(?:1[3-9]|[2-9]\d)\s?(?:-|–|to)\s?(?:3[2-9]|[4-9]\d)(?=\s*(?:[,;).\n]|$))/gi;

/** "Women 25-45", "18 to 30 years old". */
export const agesIn = (text: string): readonly Span[] => {
  const told = toldAgesIn(text);
  return [...told, ...spansOf(blanked(text, told), bareAges)].toSorted((one, other) => one.start - other.start);
};

const toldAgesIn = (text: string): readonly Span[] =>
  demographicsIn(text, () => false)
    .filter(({ start, end }) => /\d{2}/.test(text.slice(start, end)))
    .filter(({ start, end }) => !/[$€£%]|\b(?:cpm|usd|dollars?)\b/i.test(text.slice(start, end)))
    .map(({ start, end }) => ({
      start: start - (ofWhom.exec(text.slice(0, start))?.[0].length ?? 0),
      end: end + (trait.exec(text.slice(end))?.[0].length ?? 0),
    }));

/** Words behind "for" that name people come before others; "the" is no part of them. */
export const peopleOf = (found: readonly Audience[]): readonly string[] => {
  const texts = found.map(({ text }) => text.replace(/^(?:the|all|our) (?=\p{L})/iu, ""));
  const people = texts.filter((text) => isAudience(text));
  return people.length > 0 ? people : texts;
};

export const audienceOf = (said: readonly string[]): BriefInput["target_audience"] | undefined =>
  said.length === 0 ? undefined : { description: [...new Set(said)].join(", ") };

const traits = /\b(?:with(?:out)?|no) (?:kids|children)\b|\b(?:over|under|above|below) \d{2}\b/gi;

const isPlainAudience = (words: string, isBinding: (text: string) => boolean): boolean =>
  isAudience(words) && !isBinding(words.replace(agePattern, "").replace(traits, ""));

/** "Gardeners" between commas, of a brief that names nobody else. */
const agents = /^(?:[\p{L}-]+\s)?\p{L}{2,}(?:ers|ists|ians|eurs|isten|innen)$/iu;
const notAgents = /(?:off|oth|bann|post|numb|ord|sell|publish|fly|trail|teas|pap|dinn|summ|wint|let|pow|answ)ers$/i;
const between = (text: string, { start, end }: Span): boolean =>
  /(?:^|[,;\n])\s*$/.test(text.slice(0, start)) && /^\s*(?:$|[,;.\n])/.test(text.slice(end));

/** The one thing of a list that names whoever does something. */
export const soleAgents = (text: string, words: readonly Audience[]): readonly Audience[] => {
  const found = words.filter((one) => agents.test(one.text) && !notAgents.test(one.text) && between(text, one));
  return found.length === 1 ? found : [];
};

const joined = /^\s(?:and|or|&|und|y|et)\s$/i;

/** Of words that nothing took: people, and what is joined with them: "hikers and outdoor people". */
export const bareAudiences = (text: string, words: readonly Audience[], isBinding: (text: string) => boolean) => {
  const found: Audience[] = [];
  for (const one of words) {
    if (!isPlainAudience(one.text, isBinding)) continue;
    const last = found.at(-1);
    const isNext = last !== undefined && joined.test(text.slice(last.end, one.start));
    if (isNext) found.pop();
    const start = isNext ? last.start : one.start;
    found.push({ start, end: one.end, text: text.slice(start, one.end) });
  }
  return found;
};
