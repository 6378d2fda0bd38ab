import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Handlers may run several times, and in a dry run. */
const forbidden: readonly (readonly [what: string, form: RegExp])[] = [
  ["takes its own time", /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(/],
  ["waits or starts work", /\bset(?:Timeout|Interval|Immediate)\(/],
  ["logs beside its answer", /\b(?:context|ctx)\.log\b/],
  ["sends something", /\bfetch\(/],
  [
    "keeps something between calls",
    /^(?:let\b|const (?!\w+: Readonly(?:Map|Set)<)[^=]+ = new (?:Map|Set|WeakMap)(?:<.*>)?\(\))/m,
  ],
];

const faultsIn = (path: string, text: string): readonly string[] =>
  forbidden.filter(([, form]) => form.test(text)).map(([what]) => `${path} ${what}`);

const skillFiles = readdirSync(join(root, "skills"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => join(entry.parentPath, entry.name));

test("handlers: none acts, waits, logs or takes time outside what it is given", () => {
  expect(skillFiles.length).toBeGreaterThan(20);
  const faults = skillFiles.flatMap((path) => faultsIn(path.slice(root.length + 1), readFileSync(path, "utf8")));
  // What was said is kept with its input, for the handler that runs again with it. The search index is built from the store, a
  // page at a time, so that other requests run in between. The reader's
  // words are made from its files and read only, as are those of a product, which are kept with it.
  expect(faults.sort()).toEqual([
    "skills/buyer/talk/skill.ts keeps something between calls",
    "skills/seller/media-kit/search-index.ts keeps something between calls",
    "skills/seller/media-kit/search-index.ts waits or starts work",
    "skills/seller/plans/ranking.ts keeps something between calls",
    "skills/seller/sessions/skill.ts keeps something between calls",
    "skills/talk/reader/lexicon.ts keeps something between calls",
    "skills/talk/reader/word-lists.ts keeps something between calls",
  ]);
});

test("handlers: one that would is found", () => {
  expect(faultsIn("skills/x.ts", 'const at = Date.now();\nlet last = 0;\ncontext.log.info({}, "x");')).toEqual([
    "skills/x.ts takes its own time",
    "skills/x.ts logs beside its answer",
    "skills/x.ts keeps something between calls",
  ]);
});
