import type { z } from "zod";
import type { Refusal } from "../../../protocol/neutral/refusals.ts";
import type { Context, Contract, Outcome } from "../../../protocol/seam/operation.ts";

/** A contract that changes nothing, or makes what binds nobody. */
export type Readable<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = Contract<I, O> & {
  readonly effect: "read" | "draft";
};

export type Found<T> =
  | { readonly kind: "done"; readonly output: T }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly status?: number };

/**
 * All that reads text, renders terms or words answers gets this and nothing else. The type takes no contract that
 * writes, and the runner refuses one that came here by a cast, by what the operation itself declares.
 */
export interface ReadContext extends Pick<Context, "caller" | "tier" | "nowMs" | "requestId"> {
  call<I extends z.ZodType, O extends z.ZodType>(
    contract: Readable<I, O>,
    input: z.input<I>,
  ): Promise<Found<z.output<O>>>;
}

/** The same by the operations' names. */
export interface Reading extends Pick<Context, "caller" | "tier" | "nowMs" | "requestId"> {
  call(name: string, input: unknown): Promise<Outcome>;
}

export const reading = (context: Context): Reading => ({
  caller: context.caller,
  tier: context.tier,
  nowMs: context.nowMs,
  requestId: context.requestId,
  call: (name, input) => context.call(name, input, { readsOnly: true }),
});

export const readOnly = <P>(context: Context<P>): ReadContext => ({
  caller: context.caller,
  tier: context.tier,
  nowMs: context.nowMs,
  requestId: context.requestId,
  call: async ({ name }, input) => {
    const outcome = await context.call(name, input, { readsOnly: true });
    if (outcome.kind === "bug") throw new Error(`${name} failed`);
    return outcome as Found<never>;
  },
});
