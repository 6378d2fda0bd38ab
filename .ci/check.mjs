// `npm run check`: types of the tests, lint with types, dead code, generated files. Each step must pass.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const bin = (name) => join("node_modules", ".bin", name);
const steps = [
  ["types", process.execPath, [join("node_modules", "typescript", "bin", "tsc"), "-p", "test/tsconfig.json"]],
  ["lint", bin("oxlint"), ["--max-warnings=0"]],
  ["dead code", bin("knip"), []],
];

const failed = [];
for (const [name, command, args] of steps) {
  process.stderr.write(`check: ${name}\n`);
  if (spawnSync(command, args, { stdio: "inherit" }).status !== 0) failed.push(name);
}
process.stderr.write(failed.length === 0 ? "check: all passed\n" : `check: failed: ${failed.join(", ")}\n`);
process.exit(failed.length === 0 ? 0 : 1);
