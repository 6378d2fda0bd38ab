import { randomUUID } from "node:crypto";
import { bookingMachine } from "../../machines/booking/machine.ts";
import { step } from "../../machines/step.ts";
import { update } from "../../protocol/changes.ts";
import { eventChange } from "../../protocol/events.ts";
import type { EventDraft } from "../../protocol/operation.ts";
import type { Clock, Log } from "../../protocol/ports.ts";
import { runBookingFlow } from "../../skills/buyer/bookings/flow/flow.ts";
import type { SellerCalls } from "../../skills/buyer/bookings/flow/ports.ts";
import { failJob, type FlowSession } from "../../skills/buyer/bookings/flow/session.ts";
import { bookingKind, type BookingRow, isWorking } from "../../skills/buyer/bookings/record.ts";
import type { Store, StoredRow } from "../../storage/store.ts";

/** Takeovers without a committed step in between after which a job is given up (wire contract 3.10). */
const mostFailedResumes = 2;

export interface WorkerParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly calls: SellerCalls;
  /** How long a claim holds without a sign of life; a killed process's jobs are taken over after it. */
  readonly leaseMs?: number;
  readonly pollMs?: number;
  /** Jobs that one process works on at once. */
  readonly mostJobs?: number;
}

export interface BookingWorker {
  /** Stops between two calls, gives the jobs back and resolves when nothing runs any more. */
  stop(): Promise<void>;
}

/** The job was changed by somebody else: another worker has it, or a person decided. */
class ClaimLost extends Error {}

type Loaded = StoredRow<BookingRow>;

/** A job that this process works on: its latest row, and the one way to write it. */
interface Held {
  readonly session: FlowSession;
  readonly abort: AbortController;
  write(change: (job: BookingRow) => BookingRow, events: readonly EventDraft[], as: "step" | "life" | "release"): Promise<void>;
}

const auditOf = (nowMs: number, jobId: string) => ({
  at: new Date(nowMs).toISOString(),
  request_id: jobId,
  operation: "booking_flow",
  door: "job",
  principal: "buyer",
});

/**
 * Holds a claimed job. Writes are put one after the other and each expects the row as this worker last wrote it, so
 * two workers can never both move a job: the second finds that it lost its claim.
 */
const hold = (parts: WorkerParts, worker: string, leaseMs: number, claimed: Loaded): Held => {
  let loaded = claimed;
  let queue: Promise<unknown> = Promise.resolve();
  const abort = new AbortController();
  const commit = async (...[change, events, as]: Parameters<Held["write"]>): Promise<void> => {
    const nowMs = parts.clock.nowMs();
    const before = loaded.body;
    const changed = change(before);
    const claim = as === "release" || !isWorking(changed) ? null : { worker, until_ms: nowMs + leaseMs };
    const progress = as === "step" ? { updated_at_ms: nowMs, resumes: 0 } : {};
    const body = { ...changed, ...progress, claim };
    const rows = events.map((draft) => eventChange(draft, nowMs, before.owner));
    const audit = as === "step" ? auditOf(nowMs, before.job_id) : null;
    const outcome = await parts.store.commit({ changes: [update(bookingKind, loaded, body), ...rows], audit });
    if (!outcome.ok) throw new ClaimLost(before.job_id);
    loaded = { ...loaded, version: loaded.version + 1, body };
  };
  const write: Held["write"] = (...args) => {
    const done = queue.then(() => commit(...args));
    queue = done.catch(() => undefined);
    return done;
  };
  const session: FlowSession = {
    job: () => loaded.body,
    commit: async (change, events = []) => {
      // What a stopped call answered is no answer: nothing may be concluded from it.
      if (abort.signal.aborted) throw new ClaimLost(loaded.id);
      await write(change, events, "step");
    },
    calls: parts.calls,
    signal: abort.signal,
    nowMs: () => parts.clock.nowMs(),
  };
  return { session, abort, write };
};

/** Whether the job is free: nobody has it, or who had it gave no sign of life in time. */
const isFree = (job: BookingRow, nowMs: number): boolean =>
  isWorking(job) && (job.claim === null || job.claim.until_ms <= nowMs);

