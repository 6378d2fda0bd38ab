import { expect, test } from "vitest";
import { addText, countTokens, noWords } from "../../../skills/seller/media-kit/words.ts";
import { seededRandom } from "../../storage/crash/random.ts";

test("media kit: a token counts once for each text that it is part of, as a scan of all texts would find", () => {
  const random = seededRandom(7);
  const word = (letters: number): string =>
    Array.from({ length: 1 + random.below(letters) }, () => "abc"[random.below(3)]).join("");
  const text = (): string => Array.from({ length: random.below(6) }, () => word(4)).join(random.below(2) ? " " : "\n ");
  for (let round = 0; round < 200; round += 1) {
    const texts = Array.from({ length: random.below(12) }, () => [text(), text()] as const);
    const indexes = [noWords(), noWords()];
    texts.forEach((pair, place) => indexes.forEach((words, at) => addText(words, pair[at] ?? "", place)));
    const tokens = [...new Set(Array.from({ length: random.below(5) }, () => word(5)))];
    const scanned = texts.map((pair, place) => ({
      place,
      tokens: tokens.filter((token) => pair.join(" ").includes(token)).length,
    }));
    expect(countTokens(texts.length, indexes, tokens)).toEqual(scanned.filter((one) => one.tokens > 0));
  }
});
