// `npm run gen`: takes the examples from the exemplary cases, and writes the generated files anew.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { build } from "esbuild";
import { forNode } from "./build.mjs";

const root = join(import.meta.dirname, "..");
const vitest = [
  join("node_modules", "vitest", "vitest.mjs"),
  "run",
  join("test", "skills", "examples.test.ts"),
  "--update",
];
execFileSync(process.execPath, vitest, { cwd: root, stdio: ["ignore", 2, 2] });
await build({ ...forNode(root), entryPoints: ["agents/commands/generate.ts"], outfile: "dist/agents/generate.js" });
const { writeGenerated } = await import("../dist/agents/generate.js");
await writeGenerated(root);
