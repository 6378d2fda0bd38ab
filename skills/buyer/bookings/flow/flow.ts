import { allocateBudget } from "../../../../machines/booking/allocation.ts";
import { bookingProgress } from "../../../../machines/booking/machine.ts";
import type { Allocation, BookingRow, Stage } from "../record.ts";
import { isWorking } from "../record.ts";
import { book } from "./book.ts";
import { choose } from "./choose.ts";
import { research } from "./research.ts";
import { advanceJob, flowEvent, type FlowSession, moveJob } from "./session.ts";

const microsPerCent = 10_000;

const allocationsOf = (job: BookingRow): readonly Allocation[] => {
  const { budget_cents, objectives, channels } = job.brief;
  const split = allocateBudget({ budgetMicros: budget_cents * microsPerCent, objectives, channels });
  return split.map(({ channel, budgetMicros, percentage }) => ({
    channel,
    budget_cents: budgetMicros / microsPerCent,
    percentage,
    rationale: `${percentage} % of the budget for ${objectives.join(", ")}`.slice(0, 500),
  }));
};

const allocate = async (session: FlowSession): Promise<void> => {
  const job = session.job();
  const allocations = allocationsOf(job);
  const event = flowEvent(job, "budget.allocated", {
    channels: allocations.map(({ channel }) => channel),
    total_budget: job.brief.budget_cents / 100,
    allocations: Object.fromEntries(allocations.map(({ channel, budget_cents }) => [channel, budget_cents / 100])),
  });
  await session.commit(
    (latest) => {
      const nowMs = session.nowMs();
      const running = latest.life.value === "pending" ? moveJob(latest, { type: "START", nowMs }) : latest;
      return { ...advanceJob(running, nowMs, bookingProgress.allocated, []), allocations, stage: "research" };
    },
    [event],
  );
};

const stages: Readonly<Partial<Record<Stage, (session: FlowSession) => Promise<void>>>> = {
  allocate,
  research,
  choose,
  book,
};

/**
 * Takes a job as far as it goes without a person: to its end, or to where it waits for approval. It starts at the
 * stage that the row names and commits after every step, so it can be stopped anywhere and started again.
 */
export const runBookingFlow = async (session: FlowSession): Promise<void> => {
  while (isWorking(session.job())) {
    const stage = stages[session.job().stage];
    if (stage === undefined) throw new Error(`a working job has nothing to do in ${session.job().stage}`);
    await stage(session);
  }
};
