import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serve } from "../../../agents/server/serve.ts";
import { defaultBodyLimits } from "../../../protocol/neutral/json-input.ts";
import { type McpHttp, mcpRoutes } from "../../../tools/http.ts";
import type { McpSurface } from "../../../tools/surface/surface.ts";
import { openWorld, type World } from "../../skills/world.ts";
import { conformanceFixtures } from "../fixtures.ts";

/** `@modelcontextprotocol/conformance` wants a newer Node than this one, so it runs on Bun. */
const bun = resolve("node_modules/.bin/bun");
const runner = resolve("node_modules/@modelcontextprotocol/conformance/dist/index.js");
const baseline = resolve("test/conformance/mcp/expected-failures.yml");

let world: World;
let folder: string;
beforeAll(async () => {
  [world, folder] = await Promise.all([openWorld(), mkdtemp(join(tmpdir(), "parley-mcp-conformance-"))]);
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

const withServer = async <T>(fixtures: readonly McpSurface[], use: (url: string) => Promise<T>): Promise<T> => {
  const mcp: McpHttp = mcpRoutes({
    runner: world.runner,
    store: world.store,
    info: { name: "conformance", title: "Conformance", version: "0.0.0" },
    instructions: "Tools of a seller.",
    limits: defaultBodyLimits,
    sessions: { most: 200, idleMs: 600_000 },
    nowMs: Date.now,
    allowedHosts: ["localhost", "127.0.0.1", "[::1]"],
    fixtures,
  });
  const about = { name: "seller", title: "Seller", version: "0.0.0", description: "A seller." } as const;
  const agent = {
    ...about,
    runner: world.runner,
    errorShape: "wrapped",
    pages: [],
    stop: async () => undefined,
  } as const;
  const served: Served = await serve(agent, { host: "127.0.0.1", port: 0, log: silent, doors: mcp.routes });
  try {
    return await use(`${served.url}/mcp`);
  } finally {
    await mcp.close();
    await served.close();
  }
};

type Revision = "2025-11-25" | "2026-07-28";

const run = async (url: string, revision: Revision, more: readonly string[] = []) => {
  const args = [runner, "server", "--url", url, "--requirements", revision, "-o", folder, ...more];
  const child = spawn(bun, args, { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  const [out, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, said: `${out}${errors}` };
};

/** Extensions and what came after the revision run too, and do not count. */
const scoredFailures = (said: string): readonly string[] => {
  const unscored = [...said.matchAll(/^ {2}[✓✗] (\S+) \(/gm)].map(([, name]) => name);
  const failed = [...said.matchAll(/^✗ ([^:\s]+):/gm)].map(([, name]) => name as string);
  return failed.filter((name) => !unscored.includes(name));
};

const passed = (said: string): number => [...said.matchAll(/^✓ /gm)].length;

test.each<[Revision, number]>([
  ["2025-11-25", 30],
  ["2026-07-28", 37],
])(
  "every required scenario of %s passes on the production path with the runner's fixtures",
  async (revision, required) => {
    const { code, said } = await withServer([conformanceFixtures], (url) => run(url, revision));
    expect([scoredFailures(said), code]).toEqual([[], 0]);
    expect(passed(said)).toBeGreaterThanOrEqual(required);
  },
);

test("without fixtures nothing fails but what the baseline lists, and all of that does", async () => {
  const { code, said } = await withServer([], (url) => run(url, "2025-11-25", ["--expected-failures", baseline]));
  expect([code, code === 0 ? "" : said.slice(-3000)]).toEqual([0, ""]);
});
