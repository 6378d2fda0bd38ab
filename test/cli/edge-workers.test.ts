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
const CONSENT = "CQtAQoAQtAQoAAbABAENCWEAAPAAAAAAAAAAAAAAAAAA";
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
    let sent = 0;
    const served = async (): Promise<number> => {
      const answers = await many(60, auction);
      sent += answers.filter(({ status }) => status === 200).length;
      return workersIn(edge.err()).size;
    };
    await expect.poll(served).toBe(3);
    expect(sent % 60).toBe(0);
    const metrics = await call(url, { path: "/_ts/admin/metrics", headers: { authorization: ADMIN } });
    expect(metrics.status).toBe(200);
    const auctions = async (): Promise<unknown[]> => {
      const seen = await call(url, { path: "/_ts/admin/auctions", headers: { authorization: ADMIN } });
      return (JSON.parse(seen.body.toString()) as { auctions: unknown[] }).auctions;
    };
    await expect.poll(async () => (await auctions()).length).toBe(Math.min(sent, 200));
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
    const metrics = async (): Promise<string> =>
      (await call(url, { path: "/_ts/admin/metrics", headers: { authorization: ADMIN } })).body.toString();
    await expect.poll(metrics).toContain('edge_responses_total{status="429"} 23');
  });

  it("makes a key for each of many rotations at once, also when a worker dies in the middle of them", async () => {
    await start("keys", readTestConfig("base", upstream));
    const rotate = (body = ""): Promise<number> =>
      call(url, { method: "POST", path: "/_ts/admin/keys/rotate", headers: { authorization: ADMIN }, body }).then(
        ({ status }) => status,
        () => 0,
      );
    const keys = async (): Promise<string[]> => {
      const got = await call(url, { path: "/.well-known/parley-edge.json" });
      return (JSON.parse(got.body.toString()) as { jwks: { keys: { kid: string }[] } }).jwks.keys.map(({ kid }) => kid);
    };
    await many(60, () => call(url, { method: "POST", path: "/auction", body: '{"adUnits":[]}' }));
    expect(await many(10, () => rotate())).toEqual(Array<number>(10).fill(200));
    expect(new Set(await keys()).size).toBe(11);
    const same = await many(5, () => rotate('{"kid":"same"}'));
    expect([same.filter((status) => status === 200).length, same.filter((status) => status === 409).length]).toEqual([
      1, 4,
    ]);
    const victim = [...workersIn(edge.err())][0] as number;
    const known = (await keys()).length;
    let made = 0;
    const interrupted = many(30, async () => {
      const status = await rotate();
      if (status === 200) made += 1;
    });
    await expect.poll(() => made).toBeGreaterThan(3);
    process.kill(victim, "SIGKILL");
    await interrupted;
    expect(await rotate()).toBe(200);
    expect((await keys()).length).toBeGreaterThanOrEqual(known + made + 1);
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

  it("a worker killed in the middle of auctions takes its own with it, and no other", async () => {
    const patient = "timeout_ms = 30000";
    const config = readTestConfig("auction", upstream)
      .replace("[auction]\nenabled = true", `[auction]\nenabled = true\n${patient}`)
      .replace('profile = "prebid-server"', `profile = "prebid-server"\n${patient}`);
    await start("auctions", config);
    await many(30, () => call(url, { method: "POST", path: "/auction", body: '{"adUnits":[]}' }));
    const victim = [...workersIn(edge.err())][0] as number;
    const bid = { id: "b", impid: "top", price: 2, w: 300, h: 250, adm: "<b>" };
    const body = JSON.stringify({ seatbid: [{ seat: "alpha", bid: [bid] }] });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    upstream.script({ "/openrtb2/auction": { held, headers: { "content-type": "application/json" }, body } });
    const unit = { code: "top", mediaTypes: { banner: { sizes: [[300, 250]] } } };
    const sell = (): Promise<number> =>
      call(url, {
        method: "POST",
        path: "/auction",
        headers: { cookie: `euconsent-v2=${CONSENT}` },
        body: JSON.stringify({ adUnits: [unit] }),
      }).then(
        ({ status }) => status,
        () => 0,
      );
    const asked = many(12, sell);
    await expect.poll(() => upstream.seen.length).toBe(12);
    process.kill(victim, "SIGKILL");
    await expect.poll(() => edge.err()).toContain('"event":"worker_ended"');
    release();
    const statuses = await asked;
    expect(statuses.filter((status) => status !== 200 && status !== 0)).toEqual([]);
    const answered = statuses.filter((status) => status === 200).length;
    const won = () => edge.err().match(/"event":"auction".*"winners":1/g)?.length ?? 0;
    await expect.poll(won).toBe(answered);
    expect(await many(10, sell)).toEqual(Array<number>(10).fill(200));
    await expect.poll(won).toBe(answered + 10);
  });

  it("names a count that is none", async () => {
    await start("odd", readTestConfig("base", upstream));
    for (const count of ["0", "257", "-1", "two", ""]) {
      const { code, err } = parley(["edge", "--workers", count]);
      expect([code === 0, err]).toEqual([false, expect.stringContaining("is no number from 1 to 256")]);
    }
  });
});
