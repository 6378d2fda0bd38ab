import { step } from "../step.ts";
import { dealMachine, type DealInstance, type DealStatus } from "./machine.ts";

/**
 * What an operator may ask of a deal by naming the state it shall reach (decision 57). All other moves belong to
 * time, to the order and to cancellations.
 */
const eventByTarget = { active: "ACTIVATE", rejected: "REJECT" } as const;

type OperatorTarget = keyof typeof eventByTarget;

const isOperatorTarget = (status: string): status is OperatorTarget => Object.hasOwn(eventByTarget, status);

/** The deal after an operator's move to a state, or null where that move is not allowed now. */
export const moveDeal = (deal: DealInstance, toStatus: string, nowMs: number, reason: string): DealInstance | null =>
  isOperatorTarget(toStatus) ? step(dealMachine, deal, { type: eventByTarget[toStatus], nowMs, reason }) : null;

/** The states that an operator may move the deal to now: `allowed_transitions` of a refused move (decision 91). */
export const operatorTargets = (deal: DealInstance, nowMs: number): readonly DealStatus[] =>
  (["active", "rejected"] as const).filter((target) => moveDeal(deal, target, nowMs, "") !== null);
