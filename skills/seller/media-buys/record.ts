import { type MediaBuyInstance, mediaBuyDeadline, mediaBuyMachine } from "../../../machines/media-buy/machine.ts";
import type { BuyStatus } from "../../../machines/media-buy/status.ts";
import { settle } from "../../../machines/step.ts";
import { selectionTerms } from "../../../protocol/seam/selection.ts";
import type { Kind } from "../../../storage/store.ts";
import type { QuoteRow } from "../pricing/record.ts";
import type { DealType } from "../products/record.ts";

/** One order with its deal. `details` are the buyer's own words for what runs, given back as they were sent. */
export interface BoughtPackage {
  readonly package_id: string;
  readonly deal_id: string;
  readonly offer_id: string;
  readonly product_id: string;
  readonly option_id: string;
  readonly deal_type: DealType;
  readonly budget_micros: number;
  readonly price_micros: number;
  readonly impressions: number;
  readonly bid_micros: number | null;
  readonly start_ms: number;
  readonly end_ms: number;
  readonly paused: boolean;
  readonly canceled_at_ms: number | null;
  readonly creative_ids: readonly string[];
  readonly details: Readonly<Record<string, unknown>>;
}

export interface BuyMove {
  readonly revision: number;
  readonly at_ms: number;
  readonly action: string;
  readonly actor: string;
  readonly summary: string;
}

/** `quotes`: the terms at which a waiting buy is booked, in the order of its packages; null once it was decided. */
export interface MediaBuyRow {
  readonly media_buy_id: string;
  readonly owner: string;
  readonly account_id: string;
  readonly brand_domain: string;
  readonly po_number: string | null;
  readonly plan_id: string | null;
  readonly currency: string;
  readonly start_ms: number;
  readonly end_ms: number;
  readonly packages: readonly BoughtPackage[];
  readonly paused: boolean;
  /** What a buyer follows while it waits; null: it never waited. */
  readonly task_id: string | null;
  readonly approval_id: string | null;
  readonly quotes: readonly QuoteRow[] | null;
  readonly wseat: readonly string[];
  readonly history: readonly BuyMove[];
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  readonly revision: number;
  readonly sandbox: boolean;
  /** Set by a test. */
  readonly forced: BuyStatus | null;
  readonly life: MediaBuyInstance;
}

export const taskTerm = (taskId: string): string => `task=${taskId}`;

export const mediaBuyKind: Kind<MediaBuyRow> = {
  name: "media_buy",
  terms: ({ owner, life, account_id: accountId, task_id: taskId }) => [
    ...selectionTerms([owner, life.value, accountId]),
    ...(taskId === null ? [] : [taskTerm(taskId)]),
  ],
  dueAtMs: () => null,
  owner: ({ owner }) => owner,
  facts: ({ life, paused, packages }) => ({
    status: life.value,
    paused,
    packages: packages.length,
    reason: life.context.rejectionReason ?? life.context.cancellation?.reason ?? null,
  }),
};

/** Its approval's timeout is carried out by the sweeper; reads show it before. */
export const settledBuy = (row: MediaBuyRow, nowMs: number): MediaBuyRow => {
  const life = settle(mediaBuyMachine, mediaBuyDeadline, row.life, nowMs);
  return life === row.life ? row : { ...row, life, revision: row.revision + 1 };
};

const mostMoves = 100;

/** The oldest are left out where there are too many. */
export const withMove = (row: MediaBuyRow, move: Omit<BuyMove, "revision">): MediaBuyRow => {
  const revision = row.revision + 1;
  return {
    ...row,
    revision,
    updated_at_ms: move.at_ms,
    history: [...row.history, { revision, ...move }].slice(-mostMoves),
  };
};

export const totalMicros = ({ packages }: Pick<MediaBuyRow, "packages">): number =>
  packages.reduce((sum, { budget_micros: budget }) => sum + budget, 0);
