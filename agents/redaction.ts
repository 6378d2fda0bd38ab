/** Names under which a secret is sent or kept, as the end of a name: `x-api-key`, `client_secret`, `accessToken`. */
const secretNames =
  "authorization|api[-_]?keys?|secrets?|passwords?|passwd|pwd|tokens?|cookies?|credentials?|private[-_]?key|signature";

const mark = "[redacted]";

/** Forms that show what they are, wherever they stand. */
const forms: readonly (readonly [form: RegExp, shown: string])[] = [
  // A member of the line itself, whole.
  [new RegExp(String.raw`("[^"\\]*(?:${secretNames})"\s*:\s*)(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])`, "gi"), `$1"${mark}"`],
  // JSON within a text: its quotes are escaped once or more.
  [new RegExp(String.raw`((?:${secretNames})(\\+)"\s*:\s*\2")(?:(?!\2")[^])*`, "gi"), `$1${mark}`],
  // A header, a query, a form, an assignment.
  [
    new RegExp(
      String.raw`((?:${secretNames})\s*[:=]\s*)(?:(?:Bearer|Basic|Digest)\s+)?(?!\[redacted)[^\s"'\\,;&(){}[\]]+`,
      "gi",
    ),
    `$1${mark}`,
  ],
  [/\b(Bearer|Basic)\s+(?!\[redacted)[^\s"'\\,;]{6,}/gi, `$1 ${mark}`],
  // Of a database's or another address.
  [/(:\/\/[^\s"'\\/@:]*):[^\s"'\\/]*@/g, `$1:${mark}@`],
  [/\b(a[bs]k_live_|whsec_|sk-)[\w+/=-]+/g, `$1${mark}`],
  // RFC 7515: a signed token.
  [/\beyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g, mark],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^"]*/g, mark],
];

/** One pass over most lines, which have none of it. */
const suspect = new RegExp(
  String.raw`${secretNames}|bearer|basic |:\/\/[^"\s]*@|_live_|whsec_|sk-|eyJ|PRIVATE KEY`,
  "i",
);

const shortest = 8;

/** As a secret stands in a line of JSON. */
const inJson = (secret: string): string => JSON.stringify(secret).slice(1, -1);

/**
 * A line of JSON without secrets: those that are known, and what has the form of one. What is left is a line of JSON.
 * A known secret of less than eight characters would take words away from every line, and is not looked for.
 */
export const redactor = (known: readonly string[]): ((line: string) => string) => {
  const literal = known.filter((secret) => secret.length >= shortest).map(inJson);
  return (line) => {
    let shown = line;
    for (const secret of literal) shown = shown.replaceAll(secret, mark);
    if (!suspect.test(shown)) return shown;
    for (const [form, by] of forms) shown = shown.replace(form, by);
    return shown;
  };
};
