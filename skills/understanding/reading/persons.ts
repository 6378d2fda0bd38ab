import { matchesOf, type Span } from "./spans.ts";

const name = "\\p{Lu}[\\p{L}'-]+(?:[ \\t]\\p{Lu}[\\p{L}'.-]+){0,2}";
const house =
  "(?:headquartered|office|team|branch|desk|hub|hq|headquarters?|agency|company|studio|shop|firm|colleagues?|people|" +
  "side|agencia|agentur|agence|buro|oficina|bureau|escritorio|equipo|equipe)";
const from = "(?:from|in|at|of|aus|von|de|desde|en|em|a|da|do|du)(?: (?:the|la|le|el|our|my|unserem|der))?";

/** Who speaks, and where from: no month, place or product of a campaign. */
const forms: readonly RegExp[] = [
  // "Hi Jan,"
  new RegExp(
    `(?<=^\\s*(?:[Hh]i|[Hh]ello|[Hh]ey|[Dd]ear|[Hh]ola|[Hh]allo|[Bb]onjour|[Oo]la)\\s)${name}(?=\\s*[,!.\\n])`,
    "gmu",
  ),
  // "this is Jan from our Berlin office"
  new RegExp(
    "\\b(?:[Tt]his is|[Mm]y name is|I am|I'm|i'm|[Ss]oy|[Mm]e llamo|[Ii]ch bin|[Mm]ein [Nn]ame ist|" +
      `[Jj]e suis|[Jj]e m'appelle|[Ss]ou|[Mm]e chamo)\\s${name}(?=[\\s,.!]|$)` +
      "(?:,? (?:from|at|of|with|in|aus|von|bei|de|da|do|en|chez)\\s[^.,;:!?\\n]{2,50})?",
    "gu",
  ),
  // "Jan aus Berlin hier"
  new RegExp(`(?<=^\\s*|[,.!]\\s)${name}\\s(?:aus|from|de)\\s${name}(?=\\s(?:hier|here|aqui|ici)\\b|\\s*[,:])`, "gmu"),
  // "our London team"
  new RegExp(`(?<=\\b(?:our|my|the|your|unser\\w*|nuestr\\w+|notre|noss\\w)\\s)${name}(?=\\s${house}\\b)`, "gu"),
  // "greetings from Hamburg", "a media agency in Paris"
  new RegExp(
    `(?<=\\b(?:[Gg]reetings|[Rr]egards|[Ss]aludos|[Gg]russe|[Bb]ased|[Ll]ocated|[Ss]itting|${house}))` +
      `\\s${from}\\s${name}`,
    "gu",
  ),
  // "I work for Paris Hotels"
  new RegExp(`(?<=\\b(?:work(?:s|ing)? (?:for|at)|on behalf of)\\s)${name}`, "gu"),
  // "Thanks, June"
  new RegExp(
    `(?<=\\b(?:[Tt]hanks|[Tt]hank you|[Rr]egards|[Bb]est|[Cc]heers|[Ss]aludos|[Gg]russe),\\s*)${name}\\W*$`,
    "gu",
  ),
];

const signature = new RegExp(
  "^[ \\t]*(?:(?:many|best|kind|warm|yours|mit freundlichen|viele|liebe|freundliche) )*" +
    "(?:thanks|thank you|regards|best|cheers|sincerely|grussen|grusse|gruss|mfg|saludos|cordialement|atentamente|" +
    "abracos)" +
    "[ \\t]*[,.!]?[ \\t]*\\n",
  "gim",
);
const mostLines = 6;
const longestLine = 60;
/** A wish may stand below a "thanks" as well. */
const isWish = /\?|\d\s?(?:k|m|mio|imp\w*)\b|\b(?:quote|price|please|need|want)\b/i;

const signatureIn = (text: string): readonly Span[] => {
  const last = matchesOf(text, signature).at(-1);
  if (last === undefined) return [];
  const start = last.index + last[0].length;
  const lines = text.slice(start).trim().split("\n");
  const isName = lines.length <= mostLines && lines.every((line) => line.length <= longestLine && !isWish.test(line));
  return isName ? [{ start, end: text.length }] : [];
};

const mayName = new RegExp(
  "\\b(?:hi|hello|hey|dear|hola|hallo|bonjour|ola|this is|my name is|i am|i'm|soy|me llamo|ich bin|mein name|je suis|" +
    `je m'appelle|sou|me chamo|hier|here|aqui|ici|greetings|regards|saludos|gruss?e?n?|based|located|sitting|` +
    `${house}|work(?:s|ing)?|behalf|thanks|thank you|best|cheers|sincerely|mfg|cordialement|atentamente|abracos)\\b`,
  "i",
);

export const personsIn = (text: string, isProduct: (words: string) => boolean): readonly Span[] => {
  if (!mayName.test(text)) return [];
  const named = forms
    .flatMap((form) => matchesOf(text, form))
    .filter((match) => !isProduct(match[0]))
    .map((match) => ({ start: match.index, end: match.index + match[0].length }));
  return [...named, ...signatureIn(text)].toSorted((one, other) => one.start - other.start);
};
