import { assign, setup } from "xstate";
import type { InstanceOf } from "../step.ts";

export type OfferKind =
  | "quote"
  | "proposal"
  | "counter"
  | "cancellation"
  | "withdrawal"
  | "change"
  | "take back"
  | "request"
  | "bid"
  | "submission"
  | "rejection"
  | "hand over";

export interface Offer {
  readonly kind: OfferKind;
  readonly id: string;
  /** A record that differs by now must be shown again. */
  readonly digest: string | null;
  readonly change: Readonly<Record<string, unknown>> | null;
}

/** Kept as the proof of what was agreed. */
export interface Taken extends Offer {
  readonly by: Consent;
  readonly atMs: number;
}

/** The last three are ways of an option to be taken. */
export type Consent = "yes" | "order" | "all" | "option" | "number" | "id";

export interface ConversationContext {
  readonly shown: readonly Offer[];
  readonly taken: readonly Taken[];
}

export type ConversationEvent =
  | { readonly type: "SHOW"; readonly offers: readonly Offer[] }
  | { readonly type: "PASS" }
  | { readonly type: "VOID" }
  | { readonly type: "TAKE"; readonly by: Consent; readonly nowMs: number };

const mostTaken = 50;

/**
 * A yes counts only for the offer that the last reply asked about; an order also for one shown before another
 * question; several open offers need a consent to all.
 */
export const conversationMachine = setup({
  types: {
    context: {} as ConversationContext,
    events: {} as ConversationEvent,
    input: {} as ConversationContext,
  },
  guards: {
    isOne: ({ context, event }) => event.type === "TAKE" && (event.by === "all" || context.shown.length === 1),
    isOrder: ({ context, event }) =>
      event.type === "TAKE" && (event.by === "all" || (event.by === "order" && context.shown.length === 1)),
  },
  actions: {
    show: assign({ shown: ({ context, event }) => (event.type === "SHOW" ? event.offers : context.shown) }),
    clear: assign({ shown: () => [] }),
    take: assign({
      shown: () => [],
      taken: ({ context, event }) =>
        event.type !== "TAKE"
          ? context.taken
          : [...context.taken, ...context.shown.map((offer) => ({ ...offer, by: event.by, atMs: event.nowMs }))].slice(
              -mostTaken,
            ),
    }),
  },
}).createMachine({
  id: "conversation",
  context: ({ input }) => input,
  initial: "idle",
  states: {
    idle: { on: { SHOW: { target: "asked", actions: "show" } } },
    asked: {
      on: {
        SHOW: { target: "asked", actions: "show" },
        PASS: { target: "shown" },
        VOID: { target: "idle", actions: "clear" },
        TAKE: { guard: "isOne", target: "idle", actions: "take" },
      },
    },
    shown: {
      on: {
        SHOW: { target: "asked", actions: "show" },
        VOID: { target: "idle", actions: "clear" },
        TAKE: { guard: "isOrder", target: "idle", actions: "take" },
      },
    },
  },
});

export type ConversationInstance = InstanceOf<typeof conversationMachine>;

/** What the next message may agree to. */
export const openOffers = ({ value, context }: ConversationInstance): readonly Offer[] =>
  value === "idle" ? [] : context.shown;

export const newConversation: ConversationInstance = { value: "idle", context: { shown: [], taken: [] } };
