import { expect, test } from "vitest";
import type { StoreLocation } from "../../agents/host/store-location.ts";
import { startSeller } from "../spec/launched.ts";
import { describeOnPostgres, runSql } from "../storage/postgres/database.ts";
import { inSandbox, type Members, settled } from "./sandbox-calls.ts";

const wish = {
  product_id: "prod-53e78a97",
  deal_type: "PG",
  impressions: 2_000_000,
  flight_start: "2027-03-01",
  flight_end: "2027-03-31",
};

await describeOnPostgres("a sandbox on PostgreSQL", (url) => {
  const place: StoreLocation = { driver: "postgres", url, schema: "parley_seller" };
  const start = () => startSeller({ SANDBOX: "calls" }, undefined, place);

  test("keeps its rows in a schema of its own, over a restart, and changes none of the business", async () => {
    const first = await start();
    const made = await first.host("create_api_key", { seat_id: "s-1", agency_id: "a-1", label: "integrator" });
    const key = { "x-api-key": String(made["api_key"]) };
    const headers = { ...inSandbox, ...key };
    const before = await settled(first.store);
    const quoted = await first.ask("POST", "/api/v1/quotes", { headers, body: wish });
    const body: Members = { quote_id: quoted.body["quote_id"] };
    const booked = await first.ask("POST", "/api/v1/deals", { headers, body });
    expect(booked).toMatchObject({ status: 200, body: { sandbox: true } });
    expect(await settled(first.store)).toBe(before);
    await first.close();

    const schemas = await runSql<{ name: string }>(
      url,
      "SELECT schema_name AS name FROM information_schema.schemata WHERE schema_name LIKE 'parley_seller%' ORDER BY 1",
    );
    expect(schemas.map(({ name }) => name)).toEqual(["parley_seller", "parley_seller_sandbox"]);
    const second = await start();
    const path = `/api/v1/deals/${String(booked.body["deal_id"])}`;
    expect((await second.ask("GET", path, { headers })).body).toMatchObject({ sandbox: true });
    expect((await second.ask("GET", path, { headers: key })).status).toBe(404);
    await second.close();
  });
});
