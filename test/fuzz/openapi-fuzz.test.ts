import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenApiDocument } from "../../protocol/openapi/document.ts";
import { fuzz } from "./campaign.ts";
import { readDocument } from "./document.ts";
import { bodyAgreement, defectsOf } from "./judge.ts";
import { type FuzzedSeller, openFuzzedSeller } from "./seller.ts";

let seller: FuzzedSeller;
beforeAll(async () => {
  seller = await openFuzzedSeller();
});
afterAll(() => seller.close());

test("fuzz: 600 requests from our own OpenAPI document get no answer that it does not declare", async () => {
  const { faults, statuses } = await fuzz(seller.target, 20_270_115, 600);
  expect(faults).toEqual([]);
  expect(await seller.errors()).toEqual([]);
  expect(statuses.size).toBeGreaterThan(75);
});

test("fuzz: an answer that the document does not declare is noticed", async () => {
  const response = await fetch(new URL("/openapi.json", seller.target.url));
  const document = readDocument((await response.json()) as OpenApiDocument);
  const product = document.operations.find(({ id }) => id === "get_product");
  if (product === undefined) throw new Error("the document has no get_product");
  const headers = { "request-id": "1", "content-type": "application/json" };
  const judged = (status: number, text: string, more: Record<string, string> = {}) =>
    defectsOf(product, "GET", { status, headers: { ...headers, ...more }, text }, document);
  expect(judged(418, "{}")).toEqual(["the status 418 is not declared"]);
  expect(judged(500, '{"error":"a","message":"b","detail":"c","help":"/guide/refusals/a"}')).toEqual([
    "a 500 is a fault of the server",
  ]);
  expect(judged(200, '{"product_id":7}')).toContain("/product_id must be string");
  expect(judged(404, "not json")).toEqual(["the body is no JSON"]);
  expect(judged(404, "", { "content-type": "text/html" })).toEqual(["the media type text/html is not declared"]);
  expect(judged(304, "", { "x-secret": "1" })).toEqual(["the header x-secret is not declared"]);
});

test("fuzz: a body on which document and program disagree is noticed", async () => {
  const response = await fetch(new URL("/openapi.json", seller.target.url));
  const document = readDocument((await response.json()) as OpenApiDocument);
  const rates = document.operations.find(({ id }) => id === "update_rate_card");
  if (rates === undefined) throw new Error("the document has no update_rate_card");
  const judged = (body: unknown, status: number, detail: unknown) =>
    bodyAgreement(rates, body, { status, text: JSON.stringify({ detail }) }, document);
  const entry = { inventory_type: "ctv", base_cpm: 36 };
  const missing = [{ type: "missing", loc: ["body", "entries", 0, "base_cpm"], msg: "This field is required." }];
  expect(judged([entry], 200, null)).toEqual([]);
  expect(judged([{}], 422, missing)).toEqual([]);
  expect(judged([{}], 200, null).join()).toContain("takes a body that the schema refuses");
  expect(judged({ entries: [entry] }, 422, missing).join()).toContain("refuses a body that the schema allows");
});
