import type { z } from "zod";
import { fromMicros, roundHalfEven } from "../../../machines/money.ts";
import type { SellerContext } from "../context.ts";
import { formatIdsOf } from "../creatives/formats.ts";
import type { offer, shownPlan } from "./contract.ts";
import { optionsOf, rangeOf } from "./offer.ts";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import { timeText, type Words } from "../words.ts";
import type { Ranked } from "./ranking.ts";
import type { PlanRow } from "./record.ts";

/** Where the agent says no other: the host of its own address. */
const publisherDomain = ({ ports }: SellerContext): string =>
  ports.settings.publisherDomain === "" ? new URL(ports.settings.agentUrl).hostname : ports.settings.publisherDomain;

export const offerView = (
  context: SellerContext,
  { offer: one, score }: Ranked,
  best: number,
): z.input<typeof offer> => {
  const { item, dealType, offerId } = one;
  return {
    offer_id: offerId,
    product_id: item.product_id,
    deal_type: dealType,
    name: item.name,
    description: item.description,
    inventory_type: item.inventory_type,
    publisher_domain: publisherDomain(context),
    currency: item.currency,
    formats: [...(context.ports.fixtures?.formatIds(item.product_id) ?? formatIdsOf(item.inventory_type))],
    minimum_impressions: item.minimum_impressions,
    options: optionsOf(context, one),
    price_range: rangeOf(context, one),
    fit: score === null ? null : roundHalfEven(best === 0 ? 0 : score / best, 3),
  };
};

const planWords = ({ life }: PlanRow): Words => {
  const until = timeText(life.context.untilMs);
  switch (life.value) {
    case "draft":
      return {
        status_text: "It is a draft: its prices may change.",
        next_step: `Finalize it with refine_plan before ${until}.`,
      };
    case "committed":
      return { status_text: `Its prices are held until ${until}.`, next_step: "Buy it with book_media_buy." };
    case "bought":
      return { status_text: "It was bought.", next_step: "get_media_buy shows what became of it." };
    case "expired":
      return { status_text: "It has expired.", next_step: "Draft a new one with draft_plan." };
  }
};

/** Each line must reach the least volume of its offer with its share. */
const leastTotal = ({ lines }: PlanRow): number =>
  Math.max(...lines.map(({ minimum_budget: least, share }) => Math.ceil((least * 10_000) / share) / 100));

export const planView = (row: PlanRow): z.input<typeof shownPlan> => ({
  plan_id: row.plan_id,
  name: row.name,
  status: row.life.value,
  ...planWords(row),
  currency: row.currency,
  minimum_budget: leastTotal(row),
  expires_at: isoTime(row.life.context.untilMs),
  lines: row.lines.map(({ offer_id, option_id, name, share, price_micros }) => ({
    offer_id,
    option_id,
    name,
    share,
    price: fromMicros(price_micros),
  })),
  media_buy_id: row.life.context.mediaBuyId,
  created_at: isoTime(row.created_at_ms),
  sandbox: row.sandbox,
  revision: row.revision,
});
