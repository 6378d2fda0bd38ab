import { update } from "../../../protocol/seam/changes.ts";
import { eventChange } from "../../../protocol/seam/events.ts";
import type { EventDraft } from "../../../protocol/seam/operation.ts";
import type { Clock } from "../../../protocol/seam/ports.ts";
import { alteredFields } from "../../../protocol/seam/run/altered.ts";
import type { SellerCalls } from "../../../skills/buyer/bookings/flow/ports.ts";
import { isParked } from "../../../skills/buyer/bookings/flow/parking.ts";
import { failJob, type FlowPolicy, type FlowSession } from "../../../skills/buyer/bookings/flow/session.ts";
import { moveJob } from "../../../skills/buyer/bookings/moves.ts";
import { bookingKind, type BookingRow, isWorking } from "../../../skills/buyer/bookings/record.ts";
import type { Change, Store, StoredRow } from "../../../storage/store.ts";

/** Takeovers without a committed step in between after which a job is given up. */
const mostFailedResumes = 2;

export interface HolderParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly calls: SellerCalls;
  readonly policy: FlowPolicy;
  readonly worker: string;
  readonly leaseMs: number;
}

/** Another worker or a person changed the job. */
export class ClaimLost extends Error {}

export type LoadedJob = StoredRow<BookingRow>;

type Move = (job: BookingRow) => BookingRow;

export interface HeldJob {
  readonly session: FlowSession;
  readonly abort: AbortController;
  /** `step` moves the flow, `life` renews the claim, `release` gives it back. Throws `ClaimLost`. */
  write(change: Move, events: readonly EventDraft[], as: "step" | "life" | "release"): Promise<void>;
}

const flowOperation = "booking_flow";

/** What a worker did to a job, in the audit trail. */
export const jobAudit = (operation: string, nowMs: number, jobId: string, changes: readonly Change[]) => {
  const changed = alteredFields(changes);
  const at = new Date(nowMs).toISOString();
  const entry = { at, request_id: jobId, operation, door: "job", principal: "buyer" };
  return changed === undefined ? entry : { ...entry, changed };
};

/** Each write expects the row as this worker last wrote it, so two workers can never both move a job. */
const hold = (parts: HolderParts, claimed: LoadedJob): HeldJob => {
  let loaded = claimed;
  let queue: Promise<unknown> = Promise.resolve();
  const abort = new AbortController();
  const commit = async (...[change, events, as]: Parameters<HeldJob["write"]>): Promise<void> => {
    const nowMs = parts.clock.nowMs();
    const before = loaded.body;
    const changed = change(before);
    const isKept = as !== "release" && isWorking(changed);
    const claim = isKept ? { worker: parts.worker, until_ms: nowMs + parts.leaseMs } : null;
    const progress = as === "step" ? { updated_at_ms: nowMs, resumes: 0 } : {};
    const body = { ...changed, ...progress, claim };
    const rows = events.map((draft) => eventChange(draft, nowMs, before.owner));
    const changes = [update(bookingKind, loaded, body), ...rows];
    const audit = as === "step" ? jobAudit(flowOperation, nowMs, before.job_id, changes) : null;
    const outcome = await parts.store.commit({ changes, audit });
    if (!outcome.ok) throw new ClaimLost(before.job_id);
    loaded = { ...loaded, version: loaded.version + 1, body };
  };
  const write: HeldJob["write"] = (...args) => {
    const done = queue.then(() => commit(...args));
    queue = done.catch(() => undefined);
    return done;
  };
  const session: FlowSession = {
    job: () => loaded.body,
    commit: async (change, events = []) => {
      // A stopped call proves nothing about the seller.
      if (abort.signal.aborted) throw new ClaimLost(loaded.id);
      await write(change, events, "step");
    },
    calls: parts.calls,
    policy: parts.policy,
    signal: abort.signal,
    nowMs: () => parts.clock.nowMs(),
  };
  return { session, abort, write };
};

export const isFree = (job: BookingRow, nowMs: number): boolean =>
  isWorking(job) && !isParked(job, nowMs) && (job.claim === null || job.claim.until_ms <= nowMs);

const claimedBody = (job: BookingRow, claim: NonNullable<BookingRow["claim"]>, nowMs: number): BookingRow => {
  const resumes = job.claim === null ? job.resumes : job.resumes + 1;
  if (resumes > mostFailedResumes) return { ...failJob(job, nowMs, ["interrupted by restart"]), updated_at_ms: nowMs };
  const started = job.life.value === "pending" ? moveJob(job, { type: "START", nowMs }) : job;
  return { ...started, resumes, claim };
};

/** The answer is null when another worker was quicker, or when the job was given up. */
export const claimJob = async (parts: HolderParts, loaded: LoadedJob): Promise<HeldJob | null> => {
  const nowMs = parts.clock.nowMs();
  const claim = { worker: parts.worker, until_ms: nowMs + parts.leaseMs };
  const body = claimedBody(loaded.body, claim, nowMs);
  const changes = [update(bookingKind, loaded, body)];
  const audit = isWorking(body) ? null : jobAudit(flowOperation, nowMs, loaded.body.job_id, changes);
  const outcome = await parts.store.commit({ changes, audit });
  return outcome.ok && isWorking(body) ? hold(parts, { ...loaded, version: loaded.version + 1, body }) : null;
};
