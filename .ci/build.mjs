// Builds the product: agents/main.ts with everything that it imports becomes dist/agents/main.js and a few chunks beside
// it, because finding and reading several hundred modules is the largest part of a cold start. A part that is imported
// late stays a chunk of its own, so that an edge reads nothing of the agents.
// agents/console/page becomes dist/console: the page for people, its script and style under hashed names, also compressed.
// docs becomes dist/guide: the guide, with a script and style of the same kind.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const folders = ["agents", "skills", "protocol", "machines", "storage", "tools", "docs"];
const builders = ["build.mjs", "guide.mjs", "guide-reference.mjs"].map((name) => join(".ci", name));
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
    .concat(["package-lock.json", ...builders].map((name) => join(root, name)))
    .reduce((newest, file) => Math.max(newest, modifiedAtMs(file)), 0);

/** Moved into place, so that a program that starts meanwhile finds the old file or the new one. */
const place = (file, contents) => {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, contents);
  renameSync(draft, file);
};

const removeOld = (folder, now, kept = new Set()) => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = join(folder, entry.name);
    if (entry.isFile() && !kept.has(entry.name) && now - modifiedAtMs(file) > keptMs) rmSync(file, { force: true });
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

/** Most of some hundred pages stay as they are from one build to the next. */
const placeChanged = (file, text) => {
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) place(file, text);
};

/** The last steps of brotli take long and save little of a large file. */
const placeCompressed = (file, contents, quality = constants.BROTLI_MAX_QUALITY) => {
  place(file, contents);
  place(`${file}.br`, brotliCompressSync(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }));
  place(`${file}.gz`, gzipSync(contents, { level: 9 }));
};

/**
 * Screens are loaded when they are opened. What they share is one file: by itself the bundler makes a file for each set
 * of screens that share a part, and the first page would ask for thirty.
 */
const sharedAsOne = (shared) => ({
  name: "shared-as-one",
  setup: (builder) => {
    builder.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === "dynamic-import" ? { path: join(resolveDir, path), namespace: "late" } : undefined,
    );
    builder.onLoad({ filter: /./, namespace: "late" }, ({ path }) => ({
      contents: [...shared.map((file) => `import "${file}";`), `export * from "${path}";`].join("\n"),
      resolveDir: dirname(path),
    }));
  },
});

/** Script and style of a page for browsers, hashed and compressed. Returns the files and the page that names them. */
const buildPage = async (root, { from, to, entries, page, plugins = [] }) => {
  const { build: bundle } = await import("esbuild");
  const { outputFiles } = await bundle({
    absWorkingDir: root,
    entryPoints: entries.map((name) => join(from, name)),
    outdir: to,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    splitting: true,
    assetNames: "[name]-[hash]",
    loader: { ".svg": "copy" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    // The package's index brings a renderer for servers along.
    alias: { "preact-iso": "preact-iso/router" },
    plugins,
    legalComments: "none",
    logLevel: "warning",
    write: false,
  });
  let html = page;
  for (const { path, contents } of outputFiles) {
    placeCompressed(path, contents);
    html = html.replace(basename(path).replace(/-[A-Z0-9]{8}\./, "."), basename(path));
  }
  return { html, files: outputFiles.map(({ path }) => path) };
};

/** Of a built script: itself and the files that come with it. */
const loadedWith = (file, known = new Set()) => {
  if (known.has(file)) return known;
  known.add(file);
  for (const [, name] of readFileSync(file, "utf8").matchAll(/(?:from|import)"\.\/([^"]+)"/g)) {
    loadedWith(join(dirname(file), name), known);
  }
  return known;
};

/** Of each screen of an agent: every script that its first page runs, so that the page can ask for all at once. */
const scriptsOf = (files, agent) => {
  const [main, list] = ["main", agent].map((name) =>
    files.find((file) => new RegExp(`^${name}-[A-Z0-9]{8}\\.js$`).test(basename(file))),
  );
  const screens = [...readFileSync(list, "utf8").matchAll(/path:"([^"]+)",[^}]*?import\("\.\/([^"]+)"\)/g)];
  return Object.fromEntries(
    screens.map(([, path, name]) => {
      const known = loadedWith(join(dirname(list), name), loadedWith(list, loadedWith(main)));
      return [path, [...known].map((file) => basename(file))];
    }),
  );
};

