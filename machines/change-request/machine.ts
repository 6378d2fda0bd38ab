import { assign, setup } from "xstate";
import { begin, step, type InstanceOf } from "../step.ts";
import type { Severity } from "./severity.ts";

/** `approvedBy` is also who rejected. `appliedAtMs` of a minor change is its creation. */
export interface ChangeRequestContext {
  readonly severity: Severity | null;
  readonly validationErrors: readonly string[];
  readonly approvedBy: string;
  readonly approvedAtMs: number | null;
  readonly rejectionReason: string;
  readonly appliedAtMs: number | null;
  readonly appliedBy: string;
  /** Null: not taken back. */
  readonly withdrawal?: { readonly by: string; readonly atMs: number; readonly reason: string } | null;
}

interface Review {
  readonly nowMs: number;
  readonly by: string;
  /** Critical changes need the role senior. */
  readonly senior: boolean;
}

export type ChangeRequestEvent =
  | { readonly type: "VALIDATE"; readonly nowMs: number }
  | { readonly type: "JUDGE"; readonly nowMs: number; readonly severity: Severity; readonly errors: readonly string[] }
  | ({ readonly type: "APPROVE" } & Review)
  | ({ readonly type: "REJECT"; readonly reason: string } & Review)
  | ({ readonly type: "WITHDRAW"; readonly reason: string; readonly own: boolean } & Review)
  | { readonly type: "APPLY"; readonly nowMs: number; readonly by: string };

/** The seller specification's states, and `withdrawn`: taken back before its review. */
export const changeRequestMachine = setup({
  types: { context: {} as ChangeRequestContext, events: {} as ChangeRequestEvent, input: {} as ChangeRequestContext },
  guards: {
    isFaulty: ({ event }) => event.type === "JUDGE" && event.errors.length > 0,
    isMinor: ({ event }) => event.type === "JUDGE" && event.severity === "minor",
    isJudged: ({ event }) => event.type === "JUDGE" && event.severity !== undefined,
    mayWithdraw: ({ context, event }) =>
      event.type === "WITHDRAW" && (event.own || context.severity !== "critical" || event.senior),
    mayReview: ({ context, event }) =>
      (event.type === "APPROVE" || event.type === "REJECT") && (context.severity !== "critical" || event.senior),
  },
}).createMachine({
  id: "change-request",
  context: ({ input }) => input,
  initial: "pending",
  states: {
    pending: { on: { VALIDATE: { target: "validating" } } },
    validating: {
      on: {
        JUDGE: [
          {
            guard: "isFaulty",
            target: "failed",
            actions: assign({
              severity: ({ event }) => event.severity,
              validationErrors: ({ event }) => event.errors,
            }),
          },
          {
            guard: "isMinor",
            target: "approved",
            actions: assign({
              severity: "minor",
              approvedBy: "system:auto-approve",
              approvedAtMs: ({ event }) => event.nowMs,
              appliedAtMs: ({ event }) => event.nowMs,
              appliedBy: "system",
            }),
          },
          {
            guard: "isJudged",
            target: "pending_approval",
            actions: assign({ severity: ({ event }) => event.severity }),
          },
        ],
      },
    },
    pending_approval: {
      on: {
        APPROVE: {
          guard: "mayReview",
          target: "approved",
          actions: assign({ approvedBy: ({ event }) => event.by, approvedAtMs: ({ event }) => event.nowMs }),
        },
        REJECT: {
          guard: "mayReview",
          target: "rejected",
          actions: assign({
            approvedBy: ({ event }) => event.by,
            approvedAtMs: ({ event }) => event.nowMs,
            rejectionReason: ({ event }) => event.reason,
          }),
        },
        WITHDRAW: {
          guard: "mayWithdraw",
          target: "withdrawn",
          actions: assign({ withdrawal: ({ event: { by, nowMs, reason } }) => ({ by, atMs: nowMs, reason }) }),
        },
      },
    },
    approved: {
      on: {
        APPLY: {
          target: "applied",
          actions: assign({
            appliedAtMs: ({ context, event }) => context.appliedAtMs ?? event.nowMs,
            appliedBy: ({ context, event }) => (context.appliedAtMs === null ? event.by : context.appliedBy),
          }),
        },
      },
    },
    rejected: { type: "final" },
    withdrawn: { type: "final" },
    applied: { type: "final" },
    failed: { type: "final" },
  },
});

export type ChangeRequestInstance = InstanceOf<typeof changeRequestMachine>;
export type ChangeRequestStatus = ChangeRequestInstance["value"];

export const newChangeRequest = (): ChangeRequestInstance =>
  begin(changeRequestMachine, {
    severity: null,
    validationErrors: [],
    approvedBy: "",
    approvedAtMs: null,
    rejectionReason: "",
    appliedAtMs: null,
    appliedBy: "",
  });

export const judgedChangeRequest = (
  severity: Severity,
  errors: readonly string[],
  nowMs: number,
): ChangeRequestInstance => {
  const validating = step(changeRequestMachine, newChangeRequest(), { type: "VALIDATE", nowMs });
  const judged = validating && step(changeRequestMachine, validating, { type: "JUDGE", nowMs, severity, errors });
  if (judged === null) throw new Error("A new change request can always be judged.");
  return judged;
};

/** A minor change was written when it was made. */
export const isWritten = (request: ChangeRequestInstance): boolean => request.context.appliedAtMs !== null;
