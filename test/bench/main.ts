import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { wanted } from "./settings.ts";

// Every module here that exports `run()` is a bench.
const here = dirname(fileURLToPath(import.meta.url));
const names = readdirSync(here)
  .filter((name) => name.endsWith(".js") && !name.startsWith("chunk-") && name !== "main.js" && name !== "child.js")
  .map((name) => name.slice(0, -".js".length))
  .sort();

let ran = 0;
for (const name of names) {
  if (wanted.length > 0 && !wanted.some((word) => word.split("/")[0] === name)) continue;
  const { run } = (await import(new URL(`./${name}.js`, import.meta.url).href)) as { run?: () => Promise<unknown> };
  if (run === undefined) continue;
  ran += 1;
  process.stdout.write(`\n# ${name}\n`);
  const result = await run();
  if (result !== undefined) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
}
if (ran === 0) {
  process.stderr.write(`No bench is named ${wanted.join(" or ")}. Each module of test/bench with a run() is one.\n`);
  process.exitCode = 2;
}
