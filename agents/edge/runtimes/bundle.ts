import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/**
 * As much of the bundler as is used here. It is a development dependency, so its own types are not there where only
 * the product is installed, and its name must not be one that the compiler looks up.
 */
interface BundleOptions {
  readonly bundle: true;
  readonly write: false;
  readonly platform: "neutral" | "browser";
  readonly format: "esm" | "iife";
  readonly target: string;
  readonly [option: string]: unknown;
}

interface BundleResult {
  readonly outputFiles?: readonly { readonly text: string }[];
}

interface Bundler {
  build(options: BundleOptions): Promise<BundleResult>;
}

const bundlerName: string = "esbuild";

const findRoot = (): string => {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error("the checkout's package.json was not found");
    folder = parent;
  }
  return folder;
};

/** Folder of the checkout: leaves and browser modules are bundled from their sources. */
export const CHECKOUT = findRoot();

const edgeFile = (...parts: string[]): string => join(CHECKOUT, "agents", "edge", ...parts);

/** The bundler is a development tool: runtime A and the packaged product never load it. */
const bundler = async (): Promise<Bundler> => {
  try {
    return (await import(bundlerName)) as Bundler;
  } catch {
    throw new Error("runtimes B, C and D need the development dependencies; run `npm install --include=dev`");
  }
};

/** The options under which the core must bundle: no platform at all, only what web standards give. */
export const NEUTRAL: BundleOptions = {
  bundle: true,
  write: false,
  platform: "neutral",
  format: "esm",
  mainFields: ["module", "main"],
  conditions: ["import", "default"],
  target: "es2022",
  logLevel: "silent",
};

const firstText = (result: BundleResult): string => {
  const text = result.outputFiles?.[0]?.text;
  if (text === undefined) throw new Error("the bundler wrote nothing");
  return text;
};

/** Text of one leaf's bundle; `node:` modules stay imports, which all three runtimes have. */
export const bundleLeaf = async (runtime: "bun" | "deno" | "workerd"): Promise<string> => {
  const esbuild = await bundler();
  return firstText(
    await esbuild.build({ ...NEUTRAL, entryPoints: [edgeFile("runtimes", runtime, "entry.ts")], external: ["node:*"] }),
  );
};

/** Short pieces, so that a change of the library is a readable change of the generated file. */
const pieces = (text: string): string[] => text.match(/.{1,80}/gsu) ?? [];

/** The browser library as the module that the edge serves it from: its text and the SHA-256 of its bytes. */
export const tsjsModule = async (): Promise<string> => {
  const esbuild = await bundler();
  const text = firstText(
    await esbuild.build({
      bundle: true,
      write: false,
      platform: "browser",
      format: "iife",
      target: "es2022",
      minify: true,
      logLevel: "silent",
      entryPoints: [edgeFile("browser", "main.ts")],
    }),
  );
  const hash = createHash("sha256").update(text).digest("hex");
  return [
    "// Built from agents/edge/browser by `node dist/agents/edge/runtimes/bundle.js`; never edited by hand.",
    `export const BUNDLE_HASH = ${JSON.stringify(hash)};`,
    "export const BUNDLE_TEXT = [",
    ...pieces(text).map((piece) => `  ${JSON.stringify(piece)},`),
    '].join("");',
    "",
  ].join("\n");
};

export const TSJS_FILE = edgeFile("publisher", "tsjs.generated.ts");

/** Rewrites the generated module; answers whether it changed. */
const generateTsjs = async (): Promise<boolean> => {
  const fresh = await tsjsModule();
  const old = await readFile(TSJS_FILE, "utf8").catch(() => "");
  if (fresh !== old) await writeFile(TSJS_FILE, fresh);
  return fresh !== old;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await generateTsjs();
