import type { Loaded } from "../../protocol/seam/operation.ts";
import type { Kind, StoredRow, StoreReader } from "../../storage/store.ts";
import { approvalDeadlines } from "./approvals/due.ts";
import type { FlowContext } from "./approvals/flow.ts";
import type { Deadlines, DueWork } from "./deadline.ts";
import { dealDeadlines } from "./deals/due.ts";
import { deliveryBatchDeadlines } from "./delivery/due.ts";
import { planDeadlines } from "./plans/due.ts";
import { negotiationDeadlines } from "./negotiation/due.ts";
import { packageChangeDeadlines } from "./packages/due.ts";
import type { SellerSettings } from "./settings.ts";
import { quoteDeadlines } from "./pricing/due.ts";
import { proposalDeadlines } from "./proposals/due.ts";
import { sessionDeadlines } from "./sessions/due.ts";

/** Without webhook deliveries: their sender claims those. */
const deadlines: readonly Deadlines[] = [
  quoteDeadlines,
  dealDeadlines,
  proposalDeadlines,
  negotiationDeadlines,
  sessionDeadlines,
  packageChangeDeadlines,
  deliveryBatchDeadlines,
  approvalDeadlines,
  planDeadlines,
];

const byKind: ReadonlyMap<string, Deadlines> = new Map(deadlines.map((entry) => [entry.kind, entry]));

export const isSwept = (kind: string): boolean => byKind.has(kind);

/** The sweeper has no caller. */
const flowContext = (store: StoreReader, settings: SellerSettings, nowMs: number): FlowContext => ({
  nowMs,
  caller: null,
  settings,
  seller: null,
  load: async <T>(kind: Kind<T>, id: string) => (await store.get(kind.name, id)) as Loaded<T> | null,
});

export const sellerDueWork =
  (settings: SellerSettings) =>
  (row: StoredRow, nowMs: number, store: StoreReader): DueWork | null | Promise<DueWork | null> =>
    byKind.get(row.kind)?.work(row, flowContext(store, settings, nowMs)) ?? null;
