// Node 20 runs no TypeScript, so the benches are bundled.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const outdir = join(here, "..", "..", "node_modules", ".cache", "parley-bench", String(process.pid));

// A bundled module that asks for its own path must get that of its source.
const keepPlaces = {
  name: "keep-places",
  setup: (builder) =>
    builder.onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      loader: "ts",
      contents: readFileSync(path, "utf8").replaceAll("import.meta.dirname", JSON.stringify(dirname(path))),
    })),
};

mkdirSync(outdir, { recursive: true });
try {
  await build({
    entryPoints: readdirSync(here)
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join(here, name)),
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    sourcemap: "inline",
    logLevel: "warning",
    plugins: [keepPlaces],
  });
  const flags = (process.env["PARLEY_BENCH_NODE_FLAGS"] ?? "").split(" ").filter((flag) => flag !== "");
  const args = ["--enable-source-maps", ...flags, join(outdir, "main.js"), ...process.argv.slice(2)];
  process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1;
} finally {
  if (process.env["KEEP"] === undefined) rmSync(outdir, { recursive: true, force: true });
}
