import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { checkout, neutral } from "../../../agents/edge/runtimes/bundle.ts";

const EDGE = join(checkout, "agents", "edge");

const bundleCore = (extra: string) =>
  build({
    ...neutral,
    stdin: { contents: `export * from "./app.ts";\n${extra}`, resolveDir: EDGE, loader: "ts" },
  });

const coreFiles = async (folder = EDGE): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ["runtimes", "browser"].includes(entry.name) ? [] : coreFiles(path);
    return path.endsWith(".ts") && entry.name !== "command.ts" ? [path] : [];
  });
  return (await Promise.all(found)).flat();
};

/** Comments and texts may mention anything. */
const codeOf = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "").replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""');

const PLATFORM_WORDS = /(?<![.\w])(?:process|Buffer|Deno|Bun|require|__dirname|Intl)\b|\beval\(|new Function\(/;

describe("the edge core knows no runtime", () => {
  test("it bundles for a neutral platform", async () => {
    const result = await bundleCore("");
    expect(result.errors).toEqual([]);
    expect(result.outputFiles?.[0]?.text).not.toMatch(/from\s*"node:/);
  });

  test.each(["node:fs", "node:http", "koa"])("the same build fails when %s is imported", async (name) => {
    await expect(bundleCore(`import * as x from "${name}"; export const y = x;`)).rejects.toThrow(/Could not resolve/);
  });

  test("no file of it names a platform's global, or makes code at run time", async () => {
    const files = await coreFiles();
    expect(files.length).toBeGreaterThan(60);
    for (const file of files) {
      const found = PLATFORM_WORDS.exec(codeOf(await readFile(file, "utf8")));
      expect(`${file}: ${found?.[0] ?? "nothing"}`).toBe(`${file}: nothing`);
    }
    expect(PLATFORM_WORDS.test(codeOf("const a = process.env;"))).toBe(true);
  });

  test("the leaves of B, C and D and the browser modules have no type error", async () => {
    const compiler = join(checkout, "node_modules", "typescript", "bin", "tsc");
    for (const project of ["runtimes", "browser"]) {
      const { stdout } = await promisify(execFile)(process.execPath, [compiler, "-p", join(EDGE, project)]);
      expect(stdout).toBe("");
    }
  });
});
