import { decimalText } from "../../../machines/money.ts";
import { type QuoteInstance, quoteDeadline, quoteForgetAtMs, quoteMachine } from "../../../machines/quote/machine.ts";
import { settle } from "../../../machines/step.ts";
import type { Tier } from "../../../protocol/seam/caller.ts";
import { selectionTerms } from "../../../protocol/seam/selection.ts";
import { missing, type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import type { Kind } from "../../../storage/store.ts";
import type { PackagePart } from "../inventory.ts";
import type { DealType } from "../products/record.ts";
import type { IfSet, PricingRecord, ProductSummary } from "../terms.ts";

/**
 * `available_impressions`: at its creation; absent: no cap. `revision` grows with every change, `terms_digest` follows
 * price and terms.
 */
export interface QuoteRow {
  readonly quote_id: string;
  readonly owner: string;
  readonly product: ProductSummary;
  /** Of a package. */
  readonly parts?: IfSet<readonly PackagePart[]>;
  readonly deal_type: DealType;
  readonly pricing: PricingRecord;
  readonly impressions: number | null;
  readonly flight_start: string;
  readonly flight_end: string;
  /** First day asked for, where it was past. */
  readonly begun_on?: IfSet<string>;
  readonly inventory_available: boolean;
  readonly available_impressions?: IfSet<number>;
  readonly tier: Tier;
  /** As the request named it; nothing depends on it. */
  readonly media_type: string;
  readonly seller_id: string;
  readonly created_at_ms: number;
  readonly status_reason?: IfSet<string>;
  /** Its negotiation is over; there is no second one. */
  readonly negotiated?: IfSet<true>;
  readonly terms_digest: string;
  readonly revision: number;
  readonly sandbox: boolean;
  /** Of a sandbox account at a seller that sells: it holds no inventory and counts in no sum of the business. */
  readonly trial?: IfSet<true>;
  readonly dialect?: IfSet<string>;
  readonly life: QuoteInstance;
}

export const quoteKind: Kind<QuoteRow> = {
  name: "quote",
  terms: (quote) => selectionTerms([quote.owner, quote.life.value, quote.product.product_id]),
  dueAtMs: (quote) => quoteDeadline(quote.life)?.atMs ?? quoteForgetAtMs(quote.life),
  owner: (quote) => quote.owner,
  facts: ({ life, status_reason: reason }) => ({
    status: life.value,
    final_cpm: decimalText(life.context.priceMicros),
    status_reason: reason ?? null,
  }),
};

/** No machine runs unless a deadline has passed since the row was written. */
export const settledQuote = (row: QuoteRow, nowMs: number): QuoteRow => {
  const life: QuoteInstance = settle(quoteMachine, quoteDeadline, row.life, nowMs);
  return life === row.life ? row : { ...row, life, revision: row.revision + 1 };
};

/** Forgotten, it is not found, as one that never was. */
export const endedQuote = (row: QuoteRow, nowMs: number): Refusal =>
  isForgotten(row, nowMs) ? missing("not_found", row.quote_id, "Quote") : refuse("quote_expired");

export const isForgotten = (row: QuoteRow, nowMs: number): boolean => {
  const forgetAtMs = quoteForgetAtMs(row.life);
  return forgetAtMs !== null && nowMs >= forgetAtMs;
};
