import { assign, setup } from "xstate";
import { begin, type InstanceOf } from "../step.ts";

interface Asked {
  readonly words: string;
  /** The conversation that asked last. */
  readonly contextId: string | null;
  readonly askedAtMs: number;
}

interface Answered {
  readonly text: string;
  readonly by: string;
  readonly atMs: number;
}

interface HandoverContext extends Asked {
  readonly answer: Answered | null;
}

export type HandoverEvent =
  | { readonly type: "ASK"; readonly nowMs: number; readonly words: string; readonly contextId: string | null }
  | { readonly type: "ANSWER"; readonly nowMs: number; readonly text: string; readonly by: string };

const longestWords = 4_000;

const joined = (before: string, more: string): string =>
  before.includes(more) ? before : `${before}\n${more}`.slice(0, longestWords);

/** A buyer's wish for a person: asked again while it is open it stays one request, in the newest conversation. */
export const handoverMachine = setup({
  types: { context: {} as HandoverContext, events: {} as HandoverEvent, input: {} as Asked },
}).createMachine({
  id: "handover",
  context: ({ input }) => ({ ...input, answer: null }),
  initial: "open",
  states: {
    open: {
      on: {
        ASK: {
          actions: assign({
            words: ({ context, event }) => joined(context.words, event.words),
            contextId: ({ context, event }) => event.contextId ?? context.contextId,
          }),
        },
        ANSWER: {
          target: "answered",
          actions: assign({ answer: ({ event: { text, by, nowMs } }) => ({ text, by, atMs: nowMs }) }),
        },
      },
    },
    answered: {
      on: {
        ASK: {
          target: "open",
          actions: assign(({ event: { words, contextId, nowMs } }) => ({
            words,
            contextId,
            askedAtMs: nowMs,
            answer: null,
          })),
        },
      },
    },
  },
});

export type HandoverInstance = InstanceOf<typeof handoverMachine>;

export const newHandover = (asked: Asked): HandoverInstance => begin(handoverMachine, asked);
