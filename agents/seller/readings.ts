import { gatedFlows } from "../../machines/approval/gate.ts";
import { eventKind, type EventRow } from "../../protocol/seam/events.ts";
import type { Clock } from "../../protocol/seam/ports.ts";
import { selectionTerm } from "../../protocol/seam/selection.ts";
import { approvalKind, type ApprovalRow } from "../../skills/seller/approvals/record.ts";
import { dealKind } from "../../skills/seller/deals/record.ts";
import { handoverKind, openTerm } from "../../skills/seller/handovers/record.ts";
import { dealStatuses } from "../../skills/seller/portfolio/statuses.ts";
import {
  deliveryKind,
  deliveryTroubles,
  troubleTerm,
  webhookCursorId,
  webhookCursorKind,
  type WebhookCursorRow,
  webhookKind,
} from "../../skills/seller/webhooks/record.ts";
import type { StoredRow, StoreReader } from "../../storage/store.ts";
import type { EventStream } from "../server/event-stream.ts";
import type { Readings } from "../watch/metrics.ts";
import type { Background } from "./background/background.ts";

interface SellerReadingParts {
  readonly store: StoreReader;
  readonly clock: Clock;
  readonly background: Pick<Background, "queued">;
  readonly events: Pick<EventStream, "open">;
}

const secondsSince = (atMs: number, { clock }: SellerReadingParts): number => Math.max(0, clock.nowMs() - atMs) / 1000;

const outboxLag = async (parts: SellerReadingParts): Promise<number> => {
  const { store } = parts;
  if ((await store.count(webhookKind.name, null)) === 0) return 0;
  const cursor = (await store.get(webhookCursorKind.name, webhookCursorId)) as StoredRow<WebhookCursorRow> | null;
  const after = cursor?.body.after ?? 0;
  const [next] = await store.list({ kind: eventKind.name, terms: [], order: "oldest", limit: 1, after });
  return next === undefined ? 0 : secondsSince(Date.parse((next.body as EventRow).timestamp), parts);
};

const oldestApproval = async (parts: SellerReadingParts): Promise<number> => {
  const terms = [selectionTerm([null, "pending", null])];
  const [oldest] = await parts.store.list({ kind: approvalKind.name, terms, order: "oldest", limit: 1 });
  return oldest === undefined ? 0 : secondsSince((oldest.body as ApprovalRow).created_at_ms, parts);
};

const ofEach = <Name, Made>(names: readonly Name[], make: (name: Name) => Promise<Made>): Promise<Made[]> =>
  Promise.all(names.map(make));

const single = (value: number) => [{ labels: {}, value }];

export const sellerReadings = async (parts: SellerReadingParts): Promise<Readings> => {
  const { store } = parts;
  return {
    parley_delivery_queue: parts.background.queued(),
    parley_event_streams_open: single(parts.events.open()),
    parley_outbox_lag_seconds: single(await outboxLag(parts)),
    parley_deliveries_troubled: await ofEach(deliveryTroubles, async (trouble) => ({
      labels: { trouble },
      value: await store.count(deliveryKind.name, troubleTerm(trouble)),
    })),
    parley_approvals_waiting: await ofEach(gatedFlows, async (flow) => ({
      labels: { flow },
      value: await store.count(approvalKind.name, selectionTerm([null, "pending", flow])),
    })),
    parley_approvals_oldest_seconds: single(await oldestApproval(parts)),
    parley_handovers_waiting: single(await store.count(handoverKind.name, openTerm)),
    parley_deals: await ofEach(dealStatuses, async (state) => ({
      labels: { state },
      value: await store.count(dealKind.name, selectionTerm([null, state, null])),
    })),
  };
};
