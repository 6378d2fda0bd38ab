import { firstSeries } from "../edge/metric-names.ts";
import { processMetrics } from "../watch/metrics.ts";
import { metricTable } from "../watch/metric-table.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|");

const labelText = (labels: readonly string[]): string => labels.map((label) => `\`${label}\``).join(", ");

const ownRows = (): string =>
  Object.entries(metricTable)
    .map(([name, metric]) => {
      const agent = "of" in metric ? metric.of : "both";
      return `| \`${name}\` | ${metric.type} | ${agent} | ${labelText(metric.labels)} | ${cell(metric.help)} |`;
    })
    .join("\n");

const processRows = async (): Promise<string> => {
  const all = await processMetrics().getMetricsAsJSON();
  return all
    .map(({ name, type, help }) => ({ name, type: String(type), help }))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .map(({ name, type, help }) => `| \`${name}\` | ${type} | ${cell(help)} |`)
    .join("\n");
};

const edgeSeries = () =>
  firstSeries({ auction: { providers: { name: {} } }, ec: { partners: [{}] } } as unknown as Parameters<
    typeof firstSeries
  >[0]);

const edgeType = (name: string): string => (name.endsWith("_ms") ? "histogram" : "counter");

const edgeRows = (): string =>
  Object.entries(edgeSeries())
    .map(([name, [labels = {}]]) => `| \`${name}\` | ${edgeType(name)} | ${labelText(Object.keys(labels))} |`)
    .join("\n");

interface ServedMetric {
  readonly type: string;
  readonly labels: readonly string[];
}

/** What an alert or a dashboard may use. */
export const servedMetrics = async (): Promise<ReadonlyMap<string, ServedMetric>> => {
  const ofProcess = await processMetrics().getMetricsAsJSON();
  return new Map<string, ServedMetric>([
    ...Object.entries(metricTable),
    ...ofProcess.map(({ name, type }) => [name, { type: String(type), labels: [] }] as const),
    ...Object.entries(edgeSeries()).map(
      ([name, [labels = {}]]) => [name, { type: edgeType(name), labels: Object.keys(labels) }] as const,
    ),
  ]);
};

export const metricsDocument = async (): Promise<string> => `# Metrics

Prometheus text at \`GET /metrics\` of seller and buyer: with an operator's key (also a viewer's) on the agent's own
port, and without a key on \`METRICS_PORT\`, which only a private network should reach. This page is generated from the
code (\`npm run gen\`). Dashboard and alert rules that use it are in [watch](watch/README.md).

Labels have values from closed lists or from the settings. No buyer, product, price or key is in one. Processes that
share a PostgreSQL store show the same rows, deals, approvals and jobs: take \`max\` of those, \`sum\` of counters.

## Seller and buyer

| Metric | Type | Agent | Labels | Meaning |
|---|---|---|---|---|
${ownRows()}

## Process

| Metric | Type | Meaning |
|---|---|---|
${await processRows()}

## Edge

At \`/_ts/admin/metrics\` of an edge on Node, behind its admin sign-in; \`provider\` and \`partner\` are those of its
configuration. Times are in milliseconds.

| Metric | Type | Labels |
|---|---|---|
${edgeRows()}
`;
