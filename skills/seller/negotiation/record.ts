import { decimalText } from "../../../machines/money.ts";
import {
  negotiationDeadline,
  negotiationMachine,
  type NegotiationInstance,
} from "../../../machines/negotiation/machine.ts";
import { settle } from "../../../machines/step.ts";
import type { Tier } from "../../../protocol/seam/caller.ts";
import { selectionTerms } from "../../../protocol/seam/selection.ts";
import type { Kind } from "../../../storage/store.ts";
import type { ProductSummary } from "../terms.ts";

/**
 * About a proposal, a quote, or a proposal that names a quote. Buyers never see the limits in `life`.
 * The tier is frozen at the start.
 */
export interface NegotiationRow {
  readonly negotiation_id: string;
  readonly owner: string;
  readonly proposal_id: string | null;
  readonly quote_id: string | null;
  readonly product: ProductSummary;
  readonly currency: string;
  readonly impressions: number | null;
  readonly tier: Tier;
  readonly created_at_ms: number;
  readonly completed_at_ms: number | null;
  readonly revision: number;
  readonly sandbox: boolean;
  readonly dialect: string | null;
  /** What the buyer wrote, by the number of the round; rows of before have none. */
  readonly words?: Readonly<Record<number, string>>;
  readonly life: NegotiationInstance;
}

export const negotiationKind: Kind<NegotiationRow> = {
  name: "negotiation",
  terms: ({ quote_id: quoteId, owner, life, product }) => [
    ...(quoteId === null ? [] : [quoteTerm(quoteId)]),
    ...selectionTerms([owner, life.value, product.product_id]),
  ],
  dueAtMs: (negotiation) => negotiationDeadline(negotiation.life)?.atMs ?? null,
  owner: (negotiation) => negotiation.owner,
  facts: ({ life }) => {
    const last = life.context.rounds.at(-1);
    return {
      status: life.value,
      buyer_price: decimalText(last?.buyerMicros ?? null),
      seller_price: decimalText(last?.sellerMicros ?? null),
      agreed_price: decimalText(life.context.agreedMicros),
    };
  },
};

/** At most one negotiation per quote. */
export const quoteTerm = (quoteId: string): string => `quote=${quoteId}`;

export const withLife = (row: NegotiationRow, life: NegotiationInstance, nowMs: number): NegotiationRow => ({
  ...row,
  life,
  revision: row.revision + 1,
  completed_at_ms: life.value === "active" ? null : (row.completed_at_ms ?? nowMs),
});

/** It ended when its deadline passed, whenever it is read. */
export const settledNegotiation = (row: NegotiationRow, nowMs: number): NegotiationRow => {
  const life = settle(negotiationMachine, negotiationDeadline, row.life, nowMs);
  return life === row.life ? row : withLife(row, life, row.life.context.expiresAtMs);
};
