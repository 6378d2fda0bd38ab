import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { buildProduct, parley, type Running, startParley } from "./program.ts";

const anyPorts = ["--seller-port", "0", "--buyer-port", "0", "--edge-port", "0"];
const lastLine = "Ctrl-C stops; what was booked is kept.";

let running: Running | null = null;
let operatorKey = "";
const dir = mkdtempSync(join(tmpdir(), "parley-all-"));

const startAll = async (): Promise<Running> => {
  running = startParley(["all", "--data", dir, ...anyPorts]);
  await running.until(lastLine);
  return running;
};

const urlOf = (all: Running, agent: string): string =>
  new RegExp(`^${agent} +listening on (\\S+)$`, "m").exec(all.out())?.[1] ?? "";

const dealIds = (text: string): string[] => [...new Set(text.match(/DEMO-[0-9A-F]{12}/g) ?? [])].sort();

const statusOf = async (all: Running, id: string): Promise<string> => {
  const answer = await fetch(`${urlOf(all, "seller")}/api/v1/deals/${id}`, { headers: { "x-api-key": operatorKey } });
  return ((await answer.json()) as { status: string }).status;
};

beforeAll(buildProduct);
afterEach(async () => {
  if (running !== null && running.process.exitCode === null) await running.stop("SIGKILL");
  running = null;
});

describe("parley all", () => {
  let booked: string[] = [];

  it("the first start books the sample brief, shows the deals and each operator key once, and says nothing else", async () => {
    const all = await startAll();
    booked = dealIds(all.out());
    expect(booked.length).toBe(6);
    expect(all.out()).toMatch(/completed, 6 deals, budget 250,000\.00 USD, spent 249,999\.98, left 0\.02/);
    operatorKey = /ask_live_[\w-]{43}/.exec(all.out())?.[0] ?? "";
    expect(all.out().match(/ask_live_|abk_live_/g)).toEqual(["ask_live_", "abk_live_"]);
    const statuses = await Promise.all(booked.map((id) => statusOf(all, id)));
    expect(statuses.filter((status) => status === "proposed")).toHaveLength(5);
    const shown = booked[statuses.indexOf("active")] ?? "";
    const visit = { headers: { accept: "text/html" } };
    const page = async (): Promise<string> => (await fetch(`${urlOf(all, "edge")}/`, visit)).text();
    expect(await page()).toContain("The Sample Times");
    await expect.poll(page, { timeout: 30_000 }).toContain(`by the buyer of deal ${shown}`);
    expect((await fetch(`${urlOf(all, "buyer")}/bookings`)).status).toBe(401);
    await all.stop("SIGKILL");
  });

  it("a start after a kill keeps every deal, books nothing twice and shows no key", async () => {
    const all = await startAll();
    expect(all.out()).not.toMatch(/ask_live_|abk_live_/);
    const before = dealIds(all.out());
    expect(before.every((id) => booked.includes(id))).toBe(true);
    for (const id of booked) {
      const answer = await fetch(`${urlOf(all, "seller")}/api/v1/deals/${id}`, {
        headers: { "x-api-key": operatorKey },
      });
      expect(answer.status).toBe(200);
    }
    expect(await all.stop("SIGTERM")).toBe(0);
  });

  it("a stop in the middle of the sample ends with 0 and no word, and the next start books the rest", async () => {
    const data = ["all", "--data", join(dir, "stopped")];
    const stopped = startParley([...data, ...anyPorts]);
    running = stopped;
    await stopped.until("buyer   abk_live_");
    expect(await stopped.stop("SIGTERM")).toBe(0);
    expect([stopped.out().includes(lastLine), stopped.err()]).toEqual([false, ""]);
    // The job holds the seller's URL, so the seller must be found where it was.
    const { port } = new URL(urlOf(stopped, "seller"));
    running = startParley([...data, ...anyPorts, "--seller-port", port]);
    await running.until(lastLine);
    expect(dealIds(running.out())).toHaveLength(6);
    expect(await running.stop("SIGTERM")).toBe(0);
  });

  it("goes on when nobody reads its output any more", async () => {
    const all = startParley(["all", "--data", dir, ...anyPorts]);
    running = all;
    await all.until("edge   listening on ");
    const url = urlOf(all, "seller");
    all.process.stdout?.destroy();
    all.process.stderr?.destroy();
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect((await fetch(`${url}/products`)).status).toBe(200);
    expect(all.process.exitCode).toBe(null);
    expect(await all.stop("SIGTERM")).toBe(0);
  });

  it("two agents on one port are refused before any port is taken or folder made", () => {
    const fresh = join(dir, "one-port");
    const said = parley(["all", "--data", fresh, "--seller-port", "0", "--buyer-port", "9", "--edge-port", "9"]);
    expect(said).toMatchObject({ code: 2, out: "" });
    expect(existsSync(fresh)).toBe(false);
  });

  it("sells a catalog that is named", async () => {
    const catalog = join(dir, "own.csv");
    writeFileSync(catalog, "name,deal_types,base_cpm\nOwn Page,PD,10\n");
    running = startParley(["all", "--data", join(dir, "own"), "--catalog", catalog, ...anyPorts]);
    await running.until("edge   listening on ");
    const listed = await (await fetch(`${urlOf(running, "seller")}/products`)).text();
    expect(JSON.parse(listed)).toMatchObject({ total: 1, products: [{ name: "Own Page" }] });
    await running.stop("SIGTERM");
    const forgotten = parley(["all", "--data", join(dir, "own"), ...anyPorts]);
    expect(forgotten).toMatchObject({ code: 1, out: "" });
    expect(forgotten.err).toContain(`This seller's catalog is the file ${catalog}`);
  });

  it("a taken port stops the start with the port and the cure, and starts nothing", async () => {
    const all = await startAll();
    const port = new URL(urlOf(all, "seller")).port;
    const second = startParley(["all", "--data", join(dir, "other"), "--seller-port", port]);
    const code = await new Promise((resolve) => second.process.once("exit", resolve));
    expect(code).toBe(1);
    expect(second.out()).toBe("");
    expect(second.err()).toContain(`Port ${port} on 127.0.0.1 is taken`);
    expect(second.err()).toContain("--seller-port");
    await all.stop("SIGTERM");
    rmSync(dir, { recursive: true, force: true });
  });
});
