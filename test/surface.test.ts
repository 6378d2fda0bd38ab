import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { generatedFiles } from "../agents/commands/generate.ts";

const root = join(import.meta.dirname, "..");
const files = [...(await generatedFiles())];

describe("surface: what is generated is checked in and reviewed as a diff", () => {
  it.each(files)("%s is what its sources say; npm run gen writes it anew", (path, text) => {
    expect(readFileSync(join(root, path), "utf8")).toBe(text);
  });

  it("pins every generated file", () => {
    expect(files.map(([path]) => path)).toEqual([
      "docs/surface/seller/openapi.json",
      "docs/surface/seller/tools.json",
      "docs/surface/seller/operations.json",
      "docs/surface/seller/agent.json",
      "docs/surface/seller/agent-card-0.3.json",
      "docs/surface/seller/agent-card-1.0.json",
      "docs/surface/buyer/openapi.json",
      "docs/surface/buyer/tools.json",
      "docs/surface/buyer/operations.json",
      "docs/surface/buyer/agent.json",
      "docs/surface/buyer/agent-card-0.3.json",
      "docs/surface/buyer/agent-card-1.0.json",
      "docs/surface/refusals.json",
      "docs/configuration.md",
      "agents/edge/publisher/tsjs.generated.ts",
    ]);
  });
});
