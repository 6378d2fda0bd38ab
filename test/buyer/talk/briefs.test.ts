import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jobsOf, openTalk, type Talker } from "./talker.ts";

type Members = Readonly<Record<string, unknown>>;

interface Turn {
  readonly say: string;
  /** Of the brief after the turn; of an object member only what is named here. */
  readonly brief?: Members;
  readonly without?: readonly string[];
  readonly says?: readonly string[];
  readonly not?: readonly string[];
  /** Whether a yes would start it. */
  readonly asks?: boolean;
  /** No brief is open after the turn. */
  readonly empty?: true;
}

interface Dialogue {
  readonly title: string;
  readonly turns: readonly Turn[];
}

const dialogues = JSON.parse(readFileSync(new URL("briefs.json", import.meta.url), "utf8")) as readonly Dialogue[];

const isSame = (name: string, shown: unknown, meant: unknown): boolean => {
  if (name === "channels") return isDeepStrictEqual([...((shown as string[]) ?? [])].toSorted(), meant);
  if (typeof meant !== "object" || meant === null || Array.isArray(meant)) return isDeepStrictEqual(shown, meant);
  return Object.entries(meant).every(([key, value]) => (shown as Members | undefined)?.[key] === value);
};

const wrongIn = (turn: Turn, text: string, understood: Members): readonly string[] => {
  const shown = (understood["brief"] ?? understood) as Members;
  const said = text.toLowerCase();
  const asks = text.includes("Shall I start it?");
  return [
    ...Object.entries(turn.brief ?? {})
      .filter(([name, meant]) => !isSame(name, shown[name], meant))
      .map(([name]) => `${name} is ${JSON.stringify(shown[name])}`),
    ...(turn.without ?? []).filter((name) => shown[name] !== undefined).map((name) => `has ${name}`),
    ...(turn.says ?? []).filter((words) => !said.includes(words.toLowerCase())).map((words) => `lacks ${words}`),
    ...(turn.not ?? []).filter((words) => said.includes(words.toLowerCase())).map((words) => `says ${words}`),
    ...(turn.asks === undefined || turn.asks === asks ? [] : [asks ? "asks to start" : "does not ask to start"]),
    ...(turn.empty === true && Object.keys(shown).length > 0 ? ["a brief is open"] : []),
  ];
};

describe("briefs and their corrections", () => {
  let talker: Talker;
  beforeAll(async () => {
    talker = await openTalk();
  });
  afterAll(() => talker.close());

  test.each(dialogues.map((one) => [one.title, one] as const))("%s", async (title, { turns }) => {
    const wrong: string[] = [];
    for (const [place, turn] of turns.entries()) {
      const { text, data } = await talker.say(turn.say, { context: title });
      const found = wrongIn(turn, text, data["understood"] as Members);
      if (found.length > 0) wrong.push(`${place + 1}. ${turn.say}\n   ${found.join("; ")}\n   ${text}`);
    }
    expect(wrong.join("\n\n")).toBe("");
    expect(await jobsOf(talker)).toEqual([]);
  });
});
