import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Expected, problemsWithPick } from "./expected.ts";
import { commitsOf, openTalker, type Said } from "./talker.ts";

/** A turn of a conversation that is checked at every turn. */
interface Turn extends Omit<Expected, "say"> {
  readonly say: string;
  /** Before it is said. */
  readonly afterHours?: number;
  readonly isNewContext?: true;
}

interface Dialogue {
  readonly name: string;
  readonly turns: readonly Turn[];
}

interface DialogueSet {
  readonly products: Readonly<Record<string, string>>;
  readonly dialogues: readonly Dialogue[];
}

/** The second has several things open side by side. */
const files = ["long-dialogues.json", "several-topics.json"];
const sets = files.map((file) => {
  const path = join(import.meta.dirname, "sets", file);
  return JSON.parse(readFileSync(path, "utf8")) as DialogueSet;
});
const products = Object.assign({}, ...sets.map((set) => set.products)) as DialogueSet["products"];
const dialogues = sets.flatMap((set) => set.dialogues);

const hourMs = 3_600_000;
/** Less would be no conversation. */
const fewestLines = 8;
/** A reply that nobody reads to its end answers nothing. */
const mostLetters = 1800;

const expectedOf = ({ say, product, ...rest }: Turn): Expected => ({
  ...rest,
  say: [say],
  ...(product === undefined ? {} : { product: products[product] ?? product }),
});

test.each(dialogues)("$name", async ({ turns }) => {
  expect(turns.length).toBeGreaterThanOrEqual(fewestLines);
  const talker = await openTalker();
  try {
    let contextId: string | undefined;
    for (const turn of turns) {
      talker.world.advance((turn.afterHours ?? 0) * hourMs);
      const to = turn.isNewContext === true ? undefined : contextId;
      let said: readonly Said[] = [];
      const commits = await commitsOf(talker, async () => {
        ({ contextId, said } = await talker.send("agency", turn.say, { contextId: to }));
      });
      const problems = await problemsWithPick(talker, expectedOf(turn), { said, commits, contextId });
      const text = said[0]?.text ?? "";
      expect(problems, `${turn.say}\n${text}`).toStrictEqual([]);
      expect(text.length, turn.say).toBeLessThan(mostLetters);
    }
  } finally {
    await talker.close();
  }
});
