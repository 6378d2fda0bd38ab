import { expect } from "vitest";
import { commitsOf, openTalker } from "./talker.ts";
import { harmlessSentences } from "./sentences.ts";

const inOneTalk = 25;

export const checkHarmless = async (count: number, seed: number): Promise<void> => {
  const talker = await openTalker();
  try {
    const sentences = harmlessSentences(count, seed);
    for (let at = 0; at < sentences.length; at += inOneTalk) {
      const batch = sentences.slice(at, at + inOneTalk);
      const done = await commitsOf(talker, async () => {
        for (const { text } of batch) {
          const { contextId } = await talker.send("agency", "Quote 600k Standard Display - ROS, PD, September 2027");
          await talker.send("agency", text, { contextId });
        }
      });
      expect(done, batch.map(({ text }) => text).join("\n")).toStrictEqual([]);
    }
  } finally {
    await talker.close();
  }
};
