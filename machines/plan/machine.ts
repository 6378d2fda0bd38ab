import { assign, setup } from "xstate";
import { begin, type Deadline, type InstanceOf } from "../step.ts";

interface PlanContext {
  /** Until when it can be refined, or bought at its prices. */
  readonly untilMs: number;
  readonly mediaBuyId: string | null;
}

export type PlanEvent =
  | { readonly type: "COMMIT"; readonly nowMs: number; readonly untilMs: number }
  | { readonly type: "BUY"; readonly nowMs: number; readonly mediaBuyId: string }
  | { readonly type: "EXPIRE"; readonly nowMs: number };

const expire = { guard: "isOver", target: "expired" } as const;

/** A draft binds nobody; committed, it holds its prices, and is bought once. */
export const planMachine = setup({
  types: { context: {} as PlanContext, events: {} as PlanEvent, input: {} as PlanContext },
  guards: {
    isLive: ({ context, event }) => event.nowMs < context.untilMs,
    isOver: ({ context, event }) => event.nowMs >= context.untilMs,
  },
  actions: {
    hold: assign(({ event }) => (event.type === "COMMIT" ? { untilMs: event.untilMs } : {})),
    buy: assign(({ event }) => (event.type === "BUY" ? { mediaBuyId: event.mediaBuyId } : {})),
  },
}).createMachine({
  id: "plan",
  context: ({ input }) => input,
  initial: "draft",
  states: {
    draft: { on: { COMMIT: { guard: "isLive", target: "committed", actions: "hold" }, EXPIRE: expire } },
    committed: {
      on: {
        COMMIT: { guard: "isLive", actions: "hold" },
        BUY: { guard: "isLive", target: "bought", actions: "buy" },
        EXPIRE: expire,
      },
    },
    bought: { type: "final" },
    expired: { type: "final" },
  },
});

export type PlanInstance = InstanceOf<typeof planMachine>;

export const newPlan = (untilMs: number): PlanInstance => begin(planMachine, { untilMs, mediaBuyId: null });

export const planDeadline = ({ value, context }: PlanInstance): Deadline<"EXPIRE"> | null =>
  value === "draft" || value === "committed" ? { atMs: context.untilMs, type: "EXPIRE" } : null;
