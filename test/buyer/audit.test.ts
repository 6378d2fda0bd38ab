import { fetch } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { serve } from "../../agents/server/serve.ts";
import { openMemoryStore } from "../../storage/memory/driver.ts";
import type { AuditRecord, Store } from "../../storage/store.ts";
import { callAgent, logTo, openBuyer, sampleBrief, settledJob } from "./world.ts";

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Listed {
  readonly records: readonly {
    readonly operation: string;
    readonly by: string;
    readonly actor_name: string | null;
    readonly changed: readonly object[];
  }[];
}

const openServed = async (openStore: () => Promise<Store> = async () => openMemoryStore()) => {
  const world = await openBuyer({}, {}, openStore);
  const served = await serve(world.buyer, { host: "127.0.0.1", port: 0, log: logTo(world.lines) });
  onTestFinished(async () => {
    await served.close();
    await world.close();
  });
  const get = async (path: string, key: string | null): Promise<Answer> => {
    const response = await fetch(served.url + path, { headers: key === null ? {} : { "x-api-key": key } });
    return { status: response.status, body: (await response.json()) as Answer["body"] };
  };
  const mint = async (label: string, role: string) => {
    const { output } = await callAgent(world.buyer, "create_operator_key", { label, role });
    return { id: String(output["key_id"]), secret: String(output["api_key"]) };
  };
  return { ...world, get, mint };
};

/** What the trail says once somebody has written over a record of it. */
const withBrokenTrail = (store: Store): Store => ({
  ...store,
  auditTrail: async function* () {
    for await (const record of store.auditTrail()) {
      const forged: AuditRecord = { ...record, principal: "key:somebody-else" };
      yield record.operation === "create_booking" ? forged : record;
    }
  },
});

test("the buyer's audit is read by its people alone: no key and a revoked key see nothing, a viewer sees it", async () => {
  const { buyer, get, mint } = await openServed();
  const [viewer, gone] = [await mint("Vera", "viewer"), await mint("Otto", "operator")];
  await callAgent(buyer, "revoke_operator_key", { key_id: gone.id });
  for (const path of ["/api/v1/audit", "/api/v1/audit/verification"]) {
    expect(await get(path, null)).toMatchObject({ status: 401, body: { error: "authentication_required" } });
    expect(await get(path, "abk_live_guessed")).toMatchObject({ status: 401, body: { error: "invalid_api_key" } });
    expect(await get(path, gone.secret)).toMatchObject({ status: 401 });
    expect(await get(path, viewer.secret)).toMatchObject({ status: 200 });
  }
  expect(await get(`/api/v1/audit?operation=revoke_operator_key`, viewer.secret)).toMatchObject({
    body: {
      records: [
        {
          by: "person",
          changed: [{ kind: "operator_key", id: gone.id, field: "status", from: "active", to: "revoked" }],
        },
      ],
    },
  });
});

test("a campaign's own steps say what they changed, and stand apart from what people did", async () => {
  const { buyer, get, mint } = await openServed();
  const { secret } = await mint("Maja", "operator");
  const { output } = await callAgent(buyer, "create_booking", { brief: sampleBrief });
  const id = String(output["job_id"]);
  await settledJob(buyer, id);
  const { body } = await get(`/api/v1/audit?by=machine&record_id=${id}`, secret);
  const { records } = body as unknown as Listed;
  expect(new Set(records.map(({ operation, by }) => `${operation} ${by}`))).toEqual(new Set(["booking_flow machine"]));
  expect(records[0]?.changed).toContainEqual({
    kind: "booking",
    id,
    field: "status",
    from: "researching",
    to: "failed",
  });
  const people = (await get("/api/v1/audit?by=person", secret)).body as unknown as Listed;
  expect(people.records.map(({ operation }) => operation)).toEqual(["create_booking", "create_operator_key"]);
});

test("a trail that was written over is told, with the first record that does not fit", async () => {
  const { buyer, get, mint } = await openServed(async () => withBrokenTrail(openMemoryStore()));
  const { secret } = await mint("Maja", "operator");
  expect((await get("/api/v1/audit/verification", secret)).body).toMatchObject({ whole: true, first_broken: null });
  await callAgent(buyer, "create_booking", { brief: sampleBrief });
  expect((await get("/api/v1/audit/verification", secret)).body).toMatchObject({
    whole: false,
    records: null,
    first_broken: { seq: 2, reason: "was changed after it was written" },
  });
});
