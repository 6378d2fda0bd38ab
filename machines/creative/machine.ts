import { assign, setup } from "xstate";
import { begin, type InstanceOf } from "../step.ts";

interface CreativeContext {
  readonly rejectionReason: string | null;
}

export type CreativeEvent =
  | { readonly type: "CHECK" | "APPROVE" | "ARCHIVE" | "PROCESS"; readonly nowMs: number }
  | { readonly type: "REJECT"; readonly nowMs: number; readonly reason: string };

const process = { target: "processing", actions: "forget" } as const;
const reject = { target: "rejected", actions: "remember" } as const;

/** The creative states of AdCP 3. A new version of a creative is processed again. */
export const creativeMachine = setup({
  types: { context: {} as CreativeContext, events: {} as CreativeEvent, input: {} as CreativeContext },
  actions: {
    remember: assign(({ event }) => (event.type === "REJECT" ? { rejectionReason: event.reason } : {})),
    forget: assign({ rejectionReason: null }),
  },
}).createMachine({
  id: "creative",
  context: ({ input }) => input,
  initial: "processing",
  states: {
    processing: { on: { CHECK: { target: "pending_review" }, REJECT: reject } },
    pending_review: { on: { APPROVE: { target: "approved" }, REJECT: reject, PROCESS: process } },
    approved: { on: { ARCHIVE: { target: "archived" }, REJECT: reject, PROCESS: process } },
    archived: { on: { APPROVE: { target: "approved" }, PROCESS: process } },
    rejected: { on: { PROCESS: process, CHECK: { target: "pending_review", actions: "forget" } } },
  },
});

export type CreativeInstance = InstanceOf<typeof creativeMachine>;
export type CreativeStatus = CreativeInstance["value"];

/** In the order of their life. */
export const creativeStatuses = ["processing", "pending_review", "approved", "rejected", "archived"] as const;

export const newCreative = (): CreativeInstance => begin(creativeMachine, { rejectionReason: null });
