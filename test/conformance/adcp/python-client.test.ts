import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Started, startSeller } from "../../spec/launched.ts";

/** The client is of no npm registry: where it is installed, it is asked too. */
const python = process.env["ADCP_PYTHON"] ?? "python3";
const isThere = spawnSync(python, ["-c", "import adcp"]).status === 0;
const run = promisify(execFile);

interface Answer {
  readonly status: string;
  readonly success?: boolean;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly error?: string;
}

type Answers = Readonly<Record<string, Answer>>;

let seller: Started;
let key: string;
beforeAll(async () => {
  seller = await startSeller({ PUBLISHER_DOMAIN: "news.example" });
  key = String((await seller.host("create_api_key", { seat_id: "s", agency_id: "a" }))["api_key"]);
});
afterAll(() => seller.close());

const answersOf = async (protocol: string, release: string): Promise<Answers> => {
  const address = `${seller.url}/adcp${protocol === "mcp" ? "/mcp" : ""}`;
  const script = join(import.meta.dirname, "kit/buy.py");
  const { stdout } = await run(python, [script, address, protocol, key, release], { maxBuffer: 67_108_864 });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Answers;
};

const rounds = ["mcp", "a2a"].flatMap((protocol) => ["3.2", "3.0"].map((release) => [protocol, release] as const));

// Node alone runs the tests; this client comes from PyPI, and a machine without it has nothing to ask.
describe.skipIf(!isThere)("adcp: the strict client of Python", () => {
  test.each(rounds)("buys over %s in release %s", { timeout: 300_000 }, async (protocol, release) => {
    const { products, created, replayed, conflict, refused, read, paused, canceled } = await answersOf(
      protocol,
      release,
    );
    expect(products?.status).toBe("completed");
    expect(created?.data).toMatchObject({ packages: [{ budget: 5000 }] });
    expect(replayed?.data).toMatchObject({ media_buy_id: created?.data?.["media_buy_id"], replayed: true });
    expect(conflict?.status).toBe("conflict");
    // Over A2A the client reads a refusal's code from a failed task alone, where other clients lose it: it says no success.
    expect(refused).toMatchObject({ success: false });
    if (protocol === "mcp") expect(JSON.stringify(refused)).toContain("not found");
    expect(read?.data).toMatchObject({ media_buys: [{ media_buy_id: created?.data?.["media_buy_id"] }] });
    expect(paused?.data).toMatchObject({ revision: 2 });
    expect(JSON.stringify(canceled?.data)).toContain("canceled");
  });
});
