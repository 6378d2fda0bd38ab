import { randomUUID } from "node:crypto";
import type { Clock, Log } from "../../../protocol/seam/ports.ts";
import { inLaterSpan } from "../../../protocol/neutral/trace.ts";
import { runBookingFlow } from "../../../skills/buyer/bookings/flow/flow.ts";
import type { SellerCalls } from "../../../skills/buyer/bookings/flow/ports.ts";
import { isParked } from "../../../skills/buyer/bookings/flow/parking.ts";
import { failJob, type FlowPolicy } from "../../../skills/buyer/bookings/flow/session.ts";
import { bookingKind, isWorking, workTerm } from "../../../skills/buyer/bookings/record.ts";
import type { Store } from "../../../storage/store.ts";
import { ClaimLost, claimJob, type HeldJob, isFree, type LoadedJob } from "./held-job.ts";

export interface WorkerParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly calls: SellerCalls;
  readonly policy: FlowPolicy;
  /** A killed process's jobs are taken over after it. */
  readonly leaseMs?: number;
  readonly pollMs?: number;
  readonly mostJobs?: number;
}

export interface BookingWorker {
  /** Stops between two calls, releases the jobs and resolves when nothing runs. */
  stop(): Promise<void>;
}

const giveUp = async (parts: WorkerParts, held: HeldJob, error: unknown): Promise<void> => {
  const job = held.session.job();
  const cause = error instanceof Error ? { error: error.message, stack: error.stack } : { error: String(error) };
  parts.log.error({ job_id: job.job_id, stage: job.life.value, ...cause }, "booking flow failed");
  const text = `The booking stopped while ${job.life.value} because of an internal error; the log has more.`;
  await held.write((latest) => failJob(latest, parts.clock.nowMs(), [text]), [], "step");
};

/** A bug of ours fails the job; a lost claim leaves it alone. */
const runJob = async (parts: WorkerParts, held: HeldJob, leaseMs: number): Promise<void> => {
  const sign = (): void => {
    held.write((job) => job, [], "life").catch(() => held.abort.abort());
  };
  const heartbeat = setInterval(sign, Math.max(1, Math.floor(leaseMs / 3)));
  const { traceparent, job_id: jobId } = held.session.job();
  try {
    await inLaterSpan("booking job", traceparent, async ({ set }) => {
      set("parley.job_id", jobId);
      await runBookingFlow(held.session);
    });
  } catch (error) {
    if (!(error instanceof ClaimLost) && !held.abort.signal.aborted) await giveUp(parts, held, error);
  } finally {
    clearInterval(heartbeat);
    held.abort.abort();
  }
};

/** One run at a time; a request during a run starts another. */
const createScan = (look: () => Promise<void>, log: Log): { ask: () => void; ended: () => Promise<void> } => {
  let isWanted = false;
  let running: Promise<void> | null = null;
  const loop = async (): Promise<void> => {
    while (isWanted) {
      isWanted = false;
      await look().catch((error: unknown) => log.error({ error: String(error) }, "looking for booking jobs failed"));
    }
    running = null;
  };
  return {
    ask: () => {
      isWanted = true;
      running ??= loop();
    },
    ended: async () => {
      await running;
    },
  };
};

/**
 * Takes free jobs, oldest first, and those of dead processes from their last committed step. Processes may share a
 * store.
 */
export const startBookingWorker = (parts: WorkerParts): BookingWorker => {
  const { store, clock, log, calls, policy, leaseMs = 5_000, pollMs = 1_000, mostJobs = 8 } = parts;
  const holder = { store, clock, calls, policy, worker: randomUUID(), leaseMs };
  const active = new Map<string, { readonly held: HeldJob; readonly done: Promise<void> }>();
  const claiming = new Set<string>();
  let isStopping = false;

  const work = async (held: HeldJob): Promise<void> => {
    await runJob(parts, held, leaseMs);
    const job = held.session.job();
    const isReleased = isStopping || isParked(job, clock.nowMs());
    if (isReleased && isWorking(job)) await held.write((latest) => latest, [], "release");
  };

  const take = async (loaded: LoadedJob): Promise<void> => {
    const jobId = loaded.id;
    if (active.has(jobId) || claiming.has(jobId)) return;
    claiming.add(jobId);
    const held = await claimJob(holder, loaded).finally(() => claiming.delete(jobId));
    if (held === null) return;
    const done = work(held)
      .catch((error: unknown) => log.warn({ job_id: jobId, error: String(error) }, "booking job left as it is"))
      .finally(() => {
        active.delete(jobId);
        ask();
      });
    active.set(jobId, { held, done });
  };

  const look = async (): Promise<void> => {
    const query = { kind: bookingKind.name, terms: [workTerm], order: "oldest", limit: 500 } as const;
    for (const row of (await store.list(query)) as readonly LoadedJob[]) {
      if (isStopping || active.size >= mostJobs) return;
      if (isFree(row.body, clock.nowMs())) await take(row);
    }
  };

  const scan = createScan(look, log);
  const ask = (): void => {
    if (!isStopping) scan.ask();
  };
  const unwatch = store.watch(bookingKind.name, (jobId) => {
    if (!active.has(jobId) && !claiming.has(jobId)) ask();
  });
  const timer = setInterval(ask, pollMs);
  ask();
  return {
    stop: async () => {
      isStopping = true;
      clearInterval(timer);
      unwatch();
      await scan.ended();
      for (const { held } of active.values()) held.abort.abort();
      await Promise.all([...active.values()].map(({ done }) => done));
    },
  };
};
