import type { Tokenizer } from "htmlparser2";

/**
 * Hands source to the tokenizer. In HTML a `<![CDATA[` is a comment that ends at the next `>`, but the tokenizer reads
 * to `]]>`: outside SVG and MathML it is given another character for the bracket, which changes nothing else, because
 * nobody reads text out of the tokenizer.
 */
export const createFeed = (tokenizer: Tokenizer, isForeign: () => boolean, isPaused: () => boolean) => {
  /** The last two characters of the piece before. */
  let tail = "";

  const firstBracket = (piece: string): number => {
    if (tail === "<!" && piece.startsWith("[")) return 0;
    if (tail.endsWith("<") && piece.startsWith("![")) return 1;
    return nextBracket(piece, 0);
  };

  return (piece: string): void => {
    let from = 0;
    for (let at = firstBracket(piece); at >= 0; at = nextBracket(piece, at + 1)) {
      tokenizer.write(piece.slice(from, at));
      from = at;
      if (isPaused()) break;
      if (isForeign()) continue;
      tokenizer.write("x");
      from = at + 1;
    }
    if (!isPaused()) tokenizer.write(from === 0 ? piece : piece.slice(from));
    // Behind a pause the tokenizer starts anew at a place that no declaration spans.
    tail = isPaused() ? "" : (tail + piece.slice(-2)).slice(-2);
  };
};

const nextBracket = (piece: string, from: number): number => {
  const found = piece.indexOf("<![", from);
  return found < 0 ? -1 : found + 2;
};
