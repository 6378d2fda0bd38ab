import { afterAll, beforeAll, expect, test } from "vitest";
import { type Started, startSeller } from "../spec/launched.ts";

let seller: Started;
beforeAll(async () => {
  seller = await startSeller();
});
afterAll(() => seller.close());

test("/metrics shows an operator the end of the audit chain, and nobody else", async () => {
  expect((await seller.ask("GET", "/metrics")).status).toBe(401);
  const { api_key: key } = await seller.host("create_operator_key", { label: "metrics" });
  const { status, text, headers } = await seller.ask("GET", "/metrics", { headers: { "x-api-key": String(key) } });
  expect([status, headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  const { heads, records } = await seller.host("verify_audit", {});
  const [{ chain, hash } = { chain: "", hash: "" }] = heads as readonly { chain: string; hash: string }[];
  expect(text).toContain(`parley_audit_records{chain="${chain}",hash="${hash}"} ${String(records)} `);
});
