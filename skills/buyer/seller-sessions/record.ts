import type { Kind } from "../../../storage/store.ts";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";

/** One session per seller; the row's id is the seller's address. */
export interface SellerSessionRow {
  readonly session_id: string;
  readonly seller_url: string;
  readonly created_at_ms: number;
  readonly expires_at_ms: number;
}

export const sellerSessionKind: Kind<SellerSessionRow> = {
  name: "seller_session",
  terms: () => [],
  dueAtMs: () => null,
  owner: () => null,
};

export const sessionLifetimeMs = 7 * 86_400_000;

export const isActive = (session: SellerSessionRow, nowMs: number): boolean => nowMs < session.expires_at_ms;

export const sessionView = (row: SellerSessionRow, nowMs: number) => ({
  session_id: row.session_id,
  seller_url: row.seller_url,
  created_at: isoTime(row.created_at_ms),
  expires_at: isoTime(row.expires_at_ms),
  status: isActive(row, nowMs) ? ("active" as const) : ("expired" as const),
});
