import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildOptions } from "esbuild";

const findRoot = (): string => {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error("the checkout's package.json was not found");
    folder = parent;
  }
  return folder;
};

export const checkout = findRoot();

const edgeFile = (...parts: string[]): string => join(checkout, "agents", "edge", ...parts);

/** The options under which the core must bundle: no platform at all, only what web standards give. */
export const neutral = {
  bundle: true,
  write: false,
  platform: "neutral",
  format: "esm",
  mainFields: ["module", "main"],
  conditions: ["import", "default"],
  target: "es2022",
  logLevel: "silent",
} satisfies BuildOptions;

const bundled = async (options: BuildOptions): Promise<string> => {
  const { build } = await import("esbuild");
  const text = (await build({ ...options, write: false })).outputFiles[0]?.text;
  if (text === undefined) throw new Error("the bundler wrote nothing");
  return text;
};

export const bundleLeaf = (runtime: "bun" | "deno" | "workerd"): Promise<string> =>
  bundled({ ...neutral, entryPoints: [edgeFile("runtimes", runtime, "entry.ts")], external: ["node:*"] });

/** Short pieces, so that a change of the library is a readable change of the generated file. */
const pieces = (text: string): string[] => text.match(/.{1,80}/gsu) ?? [];

/** The browser library as the module that the edge serves it from: its text and the SHA-256 of its bytes. */
export const tsjsModule = async (): Promise<string> => {
  const text = await bundled({
    bundle: true,
    platform: "browser",
    format: "iife",
    target: "es2022",
    minify: true,
    logLevel: "silent",
    entryPoints: [edgeFile("browser", "main.ts")],
  });
  const hash = createHash("sha256").update(text).digest("hex");
  return [
    "// Built from agents/edge/browser by `npm run gen`; never edited by hand.",
    `export const bundleHash = ${JSON.stringify(hash)};`,
    "export const bundleText = [",
    ...pieces(text).map((piece) => `  ${JSON.stringify(piece)},`),
    '].join("");',
    "",
  ].join("\n");
};
