// `npm run check`: formatting, types of product and tests, lint with types, dead code. Each step must pass.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const bin = (name) => join("node_modules", ".bin", name);
const compiler = join("node_modules", "typescript", "bin", "tsc");
const steps = [
  { name: "format", command: bin("oxfmt"), args: ["--check", "."] },
  { name: "types", command: process.execPath, args: [compiler, "-p", "."] },
  {
    name: "types of the console",
    command: process.execPath,
    args: [compiler, "-p", join("agents", "console", "page")],
  },
  { name: "lint", command: bin("oxlint"), args: ["--max-warnings=0"] },
  { name: "dead code", command: bin("knip"), args: [] },
];

const failed = [];
for (const { name, command, args } of steps) {
  process.stderr.write(`check: ${name}\n`);
  if (spawnSync(command, args, { stdio: "inherit" }).status !== 0) failed.push(name);
}
process.stderr.write(failed.length === 0 ? "check: all passed\n" : `check: failed: ${failed.join(", ")}\n`);
process.exit(failed.length === 0 ? 0 : 1);
