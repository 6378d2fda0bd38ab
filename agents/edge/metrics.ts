type Labels = Readonly<Record<string, string>>;

/** Counters and sums of one process, for the operators' metrics page. */
export type EdgeMetrics = {
  /** Adds `by` (default 1) to a counter. Names and label names are snake_case; label values come from closed sets. */
  add(name: string, labels?: Labels, by?: number): void;
  /** Text in the Prometheus exposition format, sorted by name. */
  render(): string;
};

/** A label value could come from a configuration key, so the three characters of the format are escaped. */
const escapeLabel = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

const seriesOf = (name: string, labels: Labels): string => {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(",")}}`;
};

/** Series kept at most, so that no caller can make the page grow without end. */
const MAX_SERIES = 2_000;

export const createMetrics = (): EdgeMetrics => {
  const series = new Map<string, number>();
  return {
    add(name, labels = {}, by = 1) {
      const key = seriesOf(name, labels);
      if (!series.has(key) && series.size >= MAX_SERIES) return;
      series.set(key, (series.get(key) ?? 0) + by);
    },
    render() {
      const lines: string[] = [];
      let family = "";
      for (const [key, value] of [...series].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        const name = key.split("{", 1)[0] ?? key;
        if (name !== family) lines.push(`# TYPE ${name} counter`);
        family = name;
        lines.push(`${key} ${value}`);
      }
      return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
    },
  };
};
