import type { OutputOf } from "../../../agent/api.ts";
import { buyerName, count, money, plain, priceText } from "../../../form.ts";
import type * as seller from "../../../agent/seller.generated.ts";

export type Choice = "approve" | "counter" | "reject";

export type Brief = OutputOf<typeof seller.getApprovalBrief>;

export const buyerOf = (brief: Brief): string => buyerName(brief.buyer.name, brief.buyer.owner);

const productNamed = (brief: Brief): string => plain(brief.product?.name ?? "a product that is gone");

/** In quotation marks: nobody proved it. */
export const claimsOf = ({
  advertiser_id: advertiser,
  agency_id: agency,
  seat_id: seat,
}: Pick<NonNullable<Brief["key_request"]>, "advertiser_id" | "agency_id" | "seat_id">): string =>
  Object.entries({ advertiser, agency, seat })
    .flatMap(([level, id]) => (id === null ? [] : [`${level} “${plain(id)}”`]))
    .join(", ");

export const headlineOf = (brief: Brief): string => {
  const [buyer, product] = [buyerOf(brief), productNamed(brief)];
  const offer = priceText(brief.prices.offer, brief.currency);
  if (brief.flow_type === "api_key") {
    return brief.key_request == null ? `${buyer} asks for a verified key` : `A key as ${claimsOf(brief.key_request)}?`;
  }
  if (brief.flow_type === "media_buy") {
    const number = brief.packages?.length ?? 0;
    const what = number === 1 ? "a package" : `${number} packages`;
    return `${buyer} buys ${what} for ${money(brief.value, brief.currency)}`;
  }
  if (brief.flow_type === "deal") return `${buyer} books ${product} at ${offer}`;
  return `${buyer} offers ${offer} for ${product}`;
};

const kindOf: Readonly<Record<string, string>> = {
  deal: "bookings",
  negotiation: "offers",
  proposal: "proposals",
  api_key: "keys",
  media_buy: "media buys",
};

/** The gate is in USD, and does not convert: another currency always waits. */
export const whyItWaits = ({ flow_type: flow, gate, currency }: Pick<Brief, "flow_type" | "gate" | "currency">) => {
  const kind = kindOf[flow] ?? flow;
  if (gate.above_value === 0) return `It waits for you because all ${kind} do.`;
  return (currency ?? "USD") === "USD"
    ? `It waits for you because ${kind} from ${money(gate.above_value, "USD")} on do.`
    : `It waits for you because all ${kind} in ${plain(currency)} do.`;
};

export const sentenceOf = (brief: Brief): string => {
  const { offer, would } = brief.prices;
  if (brief.flow_type === "api_key") {
    return "Nothing of this is proven, and nothing recommended: find out who asks. Until then it stays public.";
  }
  if (brief.flow_type === "media_buy") return `Every package is at your shown price. ${whyItWaits(brief)}`;
  if (brief.flow_type === "deal") return `The price is the quote's. ${whyItWaits(brief)}`;
  const answer = priceText(would, brief.currency);
  const rules = would === offer ? `The rules would accept at ${answer}.` : `The rules would answer ${answer}.`;
  return `${rules} ${whyItWaits(brief)}`;
};

/** What is agreed to, in full, as it stands in the sheet before the second press. */
export const termsOf = (brief: Brief, price: number | null): string => {
  if (brief.flow_type === "api_key") {
    const { key_request: request } = brief;
    if (request == null) return `${buyerOf(brief)}: the identity that its key claims.`;
    const owns = `Approved, it sees and moves all of ${plain(request.becomes)}.`;
    return `${plain(request.key_id)} as ${claimsOf(request)}. ${owns}`;
  }
  if (brief.packages !== undefined) {
    const each = brief.packages.map(
      ({ name, impressions: volume, price: cpm }) =>
        `${plain(name)}: ${count(volume)} impressions at ${priceText(cpm, brief.currency)}`,
    );
    return `${each.join("; ")}. ${money(brief.value, brief.currency)} in all.`;
  }
  const { impressions, currency } = brief;
  const each = priceText(price, currency);
  if (impressions === null) return `${productNamed(brief)} at ${each}.`;
  const all = price === null ? null : (price * impressions) / 1000;
  return `${productNamed(brief)}: ${count(impressions)} impressions at ${each}, ${money(all, currency)} in all.`;
};

/** A booking that was approved can still be rejected until somebody activates it; nothing else comes back. */
export const wayBackOf = ({ flow_type: flow }: Brief, choice: Choice): string =>
  flow === "deal" && choice === "approve"
    ? "It then waits to be activated, and can be rejected until then."
    : "This cannot be taken back.";

/** What a person would notice as changed between two readings. */
export const changesBetween = (before: Brief, now: Brief): readonly string[] => {
  const figures = [
    ["offer", before.prices.offer, now.prices.offer],
    ["our answer", before.prices.would, now.prices.would],
    ["floor", before.prices.floor, now.prices.floor],
    ["list price", before.prices.list, now.prices.list],
  ] as const;
  const prices = figures
    .filter(([, old, fresh]) => old !== fresh)
    .map(([name, old, fresh]) => `${name} ${money(old, now.currency)} → ${money(fresh, now.currency)}`);
  const volume = before.impressions === now.impressions;
  const all = volume ? prices : [...prices, `volume ${count(before.impressions)} → ${count(now.impressions)}`];
  return all.length === 0 && before.revision !== now.revision ? ["the record or its product"] : all;
};
