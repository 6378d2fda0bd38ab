import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { readTestConfig } from "../edge/harness/cases.ts";
import { call } from "../edge/harness/client.ts";
import { SECRETS } from "../edge/harness/edge.ts";
import { startUpstream, type Upstream } from "../edge/harness/upstream.ts";
import { buildProduct, parley, type Running, startParley } from "./program.ts";

const root = mkdtempSync(join(tmpdir(), "parley-edge-workers-"));
const secrets = join(root, "secrets.json");
writeFileSync(secrets, JSON.stringify(SECRETS));
const ADMIN = `Basic ${Buffer.from(`ops:${SECRETS["admin-entry"] ?? ""}`).toString("base64")}`;
const ALPHA = `Bearer ${SECRETS["alpha-token"] ?? ""}`;

let upstream: Upstream;
beforeAll(async () => {
  buildProduct();
  upstream = await startUpstream();
});
afterAll(async () => {
  await upstream.close();
  rmSync(root, { recursive: true, force: true });
});

describe("parley edge --workers", () => {
  let edge: Running;
  let url: string;
  const start = async (name: string, config: string): Promise<void> => {
    const file = join(root, `${name}.toml`);
    writeFileSync(file, config);
    const files = ["--config", file, "--secrets", secrets, "--data", join(root, name)];
    edge = startParley(["edge", "--port", "0", "--workers", "3", ...files], { OUTBOUND_ALLOW: "127.0.0.1" });
    await edge.until("listening on");
    url = /listening on (http:\S+)/.exec(edge.out())?.[1] ?? "";
  };
  afterEach(() => edge.stop("SIGKILL"));

  const workersIn = (log: string): Set<unknown> =>
    new Set(
      log
        .split("\n")
        .filter((line) => line.includes('"event":"auction"'))
        .map((line) => (JSON.parse(line) as { worker: number }).worker),
    );
  const many = <T>(count: number, one: (index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => one(index)));
  const page = () => call(url, { path: "/page" });

  it("serves with every worker on one port, and ends all of them within five seconds of SIGTERM", async () => {
    await start("serve", readTestConfig("base", upstream));
    const auction = () => call(url, { method: "POST", path: "/auction", body: '{"adUnits":[]}' });
    const answers = await many(60, auction);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(workersIn(edge.err()).size).toBe(3);
    const metrics = await call(url, { path: "/_ts/admin/metrics", headers: { authorization: ADMIN } });
    expect(metrics.status).toBe(200);
    const auctions = async (): Promise<unknown[]> => {
      const seen = await call(url, { path: "/_ts/admin/auctions", headers: { authorization: ADMIN } });
      return (JSON.parse(seen.body.toString()) as { auctions: unknown[] }).auctions;
    };
    await expect.poll(async () => (await auctions()).length, { timeout: 5_000 }).toBe(60);
    const startedAt = Date.now();
    expect(await edge.stop("SIGTERM")).toBe(0);
    expect(Date.now() - startedAt).toBeLessThan(5_000);
    await expect(page()).rejects.toThrow(/ECONNREFUSED/);
  });

  it("counts rate limits and requests over all workers, and keeps one set of keys", async () => {
    const config = readTestConfig("identity", upstream).replace(/batch_rate_limit = \d+/g, "");
    await start(
      "share",
      config.replace('api_token = "alpha-token"', 'api_token = "alpha-token"\nbatch_rate_limit = 7'),
    );
    const sync = () =>
      call(url, {
        method: "POST",
        path: "/_ts/api/v1/batch-sync",
        headers: { authorization: ALPHA, "content-type": "application/json" },
        body: '{"mappings":[]}',
      });
    const statuses = (await many(30, sync)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(7);
    expect(statuses.filter((status) => status === 429)).toHaveLength(23);
    await new Promise((resolve) => setTimeout(resolve, 1_300));
    const metrics = await call(url, { path: "/_ts/admin/metrics", headers: { authorization: ADMIN } });
    expect(metrics.body.toString()).toContain('edge_responses_total{status="429"} 23');
  });

  it("replaces a worker that was killed, and goes on answering", async () => {
    await start("killed", readTestConfig("base", upstream));
    await many(30, () => call(url, { method: "POST", path: "/auction", body: '{"adUnits":[]}' }));
    const victims = [...workersIn(edge.err())] as number[];
    process.kill(victims[0] ?? 0, "SIGKILL");
    await expect.poll(() => edge.err()).toContain('"event":"worker_ended"');
    expect((await many(20, page)).map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
    await expect
      .poll(
        async () => {
          await many(30, () => call(url, { method: "POST", path: "/auction", body: '{"adUnits":[]}' }));
          return [...workersIn(edge.err())].filter((pid) => !victims.includes(pid as number)).length;
        },
        { timeout: 10_000 },
      )
      .toBe(1);
    expect(edge.err()).toMatch(/"worker_ended","pid":\d+,"code":null,"signal":"SIGKILL"/);
  });

  it("names a count that is none", async () => {
    await start("odd", readTestConfig("base", upstream));
    for (const count of ["0", "257", "-1", "two", ""]) {
      const { code, err } = parley(["edge", "--workers", count]);
      expect([code === 0, err]).toEqual([false, expect.stringContaining("is no number from 1 to 256")]);
    }
  });
});
