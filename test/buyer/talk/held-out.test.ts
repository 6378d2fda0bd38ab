import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { heardAs } from "../../../skills/buyer/talk/acts/hearing.ts";
import type { After } from "../../../skills/buyer/talk/acts/sounds.ts";

interface Group {
  readonly after: After;
  readonly act: string;
  readonly say: readonly string[];
}

const file = new URL("held-out.json", import.meta.url);
const groups = JSON.parse(readFileSync(file, "utf8")) as readonly Group[];

test("of sentences that the examples do not hold, four of five are understood", () => {
  const said = groups.flatMap(({ after, act, say }) => say.map((text) => ({ after, act, text })));
  const wrong = said.flatMap(({ after, act, text }) => {
    const [best] = heardAs(text, [], after);
    return best?.name === act ? [] : [`${text}: ${best?.name ?? ""} ${best?.share.toFixed(2) ?? ""}, not ${act}`];
  });
  expect(said.length).toBeGreaterThan(150);
  expect(wrong.length / said.length, wrong.join("\n")).toBeLessThan(0.2);
});
