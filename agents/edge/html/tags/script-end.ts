type Mode = "plain" | "escaped" | "double";

/** `</script` plus the character that must follow it: the longest mark that a chunk boundary may cut. */
const longestMark = 9;

/**
 * Looks for the end tag of one script element over any number of chunks. A `<!--` inside a script lets a nested
 * `<script>` hide the next `</script>`; a search for the end tag alone would leave the script too early and read
 * program text as markup.
 */
export const createScriptEndFinder = () => {
  const marks = /<!--|-->|<\/?script[\t\n\f\r />]/gi;
  let mode: Mode = "plain";
  let searched = 0;

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
    find(text: string, from: number): number {
      searched = from;
      marks.lastIndex = from;
      for (let match = marks.exec(text); match !== null; match = marks.exec(text)) {
        if (step(match[0].toLowerCase())) return match.index;
        searched = marks.lastIndex;
      }
      return -1;
    },
    resumeAt(text: string): number {
      const at = Math.max(searched, text.length - longestMark + 1);
      const code = text.charCodeAt(at);
      // What is passed on may be encoded at once, so it never ends in half a character.
      const isSecondHalf = code >= 0xdc00 && code <= 0xdfff && at > searched;
      return isSecondHalf ? at - 1 : at;
    },
  };
};
