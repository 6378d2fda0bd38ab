import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createBuyer } from "../../agents/buyer/app.ts";
import { openLowdbStore } from "../../storage/lowdb/driver.ts";
import type { Store } from "../../storage/store.ts";
import { buildProduct, main } from "../cli/program.ts";
import { type DoorName, openDoors } from "../doors/doors.ts";
import { covers } from "../requirements.ts";
import { startFakeSeller } from "./fake-seller.ts";
import { callAgent, logTo, movableClock, openBuyer, plainBuyer, sampleBrief, settledJob } from "./world.ts";

const folder = async (): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), "parley-inbound-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
};

const buyerOver = (store: Store) => createBuyer({ store, settings: plainBuyer, clock: movableClock(), log: logTo([]) });

const closedWithKey = async (dir: string): Promise<string> => {
  const store = await openLowdbStore({ dir });
  const buyer = buyerOver(store);
  const { output } = await callAgent(buyer, "create_operator_key", { label: "desk" });
  await buyer.stop();
  await store.close();
  return String(output["api_key"]);
};

beforeAll(buildProduct);

describe("tools", () => {
  test("health_check is the one tool without a key, and the media kit tools want one", async () => {
    covers("buyer.mcp.health-check-public", "buyer.mcp.media-kit-tools", "buyer.auth.stdio-beside-http");
    const world = await openBuyer({});
    const doors = await openDoors(world.buyer.runner, () => world.clock.nowMs());
    onTestFinished(async () => {
      await doors.close();
      await world.close();
    });
    const through = (door: DoorName, operation: string, input: unknown = {}, secret: string | null = null) =>
      doors.send(door, { caller: "", operation, input }, secret);
    expect(await through("mcp", "health_check")).toMatchObject({ code: null, body: { status: "healthy" } });
    const tools = world.buyer.runner.contracts.filter(({ closedDoors }) => closedDoors?.mcp === undefined);
    const names = tools.map(({ name }) => name).filter((name) => name !== "health_check");
    expect(names).toEqual(expect.arrayContaining(["get_seller_media_kit", "compare_sellers"]));
    for (const name of names) {
      const refused = await through("mcp", name).catch((error: unknown) => ({ code: String(error) }));
      expect(refused.code, name).toBe("authentication_required");
    }
    const { output } = await callAgent(world.buyer, "create_operator_key", { label: "desk" });
    const compared = await through("mcp", "compare_sellers", {}, String(output["api_key"]));
    expect(compared).toMatchObject({ code: null, body: { sellers_compared: 0 } });
  });

  test("local stdio is trusted in a process that serves nothing else", async () => {
    covers("buyer.auth.stdio-trusted");
    const dir = await folder();
    const args = [main, "mcp", "--agent", "buyer", "--data", dir];
    const transport = new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" });
    const client = new Client({ name: "test", version: "0.0.0" });
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    const answer = await client.callTool({ name: "list_operator_keys", arguments: {} });
    expect(answer.isError).not.toBe(true);
    expect(answer.structuredContent).toMatchObject({ keys: [], total: 0 });
    await client.close();
  }, 60_000);
});

describe("the table of keys", () => {
  test("it is added beside what is there, as often as the store is opened, and keys stay valid", async () => {
    covers("buyer.versioning.migration-additive", "buyer.versioning.keys-survive");
    const dir = await folder();
    const first = await openLowdbStore({ dir });
    const before = buyerOver(first);
    const { output } = await callAgent(before, "create_booking", { brief: sampleBrief });
    const jobId = String(output["job_id"]);
    await settledJob(before, jobId);
    const job = await callAgent(before, "get_booking", { job_id: jobId });
    await before.stop();
    await first.close();
    const secret = await closedWithKey(dir);
    for (let opening = 0; opening < 2; opening += 1) {
      const store = await openLowdbStore({ dir });
      const buyer = buyerOver(store);
      expect((await callAgent(buyer, "get_booking", { job_id: jobId })).output).toEqual(job.output);
      const admission = buyer.runner.admit({ apiKey: secret, authorization: null, address: "127.0.0.1" });
      const call = {
        operation: "get_caller",
        door: "rest",
        admission,
        requestId: "r",
        input: () => ({ input: {} }),
      } as const;
      expect(await buyer.runner.run(call)).toMatchObject({ kind: "done", output: { label: "desk" } });
      await buyer.stop();
      await store.close();
    }
  });
});

describe("a job", () => {
  test("it is pending until its flow starts, and running then", async () => {
    covers("buyer.jobs.pending-running");
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let wasAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => (wasAsked = resolve));
    const seller = await startFakeSeller({
      products: (response) => {
        wasAsked();
        void held.then(() => response.end("[]"));
        return true;
      },
    });
    const world = await openBuyer({ sellers: [{ url: seller.url, key: null, headerType: "api_key" }] });
    onTestFinished(async () => {
      release();
      await world.close();
      await seller.close();
    });
    const made = await callAgent(world.buyer, "create_booking", { brief: sampleBrief });
    expect(made.output["status"]).toBe("pending");
    await asked;
    const { output } = await callAgent(world.buyer, "get_booking", { job_id: made.output["job_id"] });
    expect(output["status"]).toBe("running");
  });
});
