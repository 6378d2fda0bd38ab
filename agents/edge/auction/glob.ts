/**
 * Matches a text against a glob whose `*` stands for any text, slashes included. Goes back to the last star only, so
 * that no text from outside can make it slow.
 */
export const matchesGlob = (glob: string, text: string): boolean => {
  let [at, textAt, star, starText] = [0, 0, -1, 0];
  while (textAt < text.length) {
    if (glob[at] === "*") {
      star = at;
      starText = textAt;
      at += 1;
    } else if (glob[at] === text[textAt]) {
      at += 1;
      textAt += 1;
    } else if (star >= 0) {
      at = star + 1;
      starText += 1;
      textAt = starText;
    } else return false;
  }
  while (glob[at] === "*") at += 1;
  return at === glob.length;
};
