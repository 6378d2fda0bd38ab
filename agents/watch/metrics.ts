import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Outcome } from "../../protocol/seam/operation.ts";
import type { AgentWatch } from "../../protocol/seam/watch.ts";
import {
  type CountedName,
  type GaugeName,
  type TimedName,
  type LabelsOf,
  type MetricName,
  metricTable,
} from "./metric-table.ts";

interface Sample<Labels = Readonly<Record<string, string>>> {
  readonly labels: Labels;
  readonly value: number;
}

/** What is read when somebody asks, not counted as it happens. */
export type Readings = { readonly [Name in GaugeName]?: readonly Sample<LabelsOf<Name>>[] };

export type ReadGauges = () => Readings | Promise<Readings>;

export interface Metrics {
  readonly watch: AgentWatch;
  observe<Name extends TimedName>(name: Name, labels: LabelsOf<Name>, seconds: number): void;
  /** Each is asked for every page; one that throws leaves its gauges out. */
  readFrom(read: ReadGauges): void;
  /** Prometheus text format 0.0.4. */
  page(): Promise<string>;
}

export const metricsType = Registry.PROMETHEUS_CONTENT_TYPE;

const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** One for the process: an event loop is measured once, also where two agents share it. */
let ofProcess: Registry | null = null;

export const processMetrics = (): Registry => {
  if (ofProcess === null) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
};

type Instrument = Counter | Gauge | Histogram;

const instrumentOf = (name: MetricName, register: Registry): Instrument => {
  const { type, help, labels } = metricTable[name];
  const options = { name, help, labelNames: [...labels], registers: [register] };
  if (type === "counter") return new Counter(options);
  return type === "gauge" ? new Gauge(options) : new Histogram({ ...options, buckets: bucketsSeconds });
};

const isOf = (agent: "seller" | "buyer", name: MetricName): boolean => {
  const metric = metricTable[name];
  return !("of" in metric) || metric.of === agent;
};

export const metricNamesOf = (agent: "seller" | "buyer"): readonly MetricName[] =>
  (Object.keys(metricTable) as MetricName[]).filter((name) => isOf(agent, name));

const callOutcome = (outcome: Outcome): string => {
  if (outcome.kind === "refused") return "refused";
  if (outcome.kind === "bug") return "failed";
  return outcome.meta.replayed ? "replayed" : outcome.meta.dryRun ? "dry_run" : "done";
};

/** Node takes some thirty methods; of those without a route one name is enough. */
const namedMethods = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);

const unknown = "unknown";

/** How long the next page may show what the last one read. */
const freshMs = 1_000;

export interface MetricsOf {
  readonly agent: "seller" | "buyer";
  readonly version: string;
}

export const createAgentMetrics = ({ agent, version }: MetricsOf): Metrics => {
  const register = new Registry();
  const instruments = new Map(metricNamesOf(agent).map((name) => [name, instrumentOf(name, register)] as const));
  const add = <Name extends CountedName>(name: Name, labels: LabelsOf<Name>): void =>
    (instruments.get(name) as Counter).inc(labels);
  const observe: Metrics["observe"] = (name, labels, seconds) =>
    (instruments.get(name) as Histogram).observe(labels, seconds);
  const set = (name: GaugeName, samples: readonly Sample[]): void => {
    const gauge = instruments.get(name) as Gauge | undefined;
    gauge?.reset();
    for (const { labels, value } of samples) gauge?.set(labels, value);
  };
  const running = instruments.get("parley_http_requests_running") as Gauge;
  set("parley_build_info", [{ labels: { agent, version }, value: 1 }]);
  processMetrics();

  const reads: ReadGauges[] = [];
  const readAll = async (): Promise<string> => {
    const found = await Promise.allSettled(reads.map(async (read) => read()));
    for (const result of found) {
      if (result.status === "rejected") continue;
      for (const [name, samples] of Object.entries(result.value)) set(name as GaugeName, samples);
    }
    return `${await register.metrics()}\n${await processMetrics().metrics()}`;
  };
  let last: { readonly atMs: number; readonly page: Promise<string> } | null = null;

  return {
    observe,
    readFrom: (read) => void reads.push(read),
    page: () => {
      const nowMs = performance.now();
      if (last === null || nowMs - last.atMs >= freshMs) last = { atMs: nowMs, page: readAll() };
      return last.page;
    },
    watch: {
      called: ({ operation, door, outcome, seconds }) => {
        const name = operation ?? unknown;
        add("parley_calls_total", { operation: name, door, outcome: callOutcome(outcome) });
        observe("parley_call_seconds", { operation: name }, seconds);
        if (outcome.kind === "refused") add("parley_refusals_total", { operation: name, code: outcome.refusal.code });
      },
      refusedAtDoor: (code) => add("parley_refusals_total", { operation: "none", code }),
      requestBegan: () => running.inc(),
      requestEnded: ({ method, door, status, seconds }) => {
        running.dec();
        const shown = namedMethods.has(method) ? method : "other";
        add("parley_http_requests_total", { door, method: shown, status: String(status) });
        observe("parley_http_request_seconds", { door }, seconds);
      },
      delivered: (channel, result) => add("parley_delivery_attempts_total", { channel, result }),
      sent: ({ peer, result, seconds }) => {
        add("parley_outbound_requests_total", { peer, result });
        observe("parley_outbound_seconds", { peer }, seconds);
      },
    },
  };
};
