/** The two entry points of css-tree that bundle for a neutral platform; the package ships no types of its own. */
declare module "css-tree/tokenizer" {
  /** Calls `onToken` for every token of a style sheet (CSS Syntax Level 3); offsets are into `source`. */
  export function tokenize(source: string, onToken: (type: number, start: number, end: number) => void): void;
  export const tokenTypes: {
    readonly AtKeyword: number;
    readonly Comment: number;
    readonly Function: number;
    readonly LeftParenthesis: number;
    readonly RightParenthesis: number;
    readonly String: number;
    readonly Url: number;
    readonly WhiteSpace: number;
  };
}

declare module "css-tree/utils" {
  type TextCoding = { decode(text: string): string };
  /** Reads a quoted string token, quotes included, and resolves its escapes. */
  export const string: TextCoding;
  /** Reads a whole `url(…)` token and resolves its escapes. */
  export const url: TextCoding;
  /** Reads an identifier and resolves its escapes. */
  export const ident: TextCoding;
}
