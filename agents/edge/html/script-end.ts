/** Three ways of being inside a script (HTML standard, 13.2.5.4 and 13.2.5.20 to 13.2.5.31). */
type Mode = "plain" | "escaped" | "double";

/** `</script` plus the character that must follow it: the longest mark that a chunk boundary may cut. */
const LONGEST_MARK = 9;

/**
 * Looks for the end tag of one script element over any number of chunks. A `<!--` inside a script lets a nested
 * `<script>` hide the next `</script>`; a search for the end tag alone would leave the script too early and read
 * program text as markup.
 */
export const createScriptEndFinder = () => {
  const marks = /<!--|-->|<\/?script[\t\n\f\r />]/gi;
  let mode: Mode = "plain";
  /** Where the next search starts, relative to the text that the caller still holds. */
  let from = 0;

  const step = (mark: string): boolean => {
    if (mark === "<!--") {
      if (mode === "plain") mode = "escaped";
      // The two dashes may also belong to the end of the comment: `<!-->` is a whole one.
      marks.lastIndex -= 2;
      return false;
    }
    if (mark === "-->") mode = "plain";
    else if (!mark.startsWith("</")) mode = mode === "plain" ? "plain" : "double";
    else if (mode === "double") mode = "escaped";
    else return true;
    // The character after the name may start the next mark only if it is `<`, which it never is: nothing to give back.
    return false;
  };

  return {
    /**
     * Searches `text`, which starts with what `keep` left. Answers the offset of the end tag, or -1; then at least
     * the last `keep()` characters must be handed over again in front of the next chunk.
     */
    find(text: string): number {
      marks.lastIndex = from;
      for (let match = marks.exec(text); match !== null; match = marks.exec(text)) {
        if (step(match[0].toLowerCase())) return match.index;
        from = marks.lastIndex;
      }
      return -1;
    },
    /** Number of characters at the end of `text` that must be kept, after a search without a result. */
    keep(text: string): number {
      const least = Math.min(LONGEST_MARK - 1, text.length);
      const first = text.charCodeAt(text.length - least);
      // What is passed on may be encoded at once, so it never ends in half a character.
      const isSecondHalf = first >= 0xdc00 && first <= 0xdfff && least < text.length;
      const kept = isSecondHalf ? least + 1 : least;
      const start = text.length - kept;
      from = Math.max(0, from - start);
      return kept;
    },
  };
};
