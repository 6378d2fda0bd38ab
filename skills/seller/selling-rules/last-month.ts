import type { z } from "zod";
import { needsApproval } from "../../../machines/approval/gate.ts";
import { dateOfSlot, dayMs, slotOfTime } from "../../../machines/inventory/dates.ts";
import { costMicros, fromMicros, roundHalfEven } from "../../../machines/money.ts";
import type { NegotiationLimits } from "../../../machines/negotiation/limits.ts";
import { type NegotiationContext, offerOutcome, type Round } from "../../../machines/negotiation/rounds.ts";
import { finalMicrosFor } from "../../../machines/pricing/price.ts";
import type { Kind } from "../../../storage/store.ts";
import type { SellerContext } from "../context.ts";
import { dealKind } from "../deals/record.ts";
import { negotiationKind, type NegotiationRow } from "../negotiation/record.ts";
import { quoteKind, type QuoteRow } from "../pricing/record.ts";
import { proposalKind } from "../proposals/record.ts";
import type { SellerSettings } from "../settings.ts";
import type { updateSellingRules } from "./contract.ts";

type DecidedThen = NonNullable<z.input<typeof updateSellingRules.output>["last_month"]>;

const days = 30;
const pageSize = 500;
const mostPages = 10;

/** Of the last days, at most 5,000; a sandbox row decides nothing about the business, unless all is one. */
const newest = async <T extends { readonly created_at_ms: number; readonly sandbox: boolean }>(
  context: SellerContext,
  kind: Kind<T>,
): Promise<readonly T[]> => {
  const sinceMs = context.nowMs - days * dayMs;
  const found: T[] = [];
  let after: number | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const place = after === undefined ? {} : { after };
    const rows = await context.list(kind, { order: "newest", limit: pageSize, ...place });
    const fresh = rows.map(({ body }) => body).filter(({ created_at_ms: atMs }) => atMs >= sinceMs);
    found.push(...fresh.filter(({ sandbox }) => !sandbox || context.ports.settings.sandbox));
    after = rows.at(-1)?.n;
    if (rows.length < pageSize || fresh.length < rows.length) break;
  }
  return found;
};

interface Valued {
  readonly flow: "deal" | "proposal";
  readonly terms: { readonly priceMicros: number; readonly impressions: number | null; readonly currency: string };
}

const gatedValue = (some: readonly Valued[]) => ({
  count: some.length,
  value: fromMicros(
    some.reduce((sum, { terms }) => sum + (costMicros(terms.priceMicros, terms.impressions ?? 0) ?? 0), 0),
  ),
});

const gatedOf = async (
  context: SellerContext,
  now: SellerSettings,
  then: SellerSettings,
): Promise<DecidedThen["approvals"]> => {
  const deals = (await newest(context, dealKind)).map(({ life, pricing }): Valued => {
    const { priceMicros, impressions } = life.context.terms;
    return { flow: "deal", terms: { priceMicros, impressions, currency: pricing.currency } };
  });
  const proposals = (await newest(context, proposalKind)).map(({ life, pricing }): Valued => {
    const { offeredMicros, impressions } = life.context;
    return { flow: "proposal", terms: { priceMicros: offeredMicros, impressions, currency: pricing.currency } };
  });
  const all = [...deals, ...proposals];
  const waits = (settings: SellerSettings, { flow, terms }: Valued) =>
    needsApproval(settings.approvalGate, flow, terms);
  return {
    seen: all.length,
    waited: all.filter((one) => waits(now, one)).length,
    would_wait: all.filter((one) => waits(then, one)).length,
    more: gatedValue(all.filter((one) => waits(then, one) && !waits(now, one))),
    fewer: gatedValue(all.filter((one) => waits(now, one) && !waits(then, one))),
  };
};

/** By the list price of today: what the rules alone do to it. */
const priceBy = ({ ports, nowMs }: SellerContext, row: QuoteRow, { pricing }: SellerSettings): number | null => {
  const item = ports.catalog.get(row.product.product_id);
  if (item === null || row.impressions === null || item.currency !== "USD") return null;
  const question = {
    baseMicros: item.base_cpm_micros,
    floorMicros: item.floor_cpm_micros,
    impressions: row.impressions,
    targetMicros: null,
    currency: item.currency,
    tier: row.tier,
    agencyId: null,
    advertiserId: null,
    holdingCompanyId: null,
    productId: item.product_id,
    inventoryType: item.inventory_type,
    customPrices: [],
    nowMs,
  };
  const micros = finalMicrosFor(question, pricing);
  return micros === null ? null : costMicros(micros, row.impressions);
};

const pricedOf = async (
  context: SellerContext,
  now: SellerSettings,
  then: SellerSettings,
): Promise<DecidedThen["quotes"]> => {
  const pairs = (await newest(context, quoteKind)).flatMap((row) => {
    const [before, after] = [priceBy(context, row, now), priceBy(context, row, then)];
    return before === null || after === null ? [] : [{ before, after }];
  });
  return {
    seen: pairs.length,
    changed: pairs.filter(({ before, after }) => before !== after).length,
    value: fromMicros(pairs.reduce((sum, { before }) => sum + before, 0)),
    would_value: fromMicros(pairs.reduce((sum, { after }) => sum + after, 0)),
  };
};

/** The same offers again, under other limits; it ends where the seller would have ended it. */
const lastRound = (row: NegotiationRow, limits: NegotiationLimits): Round | null => {
  const { context } = row.life;
  let talk: NegotiationContext = { ...context, limits, rounds: [], conceded: 0, held: null, agreedMicros: null };
  for (const { buyerMicros, atMs } of context.rounds) {
    if (buyerMicros === null) continue;
    const { round, conceded } = offerOutcome(talk, buyerMicros, atMs);
    talk = { ...talk, rounds: [...talk.rounds, round], conceded };
    if (round.action === "accept" || round.action === "reject") break;
  }
  return talk.rounds.at(-1) ?? null;
};

const average = (rounds: readonly Round[]): number | null =>
  rounds.length === 0
    ? null
    : roundHalfEven(rounds.reduce((sum, { sellerMicros }) => sum + fromMicros(sellerMicros), 0) / rounds.length, 2);

const isAgreed = ({ action }: Round): boolean => action === "accept";

const talkedOf = async (
  context: SellerContext,
  now: SellerSettings,
  then: SellerSettings,
): Promise<DecidedThen["talks"]> => {
  const pairs = (await newest(context, negotiationKind)).flatMap((row) => {
    const [before, after] = [lastRound(row, now.negotiation[row.tier]), lastRound(row, then.negotiation[row.tier])];
    return before === null || after === null ? [] : [{ before, after }];
  });
  const [befores, afters] = [pairs.map(({ before }) => before), pairs.map(({ after }) => after)];
  return {
    seen: pairs.length,
    changed: pairs.filter(
      ({ before, after }) => before.sellerMicros !== after.sellerMicros || before.action !== after.action,
    ).length,
    average_last: average(befores),
    would_average_last: average(afters),
    agreed: befores.filter(isAgreed).length,
    would_agree: afters.filter(isAgreed).length,
  };
};

/** What other rules would have decided in the last days, beside those of now. */
export const lastMonth = async (context: SellerContext, then: SellerSettings): Promise<DecidedThen> => {
  const now = context.ports.settings;
  const slot = slotOfTime(context.nowMs);
  return {
    since: dateOfSlot(slot - days) ?? "",
    until: dateOfSlot(slot) ?? "",
    approvals: await gatedOf(context, now, then),
    quotes: await pricedOf(context, now, then),
    talks: await talkedOf(context, now, then),
  };
};
