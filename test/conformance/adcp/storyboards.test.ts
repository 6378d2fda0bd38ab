import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Started, startSeller } from "../../spec/launched.ts";

/** The runner has dependencies of its own, in versions that the product does not take: it is installed apart. */
const source = join(import.meta.dirname, "kit");
const kit = join(import.meta.dirname, "../../../node_modules/.cache/parley-adcp-kit");
const run = promisify(execFile);

const installKit = async (): Promise<void> => {
  await mkdir(kit, { recursive: true });
  await cp(source, kit, { recursive: true });
  if (!existsSync(join(kit, "node_modules"))) await run("npm", ["ci", "--ignore-scripts"], { cwd: kit });
};

interface Step {
  readonly at: string;
  readonly state: "passed" | "failed" | "skipped";
  readonly why: string;
}

/** AdCP's core for a seller of guaranteed and other media by proposals. */
const core = [
  "capability_discovery",
  "v3_envelope_integrity",
  "schema_validation",
  "error_compliance",
  "idempotency",
  "security_baseline",
  "get_media_buys_pagination_integrity",
  "deterministic_testing",
  "media_buy_seller",
  "media_buy_state_machine",
  "sales_guaranteed",
  "sales_non_guaranteed",
  "sales_proposal_mode",
];

/** It counts what its buyer has, so it is a buyer of its own. */
const counting = ["pagination_integrity_list_accounts"];

/** Over A2A the runner reads `canceled` as the end of the A2A task itself, so that the answer has another member. */
const known: Readonly<Record<"mcp" | "a2a", readonly string[]>> = {
  mcp: [],
  a2a: ["media_buy_state_machine/state_transitions/Cancel the media buy"],
};

let seller: Started;
beforeAll(async () => {
  await installKit();
  seller = await startSeller({
    ADCP_TEST_MODE: "true",
    CREATIVE_AUTO_APPROVE: "true",
    PUBLISHER_DOMAIN: "news.example",
  });
}, 300_000);
afterAll(() => seller.close());

const stepsOf = async (protocol: "mcp" | "a2a", key: string, boards: readonly string[]): Promise<readonly Step[]> => {
  const address = `${seller.url}/adcp${protocol === "mcp" ? "/mcp" : ""}`;
  const args = [join(kit, "run.mjs"), address, protocol, key, ...boards];
  const { stdout } = await run(process.execPath, args, { maxBuffer: 67_108_864 });
  // The runner prints lines of its own before.
  return (JSON.parse(stdout.slice(stdout.lastIndexOf('{"steps":'))) as { readonly steps: readonly Step[] }).steps;
};

describe.each(["mcp", "a2a"] as const)("adcp: the public storyboards over %s", (protocol) => {
  test("the core passes but for what is known", { timeout: 600_000 }, async () => {
    const place = protocol === "mcp" ? 1 : 2;
    const steps = [
      ...(await stepsOf(protocol, `demo-acme-outdoor-v${place}`, core)),
      ...(await stepsOf(protocol, `demo-acme-outdoor-v${place + 10}`, counting)),
    ];
    const failed = steps.filter(({ state }) => state === "failed");
    expect(failed.filter(({ at }) => !known[protocol].includes(at))).toStrictEqual([]);
    expect(steps.filter(({ state }) => state === "passed").length).toBeGreaterThan(120);
  });
});
