import type { Kind } from "../../../storage/store.ts";

/**
 * One row for a quote and its deal. `status`: `quoted`, `booked`, then the seller's own. Prices in micros per thousand.
 */
export interface SellerDealRow {
  readonly seller_url: string;
  readonly quote_id: string;
  readonly deal_id: string | null;
  readonly status: string;
  /** As the seller last answered, whatever `status` says. */
  readonly seller_status?: string | null;
  readonly status_reason?: string | null;
  readonly product_id: string;
  readonly product_name: string;
  readonly deal_type: string;
  readonly cpm_micros: number | null;
  readonly currency: string;
  readonly impressions: number | null;
  readonly flight_start: string | null;
  readonly flight_end: string | null;
  readonly buyer_tier: string;
  readonly expires_at: string | null;
  /** Null where no job booked it. */
  readonly job_id: string | null;
  /** Kept by the library: when it first had a deal. */
  readonly booked_at_ms?: number | null;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
}

export const quoteTerm = (quoteId: string): string => `quote=${quoteId}`;
export const dealTerm = (dealId: string): string => `deal=${dealId}`;

/** Null: a quote without a deal. */
export const bookedAtMs = ({ deal_id, booked_at_ms, created_at_ms }: SellerDealRow): number | null =>
  deal_id === null ? null : (booked_at_ms ?? created_at_ms);

/** By the month of its booking (UTC), written YYYY-MM. */
export const bookedTerm = (month: string): string => `booked=${month}`;

const monthOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 7);

export const sellerDealKind: Kind<SellerDealRow> = {
  name: "seller_deal",
  terms: (row) => {
    const timeMs = bookedAtMs(row);
    return [
      quoteTerm(row.quote_id),
      ...(row.deal_id === null ? [] : [dealTerm(row.deal_id)]),
      ...(timeMs === null ? [] : [bookedTerm(monthOf(timeMs))]),
      `status=${row.status}`,
      `seller=${row.seller_url}`,
    ];
  },
  dueAtMs: () => null,
  owner: () => null,
};

/** A failing store is logged and fails no call to a seller. */
export interface DealLibrary {
  keep(row: SellerDealRow): Promise<void>;
  /** Says of a kept deal how it stands; one that is not kept stays unknown. */
  tell(deal: { readonly seller_url: string; readonly deal_id: string }, change: Partial<SellerDealRow>): Promise<void>;
}

/** Its seller may still change it. */
export const openStatuses = ["booked", "proposed", "active"] as const;
