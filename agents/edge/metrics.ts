import type { SeriesValue } from "./platform.ts";

type Labels = Readonly<Record<string, string>>;

export type EdgeMetrics = {
  add(name: string, labels?: Labels, by?: number): void;
  render(): string;
  snapshot(): readonly SeriesValue[];
};

const escapeLabel = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

const seriesOf = (name: string, labels: Labels): string => {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(",")}}`;
};

/** Series kept at most, so that no caller can make the page grow without end. */
const MAX_SERIES = 2_000;

export const renderSeries = (series: readonly SeriesValue[]): string => {
  const lines: string[] = [];
  let family = "";
  for (const [key, value] of series.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const name = key.split("{", 1)[0] ?? key;
    if (name !== family) lines.push(`# TYPE ${name} counter`);
    family = name;
    lines.push(`${key} ${value}`);
  }
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
};

export const createMetrics = (): EdgeMetrics => {
  const series = new Map<string, number>();
  return {
    add(name, labels = {}, by = 1) {
      const key = seriesOf(name, labels);
      if (!series.has(key) && series.size >= MAX_SERIES) return;
      series.set(key, (series.get(key) ?? 0) + by);
    },
    snapshot: () => [...series],
    render: () => renderSeries([...series]),
  };
};
