import { randomUUID } from "node:crypto";
import type { Agent } from "../../agents/server/agent.ts";
import { createBuyer, type BuyerParts } from "../../agents/buyer/app.ts";
import type { BuyerSettings } from "../../agents/buyer/config.ts";
import type { Log } from "../../protocol/seam/ports.ts";
import { hostAdmission } from "../../protocol/seam/admission.ts";
import { openMemoryStore } from "../../storage/memory/driver.ts";
import type { Store, StoredRow } from "../../storage/store.ts";

/** 2027-01-15 12:00 UTC. */
const startMs = Date.UTC(2027, 0, 15, 12);

export const plainBuyer: BuyerSettings = {
  sellers: [],
  identity: {},
  sellerTimeoutSeconds: 20,
  sellerDialect: "auto",
  researchDeadlineSeconds: 60,
  negotiates: true,
  sellerFees: new Map(),
  eventStreamsPerCaller: 50,
  console: true,
  sandbox: false,
  registryUrl: null,
  aampRegistry: null,
  discovers: false,
  agentUrl: "http://127.0.0.1:8001",
  adcp: null,
  openDirect: { account: null, baseUrl: null, apiKey: null, token: null },
  outboundAllow: ["127.0.0.1"],
  agenticExtension: { isOn: false, ratified: null },
  legacyApiKey: null,
  languageModel: null,
};

export interface Clock {
  nowMs(): number;
  move(byMs: number): void;
}

/** Runs with real time, and can be moved. */
export const movableClock = (): Clock => {
  let offset = startMs - Date.now();
  return { nowMs: () => Date.now() + offset, move: (byMs) => void (offset += byMs) };
};

export const logTo = (lines: string[]): Log => {
  const record =
    (level: string) =>
    (fields: unknown, message: string): void =>
      void lines.push(JSON.stringify([message, fields, level]));
  return { info: record("info"), warn: record("warn"), error: record("error") };
};

export interface Reply {
  readonly code: string | null;
  readonly status: number;
  readonly message: string;
  readonly output: Readonly<Record<string, unknown>>;
}

export const callAgent = async (agent: Agent, operation: string, input: unknown, key?: string): Promise<Reply> => {
  const outcome = await agent.runner.run({
    operation,
    door: "host",
    admission: hostAdmission,
    requestId: randomUUID(),
    input: () => ({ input }),
    idempotencyKey: key ?? null,
  });
  if (outcome.kind === "bug") return { code: "bug", status: 500, message: "", output: {} };
  if (outcome.kind === "refused") {
    const { code, message } = outcome.refusal;
    return { code, status: outcome.status, message, output: {} };
  }
  return { code: null, status: 200, message: "", output: outcome.output as Reply["output"] };
};

/** The test's own timeout ends an endless wait. */
export const until = async <T>(look: () => Promise<T | null>): Promise<T> => {
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

export interface Job {
  readonly job_id: string;
  readonly status: string;
  readonly progress: number;
  readonly budget_allocations: Readonly<Record<string, { budget: number }>>;
  readonly recommendations: readonly (Readonly<Record<string, unknown>> & { cost: number; status: string })[];
  readonly booked_lines: readonly (Readonly<Record<string, unknown>> & { deal_id: string; cost: number })[];
  readonly errors: readonly string[];
  readonly warnings: readonly { readonly field: string; readonly message: string }[];
  readonly totals: Readonly<Record<"budget" | "recommended" | "booked" | "unconfirmed" | "unspent", number>>;
}

export const settledJob = (agent: Agent, jobId: string): Promise<Job> =>
  until(async () => {
    const { output } = await callAgent(agent, "get_booking", { job_id: jobId });
    const job = output as unknown as Job;
    if (job.status === undefined) throw new Error(`there is no booking ${jobId}`);
    return job.status === "pending" || job.status === "running" ? null : job;
  });

export interface BuyerWorld {
  readonly store: Store;
  readonly buyer: Agent;
  readonly clock: Clock;
  readonly lines: string[];
  events(): Promise<readonly Readonly<Record<string, unknown>>[]>;
  close(): Promise<void>;
}

export const eventsOf = async (store: Store): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const rows = await store.list({ kind: "event", terms: [], order: "oldest", limit: 500 });
  return rows.map((row: StoredRow) => row.body as Readonly<Record<string, unknown>>);
};

export const openBuyer = async (
  settings: Partial<BuyerSettings>,
  more: Partial<Pick<BuyerParts, "outbound" | "worker" | "pause" | "seal">> & { readonly clock?: Clock } = {},
  openStore: () => Promise<Store> = async () => openMemoryStore(),
): Promise<BuyerWorld> => {
  const store = await openStore();
  const { clock = movableClock() } = more;
  const lines: string[] = [];
  const buyer = createBuyer({
    store,
    settings: { ...plainBuyer, ...settings },
    log: logTo(lines),
    pause: async () => undefined,
    ...more,
    clock,
  });
  return {
    store,
    buyer,
    clock,
    lines,
    events: () => eventsOf(store),
    close: async () => {
      await buyer.stop();
      await store.close();
    },
  };
};

export const sampleBrief = {
  name: "Spring launch",
  objectives: ["brand_awareness", "reach"],
  budget: 250_000,
  start_date: "2027-03-01",
  end_date: "2027-05-31",
  target_audience: { geography: ["US"] },
  channels: ["branding", "ctv", "mobile_app"],
  flights: [
    { name: "Launch", start_date: "2027-03-01", end_date: "2027-03-31", share: 60 },
    { name: "Sustain", start_date: "2027-04-12", end_date: "2027-05-31", share: 40 },
  ],
};
