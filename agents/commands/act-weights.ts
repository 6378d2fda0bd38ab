import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { exampleGroups as buyerGroups, lessonsOf as buyerLessons } from "../../skills/buyer/talk/acts/lessons.ts";
import { sounds as buyerSounds } from "../../skills/buyer/talk/acts/sounds.ts";
import { packed } from "../../skills/understanding/reading/choice/act-model.ts";
import { sounds } from "../../skills/understanding/reading/choice/sounds.ts";
import { createProductFinder } from "../../skills/understanding/reading/product-finder.ts";
import { phrasesByAct } from "../../skills/understanding/phrases.ts";
import { exampleGroups, lessonsOf, phraseGroups } from "../../skills/understanding/training/lessons.ts";
import { type Lesson, trained } from "../../skills/understanding/training/trainer.ts";
import { defaultProducts } from "../seller/catalog/default-products.ts";
import { sellerOperations } from "../seller/operations.ts";

/** Two folders up from here and from the bundle in dist. */
const root = join(import.meta.dirname, "..", "..");

interface Course {
  /** Where its examples are. */
  readonly folder: string;
  /** Where its weights are written. */
  readonly path: string;
  /** What the weights follow from, besides the sentences. */
  readonly sources: readonly string[];
  readonly phrases: ReadonlyMap<string, readonly string[]>;
  readonly names: readonly string[];
  lessons(texts: readonly string[]): readonly Lesson[];
}

const learning = [
  "skills/understanding/reading/choice/features.ts",
  "skills/understanding/reading/choice/act-model.ts",
  "skills/understanding/training/trainer.ts",
];

const named = ["CTV", "native", "pre-roll", "the homepage"];

/** Dates are read from a day that no lesson depends on. */
const readAtMs = Date.UTC(2026, 10, 23, 12);

const ownPhrases = phrasesByAct(sellerOperations.map(({ contract }) => contract));

const ofSeller: Course = {
  folder: "skills/understanding/examples",
  path: "skills/understanding/reading/choice/weights.generated.ts",
  sources: [...learning, "skills/understanding/reading/choice/sounds.ts", "skills/understanding/training/lessons.ts"],
  phrases: ownPhrases,
  names: sounds,
  lessons: (texts) => {
    const groups = texts.flatMap((text) => exampleGroups.parse(JSON.parse(text)));
    return lessonsOf([...phraseGroups(ownPhrases, named), ...groups], createProductFinder(defaultProducts), readAtMs);
  },
};

const ofBuyer: Course = {
  folder: "skills/buyer/talk/examples",
  path: "skills/buyer/talk/acts/weights.generated.ts",
  sources: [...learning, ...["sounds", "hearing", "lessons"].map((name) => `skills/buyer/talk/acts/${name}.ts`)],
  phrases: new Map(),
  names: buyerSounds,
  lessons: (texts) => buyerLessons(texts.flatMap((text) => buyerGroups.parse(JSON.parse(text)))),
};

const exampleTexts = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .map((name) => readFileSync(join(root, folder, name), "utf8"));

const columns = 110;

const asModule = (digest: string, text: string): string => `// Trained by \`npm run gen\`; never edited by hand.
// Digest of what it was trained on: ${digest}
${text}`;

/** Training is skipped where nothing that it depends on has changed. */
const weightsOf = ({ folder, path, sources, phrases, names: labels, lessons }: Course): string => {
  const texts = exampleTexts(folder);
  const hash = createHash("sha256").update(JSON.stringify([...phrases]));
  for (const text of [...texts, ...sources.map((source) => readFileSync(join(root, source), "utf8"))])
    hash.update(text);
  const digest = hash.digest("hex");
  const before = readFileSync(join(root, path), "utf8");
  if (before.includes(digest)) return before;
  const { names, step, rows } = packed(trained(lessons(texts), labels.length), labels);
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

/** The generated modules by their paths. */
export const actWeights = (): readonly (readonly [path: string, text: string])[] =>
  [ofSeller, ofBuyer].map((course) => [course.path, weightsOf(course)] as const);
