import type { z } from "zod";
import { fromMicros } from "../../../machines/money.ts";
import { roundsRemaining } from "../../../machines/negotiation/machine.ts";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import type { NegotiationRow } from "../negotiation/record.ts";
import { standingView } from "../negotiation/view.ts";
import type { listNegotiations } from "./contract.ts";

type Item = z.input<typeof listNegotiations.output>["negotiations"][number];

/** Without what an approval holds. */
export const negotiationItem = (row: NegotiationRow, buyerName: string | null): Item => {
  const { rounds, agreedMicros, held, expiresAtMs } = row.life.context;
  const [first, last] = [rounds.at(0), rounds.at(-1)];
  const units = (micros: number | null | undefined): number | null => (micros == null ? null : fromMicros(micros));
  return {
    ...standingView(row),
    negotiation_id: row.negotiation_id,
    buyer: row.owner,
    buyer_name: buyerName,
    product_id: row.product.product_id,
    product_name: row.product.name,
    status: row.life.value,
    rounds_count: rounds.length,
    rounds_remaining: roundsRemaining(row.life),
    first_buyer_price: units(first?.buyerMicros),
    last_buyer_price: units(last?.buyerMicros),
    first_seller_price: units(first?.sellerMicros),
    last_seller_price: units(last?.sellerMicros),
    gap: last?.buyerMicros == null ? null : fromMicros(last.sellerMicros - last.buyerMicros),
    agreed_price: units(agreedMicros),
    currency: row.currency,
    impressions: row.impressions,
    proposal_id: row.proposal_id,
    quote_id: row.quote_id,
    approval_id: held?.approvalId ?? null,
    round: standingView(row).round ?? null,
    created_at: isoTime(row.created_at_ms),
    updated_at: isoTime(last?.atMs ?? row.created_at_ms),
    expires_at: isoTime(expiresAtMs),
  };
};
