import type { OutputOf } from "../../../agent/api.ts";
import type * as seller from "../../../agent/seller.generated.ts";

export type DeliveryFigures = OutputOf<typeof seller.getDelivery>;
type PacedDeal = OutputOf<typeof seller.getDeal>;

/** Impressions, but for `part`. */
export interface DealPace {
  readonly delivered: number;
  /** Of the booked volume, of 1. */
  readonly part: number;
  /** By an even plan, up to now. */
  readonly planned: number;
  /** DeliveryFigures less planned; null: the flight has not begun, or no source counts. */
  readonly ahead: number | null;
  /** A day, of the last seven whole days of the flight. */
  readonly lately: number | null;
  /** A day, to come to the volume by the end. */
  readonly needed: number | null;
  readonly expected: number | null;
  readonly daysLeft: number;
  readonly toDeliver: number;
  readonly isOver: boolean;
}

const dayMs = 86_400_000;
const lastDays = 7;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const latelyOf = ({ days }: DeliveryFigures, startMs: number, nowMs: number): number | null => {
  const to = dayOf(nowMs - dayMs);
  const from = dayOf(Math.max(startMs, nowMs - lastDays * dayMs));
  const whole = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
  if (whole < 1) return null;
  const sum = days.filter(({ date }) => date >= from && date <= to).reduce((all, one) => all + one.impressions, 0);
  return Math.round(sum / whole);
};

/** How a deal runs against an even plan over its flight. */
export const paceOf = ({ terms }: PacedDeal, delivered: DeliveryFigures, nowMs: number): DealPace => {
  const booked = terms.impressions ?? 0;
  const startMs = Date.parse(terms.flight_start);
  const endMs = Date.parse(terms.flight_end ?? terms.flight_start) + dayMs;
  const gone = Math.max(0, Math.min(1, (nowMs - startMs) / (endMs - startMs)));
  const sum = delivered.delivered_impressions;
  const planned = Math.round(booked * gone);
  const isCounted = delivered.data_source !== "none" && gone > 0;
  const daysLeft = Math.max(0, Math.ceil((endMs - nowMs) / dayMs));
  const isRunning = isCounted && gone < 1;
  const lately = isRunning ? latelyOf(delivered, startMs, nowMs) : null;
  const toDeliver = Math.max(0, booked - sum);
  return {
    delivered: sum,
    part: booked === 0 ? 0 : sum / booked,
    planned,
    ahead: isCounted ? sum - planned : null,
    lately,
    needed: isRunning && daysLeft > 0 ? Math.round(toDeliver / daysLeft) : null,
    expected: lately === null ? null : Math.round(sum + (lately * (endMs - nowMs)) / dayMs),
    daysLeft,
    toDeliver,
    isOver: gone >= 1,
  };
};
