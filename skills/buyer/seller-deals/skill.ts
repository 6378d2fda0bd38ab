import { planMediaTypes } from "../../../protocol/audience-plan/media-types.ts";
import { planId } from "../../../protocol/audience-plan/plan-id.ts";
import type { AudiencePlan } from "../../../protocol/audience-plan/schema.ts";
import { withoutParts } from "../../../protocol/audience-plan/without-parts.ts";
import { refuse } from "../../../protocol/neutral/refusals.ts";
import { defineOperation, type LogLine } from "../../../protocol/seam/operation.ts";
import type { BuyerContext } from "../ports.ts";
import { scanNewest } from "../scan.ts";
import type { SellerCallResult } from "../seller-door.ts";
import { bookingKind } from "../bookings/record.ts";
import { callFrom, sellerRefusal, sellerUrlOf } from "../seller-refusal.ts";
import { asksQuote, booksDeal, type OpenDeal, readsDeal, readsQuote } from "./answers.ts";
import * as contract from "./contract.ts";
import { csvOf } from "./export.ts";
import { dealTerm, quoteTerm, sellerDealKind, type SellerDealRow } from "./record.ts";
import { dealRow, dealView, type DealView, quotedRow } from "./view.ts";

const identityOf = ({ ports }: BuyerContext) =>
  Object.keys(ports.identity).length === 0 ? {} : { buyer_identity: { ...ports.identity } };

/** A dry run shows the terms asked for, without ids and price. */
const dryView = (context: BuyerContext, sellerUrl: string, quoteId: string | null): DealView => {
  const unknown = { cpm_micros: null, currency: "USD", impressions: null, flight_start: null, flight_end: null };
  const row = { seller_url: sellerUrl, quote_id: quoteId ?? "deal:", deal_id: null, status: "dry_run", ...unknown };
  const rest = { product_id: "", product_name: "", deal_type: "", buyer_tier: "", expires_at: null, job_id: null };
  return dealView({ ...row, ...rest, created_at_ms: context.nowMs, updated_at_ms: context.nowMs });
};

export const requestQuote = defineOperation(contract.requestQuote, async (context: BuyerContext, input) => {
  const { sellers, library, events } = context.ports;
  const { seller_url, ...asked } = input;
  const url = sellerUrlOf(seller_url);
  const refused = sellers.judge(url);
  if (refused !== null) return sellerRefusal(refused);
  if (context.dryRun)
    return { output: { ...dryView(context, url, null), product_id: input.product_id, deal_type: input.deal_type } };
  const question = Object.fromEntries(Object.entries(asked).filter(([, value]) => value != null));
  const flow = { flow_id: context.effectKey(), flow_type: "dsp_deal" };
  const { product_id, deal_type, impressions = null, target_cpm = null } = input;
  await events.emit("quote.requested", {
    ...flow,
    payload: { seller_url: url, product_id, deal_type, impressions, target_cpm },
  });
  const request = { ...question, product_id, deal_type, ...identityOf(context) };
  const answer = await sellers.call(url, asksQuote, request, callFrom(context, "quote"));
  if (!answer.ok) return sellerRefusal(answer);
  const row = quotedRow(url, answer.value, context.nowMs);
  await library.keep(row);
  const { quote_id, pricing, buyer_tier, expires_at } = answer.value;
  await events.emit("quote.received", {
    ...flow,
    payload: { seller_url: url, product_id, quote_id, final_cpm: pricing.final_cpm, buyer_tier, expires_at },
  });
  return { output: dealView(row) };
});

const known = async (context: BuyerContext, term: string, sellerUrl: string | null): Promise<SellerDealRow[]> => {
  const terms = [term, ...(sellerUrl === null ? [] : [`seller=${sellerUrl}`])];
  return (await context.list(sellerDealKind, { terms, order: "newest", limit: 2 })).map(({ body }) => body);
};

const ambiguous = (code: "not_found" | "deal_not_found") =>
  refuse(code, { message: "Several sellers gave this id. Name one with seller_url." });

export const getQuote = defineOperation(contract.getQuote, async (context: BuyerContext, input) => {
  const given = input.seller_url == null ? null : sellerUrlOf(input.seller_url);
  const rows = await known(context, quoteTerm(input.quote_id), given);
  if (rows.length > 1) return ambiguous("not_found");
  const row = rows[0];
  const url = row?.seller_url ?? given;
  if (url === null) return refuse("not_found");
  const answer = await context.ports.sellers.call(url, readsQuote, { quote_id: input.quote_id }, callFrom(context));
  if (!answer.ok) return sellerRefusal(answer, "not_found");
  const read = quotedRow(url, answer.value, context.nowMs);
  const kept = { ...read, deal_id: row?.deal_id ?? read.deal_id, job_id: row?.job_id ?? null };
  const isBooked = row?.deal_id != null;
  const fresh = isBooked ? { ...row, updated_at_ms: context.nowMs } : kept;
  await context.ports.library.keep(fresh);
  return { output: dealView(fresh) };
});

