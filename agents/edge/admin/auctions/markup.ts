import { escapeHtml } from "../../../../protocol/neutral/escape-html.ts";
import { seenText } from "../../../../protocol/neutral/seen-text.ts";

export interface Markup {
  readonly markup: string;
}

type Piece = string | number | Markup | readonly Markup[];

const longest = 200;

const shown = (text: string): string => {
  const seen = seenText(text);
  return seen.length > longest ? `${seen.slice(0, longest - 1)}…` : seen;
};

const isList = (piece: Piece): piece is readonly Markup[] => Array.isArray(piece);

const written = (piece: Piece): string => {
  if (typeof piece === "string") return escapeHtml(shown(piece));
  if (typeof piece === "number") return String(piece);
  return isList(piece) ? piece.map(written).join("") : piece.markup;
};

export const nothing: Markup = { markup: "" };

/** Text between the pieces is markup; a piece is text, unless it is markup itself. */
export const html = (parts: TemplateStringsArray, ...pieces: readonly Piece[]): Markup => ({
  markup: parts.map((part, at) => part + (at < pieces.length ? written(pieces[at] ?? "") : "")).join(""),
});
