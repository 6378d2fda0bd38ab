import { fromMicros } from "../../../machines/money.ts";
import type { EventDraft } from "../../../protocol/seam/operation.ts";
import { type MediaBuyRow, totalMicros } from "./record.ts";

/** Belongs to the buy's owner, whoever caused it. */
export const mediaBuyEvent = (
  eventType: string,
  row: MediaBuyRow,
  more: Readonly<Record<string, unknown>> = {},
): EventDraft => ({
  event_type: eventType,
  flow_id: row.media_buy_id,
  flow_type: "media_buy",
  owner: row.owner,
  payload: {
    media_buy_id: row.media_buy_id,
    status: row.life.value,
    brand_domain: row.brand_domain,
    currency: row.currency,
    total_budget: fromMicros(totalMicros(row)),
    packages: row.packages.map(({ package_id, deal_id, offer_id }) => ({ package_id, deal_id, offer_id })),
    revision: row.revision,
    ...more,
  },
});
