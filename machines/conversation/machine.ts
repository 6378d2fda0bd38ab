import { assign, setup } from "xstate";
import type { InstanceOf } from "../step.ts";

/** What a consent would do: book a quote or proposal, take the seller's price, cancel, withdraw or change a record. */
export type OfferKind = "quote" | "proposal" | "counter" | "cancellation" | "withdrawal" | "change";

/** Terms that a reply showed in full, so that a consent can be for exactly them. */
export interface Offer {
  readonly kind: OfferKind;
  readonly id: string;
  /** Digest of the terms as they were shown; a record that differs by now must be shown again. */
  readonly digest: string | null;
  /** What a change would make of the record; null for every other kind. */
  readonly change: Readonly<Record<string, unknown>> | null;
}

/** A consent that was acted on, kept as the proof of what was agreed. */
export interface Taken extends Offer {
  readonly by: Consent;
  readonly atMs: number;
}

/** A bare yes, an order that says what to do, or an order for every offer. */
export type Consent = "yes" | "order" | "all";

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
 * Which terms a buyer may consent to. A yes counts only for the one offer that the last reply asked about; an order
 * also for the one that was shown before a question in between; with several offers open it must be for all of them.
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
    /** Nothing is open to a consent. */
    idle: { on: { SHOW: { target: "asked", actions: "show" } } },
    /** The last reply showed the terms and asked. */
    asked: {
      on: {
        SHOW: { target: "asked", actions: "show" },
        PASS: { target: "shown" },
        VOID: { target: "idle", actions: "clear" },
        TAKE: { guard: "isOne", target: "idle", actions: "take" },
      },
    },
    /** Terms were shown, and something else was talked about since. */
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

export const newConversation: ConversationInstance = { value: "idle", context: { shown: [], taken: [] } };
