import { canonicalJson } from "../../../protocol/neutral/canonical.ts";
import { update } from "../../../protocol/seam/changes.ts";
import { eventChange } from "../../../protocol/seam/events.ts";
import type { Clock, Log } from "../../../protocol/seam/ports.ts";
import type { CallFor, DealNews, SellerCalls } from "../../../skills/buyer/bookings/flow/ports.ts";
import { type Heard, withCancellation, withNews } from "../../../skills/buyer/bookings/news.ts";
import {
  type BookedLine,
  bookingKind,
  type BookingRow,
  isOnlyHeld,
  isWorking,
} from "../../../skills/buyer/bookings/record.ts";
import { jobAudit } from "./held-job.ts";
import type { EventEmitter } from "../../../skills/buyer/events/bus.ts";
import { isLost } from "../../../skills/buyer/seller-deals/contract.ts";
import {
  type DealLibrary,
  openStatuses,
  sellerDealKind,
  type SellerDealRow,
} from "../../../skills/buyer/seller-deals/record.ts";
import type { Store, StoredRow } from "../../../storage/store.ts";

export interface FollowerParts {
  readonly store: Pick<Store, "get" | "list" | "commit" | "watch">;
  readonly clock: Clock;
  readonly log: Log;
  readonly calls: Pick<SellerCalls, "readDeal" | "readCancellation">;
  readonly library: DealLibrary;
  readonly events: EventEmitter;
  readonly lookEveryMs?: number;
}

export interface DealFollower {
  /** Resolves when no seller is asked any more. */
  stop(): Promise<void>;
}

const hourMs = 3_600_000;
const quickMs = 2_000;
const slowMs = 60_000;
const longestFailedMs = 300_000;

/** A seller that decides soon is heard of soon; one that takes days is not asked all the time. */
const pauseMs = ({ updated_at_ms: since }: SellerDealRow, nowMs: number): number => {
  const ageMs = nowMs - since;
  if (ageMs < hourMs) return quickMs;
  return ageMs < 24 * hourMs ? 5 * quickMs : slowMs;
};

const isOpen = ({ deal_id, status }: SellerDealRow): boolean =>
  deal_id !== null && (openStatuses as readonly string[]).includes(status);

/** `booked` stays until the seller has done something with the deal. */
const told = (row: SellerDealRow, news: DealNews): SellerDealRow => ({
  ...row,
  status: news.status === "proposed" && row.status === "booked" ? "booked" : news.status,
  seller_status: news.status,
  status_reason: news.reason,
  cpm_micros: news.cpm_micros ?? row.cpm_micros,
  impressions: news.impressions ?? row.impressions,
  flight_start: news.flight_start ?? row.flight_start,
  flight_end: news.flight_end ?? row.flight_end,
});

type LoadedJob = StoredRow<BookingRow>;

const lineOf = (job: BookingRow, { deal_id, seller_url }: SellerDealRow): BookedLine | undefined =>
  job.booked_lines.find((line) => line.deal_id === deal_id && line.seller_url === seller_url);

/** `busy`: somebody else changes the job just now. */
type Asked = "heard" | "busy" | "failed";

/** Asks the seller and keeps what it says. */
const createAsking = ({ store, clock, calls, library, events }: FollowerParts, signal: AbortSignal) => {
  const cancellationHeard = async (job: BookingRow, line: BookedLine, of: CallFor): Promise<Heard> => {
    const { cancellation } = line;
    const id = cancellation?.state === "waiting" ? cancellation.change_request_id : null;
    if (cancellation === null || id === null) return { job, events: [] };
    const answer = await calls.readCancellation(line.seller_url, id, of);
    return answer.ok ? withCancellation(job, line, cancellation, answer.value) : { job, events: [] };
  };

  const commitJob = async (loaded: LoadedJob, { job, events: drafts }: Heard): Promise<boolean> => {
    if (job === loaded.body || canonicalJson(job) === canonicalJson(loaded.body)) return true;
    const nowMs = clock.nowMs();
    const changes = [
      update(bookingKind, loaded, { ...job, updated_at_ms: nowMs }),
      ...drafts.map((draft) => eventChange(draft, nowMs, job.owner)),
    ];
    return (await store.commit({ changes, audit: jobAudit("follow_deal", nowMs, job.job_id, changes) })).ok;
  };

  const keepRow = async (row: SellerDealRow, news: DealNews): Promise<void> => {
    const next = told(row, news);
    if (canonicalJson(next) === canonicalJson(row)) return;
    await library.keep({ ...next, updated_at_ms: clock.nowMs() });
    if (!isLost(next.status) || row.job_id !== null) return;
    const { deal_id, seller_url } = row;
    const payload = { deal_id, seller_url, reason: news.reason ?? news.status };
    await events.emit("deal.cancelled", { deal_id: deal_id ?? "", payload });
  };

  return async (row: SellerDealRow): Promise<Asked> => {
    const { job_id: jobId, deal_id: dealId, seller_url: url } = row;
    if (dealId === null) return "heard";
    const loaded = jobId === null ? null : ((await store.get(bookingKind.name, jobId)) as LoadedJob | null);
    const line = loaded === null ? undefined : lineOf(loaded.body, row);
    if (loaded !== null && isWorking(loaded.body) && !isOnlyHeld(loaded.body)) return "busy";
    const of: CallFor = { jobId: jobId ?? dealId, traceparent: loaded?.body.traceparent ?? null, signal };
    const answer = await calls.readDeal(url, { dealId, orderId: line?.order.order_id ?? null }, of);
    if (loaded !== null && line !== undefined) {
      const first = await cancellationHeard(loaded.body, line, of);
      const heard = answer.ok ? withNews(first.job, lineOf(first.job, row) ?? line, answer.value) : first;
      if (signal.aborted) return "busy";
      if (!(await commitJob(loaded, { job: heard.job, events: [...first.events, ...heard.events] }))) return "busy";
    }
    if (!answer.ok) return "failed";
    if (!signal.aborted) await keepRow(row, answer.value);
    return "heard";
  };
};

