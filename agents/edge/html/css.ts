import { tokenTypes, tokenize } from "css-tree/tokenizer";
import { ident, string, url } from "css-tree/utils";

const functionToken = tokenTypes.Function;
const urlToken = tokenTypes.Url;
const stringToken = tokenTypes.String;
const atKeyword = tokenTypes.AtKeyword;
const blank = tokenTypes.WhiteSpace;
const comment = tokenTypes.Comment;
const opening = new Set([tokenTypes.LeftParenthesis, functionToken]);
const closing = tokenTypes.RightParenthesis;

const addressFunctions = new Set(["url", "src"]);
const imageSets = new Set(["image-set", "-webkit-image-set"]);

const quote = (address: string): string =>
  `"${address.replace(/["\\\n\r\f]/g, (mark) => `\\${mark.charCodeAt(0).toString(16)} `)}"`;

const bareEnd = (css: string, from: number): number => {
  for (let at = from; at < css.length; at += 1) {
    if (css[at] === "\\") at += 1;
    else if (css[at] === ")") return at;
  }
  return css.length;
};

const isImport = (keyword: string): boolean => ident.decode(keyword).toLowerCase() === "import";

/**
 * Rewrites every address of a style sheet or declaration list: `url()`, `src()`, `image-set()` and `@import`, however
 * they are escaped. `rewrite` gets the address as a browser reads it and answers the new one, or `null` to keep it.
 * Everything else stays as it was.
 */
export const rewriteCss = (css: string, rewrite: (address: string) => string | null): string => {
  let out = "";
  let done = 0;
  let skipTo = 0;
  let awaits: "address" | "import" | null = null;
  const functions: string[] = [];

  const replace = (start: number, end: number, address: string, wrap: (quoted: string) => string): void => {
    const next = rewrite(address);
    if (next === null) return;
    out += css.slice(done, start) + wrap(quote(next));
    done = end;
  };
  const openFunction = (start: number, end: number): void => {
    const name = ident.decode(css.slice(start, end - 1)).toLowerCase();
    functions.push(name);
    awaits = addressFunctions.has(name) ? "address" : null;
    const isPlain = css.slice(start, end - 1).toLowerCase() === name;
    if (name !== "url" || isPlain || /^[\t\n\f\r ]*["']/.test(css.slice(end, end + 64))) return;
    // The tokenizer knows `url(` only when it is not escaped; an escaped one takes an unquoted address just the same.
    skipTo = bareEnd(css, end);
    replace(end, skipTo, url.decode(`url(${css.slice(end, skipTo)})`), (quoted) => quoted);
  };
  const onString = (start: number, end: number): void => {
    const isAddress = awaits !== null || imageSets.has(functions.at(-1) ?? "");
    if (isAddress) replace(start, end, string.decode(css.slice(start, end)), (quoted) => quoted);
    awaits = null;
  };

  tokenize(css, (type, start, end) => {
    if (start < skipTo || type === blank || type === comment) return;
    if (type === stringToken) return onString(start, end);
    awaits = null;
    if (type === urlToken) return replace(start, end, url.decode(css.slice(start, end)), (quoted) => `url(${quoted})`);
    if (type === functionToken) return openFunction(start, end);
    if (opening.has(type)) functions.push("");
    else if (type === closing) functions.pop();
    else if (type === atKeyword && isImport(css.slice(start + 1, end))) awaits = "import";
  });
  return done === 0 ? css : out + css.slice(done);
};
