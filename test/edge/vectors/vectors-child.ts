import { computeAll } from "./compute.ts";
import vectors from "./vectors.json" with { type: "json" };

const write = async (): Promise<void> => console.log(JSON.stringify(await computeAll(vectors)));

/** Two runtimes run this as a program; the third calls the default export. */
if ("Bun" in globalThis || "Deno" in globalThis) await write();

// oxlint-disable-next-line import/no-default-export -- the runtime looks for the module's default export.
export default { test: write };
