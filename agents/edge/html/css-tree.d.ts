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
  export const string: TextCoding;
  export const url: TextCoding;
  export const ident: TextCoding;
}