interface Booked {
  readonly answer: SellerCallResult<OpenDeal>;
  readonly leftOut: readonly string[];
  readonly log: readonly LogLine[];
}

/** Exactly what the seller lists as unsupported is left out, and the booking sent once more. */
const bookWith = async (
  context: BuyerContext,
  url: string,
  booking: { readonly quote_id: string; readonly notes?: string | null | undefined },
  given: AudiencePlan | null,
): Promise<Booked> => {
  const log: LogLine[] = [];
  const send = (plan: AudiencePlan | null): Promise<SellerCallResult<OpenDeal>> => {
    const planned = plan === null ? {} : { audience_plan: plan };
    const call = callFrom(context, `book-${plan?.audience_plan_id ?? "plain"}`);
    if (plan !== null) {
      const { audience_plan_id } = plan;
      log.push({ level: "info", fields: { audience_plan_id, quote_id: booking.quote_id }, message: "deal_booking" });
    }
    const typed = plan === null ? call : { ...call, mediaTypes: planMediaTypes };
    return context.ports.sellers.call(url, booksDeal, { ...booking, ...planned, ...identityOf(context) }, typed);
  };
  const plan = given === null ? null : { ...given, audience_plan_id: planId(given) };
  const first = await send(plan);
  if (first.ok || plan === null || first.unsupported.length === 0) return { answer: first, leftOut: [], log };
  const leftOut = first.unsupported.map(({ path }) => path);
  const rest = withoutParts(plan, leftOut);
  return rest === null ? { answer: first, leftOut: [], log } : { answer: await send(rest), leftOut, log };
};

export const bookDeal = defineOperation(contract.bookDeal, async (context: BuyerContext, input) => {
  const { library, events } = context.ports;
  const { seller_url, quote_id, notes, audience_plan } = input;
  const url = sellerUrlOf(seller_url);
  if (context.dryRun) return { output: { ...dryView(context, url, quote_id), left_out: [] } };
  const booking = { quote_id, ...(notes == null ? {} : { notes }) };
  const { answer, leftOut, log } = await bookWith(context, url, booking, audience_plan ?? null);
  if (!answer.ok) return sellerRefusal(answer, "not_found");
  if (answer.value.quote_id != null && answer.value.quote_id !== quote_id) {
    const message = `The seller answered a deal of another quote: ${answer.value.deal_id}. Ask the seller.`;
    return refuse("seller_error", { message, extras: { seller_url: url, seller_code: "other_quote" } });
  }
  const [quoted] = await known(context, quoteTerm(quote_id), url);
  const row = dealRow(url, { ...answer.value, quote_id }, "booked", context.nowMs);
  await library.keep(row);
  const isOther = quoted !== undefined && (quoted.cpm_micros !== row.cpm_micros || quoted.currency !== row.currency);
  if (isOther) {
    const message = `Deal ${row.deal_id} was booked at another price than quoted. Ask the seller to cancel it.`;
    return refuse("seller_error", {
      message,
      extras: { seller_url: url, seller_code: "other_price", deal: dealView(row) },
    });
  }
  const { deal_id, pricing, terms, product } = answer.value;
  const line = { order_id: null, line_id: deal_id, deal_id, job_id: null };
  const flow = { flow_id: context.effectKey(), flow_type: "dsp_deal", deal_id };
  await events.emit("booking.submitted", { ...flow, payload: line });
  const { product_id } = product;
  const payload = { deal_id, quote_id, product_id, seller_url: url, final_cpm: pricing.final_cpm };
  await events.emit("deal.booked", { ...flow, payload: { ...payload, impressions: terms.impressions } });
  return { output: { ...dealView(row), left_out: [...leftOut] }, log };
});

/** One cancellation event for a deal that the seller ended early; that of a campaign goes out with the campaign. */
const keepStatus = async (context: BuyerContext, before: SellerDealRow | undefined, deal: OpenDeal, url: string) => {
  const read = dealRow(url, deal, deal.status, context.nowMs);
  const { quote_id = read.quote_id, job_id = null, created_at_ms = read.created_at_ms } = before ?? {};
  const row = { ...read, quote_id, job_id, created_at_ms };
  await context.ports.library.keep(row);
  if (
    !contract.isCancelled(deal.status) ||
    before === undefined ||
    contract.isCancelled(before.status) ||
    job_id !== null
  )
    return row;
  const { deal_id } = deal;
  const payload = { deal_id, seller_url: url, reason: deal.status_reason ?? deal.status };
  await context.ports.events.emit("deal.cancelled", { deal_id, payload });
  return row;
};

