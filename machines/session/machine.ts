import { assign, setup } from "xstate";
import { begin, type Deadline, type InstanceOf } from "../step.ts";

export type SessionStage = "discovery" | "pricing" | "proposal" | "negotiation" | "deal" | "closed";

interface SessionContext {
  readonly expiresAtMs: number;
  readonly messageCount: number;
  readonly stage: SessionStage;
}

export type SessionEvent =
  /** `stage` null keeps the stage. */
  | { readonly type: "EXCHANGE"; readonly nowMs: number; readonly stage: SessionStage | null }
  | { readonly type: "CLOSE"; readonly nowMs: number }
  | { readonly type: "EXPIRE"; readonly nowMs: number };

/** Seller spec, Sessions: no message prolongs it. */
export const sessionMachine = setup({
  types: { context: {} as SessionContext, events: {} as SessionEvent, input: {} as SessionContext },
  guards: {
    isLive: ({ context, event }) => event.nowMs < context.expiresAtMs,
    isOver: ({ context, event }) => event.nowMs >= context.expiresAtMs,
  },
}).createMachine({
  id: "session",
  context: ({ input }) => input,
  initial: "active",
  states: {
    active: {
      on: {
        EXCHANGE: {
          guard: "isLive",
          actions: assign({
            messageCount: ({ context }) => context.messageCount + 2,
            stage: ({ context, event }) => event.stage ?? context.stage,
          }),
        },
        CLOSE: { guard: "isLive", target: "closed", actions: assign({ stage: "closed" }) },
        EXPIRE: { guard: "isOver", target: "expired" },
      },
    },
    expired: { type: "final" },
    closed: { type: "final" },
  },
});

export type SessionInstance = InstanceOf<typeof sessionMachine>;
export const newSession = (expiresAtMs: number): SessionInstance =>
  begin(sessionMachine, { expiresAtMs, messageCount: 0, stage: "discovery" });

export const sessionDeadline = (session: SessionInstance): Deadline<"EXPIRE"> | null =>
  session.value === "active" ? { atMs: session.context.expiresAtMs, type: "EXPIRE" } : null;
