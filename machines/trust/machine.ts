import { setup } from "xstate";
import { begin, step, type InstanceOf } from "../step.ts";
import type { TrustStatus } from "./statuses.ts";

type TrustEvent =
  /** Never takes back what an operator decided. */
  { readonly type: "REGISTER"; readonly nowMs: number } | { readonly type: TrustOrder; readonly nowMs: number };

/** Any status may follow any. */
type TrustOrder = "FORGET" | "ENLIST" | "APPROVE" | "PREFER" | "BLOCK";

const orderOf = {
  unknown: "FORGET",
  registered: "ENLIST",
  approved: "APPROVE",
  preferred: "PREFER",
  blocked: "BLOCK",
} as const satisfies Record<TrustStatus, TrustOrder>;

/** Seller spec, Agent trust status. Discovery moves only out of unknown. */
export const trustMachine = setup({
  types: { context: {} as Readonly<Record<string, never>>, events: {} as TrustEvent },
}).createMachine({
  id: "trust",
  context: {},
  initial: "unknown",
  states: {
    unknown: { on: { REGISTER: "registered" } },
    registered: {},
    approved: {},
    preferred: {},
    blocked: {},
  },
  on: {
    FORGET: ".unknown",
    ENLIST: ".registered",
    APPROVE: ".approved",
    PREFER: ".preferred",
    BLOCK: ".blocked",
  },
});

export type TrustInstance = InstanceOf<typeof trustMachine>;

export const firstContact: TrustInstance = begin(trustMachine, undefined);

export const trustSetTo = (trust: TrustInstance, status: TrustStatus, nowMs: number): TrustInstance => {
  const next = step(trustMachine, trust, { type: orderOf[status], nowMs });
  if (next === null) throw new Error("An operator's word on trust is never refused.");
  return next;
};
