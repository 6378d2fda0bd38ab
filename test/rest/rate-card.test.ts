import { afterAll, beforeAll, expect, test } from "vitest";
import { type Started, startSeller } from "../spec/launched.ts";

let seller: Started;
let headers: Readonly<Record<string, string>>;
beforeAll(async () => {
  seller = await startSeller();
  const key = await seller.host("create_operator_key", { label: "rates" });
  headers = { "x-api-key": String(key["api_key"]) };
});
afterAll(() => seller.close());

const put = (body: unknown) => seller.ask("PUT", "/api/v1/rate-card", { headers, body });

test("rate card: a bare list of entries is taken, and answered like the named one", async () => {
  const entries = [{ inventory_type: "ctv", base_cpm: 36 }];
  const answers = [await put(entries), await put({ entries })];
  for (const { status, body } of answers) {
    expect([status, body["entries"]]).toMatchObject([200, [{ inventory_type: "ctv", base_cpm: 36, currency: "USD" }]]);
  }
});

test.each([[[]], [[1]], [[{ inventory_type: "ctv" }]], [[{ inventory_type: "ctv", base_cpm: -1 }]]])(
  "rate card: the list %j is refused",
  async (body) => {
    const { status, body: answer } = await put(body);
    expect([status, answer["error"]]).toEqual([422, "validation_error"]);
  },
);