/** The icon with a number on it. Their names do not change: what they show does not either. */
const placeWaitingIcons = (icon, to) => {
  const drawing = readFileSync(icon, "utf8");
  for (const name of [1, 2, 3, 4, 5, 6, 7, 8, 9, "more"]) {
    const text = name === "more" ? "9+" : name;
    const mark =
      '<circle cx="16" cy="8" r="8" fill="#b1271f"/><text x="16" y="12" fill="#fff" font-family="sans-serif" ' +
      `font-size="${name === "more" ? 9 : 11}" font-weight="700" text-anchor="middle">${text}</text>`;
    placeCompressed(join(to, `waiting-${name}.svg`), Buffer.from(drawing.replace("</svg>", `${mark}</svg>`)));
  }
};

/** Old files stay as chunks do, for a page that is open. */
export const buildConsole = async (root) => {
  const from = join(root, "agents", "console", "page");
  const to = join(root, "dist", "console");
  const page = readFileSync(join(from, "shell.html"), "utf8");
  const shared = ["agent", "charts", "grid", "parts"]
    .flatMap((folder) => readdirSync(join(from, folder)).map((name) => `./${folder}/${name}`))
    .filter((name) => !name.endsWith(".generated.ts"));
  const plugins = [sharedAsOne(shared.map((name) => join(from, name)))];
  const entries = ["main.tsx", "style.css", "icon.svg"];
  const { html, files } = await buildPage(root, { from, to, entries, page, plugins });
  placeWaitingIcons(join(from, "icon.svg"), to);
  place(join(to, "index.html"), html);
  const scripts = { seller: scriptsOf(files, "seller"), buyer: scriptsOf(files, "buyer") };
  place(join(to, "scripts.json"), JSON.stringify(scripts));
  return files;
};

const hashOf = (text) =>
  createHash("sha256")
    .update(text)
    .digest("base64url")
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(0, 8);

/** A page that is no longer written is no longer served. */
const removeForgotten = (folder, files) => {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (/\.(html|md)$/.test(name) && !files.has(name.replaceAll("\\", "/")))
      rmSync(join(folder, name), { force: true });
  }
};

/** Returns what is wrong with links, and names of pages that no list shows. */
export const buildGuide = async (root) => {
  const { renderGuide } = await import("./guide.mjs");
  const to = join(root, "dist", "guide");
  const from = join(root, "agents", "console", "page");
  const { files, search, images, problems, unlisted } = renderGuide(root);
  const index = `search-${hashOf(search)}.json`;
  if (!existsSync(join(to, `${index}.gz`))) placeCompressed(join(to, index), search, 4);
  for (const name of images) place(join(to, name), readFileSync(join(root, "docs", "images", name)));
  const names = { "search.json": index };
  const entries = [join("guide", "main.ts"), join("guide", "guide.css"), "icon.svg"];
  for (const file of (await buildPage(root, { from, to, entries, page: "" })).files) {
    names[basename(file).replace(/-[A-Z0-9]{8}\./, ".")] = basename(file);
  }
  for (const [name, text] of files) {
    const linked = name.endsWith(".html")
      ? text.replace(/(?<="\/guide\/assets\/)[\w.-]+/g, (asked) => names[asked] ?? asked)
      : text;
    placeChanged(join(to, name), linked);
  }
  removeForgotten(to, files);
  const assets = Object.values(names).flatMap((name) => [name, `${name}.br`, `${name}.gz`]);
  removeOld(to, Date.now(), new Set([...files.keys(), ...images, ...assets]));
  return { problems, unlisted, files: [...files.keys()] };
};

/** `parley/client`: one file for every platform that has fetch and Web Crypto. */
const buildClient = async (root) => {
  const { build: bundle } = await import("esbuild");
  const { outputFiles } = await bundle({
    absWorkingDir: root,
    entryPoints: [join(root, "protocol", "client-package", "index.ts")],
    outdir: join(root, "dist", "client"),
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    logLevel: "warning",
    write: false,
  });
  for (const { path, contents } of outputFiles) place(path, contents);
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
  await buildGuide(root);
  await buildClient(root);
  // The entry comes last: when it is there, so are the chunks that it names.
  const entry = join(root, "dist", "agents", "main.js");
  for (const { path, contents } of outputFiles.filter(({ path }) => path !== entry)) place(path, contents);
  place(entry, outputFiles.find(({ path }) => path === entry).contents);
  for (const folder of ["chunks", "console"]) removeOld(join(root, "dist", folder), startedAt.getTime());
  place(stamp, "");
  // What is changed from here on, while it was built too, is newer than the build.
  utimesSync(stamp, startedAt, startedAt);
};
