import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, type Got } from "./harness/client.ts";
import { readTestConfig } from "./harness/cases.ts";
import { SECRETS, startTestEdge, type TestEdge } from "./harness/edge.ts";
import { startUpstream, type Upstream } from "./harness/upstream.ts";

const SOURCES = join(import.meta.dirname, "..", "..", "agents", "edge");
const ADMIN = `Basic ${Buffer.from(`ops:${SECRETS["admin-entry"] ?? ""}`).toString("base64")}`;

const metricNames = (): ReadonlySet<string> => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const calls = files.flatMap((file) => [
    ...readFileSync(join(SOURCES, file), "utf8").matchAll(/metrics\.(?:add|observe)\(\s*"(edge_[a-z_]+)"/g),
  ]);
  return new Set(calls.map(([, name]) => name ?? ""));
};

describe("what an operator asks of an edge that nobody has visited", () => {
  let upstream: Upstream;
  let edge: TestEdge;
  const admin = (path: string, method = "GET", body?: string): Promise<Got> =>
    call(edge.url, { method, path, headers: { authorization: ADMIN }, ...(body === undefined ? {} : { body }) });

  beforeAll(async () => {
    upstream = await startUpstream();
    edge = await startTestEdge("A", { config: readTestConfig("base", upstream) });
  });
  afterAll(async () => {
    await edge.close();
    await upstream.close();
  });

  test("every metric has a sample line before traffic, and all of them say nothing happened", async () => {
    const page = (await admin("/_ts/admin/metrics")).body.toString();
    const names = metricNames();
    expect(names.size).toBeGreaterThan(12);
    for (const name of names) expect(page).toMatch(new RegExp(`^${name}(?:_count)?(?:\\{.*\\})? 0$`, "m"));
    expect(page).toContain('edge_batch_sync_accepted_total{partner="inttest.example.com"} 0\n');
    expect(page).not.toMatch(/ [1-9]/);
  });

  test("ten rotations at once make ten keys; a name that is taken is a conflict that says so", async () => {
    const rotated = await Promise.all(Array.from({ length: 10 }, () => admin("/_ts/admin/keys/rotate", "POST")));
    expect(rotated.map(({ status }) => status)).toEqual(Array<number>(10).fill(200));
    const kids = rotated.map(({ body }) => (JSON.parse(body.toString()) as { new_kid: string }).new_kid);
    expect(new Set(kids).size).toBe(10);
    const known = JSON.parse((await call(edge.url, { path: "/.well-known/parley-edge.json" })).body.toString()) as {
      jwks: { keys: { kid: string }[] };
    };
    expect(known.jwks.keys.map(({ kid }) => kid)).toEqual(["kid-abc", ...kids]);
    const named = await Promise.all(
      Array.from({ length: 4 }, () => admin("/_ts/admin/keys/rotate", "POST", '{"kid":"mine"}')),
    );
    const taken = named.filter(({ status }) => status === 409);
    expect([named.filter(({ status }) => status === 200).length, taken.length]).toEqual([1, 3]);
    expect(taken[0]?.body.toString()).toContain("the key mine exists already");
  });
});
