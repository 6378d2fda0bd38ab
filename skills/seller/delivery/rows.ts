import type { z } from "zod";
import { slotOfDate } from "../../../machines/inventory/dates.ts";
import { toMicros } from "../../../machines/money.ts";
import type { Refusal } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { create, update } from "../../../protocol/seam/changes.ts";
import type { Answer, Loaded } from "../../../protocol/seam/operation.ts";
import type { Change } from "../../../storage/store.ts";
import type { SellerContext } from "../context.ts";
import { dealKind, type DealRow } from "../deals/record.ts";
import type { reportDelivery } from "./contract.ts";
import { replacedOn } from "./figures.ts";
import { type DayFigures, deliverySourceId, deliverySourceKind, type DeliverySourceRow } from "./record.ts";

type Row = NonNullable<z.output<typeof reportDelivery.input>["rows"]>[number];
type Output = z.input<typeof reportDelivery.output>;

const rowRefusal = (index: number, text: string): Refusal => fieldRefusal("rows", `rows[${index}]: ${text}`);

/** One row a deal and day, so that it is never a matter of order which of two counts. */
const formRefusal = (rows: readonly Row[]): Refusal | null => {
  const seen = new Set<string>();
  for (const [index, { deal_id: dealId, date, spend }] of rows.entries()) {
    const cell = `${dealId}/${date}`;
    if (seen.has(cell)) return rowRefusal(index, "this deal and day stands in an earlier row. Send one row for both.");
    seen.add(cell);
    if (spend != null && toMicros(spend) === null) return rowRefusal(index, "spend has more than 6 decimals.");
  }
  return null;
};

const figuresIn = ({ impressions, clicks = null, spend = null }: Row): DayFigures => ({
  impressions,
  clicks,
  spend_micros: spend === null ? null : toMicros(spend),
});

const isSame = (one: DayFigures | null, other: DayFigures): boolean =>
  one !== null &&
  one.impressions === other.impressions &&
  one.clicks === other.clicks &&
  one.spend_micros === other.spend_micros;

interface Taken {
  readonly changes: readonly Change[];
  readonly changed: number;
}

const takeRows = (
  { source, nowMs }: { readonly source: string; readonly nowMs: number },
  dealId: string,
  loaded: Loaded<DeliverySourceRow> | null,
  rows: readonly Row[],
): Taken => {
  const before = loaded?.body.days ?? {};
  const fresh = rows
    .map((row) => ({ date: row.date, old: before[row.date] ?? null, figures: figuresIn(row) }))
    .filter(({ old, figures }) => !isSame(old, figures));
  if (fresh.length === 0) return { changes: [], changed: 0 };
  const days = { ...before, ...Object.fromEntries(fresh.map(({ date, figures }) => [date, figures])) };
  const body: DeliverySourceRow = { source, deal_id: dealId, days, reported_at_ms: nowMs };
  return {
    changes: [
      loaded === null
        ? create(deliverySourceKind, deliverySourceId(dealId, source), body)
        : update(deliverySourceKind, loaded, body),
      ...fresh.map(({ date, old, figures }) => replacedOn(dealId, slotOfDate(date) ?? 0, old, figures)),
    ],
    changed: fresh.length,
  };
};

/** Null: all of them are taken. */
const rejectionOf = (
  deal: DealRow | undefined,
  id: string,
  rows: readonly Row[],
): Output["rejected"][number] | null => {
  if (deal === undefined) return { deal_id: id, reason: "deal_not_found" };
  const { currency } = deal.pricing;
  const differs = rows.some((row) => row.currency != null && row.currency !== currency);
  return differs ? { deal_id: id, reason: "currency_mismatch", currency } : null;
};

/** What an ad server says of deals and days; a deal whose rows cannot be taken is named and leaves the others. */
export const storeRows = async (
  context: SellerContext,
  source: string,
  rows: readonly Row[],
): Promise<Answer<Output> | Refusal> => {
  const refused = formRefusal(rows);
  if (refused !== null) return refused;
  const ids = [...new Set(rows.map(({ deal_id: dealId }) => dealId))];
  const each = await Promise.all(
    ids.map(async (id) => {
      const own = rows.filter(({ deal_id: dealId }) => dealId === id);
      const deal = await context.load(dealKind, id);
      const rejected = rejectionOf(deal?.body, id, own);
      if (rejected !== null) return { rejected, own: [], taken: null };
      const loaded = await context.load(deliverySourceKind, deliverySourceId(id, source));
      return { rejected, own, taken: takeRows({ source, nowMs: context.nowMs }, id, loaded, own) };
    }),
  );
  const stored = each.flatMap(({ own }) => own);
  const changed = each.reduce((sum, { taken }) => sum + (taken?.changed ?? 0), 0);
  return {
    output: {
      source,
      impressions: stored.reduce((sum, { impressions }) => sum + impressions, 0),
      changed,
      unchanged: stored.length - changed,
      rejected: each.flatMap(({ rejected }) => rejected ?? []),
    },
    changes: each.flatMap(({ taken }) => taken?.changes ?? []),
  };
};
