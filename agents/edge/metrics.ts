import type { CounterName, FirstSeries, HistogramName, Labels } from "./metric-names.ts";
import type { SeriesValue } from "./platform.ts";

export interface EdgeMetrics {
  add(name: CounterName, labels?: Labels, by?: number): void;
  /** Into the histogram of that name, in ms. */
  observe(name: HistogramName, labels: Labels, ms: number): void;
  render(): string;
  snapshot(): readonly SeriesValue[];
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", '"': '\\"', "\n": "\\n" };

const escapeLabel = (value: string): string => value.replace(/[\\"\n]/g, (char) => escapes[char] ?? char);

const seriesOf = (name: string, labels: Labels): string => {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(",")}}`;
};

/** Series kept at most, so that no caller can make the page grow without end. */
const maxSeries = 2_000;
const maxHistograms = 200;

const bucketsMs = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000];

const histogramPart = /^(.+_ms)_(bucket|sum|count)$/;

const nameOf = (series: string): string => series.split("{", 1)[0] ?? series;

/** The name that a series is declared under. */
const familyOf = (series: string): { readonly name: string; readonly type: "counter" | "histogram" } => {
  const base = histogramPart.exec(nameOf(series))?.[1];
  return base === undefined ? { name: nameOf(series), type: "counter" } : { name: base, type: "histogram" };
};

/** Series of a histogram stand in the order of their bounds: of padded digits the text sorts as the number does. */
const sortKey = (series: string): string => {
  const padded = series.replace(/le="(\d+|\+Inf)"/, (_, bound: string) =>
    bound === "+Inf" ? "le=9" : `le=${bound.padStart(8, "0")}`,
  );
  return `${familyOf(series).name} ${padded}`;
};

export const renderSeries = (series: readonly SeriesValue[]): string => {
  const keyed = series.map(([key, value]) => ({ sort: sortKey(key), key, value }));
  const lines: string[] = [];
  let declared = "";
  for (const { key, value } of keyed.toSorted((a, b) => (a.sort < b.sort ? -1 : 1))) {
    const { name, type } = familyOf(key);
    if (name !== declared) lines.push(`# TYPE ${name} ${type}`);
    declared = name;
    lines.push(`${key} ${value}`);
  }
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
};

/** Counts by bucket, one more for what is above all, and the sum at the end. */
const sum = bucketsMs.length + 1;

const bucketOf = (ms: number): number => {
  const at = bucketsMs.findIndex((bound) => ms <= bound);
  return at < 0 ? bucketsMs.length : at;
};

const shownHistogram = (name: string, labels: Labels, counts: readonly number[]): SeriesValue[] => {
  let total = 0;
  const buckets = [...bucketsMs.map(String), "+Inf"].map((le, at): SeriesValue => {
    total += counts[at] ?? 0;
    return [seriesOf(`${name}_bucket`, { ...labels, le }), total];
  });
  return [...buckets, [seriesOf(`${name}_sum`, labels), counts[sum] ?? 0], [seriesOf(`${name}_count`, labels), total]];
};

interface Histogram {
  readonly name: string;
  readonly labels: Labels;
  readonly counts: number[];
}

const isHistogram = (name: string): boolean => name.endsWith("_ms");

export const createMetrics = (first: Partial<FirstSeries> = {}): EdgeMetrics => {
  const series = new Map<string, number>();
  const histograms = new Map<string, Histogram>();
  const histogramOf = (name: string, labels: Labels): Histogram | null => {
    const key = seriesOf(name, labels);
    const found = histograms.get(key);
    if (found !== undefined) return found;
    if (histograms.size >= maxHistograms) return null;
    const made = { name, labels, counts: Array<number>(sum + 1).fill(0) };
    histograms.set(key, made);
    return made;
  };
  for (const [name, all] of Object.entries(first)) {
    for (const labels of all) {
      if (isHistogram(name)) histogramOf(name, labels);
      else series.set(seriesOf(name, labels), 0);
    }
  }
  const snapshot = (): readonly SeriesValue[] => [
    ...series,
    ...[...histograms.values()].flatMap(({ name, labels, counts }) => shownHistogram(name, labels, counts)),
  ];
  return {
    add(name, labels = {}, by = 1) {
      const key = seriesOf(name, labels);
      if (!series.has(key) && series.size >= maxSeries) return;
      series.set(key, (series.get(key) ?? 0) + by);
    },
    observe(name, labels, ms) {
      const found = histogramOf(name, labels);
      if (found === null) return;
      const at = bucketOf(ms);
      found.counts[at] = (found.counts[at] ?? 0) + 1;
      found.counts[sum] = (found.counts[sum] ?? 0) + ms;
    },
    snapshot,
    render: () => renderSeries(snapshot()),
  };
};