export const getDeal = defineOperation(contract.getDeal, async (context: BuyerContext, input) => {
  const given = input.seller_url == null ? null : sellerUrlOf(input.seller_url);
  const rows = await known(context, dealTerm(input.deal_id), given);
  if (rows.length > 1) return ambiguous("deal_not_found");
  const row = rows[0];
  const url = row?.seller_url ?? given;
  if (url === null) return refuse("deal_not_found");
  const { deal_id } = input;
  const answer = await context.ports.sellers.call(url, readsDeal, { deal_id }, callFrom(context));
  if (answer.ok && answer.value.deal_id === deal_id) {
    const fresh = await keepStatus(context, row, answer.value, url);
    const seller_says = answer.value.status_text ?? null;
    return { output: { ...dealView(fresh), seller_says, refreshed: true, refresh_error: null } };
  }
  if (row === undefined) return answer.ok ? refuse("deal_not_found") : sellerRefusal(answer, "deal_not_found");
  const reason = answer.ok ? "the seller answered another deal" : `${answer.code}: ${answer.detail}`;
  return { output: { ...dealView(row), seller_says: null, refreshed: false, refresh_error: reason } };
});

interface Filters {
  readonly status?: string | null | undefined;
  readonly seller_url?: string | null | undefined;
  readonly deal_type?: string | null | undefined;
  readonly q?: string | null | undefined;
}

const meets = (row: SellerDealRow, { deal_type, q }: Filters): boolean => {
  if (deal_type != null && row.deal_type !== deal_type) return false;
  if (q == null) return true;
  const text = [row.product_id, row.product_name, row.seller_url, row.quote_id, row.deal_id, row.job_id]
    .join("\n")
    .toLowerCase();
  return text.includes(q.toLowerCase());
};

/** Newest first, of at most 10,000 rows of that status and seller. */
const filtered = async (context: BuyerContext, filters: Filters): Promise<readonly DealView[]> => {
  const { status, seller_url } = filters;
  const terms = [
    ...(status == null ? [] : [`status=${status}`]),
    ...(seller_url == null ? [] : [`seller=${sellerUrlOf(seller_url)}`]),
  ];
  return (await scanNewest(context, sellerDealKind, terms, (row) => meets(row, filters))).map(dealView);
};

const isStanding = ({ deal_id: id, status, seller_status: said }: DealView): boolean =>
  id !== null && !contract.isLost(said ?? status);

const sumsOf = (deals: readonly DealView[]) => {
  const micros: Record<string, number> = {};
  for (const { currency, value } of deals) {
    if (value !== null) micros[currency] = (micros[currency] ?? 0) + Math.round(value * 1_000_000);
  }
  return {
    count: deals.length,
    value: Object.fromEntries(Object.entries(micros).map(([currency, amount]) => [currency, amount / 1_000_000])),
    impressions: deals.reduce((sum, { impressions }) => sum + (impressions ?? 0), 0),
  };
};

const totalsOf = (deals: readonly DealView[]) => {
  const { count, value, impressions } = sumsOf(deals.filter(isStanding));
  const standing = { standing_count: count, standing_value: value, standing_impressions: impressions };
  return { ...sumsOf(deals), ...standing };
};

/** A campaign's lines are cancelled in its job, which alone knows of a request that waits. */
const withCancellations = async (context: BuyerContext, deals: readonly DealView[]) => {
  const ids = [
    ...new Set(deals.flatMap(({ deal_id, job_id }) => (deal_id === null || job_id === null ? [] : [job_id]))),
  ];
  const jobs = await Promise.all(ids.map((id) => context.load(bookingKind, id)));
  const lines = jobs.flatMap((job) => job?.body.booked_lines ?? []);
  const askedOf = new Map(
    lines.map(({ deal_id, seller_url, cancellation }) => [`${seller_url} ${deal_id}`, cancellation]),
  );
  return deals.map((deal) => {
    const found = askedOf.get(`${deal.seller_url} ${deal.deal_id}`) ?? null;
    return { ...deal, cancellation: found === null ? null : { state: found.state, reason: found.reason } };
  });
};

export const listDeals = defineOperation(contract.listDeals, async (context: BuyerContext, input) => {
  const all = await filtered(context, input);
  const deals = all.slice(input.offset, input.offset + input.limit);
  const shown = await withCancellations(context, deals);
  return { output: { deals: shown, count: deals.length, total: all.length, totals: totalsOf(all) } };
});

export const exportDeals = defineOperation(contract.exportDeals, async (context: BuyerContext, input) => {
  const deals = await filtered(context, input);
  const content = input.format === "csv" ? csvOf(deals) : JSON.stringify(deals);
  return { output: { format: input.format, filename: `deals.${input.format}`, count: deals.length, content } };
});
