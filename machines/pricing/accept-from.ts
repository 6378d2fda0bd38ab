import { fromMicros, toMicros } from "../money.ts";

/** The least `target_cpm` that a quote takes: a price, or a percentage of the list price. */
export type AcceptFrom = { readonly micros: number } | { readonly listPct: number };

/** As an operator writes it: `24.5`, or `85%` of the list price. */
export const acceptFromShare = /^(?:100(?:\.0{1,2})?|[1-9]?\d(?:\.\d{1,2})?) ?%$/;

/** Null: it cannot be read. */
export const readAcceptFrom = (given: number | string): AcceptFrom | null => {
  if (typeof given === "string") return acceptFromShare.test(given) ? { listPct: Number.parseFloat(given) } : null;
  const micros = toMicros(given);
  return micros === null ? null : { micros };
};

export const shownAcceptFrom = (from: AcceptFrom | null | undefined): number | string | null => {
  if (from == null) return null;
  return "micros" in from ? fromMicros(from.micros) : `${from.listPct}%`;
};

/** Null: the floor alone counts. */
export const acceptFromMicros = (from: AcceptFrom | null | undefined, listMicros: number | null): number | null => {
  if (from == null) return null;
  if ("micros" in from) return from.micros;
  return listMicros === null ? null : Math.ceil((listMicros * from.listPct) / 100);
};
