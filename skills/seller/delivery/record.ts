import { dayMs } from "../../../machines/inventory/dates.ts";
import { fromMicros } from "../../../machines/money.ts";
import type { Kind } from "../../../storage/store.ts";

interface ReportedCount {
  readonly deal_id: string;
  readonly date: string;
  readonly impressions: number;
}

/** `digest`: of the counts as sent. */
export interface DeliveryBatchRow {
  readonly batch_id: string;
  readonly digest: string;
  readonly stored: readonly ReportedCount[];
  readonly rejected: readonly string[];
  readonly received_at_ms: number;
}

/** Longer than a day may be reported late, so that no late batch counts twice. */
const keptMs = 40 * dayMs;

export const deliveryBatchKind: Kind<DeliveryBatchRow> = {
  name: "delivery_batch",
  terms: () => [],
  dueAtMs: ({ received_at_ms: receivedAtMs }) => receivedAtMs + keptMs,
  owner: () => null,
};

/** Null: the source does not say. */
export interface DayFigures {
  readonly impressions: number;
  readonly clicks: number | null;
  readonly spend_micros: number | null;
}

/** All that one ad server said of one deal, by day (YYYY-MM-DD), so that a correction can replace it. */
export interface DeliverySourceRow {
  readonly source: string;
  readonly deal_id: string;
  readonly days: Readonly<Record<string, DayFigures>>;
  readonly reported_at_ms: number;
}

export const deliverySourceId = (dealId: string, source: string): string => `${dealId}/${source}`;

export const dealSourcesTerm = (dealId: string): string => `deal=${dealId}`;

const known = (values: readonly (number | null)[]): number | null =>
  values.some((value) => value !== null) ? values.reduce<number>((sum, value) => sum + (value ?? 0), 0) : null;

const daysTogether = (days: readonly DayFigures[]): DayFigures => ({
  impressions: days.reduce((sum, { impressions }) => sum + impressions, 0),
  clicks: known(days.map(({ clicks }) => clicks)),
  spend_micros: known(days.map(({ spend_micros: spend }) => spend)),
});

export const deliverySourceKind: Kind<DeliverySourceRow> = {
  name: "delivery_source",
  terms: ({ deal_id: dealId }) => [dealSourcesTerm(dealId)],
  dueAtMs: () => null,
  owner: () => null,
  facts: ({ days }) => {
    const { impressions, clicks, spend_micros: spend } = daysTogether(Object.values(days));
    return { impressions, clicks, spend: spend === null ? null : fromMicros(spend) };
  },
};
