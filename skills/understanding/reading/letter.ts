const addressee =
  "(?:all|both|again|there|team|colleagues?|friends?|folks|guys|everyone|everybody|sirs?|madam|ladies|gentlemen|" +
  "parley|seller|sales|mr|mrs|ms|dr|prof)";
const greeting = "(?:dear|hi|hello|hey|greetings|good (?:morning|afternoon|evening|day))";
const noNames = [
  ..."no not never nein don do wait stop hold hang keep leave if only but unless until when once while".split(" "),
  ..."after before later maybe perhaps except without cancel reject decline ask asked asks said says told".split(" "),
  ..."need needs needed first yet pending subject under provided assuming should would could can will".split(" "),
  ..."for in at with from by to and or as on up please cheaper less more half both the this that it".split(" "),
];
const anyCase = (word: string): string => word.replace(/./g, (letter) => `[${letter}${letter.toUpperCase()}]`);
/** "Hi Not Yet," greets nobody. */
const neverName = `(?!(?:${noNames.map(anyCase).join("|")})\\b)`;
const name = `(?:${neverName}\\p{Lu}(?:['’]?\\p{Lu}?\\p{Ll}[\\p{L}'’-]*)?\\.?)`;
/** Behind a colon somebody else may speak. */
const ends = "(?=\\s*[,!.\\n]|:\\s*\\n)\\s*[,!.:]*";

const salutations: readonly RegExp[] = [
  new RegExp(`^\\s*${greeting}(?:,? (?:${addressee}|and|or|of the|the)\\b\\.?){1,5}${ends}`, "iu"),
  new RegExp(
    `^\\s*(?:[Dd]ear|[Hh]i|[Hh]ello|[Hh]ey|[Gg]ood (?:morning|afternoon|evening|day))(?: ${name}){1,4}${ends}`,
    "u",
  ),
  new RegExp(`^\\s*${greeting}${ends}`, "iu"),
];

const signOff =
  "(?:(?:with |my )?(?:(?:many|best|kind|kindest|warm|warmest) )+(?:thanks|regards|wishes|greetings)|regards|" +
  "best|cheers|thanks|thank you|(?:yours )?(?:sincerely|faithfully|truly)|(?:sincerely|faithfully|truly) yours|" +
  "mit freundlichen gr(?:ü|u|ue)(?:ß|ss)en|viele gr(?:ü|u|ue)(?:ß|ss)e|saludos(?: cordiales)?|cordialement|" +
  "atentamente|-{2,3}|[–—])";
const closing = new RegExp(`(^|[\\n.!;,][ \\t]*)(${signOff})[ \\t]*[,.!]*[ \\t]*(?=\\n|$|(?<=[,\\n.!])[^\\n])`, "giu");

const particle = "(?:of|and|for|the|de|von|van|der|du|la|&|\\|)";
const nameLine = new RegExp(
  `^[ \\t]*[-–—]{0,2}[ \\t]*${name}(?:[ \\t]*,?[ \\t]+(?:${name}|${particle}(?= )))*[ \\t]*[.,]?[ \\t]*$`,
  "u",
);
const contactLine =
  /^[ \t]*(?:(?:t|tel|phone|m|mobile)[.:]*[ \t]*)?(?:\+?[\d() /-]{6,24}|[\w.+-]+@[\w.-]+|www\.\S+)[ \t]*$/i;
const deviceLine = /^[ \t]*sent from my \w+(?: \w+)?[ \t]*\.?[ \t]*$/i;
/** Signs a letter without a word before it. */
const standsAlone = /^[ \t]*(?:[-–—]|(?:dr|prof|mr|mrs|ms)\b|sent from my )/i;
const mostLines = 6;
const longestLine = 60;
const mostNames = 3;

const isOfSignature = (line: string): boolean =>
  line.trim() === "" ||
  (line.length <= longestLine && (nameLine.test(line) || contactLine.test(line) || deviceLine.test(line)));

/** Words that a line of its own may add to an order; none of them signs it. */
const noSignature = new RegExp(
  "\\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t|tember)?|" +
    "oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|spring|summer|autumn|winter|\\w+day|\\w+ly|\\w+ing|\\w+ed|today|" +
    "tomorrow|tonight|now|soon|asap|next|this|last|first|second|cheap\\w*|home\\w*|main|front|prime\\w*|telemundo|" +
    "videos?|display|native|pre-?roll|mid-?roll|ctv|ott|tv|dooh|mobile|apps?|banners?|billboards?|times|standard|" +
    "premium|private|pg|pd|pa)\\b",
  "i",
);

const isName = (line: string): boolean =>
  nameLine.test(line) && !noSignature.test(line) && line.trim().split(/\s+/).length <= mostNames;

const withoutSignature = (text: string, isGreeted: boolean): string => {
  for (const match of text.matchAll(closing)) {
    const [whole, before = ""] = match;
    const lines = text.slice(match.index + whole.length).split("\n");
    if (lines.length <= mostLines && lines.every(isOfSignature)) return text.slice(0, match.index) + before;
  }
  const rows = text.split("\n");
  const last = rows.at(-1) ?? "";
  const isSigned = (standsAlone.test(last) && isOfSignature(last)) || (isGreeted && isName(last));
  return rows.length > 1 && isSigned ? rows.slice(0, -1).join("\n") : text;
};

/** What a letter says, without whom it greets and who signs it. */
export const bodyOf = (letter: string): string => {
  const text = letter.replace(/\r\n?/g, "\n").trim();
  const greeted = salutations.find((form) => form.test(text));
  const isGreeted = greeted !== undefined;
  const body = withoutSignature(isGreeted ? text.replace(greeted, "") : text, isGreeted).trim();
  return body === "" ? text : body;
};
