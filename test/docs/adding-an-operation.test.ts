import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { createCatalog } from "../../agents/seller/catalog/catalog.ts";
import { defaultProducts } from "../../agents/seller/catalog/default-products.ts";
import type { Operation } from "../../protocol/seam/operation.ts";
import { createRunner } from "../../protocol/seam/run/run.ts";
import type { SellerPorts } from "../../skills/seller/context.ts";
import { auditOf } from "../../storage/audit.ts";
import { openLowdbStore } from "../../storage/lowdb/driver.ts";
import { plainSettings } from "../skills/world.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/adding-an-operation.md"), "utf8");
const block = (name: string): string => {
  const found = new RegExp(`\`\`\`\\w+ ${name.replace(".", "\\.")}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1];
  if (found === undefined) throw new Error(`the page has no block ${name}`);
  return found;
};

const work = mkdtempSync(join(root, "node_modules/.parley-example-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** Links, with the example's files in place of one group. */
const layOut = (): string => {
  for (const folder of ["protocol", "storage", "machines"]) symlinkSync(join(root, folder), join(work, folder));
  const seller = join(work, "skills/seller");
  mkdirSync(join(seller, "products"), { recursive: true });
  symlinkSync(join(root, "skills/audit"), join(work, "skills/audit"));
  for (const name of readdirSync(join(root, "skills/seller")).filter((one) => one !== "products")) {
    symlinkSync(join(root, "skills/seller", name), join(seller, name));
  }
  for (const name of ["products/record.ts", "products/product-id.ts", "products/catalog.ts"]) {
    symlinkSync(join(root, "skills/seller", name), join(seller, name));
  }
  writeFileSync(join(seller, "products/contract.ts"), block("contract.ts"));
  writeFileSync(join(seller, "products/skill.ts"), block("skill.ts"));
  const project = { extends: join(root, "tsconfig.json"), include: ["skills/seller/products"] };
  writeFileSync(join(work, "tsconfig.json"), JSON.stringify(project));
  return join(seller, "products/skill.ts");
};

interface Step {
  readonly input: unknown;
  readonly expect: { readonly output?: unknown; readonly refusal?: { readonly code: string; readonly status: number } };
}

const skillFile = layOut();

describe("docs: the worked example of adding an operation", () => {
  it("compiles as it stands on the page", () => {
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const result = spawnSync(process.execPath, [compiler, "-p", work], { encoding: "utf8" });
    expect(result.stdout).toBe("");
    expect(result.status).toBe(0);
  });

  it("keeps to the width of every source", () => {
    const lines = ["contract.ts", "skill.ts"].flatMap((name) => block(name).split("\n"));
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });

  it("does what its case says, which meets every refusal that the contract declares", async () => {
    const module = (await import(pathToFileURL(skillFile).href)) as { countProducts: Operation<SellerPorts> };
    const example = JSON.parse(block("case.json")) as Step & { then: readonly Step[] };
    const refusals = example.then.flatMap(({ expect: { refusal } }) => (refusal === undefined ? [] : [refusal.code]));
    expect(refusals).toEqual(Object.keys(module.countProducts.contract.refusals));
    const store = await openLowdbStore({ dir: join(work, "data") });
    const catalog = createCatalog(defaultProducts);
    const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const notAsked = () => Promise.reject(new Error("nobody is asked here"));
    const agents = { isPermitted: () => false, fetchCard: notAsked, askRegistries: notAsked };
    const runner = createRunner({
      operations: [module.countProducts],
      store,
      ports: {
        settings: plainSettings,
        startSettings: plainSettings,
        catalog,
        probes: { take: async () => ({ allowed: true, retryAfterSeconds: 0 }) },
        keyUses: { unwritten: () => null },
        dayCounts: { unwritten: () => null, writes: () => 0, afterWrite: () => Promise.resolve() },
        agents,
        targets: { isPermitted: notAsked },
        adServer: null,
        audit: auditOf(store),
        store,
        fixtures: null,
      },
      callers: { find: () => Promise.reject(new Error("nobody sends a key here")) },
      trust: { ofAgent: async () => ({ ceiling: "public", blocked: false }) },
      limiter: { take: async () => null },
      clock: { nowMs: () => 0 },
      log: silent,
    });
    for (const { input, expect: expected } of [example, ...example.then]) {
      const outcome = await runner.run({
        operation: "count_products",
        door: "rest",
        admission: runner.admit({ apiKey: null, authorization: null, address: "127.0.0.1" }),
        requestId: "example",
        input: () => ({ input }),
      });
      const { output, refusal } = expected;
      expect(outcome).toMatchObject(
        refusal === undefined
          ? { kind: "done", output }
          : { kind: "refused", status: refusal.status, refusal: { code: refusal.code } },
      );
    }
    await store.close();
  });
});
