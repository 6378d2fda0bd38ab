import type { z } from "zod";
import { buyActions, type BuyStatus } from "../../../machines/media-buy/status.ts";
import { fromMicros, unitsOrNull } from "../../../machines/money.ts";
import { isoTime, isoTimeOrNull } from "../../../protocol/neutral/iso-time.ts";
import { accountKind } from "../accounts/record.ts";
import { accountView } from "../accounts/view.ts";
import type { SellerContext } from "../context.ts";
import { because, inSandbox, type Words } from "../words.ts";
import type { mediaBuy } from "./contract.ts";
import type { BoughtPackage, MediaBuyRow } from "./record.ts";
import { totalMicros } from "./record.ts";
import type { BuyNow } from "./state.ts";

type View = z.input<typeof mediaBuy>;

const packageView = (bought: BoughtPackage, currency: string): View["packages"][number] => ({
  package_id: bought.package_id,
  deal_id: bought.deal_id,
  offer_id: bought.offer_id,
  product_id: bought.product_id,
  option_id: bought.option_id,
  deal_type: bought.deal_type,
  currency,
  budget: fromMicros(bought.budget_micros),
  price: fromMicros(bought.price_micros),
  impressions: bought.impressions,
  bid_price: unitsOrNull(bought.bid_micros),
  start_time: isoTime(bought.start_ms),
  end_time: isoTime(bought.end_ms),
  paused: bought.paused,
  canceled_at: isoTimeOrNull(bought.canceled_at_ms),
  creative_ids: [...bought.creative_ids],
  details: { ...bought.details },
});

const standings: Readonly<Record<BuyStatus, Words>> = {
  submitted: { status_text: "It waits for a person of the seller.", next_step: "Ask get_media_buy_task again later." },
  pending_creatives: {
    status_text: "It is booked, and a package has no approved creative.",
    next_step: "Send creatives with sync_creatives and assign them.",
  },
  pending_start: { status_text: "It is booked.", next_step: "It runs once it begins and the seller has set it live." },
  active: { status_text: "It runs.", next_step: "report_media_buys says what was delivered." },
  paused: { status_text: "It is paused.", next_step: "Resume it with change_media_buy." },
  completed: { status_text: "It is over.", next_step: "report_media_buys says what was delivered." },
  canceled: { status_text: "It was cancelled.", next_step: "Nothing is left to do." },
  rejected: { status_text: "It was not taken.", next_step: "Nothing was booked: buy something else." },
};

const wordsOf = ({ row, status }: BuyNow): Words => {
  const { rejectionReason } = row.life.context;
  const said = standings[status];
  if (status !== "rejected" || rejectionReason === null) return said;
  return { ...said, status_text: `It was not taken${because(rejectionReason)}` };
};

const cancellationOf = ({ life }: MediaBuyRow): View["cancellation"] => {
  const { cancellation } = life.context;
  if (cancellation === null) return null;
  return { canceled_at: isoTime(cancellation.atMs), canceled_by: cancellation.by, reason: cancellation.reason };
};

export const mediaBuyView = async (context: SellerContext, now: BuyNow): Promise<View> => {
  const { row, status } = now;
  const account = await context.load(accountKind, row.account_id);
  if (account === null) throw new Error(`The account ${row.account_id} of ${row.media_buy_id} is gone.`);
  return viewWith(now, accountView(account.body), status);
};

/** Of an account that is not stored yet. */
export const viewWith = (now: BuyNow, account: View["account"], status: BuyStatus): View => {
  const { row } = now;
  return {
    media_buy_id: row.media_buy_id,
    status,
    ...inSandbox(wordsOf(now), row.sandbox),
    task_id: row.task_id,
    approval_id: row.approval_id,
    plan_id: row.plan_id,
    account,
    brand_domain: row.brand_domain,
    po_number: row.po_number,
    currency: row.currency,
    total_budget: fromMicros(totalMicros(row)),
    start_time: isoTime(row.start_ms),
    end_time: isoTime(row.end_ms),
    paused: row.paused,
    confirmed_at: isoTimeOrNull(row.life.context.confirmedAtMs),
    cancellation: cancellationOf(row),
    valid_actions: [...buyActions(status)],
    packages: row.packages.map((bought) => packageView(bought, row.currency)),
    history: row.history.map(({ at_ms: atMs, ...move }) => ({ ...move, timestamp: isoTime(atMs) })),
    created_at: isoTime(row.created_at_ms),
    updated_at: isoTime(row.updated_at_ms),
    sandbox: row.sandbox,
    revision: row.revision,
    buyer: row.owner,
  };
};