interface Followed {
  readonly sellerUrl: string;
  readonly dueAtMs: number;
  readonly failures: number;
}

const pageSize = 500;

async function* rowsOf(store: Pick<Store, "list">, status: string): AsyncGenerator<StoredRow<SellerDealRow>> {
  const query = { kind: sellerDealKind.name, terms: [`status=${status}`], order: "oldest", limit: pageSize } as const;
  let rows: readonly StoredRow[];
  let after = 0;
  do {
    rows = await store.list({ ...query, after });
    yield* rows as readonly StoredRow<SellerDealRow>[];
    after = rows.at(-1)?.n ?? after;
  } while (rows.length === pageSize);
}

/**
 * Asks sellers how open deals stand, one after another at each seller. Nothing is pushed: that works with every seller,
 * and a restart asks for all that was missed.
 */
export const startDealFollower = (parts: FollowerParts): DealFollower => {
  const { store, clock, log, lookEveryMs = 250 } = parts;
  const stopping = new AbortController();
  const ask = createAsking(parts, stopping.signal);
  const open = new Map<string, Followed>();
  const busy = new Map<string, Promise<void>>();

  const learn = ({ id, body }: StoredRow<SellerDealRow>): void => {
    if (!isOpen(body)) open.delete(id);
    else open.set(id, { sellerUrl: body.seller_url, dueAtMs: clock.nowMs() + lookEveryMs, failures: 0 });
  };
  const read = async (id: string): Promise<StoredRow<SellerDealRow> | null> =>
    (await store.get(sellerDealKind.name, id)) as StoredRow<SellerDealRow> | null;
  const failed = (error: unknown): void => log.warn({ error: String(error) }, "a deal could not be followed");

  const learnAll = async (): Promise<void> => {
    for (const status of openStatuses) for await (const row of rowsOf(store, status)) learn(row);
  };

  const follow = async (id: string): Promise<void> => {
    const row = await read(id);
    if (row === null || !isOpen(row.body)) return void open.delete(id);
    const asked = await ask(row.body);
    const before = open.get(id);
    if (before === undefined) return;
    const failures = asked === "failed" ? before.failures + 1 : 0;
    const nowMs = clock.nowMs();
    const waitMs = failures === 0 ? pauseMs(row.body, nowMs) : quickMs * 2 ** failures;
    open.set(id, { ...before, failures, dueAtMs: nowMs + Math.min(longestFailedMs, waitMs) });
  };

  const work = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) if (!stopping.signal.aborted) await follow(id).catch(failed);
  };

  const look = (): void => {
    const nowMs = clock.nowMs();
    const due = new Map<string, string[]>();
    for (const [id, { dueAtMs, sellerUrl }] of open) {
      if (dueAtMs <= nowMs && !busy.has(sellerUrl)) due.set(sellerUrl, [...(due.get(sellerUrl) ?? []), id]);
    }
    for (const [sellerUrl, ids] of due) {
      const working = work(ids).finally(() => busy.delete(sellerUrl));
      busy.set(sellerUrl, working);
    }
  };

  const unwatch = store.watch(sellerDealKind.name, (id) => {
    read(id).then((row) => (row === null ? undefined : learn(row)), failed);
  });
  const learning = learnAll().catch(failed);
  const timer = setInterval(look, lookEveryMs);
  return {
    stop: async () => {
      clearInterval(timer);
      unwatch();
      stopping.abort();
      await learning;
      await Promise.all(busy.values());
    },
  };
};
