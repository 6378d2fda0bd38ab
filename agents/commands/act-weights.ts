import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packed } from "../../skills/understanding/reading/choice/act-model.ts";
import { sounds } from "../../skills/understanding/reading/choice/sounds.ts";
import { createProductFinder } from "../../skills/understanding/reading/product-finder.ts";
import { phrasesByAct } from "../../skills/understanding/phrases.ts";
import { exampleGroups, lessonsOf, phraseGroups } from "../../skills/understanding/training/lessons.ts";
import { trained } from "../../skills/understanding/training/trainer.ts";
import { defaultProducts } from "../seller/catalog/default-products.ts";
import { sellerOperations } from "../seller/operations.ts";

/** Two folders up from here and from the bundle in dist. */
const root = join(import.meta.dirname, "..", "..");
const understanding = join(root, "skills", "understanding");

export const weightsPath = "skills/understanding/reading/choice/weights.generated.ts";

/** What the weights follow from, besides the sentences. */
const sources = [
  "reading/choice/features.ts",
  "reading/choice/act-model.ts",
  "reading/choice/sounds.ts",
  "training/trainer.ts",
  "training/lessons.ts",
];

const exampleTexts = (): readonly string[] => {
  const folder = join(understanding, "examples");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .map((name) => readFileSync(join(folder, name), "utf8"));
};

const named = ["CTV", "native", "pre-roll", "the homepage"];

/** Dates are read from a day that no lesson depends on. */
const readAtMs = Date.UTC(2026, 10, 23, 12);

const columns = 110;

const asModule = (digest: string, text: string): string => `// Trained by \`npm run gen\`; never edited by hand.
// Digest of what it was trained on: ${digest}
${text}`;

/** Training is skipped where nothing that it depends on has changed. */
export const actWeights = (): string => {
  const texts = exampleTexts();
  const phrases = phrasesByAct(sellerOperations.map(({ contract }) => contract));
  const hash = createHash("sha256").update(JSON.stringify([...phrases]));
  for (const text of [...texts, ...sources.map((path) => readFileSync(join(understanding, path), "utf8"))])
    hash.update(text);
  const digest = hash.digest("hex");
  const before = readFileSync(join(root, weightsPath), "utf8");
  if (before.includes(digest)) return before;
  const groups = [...phraseGroups(phrases, named), ...texts.flatMap((text) => exampleGroups.parse(JSON.parse(text)))];
  const lessons = lessonsOf(groups, createProductFinder(defaultProducts), readAtMs);
  const { names, step, rows } = packed(trained(lessons, sounds.length), sounds);
  const lines = rows.match(new RegExp(`.{1,${columns}}`, "g")) ?? [];
  return asModule(
    digest,
    `export const weights = {
  names: ${JSON.stringify(names)},
  step: ${step},
  rows: [
${lines.map((line) => `    "${line}",`).join("\n")}
  ].join(""),
};
`,
  );
};
