import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { generatedFiles } from "../agents/commands/generate.ts";

const root = join(import.meta.dirname, "..");
const files = [...(await generatedFiles(root))];

describe("surface: what is generated is checked in and reviewed as a diff", () => {
  it.each(files)("%s is what its sources say; npm run gen writes it anew", (path, text) => {
    expect(readFileSync(join(root, path), "utf8")).toBe(text);
  });

  it("the tools that sell, and all of the buyer's, say what each of their parameters is for", () => {
    type Tools = readonly { name: string; inputSchema: { properties?: Record<string, { description?: string }> } }[];
    const toolsOf = (agent: string): Tools => {
      return JSON.parse(readFileSync(join(root, `docs/surface/${agent}/tools.json`), "utf8")) as Tools;
    };
    const selling = [
      ...["list_products", "get_product", "get_pricing", "discover_inventory", "request_quote", "get_quote"],
      ...["book_deal", "get_deal", "create_api_key", "list_api_keys", "get_api_key", "revoke_api_key"],
    ];
    const sold = toolsOf("seller").filter(({ name }) => selling.includes(name));
    expect(sold).toHaveLength(12);
    for (const { name, inputSchema } of [...sold, ...toolsOf("buyer")]) {
      for (const [member, { description }] of Object.entries(inputSchema.properties ?? {})) {
        expect([name, member, typeof description]).toEqual([name, member, "string"]);
      }
    }
  });

  it("pins every generated file", () => {
    expect(files.map(([path]) => path)).toEqual([
      "docs/surface/seller/openapi.json",
      "docs/surface/seller/collection.json",
      "protocol/client-package/seller.generated.ts",
      "docs/surface/seller/tools.json",
      "docs/surface/seller/operations.json",
      "docs/surface/seller/agent.json",
      "docs/surface/seller/agent-card-0.3.json",
      "docs/surface/seller/agent-card-1.0.json",
      "docs/surface/buyer/openapi.json",
      "docs/surface/buyer/collection.json",
      "protocol/client-package/buyer.generated.ts",
      "docs/surface/buyer/tools.json",
      "docs/surface/buyer/operations.json",
      "docs/surface/buyer/agent.json",
      "docs/surface/buyer/agent-card-0.3.json",
      "docs/surface/buyer/agent-card-1.0.json",
      "docs/surface/refusals.json",
      "docs/surface/machines.json",
      "docs/configuration.md",
      "docs/metrics.md",
      "agents/edge/publisher/tsjs.generated.ts",
      "agents/console/page/agent/seller.generated.ts",
      "agents/console/page/agent/buyer.generated.ts",
    ]);
  });
});
