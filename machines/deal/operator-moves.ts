import { step } from "../step.ts";
import { dealMachine, type DealInstance, type DealStatus } from "./machine.ts";

/** All other moves belong to time, to the order and to cancellations. */
const eventByTarget = { active: "ACTIVATE", rejected: "REJECT" } as const;

type OperatorTarget = keyof typeof eventByTarget;

const isOperatorTarget = (status: string): status is OperatorTarget => Object.hasOwn(eventByTarget, status);

export const moveDeal = (deal: DealInstance, toStatus: string, nowMs: number, reason: string): DealInstance | null =>
  isOperatorTarget(toStatus) ? step(dealMachine, deal, { type: eventByTarget[toStatus], nowMs, reason }) : null;

export const operatorTargets = (deal: DealInstance, nowMs: number): readonly DealStatus[] =>
  (["active", "rejected"] as const).filter((target) => moveDeal(deal, target, nowMs, "") !== null);
