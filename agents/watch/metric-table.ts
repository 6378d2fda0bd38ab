/** A histogram's unit is the second. */
interface MetricShape {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly labels: readonly string[];
  readonly of?: "seller" | "buyer";
}

/**
 * Every metric of seller and buyer beside those of the process. A label's values come from closed lists or from the
 * settings: no buyer, product, price or key, so that no caller can make the page grow.
 */
export const metricTable = {
  parley_build_info: { type: "gauge", help: "1; the labels name agent and version.", labels: ["agent", "version"] },
  parley_http_requests_total: {
    type: "counter",
    help: "HTTP requests that were answered, by door (rest, mcp, a2a, rpc, page) and status.",
    labels: ["door", "method", "status"],
  },
  parley_http_request_seconds: {
    type: "histogram",
    help: "Time from a request's head to its answer; of a stream, to its first byte.",
    labels: ["door"],
  },
  parley_http_requests_running: { type: "gauge", help: "HTTP requests without an answer yet.", labels: [] },
  parley_calls_total: {
    type: "counter",
    help: "Calls of operations at any door, by outcome: done, replayed, dry_run, refused, failed.",
    labels: ["operation", "door", "outcome"],
  },
  parley_call_seconds: {
    type: "histogram",
    help: "Time of a call from its gates to its durable commit.",
    labels: ["operation"],
  },
  parley_refusals_total: {
    type: "counter",
    help:
      "Refused calls by code; inventory_unavailable is a booking that found no inventory, rate_limited a caller over " +
      "its limit. The operation is none where a door refused before one was named.",
    labels: ["operation", "code"],
  },
  parley_commit_seconds: {
    type: "histogram",
    help: "Time until a commit is durable, by result: done, conflict (a lost race), limit (no inventory), failed.",
    labels: ["result"],
  },
  parley_store_up: { type: "gauge", help: "1 while the store takes commits.", labels: [] },
  parley_store_bytes: {
    type: "gauge",
    help: "Size of the data folder, or of the agent's schema in PostgreSQL.",
    labels: [],
  },
  parley_store_rows: { type: "gauge", help: "Rows by kind.", labels: ["kind"] },
  parley_audit_records: { type: "gauge", help: "Records of an audit chain.", labels: ["chain"] },
  parley_outbox_lag_seconds: {
    type: "gauge",
    help: "Age of the oldest event that has not been handed to the webhooks; 0 where there is none.",
    labels: [],
    of: "seller",
  },
  parley_deliveries_troubled: {
    type: "gauge",
    help: "Webhook deliveries that failed at least once and are tried again (failing), or were given up (dead).",
    labels: ["trouble"],
    of: "seller",
  },
  parley_delivery_queue: {
    type: "gauge",
    help: "Deliveries of this process that are being sent (running) or have a place in its queue (waiting).",
    labels: ["channel", "state"],
  },
  parley_delivery_attempts_total: {
    type: "counter",
    help: "Attempts to deliver, by channel (webhook, push) and result: taken, failed, gone, stopped.",
    labels: ["channel", "result"],
  },
  parley_approvals_waiting: {
    type: "gauge",
    help: "Questions to an operator without an answer.",
    labels: ["flow"],
    of: "seller",
  },
  parley_approvals_oldest_seconds: {
    type: "gauge",
    help: "Age of the oldest question to an operator without an answer; 0 where there is none.",
    labels: [],
    of: "seller",
  },
  parley_handovers_waiting: {
    type: "gauge",
    help: "Buyers who asked for a person and have no answer.",
    labels: [],
    of: "seller",
  },
  parley_deals: { type: "gauge", help: "Deals by state.", labels: ["state"], of: "seller" },
  parley_jobs: { type: "gauge", help: "Booking jobs by state.", labels: ["state"], of: "buyer" },
  parley_jobs_oldest_open_seconds: {
    type: "gauge",
    help: "Age of the oldest booking job that has work left; 0 where there is none.",
    labels: [],
    of: "buyer",
  },
  parley_outbound_requests_total: {
    type: "counter",
    help:
      "HTTP requests that this agent sent, by result: ok, refused (4xx), failed (5xx), blocked (no permitted " +
      "target), timeout, unreachable, stopped. The peer is a seller of SELLER_ENDPOINTS by host and port, or what " +
      "the request was for.",
    labels: ["peer", "result"],
  },
  parley_outbound_seconds: { type: "histogram", help: "Time to the head of the answer.", labels: ["peer"] },
  parley_event_streams_open: { type: "gauge", help: "Open event streams.", labels: [] },
  parley_mcp_sessions_open: { type: "gauge", help: "MCP sessions with a state of their own.", labels: [] },
  parley_keys_expiring: {
    type: "gauge",
    help: "Keys that work now and expire within 14 days.",
    labels: ["role"],
  },
  parley_keys_old: {
    type: "gauge",
    help: "Keys of operators older than KEY_ROTATION_DAYS.",
    labels: [],
  },
} as const satisfies Readonly<Record<string, MetricShape>>;

export type MetricName = keyof typeof metricTable;

type NameOf<T extends MetricShape["type"]> = {
  [Name in MetricName]: (typeof metricTable)[Name]["type"] extends T ? Name : never;
}[MetricName];

export type CountedName = NameOf<"counter">;
export type TimedName = NameOf<"histogram">;
export type GaugeName = NameOf<"gauge">;

export type LabelsOf<Name extends MetricName> = Readonly<Record<(typeof metricTable)[Name]["labels"][number], string>>;