/** What a claim makes of a job: started, given a lease, or given up after too many takeovers without progress. */
const claimedBody = (job: BookingRow, worker: string, nowMs: number, leaseMs: number): BookingRow => {
  const resumes = job.claim === null ? job.resumes : job.resumes + 1;
  if (resumes > mostFailedResumes) return { ...failJob(job, nowMs, ["interrupted by restart"]), updated_at_ms: nowMs };
  const life = job.life.value === "pending" ? step(bookingMachine, job.life, { type: "START", nowMs }) : job.life;
  return { ...job, life: life ?? job.life, resumes, claim: { worker, until_ms: nowMs + leaseMs } };
};

/**
 * Works off booking jobs in the background: takes what is free, oldest first, and takes over what a process that is
 * gone left behind, from its last committed step. Several processes may share one store.
 */
export const startBookingWorker = (parts: WorkerParts): BookingWorker => {
  const { store, clock, log } = parts;
  const { leaseMs = 5_000, pollMs = 1_000, mostJobs = 8 } = parts;
  const worker = randomUUID();
  const active = new Map<string, { readonly held: Held; readonly done: Promise<void> }>();
  const claiming = new Set<string>();
  let isStopping = false;
  let scanning: Promise<void> | null = null;
  let isScanWanted = false;

  const claim = async (loaded: Loaded): Promise<Held | null> => {
    const nowMs = clock.nowMs();
    const body = claimedBody(loaded.body, worker, nowMs, leaseMs);
    const audit = isWorking(body) ? null : auditOf(nowMs, loaded.body.job_id);
    const outcome = await store.commit({ changes: [update(bookingKind, loaded, body)], audit });
    if (!outcome.ok || !isWorking(body)) return null;
    return hold(parts, worker, leaseMs, { ...loaded, version: loaded.version + 1, body });
  };

  const giveUp = async (held: Held, error: unknown): Promise<void> => {
    const job = held.session.job();
    const cause = error instanceof Error ? { error: error.message, stack: error.stack } : { error: String(error) };
    log.error({ job_id: job.job_id, stage: job.stage, ...cause }, "booking flow failed");
    const text = `The booking stopped at ${job.stage} because of an internal error; the log of the buyer has more.`;
    await held.write((latest) => failJob(latest, clock.nowMs(), [text]), [], "step");
  };

  const work = async (held: Held): Promise<void> => {
    const sign = (): void => {
      held.write((job) => job, [], "life").catch(() => held.abort.abort());
    };
    const heartbeat = setInterval(sign, Math.max(1, Math.floor(leaseMs / 3)));
    try {
      await runBookingFlow(held.session);
    } catch (error) {
      if (!isStopping && !(error instanceof ClaimLost) && !held.abort.signal.aborted) await giveUp(held, error);
    } finally {
      clearInterval(heartbeat);
      held.abort.abort();
    }
    if (isStopping && isWorking(held.session.job())) await held.write((job) => job, [], "release");
  };

  const take = async (loaded: Loaded): Promise<void> => {
    const jobId = loaded.id;
    if (active.has(jobId) || claiming.has(jobId)) return;
    claiming.add(jobId);
    const held = await claim(loaded).finally(() => claiming.delete(jobId));
    if (held === null) return;
    const done = work(held)
      .catch((error: unknown) => log.warn({ job_id: jobId, error: String(error) }, "booking job left as it is"))
      .finally(() => {
        active.delete(jobId);
        scan();
      });
    active.set(jobId, { held, done });
  };

  const look = async (): Promise<void> => {
    for (const status of ["running", "pending"]) {
      const query = { kind: bookingKind.name, terms: [`status=${status}`], order: "oldest", limit: 500 } as const;
      for (const row of (await store.list(query)) as readonly Loaded[]) {
        if (isStopping || active.size >= mostJobs) return;
        if (isFree(row.body, clock.nowMs())) await take(row);
      }
    }
  };

  const scan = (): void => {
    if (isStopping) return;
    isScanWanted = true;
    if (scanning !== null) return;
    const loop = async (): Promise<void> => {
      while (isScanWanted && !isStopping) {
        isScanWanted = false;
        await look().catch((error: unknown) => log.error({ error: String(error) }, "looking for booking jobs failed"));
      }
      scanning = null;
    };
    scanning = loop();
  };

  const unwatch = store.watch(bookingKind.name, (jobId) => {
    if (!active.has(jobId) && !claiming.has(jobId)) scan();
  });
  const timer = setInterval(scan, pollMs);
  scan();
  return {
    stop: async () => {
      isStopping = true;
      clearInterval(timer);
      unwatch();
      await scanning;
      for (const { held } of active.values()) held.abort.abort();
      await Promise.all([...active.values()].map(({ done }) => done));
    },
  };
};
