import { fromMicros } from "../../../../../machines/money.ts";
import type { BookingRow, Offer, Warning } from "../../record.ts";
import type { Cell } from "../cells.ts";
import { effectiveCpmMicros } from "./rank.ts";

interface Priced {
  readonly name: string;
  readonly micros: number;
}

export const missingWarnings = (job: BookingRow, cell: Cell, offers: readonly Offer[]): readonly Warning[] => {
  const limit = job.brief.max_cpm_micros;
  if (limit === null) return [];
  const listed = job.findings
    .flatMap(({ too_dear }) => too_dear)
    .filter(({ channel }) => channel === cell.channel)
    .map((one): Priced => ({ name: one.product_name, micros: one.cpm_micros }));
  const quoted = offers.map((offer): Priced => ({ name: offer.product_name, micros: effectiveCpmMicros(offer) }));
  const [cheapest] = [...listed, ...quoted]
    .filter(({ micros }) => micros > limit)
    .toSorted((left, right) => left.micros - right.micros);
  if (cheapest === undefined) return [];
  const usd = fromMicros(cheapest.micros).toFixed(2);
  const most = fromMicros(limit).toFixed(2);
  const message = `nothing for ${cell.channel} costs ${most} or less; ${cheapest.name} would cost ${usd}`;
  return [{ field: "kpis.max_cpm", message }];
};
