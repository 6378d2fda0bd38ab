import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { edgeConfigSchema } from "../../agents/edge/config.ts";
import { checkConfig } from "../../agents/edge/startup/check.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/edge.md"), "utf8");

const block = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "ms").exec(page)?.[1] ?? "";

interface Schema {
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly default?: unknown;
}

/** `*` stands for a name that the operator chooses. */
const leavesOf = (schema: Schema, key: string, into: Map<string, unknown>): Map<string, unknown> => {
  const { additionalProperties: values } = schema;
  const open = typeof values === "object" && Object.keys(values).length > 0 ? values : undefined;
  const inner: readonly (readonly [string, Schema])[] = [
    ...(schema.anyOf ?? schema.oneOf ?? []).map((one) => [key, one] as const),
    ...Object.entries(schema.properties ?? {}).map(([name, one]) => [key === "" ? name : `${key}.${name}`, one] as const),
    ...(open === undefined ? [] : [[`${key}.*`, open] as const]),
    ...(schema.items === undefined ? [] : [[`${key}[]`, schema.items] as const]),
  ];
  if (inner.length === 0) into.set(key, schema.default);
  for (const [name, one] of inner) leavesOf(one, name, into);
  return into;
};

const schema = z.toJSONSchema(edgeConfigSchema, { io: "input", unrepresentable: "any" }) as Schema;
const leaves = leavesOf(schema, "", new Map());

const rows = [...page.matchAll(/^\| `([a-z0-9_.<>[\]]+)` \| (.*?) \| .* \|$/gm)].map(
  ([, key = "", shown = ""]) => [key.replaceAll(/<\w+>/g, "*"), shown] as const,
);

describe("docs: the page about the edge", () => {
  it("names every key of the configuration, and no other", () => {
    expect(rows.map(([key]) => key).toSorted()).toEqual([...leaves.keys()].toSorted());
  });

  it("tells the defaults that the schema has", () => {
    const known = rows.filter(([key]) => ["string", "number", "boolean"].includes(typeof leaves.get(key)));
    expect(known.length).toBeGreaterThan(30);
    const told = known.map(([key, shown]) => `${key} ${shown}`);
    expect(told).toEqual(known.map(([key]) => `${key} ${String(leaves.get(key))}`));
  });

  it("has an example that starts without a word", () => {
    const report = checkConfig({
      configText: block("toml"),
      secretsText: block("json"),
      environment: {},
      traits: { adapter: "D", fanout: "single", place: "on Deno" },
    });
    expect([report.problems, report.warnings]).toEqual([[], []]);
  });
});
