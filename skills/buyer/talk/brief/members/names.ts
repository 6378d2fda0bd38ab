import { dateWords } from "../../../../understanding/reading/dates/words.ts";
import type { Span } from "../../../../understanding/reading/spans.ts";
import { mentionsIn } from "../words/mentions.ts";
import { channelWords, objectiveWords, plainWords } from "../words/vocabulary.ts";

const longest = 100;
const quotes = "\"'“”„«»";
const whose = "(?:client|advertiser|brand|customer)";
const called = [
  "(?:the )?name\\b[^.\\n]{0,30}?\\b(?:it )?should be",
  "(?:call|name)(?: it| this(?: one)?| that(?: one)?| the campaign)?(?: as)?",
  `(?:rename|retitle)(?! (?:the |our |my )?${whose})(?: it| this| the campaign)?(?: to| as| into)?`,
  "called|named|titled|entitled",
  "(?:change |set )?(?:the |it'?s |our )?(?:campaign )?(?:name|title)(?: of (?:it|this|the campaign))?" +
    "(?: (?:is|to|as|on|should be|shall be|must be|will be|would be)|\\s?[:=])",
  "(?:the )?(?:campaign|project)(?: is called| is named|:(?!\\s*(?:name|budget|from|[$€£\\d]|[a-z]{3}\\s?\\d))|" +
    "'s name is)",
].join("|");
/** What stands in quotes is a name behind these words already. */
const titled = `(?:${called}|(?:the )?(?:campaign|project|name|title)(?: please)?)`;
const named: readonly RegExp[] = [
  new RegExp(`\\b${titled}:?\\s+["“”„«]([^"“”„«»\\n]{1,${longest}})["“”»]`, "i"),
  new RegExp(`\\b${titled}:?\\s+'([^'\\n]{1,${longest}})'(?!\\w)`, "i"),
  new RegExp(`\\b(?<!\\bmy )(?:${called})\\s+([^${quotes.replace("'", "")},.;\\n]{1,${longest}})`, "i"),
];
/** Where the next wish begins behind a name without quotes. */
const nextWish = new RegExp(
  "\\s+(?:(?:and|but|then|plus)\\s+(?=(?:make|set|add|drop|remove|change|start|end|run|use|only|put|raise|lower|cut|" +
    `please|(?:the |our |my )?${whose}|the (?:budget|dates?|cpm|audience|objective)|` +
    "budget|it|we|i|with|no|for|[$€£\\d])\\b)|with (?=a budget|budget|[$€£\\d])|" +
    "for (?=[$€£\\d])|(?:please|pls|thanks|thank you|instead|rather|now)\\s*$).*",
  "is",
);

const danglingAnd = /\s+(?:and|but|with)\s*$/i;

/** "The name is wrong" gives none. */
const noName = /^\s*(?:please|not|wrong|missing|bad|ok(?:ay)?|fine|good|right|correct|too \w+|still|a bit|should)\b/i;

/** "Campaign Acme Autumn, 3,000 USD": a title before the terms, unless it names days, channels or an objective. */
const title = new RegExp(
  "(?<=^\\s*|[.!?\\n]\\s*)(?:(?:[Pp]lease|[Oo]ur|[Tt]he|[Aa]|[Nn]ew)\\s)*(?:[Cc]ampaign|[Pp]roject)\\s" +
    "(\\p{Lu}[\\p{L}&'-]*(?:\\s(?:\\p{Lu}[\\p{L}&'-]*|&|of|for|and|in)){0,5})" +
    "(?=\\s*[,:;–-]\\s[^]*?(?:\\d{3}|\\d\\s?k\\b))",
  "u",
);
const isTerm = (words: string): boolean =>
  mentionsIn(words, [...channelWords, ...objectiveWords]).length > 0 ||
  new RegExp(dateWords.source, "i").test(words) ||
  plainWords.has(words.toLowerCase());

export const titleIn = (text: string): (Span & { readonly name: string }) | null => {
  const match = title.exec(text);
  const name = match?.[1] ?? "";
  if (match === null || isTerm(name)) return null;
  return { name, start: match.index, end: match.index + match[0].length };
};

export const nameIn = (text: string): (Span & { readonly name: string }) | null => {
  for (const pattern of named) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const said = (match[1] ?? "").replace(/^[-=:> ]+/, "");
    const name = pattern === named.at(-1) ? said.replace(nextWish, "").replace(danglingAnd, "") : said;
    if (name.trim() === "" || noName.test(name)) continue;
    const end = match.index + match[0].length - (said.length - name.length);
    return { name: name.trim(), start: match.index, end };
  }
  return null;
};
