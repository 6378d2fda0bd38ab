import { assign, setup } from "xstate";
import { begin, type Deadline, type InstanceOf } from "../step.ts";

export type Decision = "approve" | "reject" | "counter";

/** `principal` is the proven credential, `decidedBy` what the human wrote. */
export interface DecisionRecord {
  readonly decision: Decision;
  readonly decidedBy: string;
  readonly principal: string;
  readonly reason: string;
  readonly modifications: Readonly<Record<string, unknown>>;
  readonly decidedAtMs: number;
}

export interface ApprovalContext {
  readonly expiresAtMs: number;
  readonly record: DecisionRecord | null;
}

export type ApprovalEvent =
  | ({ readonly type: "DECIDE"; readonly nowMs: number } & Omit<DecisionRecord, "decidedAtMs">)
  | { readonly type: "TIME_OUT"; readonly nowMs: number };

/** Decided once by an operator, or timed out, never both. */
export const approvalMachine = setup({
  types: { context: {} as ApprovalContext, events: {} as ApprovalEvent, input: {} as ApprovalContext },
  guards: {
    approves: ({ context, event }) =>
      event.type === "DECIDE" && event.decision === "approve" && event.nowMs < context.expiresAtMs,
    declines: ({ context, event }) =>
      event.type === "DECIDE" &&
      (event.decision === "reject" || event.decision === "counter") &&
      event.nowMs < context.expiresAtMs,
    isOver: ({ context, event }) => event.nowMs >= context.expiresAtMs,
  },
  actions: {
    record: assign(({ event }) => {
      if (event.type !== "DECIDE") return {};
      const { type: _type, nowMs, ...decision } = event;
      return { record: { ...decision, decidedAtMs: nowMs } };
    }),
  },
}).createMachine({
  id: "approval",
  context: ({ input }) => input,
  initial: "pending",
  states: {
    pending: {
      on: {
        DECIDE: [
          { guard: "approves", target: "approved", actions: "record" },
          { guard: "declines", target: "rejected", actions: "record" },
        ],
        TIME_OUT: { guard: "isOver", target: "timed_out" },
      },
    },
    approved: { type: "final" },
    rejected: { type: "final" },
    timed_out: { type: "final" },
  },
});

export type ApprovalInstance = InstanceOf<typeof approvalMachine>;
export const newApproval = (expiresAtMs: number): ApprovalInstance =>
  begin(approvalMachine, { expiresAtMs, record: null });

export const approvalDeadline = (approval: ApprovalInstance): Deadline<"TIME_OUT"> | null =>
  approval.value === "pending" ? { atMs: approval.context.expiresAtMs, type: "TIME_OUT" } : null;
