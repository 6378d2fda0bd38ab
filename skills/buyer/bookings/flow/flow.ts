import type { BookingState } from "../../../../machines/booking/machine.ts";
import { moveJob } from "../moves.ts";
import type { BookingRow } from "../record.ts";
import { isOnlyHeld, isWorking } from "../record.ts";
import { book } from "./booking/book.ts";
import { hearHeld } from "./booking/held.ts";
import { cancelLines, cancellationsOf } from "./booking/cancel.ts";
import { choose } from "./choice/choose.ts";
import { negotiate } from "./bargain/negotiate.ts";
import { isParked } from "./parking.ts";
import { research } from "./research.ts";
import { flowEvent, type FlowSession } from "./session.ts";
import { allocationsOf } from "./split.ts";

const allocate = async (session: FlowSession): Promise<void> => {
  const job = session.job();
  const allocations = allocationsOf(job.brief);
  const event = flowEvent(job, "budget.allocated", {
    channels: allocations.map(({ channel }) => channel),
    total_budget: job.brief.budget_cents / 100,
    allocations: Object.fromEntries(allocations.map(({ channel, budget_cents }) => [channel, budget_cents / 100])),
  });
  await session.commit(
    (latest) => ({ ...moveJob(latest, { type: "ALLOCATED", nowMs: session.nowMs() }), allocations }),
    [event],
  );
};

type Stage = (session: FlowSession) => Promise<void>;

const stages: Readonly<Partial<Record<BookingState, Stage>>> = {
  allocating: allocate,
  researching: research,
  negotiating: negotiate,
  choosing: choose,
  booking: book,
};

/** Cancellations come first: they run while nothing else happens, or in between. */
const nextStage = (job: BookingRow): Stage | undefined => {
  if (cancellationsOf(job).length > 0) return cancelLines;
  return stages[job.life.value] ?? (isOnlyHeld(job) ? hearHeld : undefined);
};

/**
 * Runs to the end or to a wait, for an approval or for what sellers hold, from the row's stage; it commits after every
 * step, so it can stop anywhere.
 */
export const runBookingFlow = async (session: FlowSession): Promise<void> => {
  while (isWorking(session.job()) && !isParked(session.job(), session.nowMs())) {
    const stage = nextStage(session.job());
    if (stage === undefined) throw new Error(`a working job has nothing to do in ${session.job().life.value}`);
    await stage(session);
  }
};
