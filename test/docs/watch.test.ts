import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { servedMetrics } from "../../agents/commands/metrics-document.ts";

const folder = join("docs", "watch");

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const { panels } = JSON.parse(readFileSync(join(folder, "dashboard.json"), "utf8")) as { panels: readonly Panel[] };
const alerts = readFileSync(join(folder, "alerts.yml"), "utf8");

/** An expression stands behind `expr:`, or on the lines below it that are indented further. */
const alertRules = alerts
  .split("- alert: ")
  .slice(1)
  .map((rule) => ({
    title: rule.split("\n")[0] ?? "",
    expr: /expr: \|?\s*([\s\S]*?)\n {8}(?:for|labels):/.exec(rule)?.[1] ?? "",
    rule,
  }));

const expressions = [
  ...alertRules.map(({ title, expr }) => ({ title, expr })),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr }))),
];

const suffix = /_(bucket|sum|count)$/;

/** Labels that Prometheus adds to each target. */
const added = ["job", "instance"];

const labelsIn = (expr: string): readonly string[] => {
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names]) => (names ?? "").split(/,\s*/));
  const matched = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, terms]) =>
    [...(terms ?? "").matchAll(/(\w+)\s*[=!]/g)].map(([, name]) => name ?? ""),
  );
  return [...grouped, ...matched].filter((name) => !added.includes(name));
};

describe("dashboard and alerts", () => {
  test.each(expressions)("$title: names and labels that the agents serve", async ({ expr }) => {
    const served = await servedMetrics();
    const names = [...expr.matchAll(/\b(?:parley|edge|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name);
    expect(names.length + (expr.startsWith("up{") ? 1 : 0)).toBeGreaterThan(0);
    const labels = new Set<string>();
    for (const name of names) {
      const base = name.replace(suffix, "");
      const found = served.get(name) ?? served.get(base);
      expect(found, `${name} is served by no agent`).toBeDefined();
      const isHistogram = found?.type === "histogram";
      expect(suffix.test(name) && !served.has(name)).toBe(isHistogram);
      for (const label of [...(found?.labels ?? []), ...(isHistogram ? ["le"] : [])]) labels.add(label);
    }
    expect(labelsIn(expr).filter((label) => !labels.has(label))).toEqual([]);
  });

  test("each alert says what is wrong and what to do", () => {
    expect(alertRules.length).toBeGreaterThan(10);
    for (const { rule } of alertRules) {
      expect(rule).toMatch(/severity: (page|warn|notice)/);
      expect(rule).toMatch(/summary: "[^"]+/);
      expect(rule).toMatch(/description: "[^"]+/);
    }
  });

  test("the files that are named are there", () => {
    const readme = readFileSync(join(folder, "README.md"), "utf8");
    for (const name of readdirSync(folder).filter((one) => one !== "README.md")) expect(readme).toContain(name);
    const prometheus = readFileSync(join(folder, "prometheus.yml"), "utf8");
    expect(prometheus).toContain("/etc/parley-watch/alerts.yml");
    expect(readFileSync(join(folder, "grafana", "dashboards", "parley.yml"), "utf8")).toContain("dashboard.json");
  });
});
