// Builds the product: agents/main.ts with everything that it imports becomes dist/agents/main.js and a few chunks beside
// it, because finding and reading several hundred modules is the largest part of a cold start. A part that is imported
// late stays a chunk of its own, so that an edge reads nothing of the agents.
// agents/console/page becomes dist/console: the page for people, its script and style under hashed names, also compressed.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const folders = ["agents", "skills", "protocol", "machines", "storage", "tools"];
/** Chunks of older builds stay this long, for a server that runs from this checkout and has yet to load them. */
const keptMs = 7 * 24 * 3_600_000;

const modifiedAtMs = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Folders count too: their time moves when a file is removed. */
const newestMs = (root) =>
  folders
    .flatMap((folder) => [
      join(root, folder),
      ...readdirSync(join(root, folder), { withFileTypes: true, recursive: true }).map((entry) =>
        join(entry.parentPath, entry.name),
      ),
    ])
    .concat(["package-lock.json", join(".ci", "build.mjs")].map((name) => join(root, name)))
    .reduce((newest, file) => Math.max(newest, modifiedAtMs(file)), 0);

/** Moved into place, so that a program that starts meanwhile finds the old file or the new one. */
const place = (file, contents) => {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, contents);
  renameSync(draft, file);
};

const removeOld = (folder, now) => {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (now - modifiedAtMs(file) > keptMs) rmSync(file, { force: true });
  }
};

/** Of zod's messages in some fifty languages the English ones alone are used; the others are a third of an edge. */
const englishAlone = {
  name: "english-alone",
  setup: (builder) =>
    builder.onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    })),
};

/** Options of a bundle for Node. */
export const forNode = (root) => ({
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  // The bundler itself builds the edge for other runtimes; pg-native is an optional part of pg.
  external: ["esbuild", "pg-native"],
  // Its main file is UMD, whose requires a bundler cannot follow.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  // CommonJS packages ask for Node's modules with `require`, which an ES module has only when it makes it.
  banner: {
    js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
  },
  plugins: [englishAlone],
  logLevel: "warning",
});

const bestBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

/** Old files stay as chunks do, for a page that is open. */
export const buildConsole = async (root) => {
  const { build: bundle } = await import("esbuild");
  const from = join(root, "agents", "console", "page");
  const to = join(root, "dist", "console");
  const { outputFiles } = await bundle({
    absWorkingDir: root,
    entryPoints: ["main.tsx", "style.css", "icon.svg"].map((name) => join(from, name)),
    outdir: to,
    entryNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    loader: { ".svg": "copy" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    logLevel: "warning",
    write: false,
  });
  let html = readFileSync(join(from, "shell.html"), "utf8");
  for (const { path, contents } of outputFiles) {
    place(path, contents);
    place(`${path}.br`, brotliCompressSync(contents, bestBrotli));
    place(`${path}.gz`, gzipSync(contents, { level: 9 }));
    html = html.replace(basename(path).replace(/-[A-Z0-9]{8}\./, "."), basename(path));
  }
  place(join(to, "index.html"), html);
  return outputFiles.map(({ path }) => path);
};

/** Builds when a source is newer than the last build. */
export const build = async (root) => {
  const stamp = join(root, "dist", ".built");
  if (modifiedAtMs(stamp) > newestMs(root)) return;
  const startedAt = new Date();
  const { build: bundle } = await import("esbuild");
  const { outputFiles } = await bundle({
    ...forNode(root),
    entryPoints: [{ in: join("agents", "main.ts"), out: join("agents", "main") }],
    outdir: "dist",
    chunkNames: "chunks/[name]-[hash]",
    splitting: true,
    sourcemap: true,
    sourcesContent: false,
    write: false,
  });
  await buildConsole(root);
  // The entry comes last: when it is there, so are the chunks that it names.
  const entry = join(root, "dist", "agents", "main.js");
  for (const { path, contents } of outputFiles.filter(({ path }) => path !== entry)) place(path, contents);
  place(entry, outputFiles.find(({ path }) => path === entry).contents);
  for (const folder of ["chunks", "console"]) removeOld(join(root, "dist", folder), startedAt.getTime());
  place(stamp, "");
  // What is changed from here on, while it was built too, is newer than the build.
  utimesSync(stamp, startedAt, startedAt);
};
