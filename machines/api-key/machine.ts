import { assign, setup } from "xstate";
import { begin, type Deadline, type InstanceOf } from "../step.ts";

/** `expiresAtMs` null: never. `verified`: its identity was approved. */
interface ApiKeyContext {
  readonly expiresAtMs: number | null;
  readonly verified: boolean;
}

export type ApiKeyEvent =
  | { readonly type: "VERIFY"; readonly nowMs: number }
  | { readonly type: "REVOKE"; readonly nowMs: number }
  | { readonly type: "EXPIRE"; readonly nowMs: number };

/** Seller spec, States, API key. */
export const apiKeyMachine = setup({
  types: { context: {} as ApiKeyContext, events: {} as ApiKeyEvent, input: {} as ApiKeyContext },
  guards: {
    isLive: ({ context, event }) => context.expiresAtMs === null || event.nowMs < context.expiresAtMs,
    isOver: ({ context, event }) => context.expiresAtMs !== null && event.nowMs >= context.expiresAtMs,
    isUnverified: ({ context, event }) =>
      !context.verified && (context.expiresAtMs === null || event.nowMs < context.expiresAtMs),
  },
}).createMachine({
  id: "api-key",
  context: ({ input }) => input,
  initial: "active",
  states: {
    active: {
      on: {
        VERIFY: { guard: "isUnverified", actions: assign({ verified: true }) },
        REVOKE: { guard: "isLive", target: "revoked" },
        EXPIRE: { guard: "isOver", target: "expired" },
      },
    },
    revoked: { type: "final" },
    expired: { type: "final" },
  },
});

export type ApiKeyInstance = InstanceOf<typeof apiKeyMachine>;
export const newApiKey = (context: ApiKeyContext): ApiKeyInstance => begin(apiKeyMachine, context);

export const apiKeyDeadline = (key: ApiKeyInstance): Deadline<"EXPIRE"> | null =>
  key.value === "active" && key.context.expiresAtMs !== null ? { atMs: key.context.expiresAtMs, type: "EXPIRE" } : null;
