// `npm run gen`: takes the examples from the exemplary cases, compiles, and writes the generated documents anew.
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const run = (...args) => execFileSync(process.execPath, args, { cwd: root, stdio: ["ignore", 2, 2] });

run(join("node_modules", "vitest", "vitest.mjs"), "run", join("test", "skills", "examples.test.ts"), "--update");
run(join("node_modules", "typescript", "bin", "tsc"), "-p", ".");
const { writeGenerated } = await import("../dist/agents/commands/generate.js");
await writeGenerated(root);
