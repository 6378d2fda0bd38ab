import { keyRequestsOf, keyRequestText } from "../approvals/key-request.ts";
import { quoted, seenText } from "../../../protocol/neutral/seen-text.ts";
import type { z } from "zod";
import { dateOfSlot } from "../../../machines/inventory/dates.ts";
import { costMicros, decimalText, formatMoney, fromMicros, unitsOrNull } from "../../../machines/money.ts";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import { selectionTerm } from "../../../protocol/seam/selection.ts";
import type { ApprovalRow } from "../approvals/record.ts";
import { decidedAbout } from "../approvals/subject.ts";
import { waitingChanges } from "../change-requests/waiting.ts";
import { everBooked, newestKeysOf, standingOfKey } from "../buyers/view.ts";
import { inventoryLedger, spanOf } from "../inventory.ts";
import { negotiationKind, type NegotiationRow } from "../negotiation/record.ts";
import { roundViews } from "../negotiation/view.ts";
import { buyBrief, buyOfApproval } from "./buy-brief.ts";
import { buyerNameIn } from "../portfolio/buyer-names.ts";
import { quoteKind } from "../pricing/record.ts";
import type { Product } from "../products/record.ts";
import type { SellerContext } from "../context.ts";
import { proposalKind } from "../proposals/record.ts";
import { dealKind, settledDeal } from "../deals/record.ts";
import type { getApprovalBrief } from "./contract.ts";

type Brief = z.input<typeof getApprovalBrief.output>;

interface Subject {
  readonly offerMicros: number;
  readonly wouldMicros: number;
  readonly floorMicros: number | null;
  readonly computedMicros: number | null;
  readonly impressions: number | null;
  readonly flight: { readonly start: string; readonly end: string } | null;
  readonly dealType: string | null;
  readonly holdsAlready: boolean;
  readonly rounds: Brief["rounds"];
}

const ofDeal = async (context: SellerContext, id: string): Promise<Subject | null> => {
  const row = (await context.load(dealKind, id))?.body;
  if (row === undefined) return null;
  const { priceMicros, impressions, flightStart, flightEnd } = row.life.context.terms;
  return {
    offerMicros: priceMicros,
    wouldMicros: priceMicros,
    floorMicros: null,
    computedMicros: null,
    impressions,
    flight: { start: flightStart, end: flightEnd },
    dealType: row.deal_type,
    holdsAlready: true,
    rounds: [],
  };
};

const ofProposal = async (context: SellerContext, id: string): Promise<Subject | null> => {
  const row = (await context.load(proposalKind, id))?.body;
  if (row === undefined) return null;
  const { offeredMicros, sellerMicros, lowestMicros, ceilingMicros, impressions } = row.life.context;
  return {
    offerMicros: offeredMicros,
    wouldMicros: sellerMicros ?? offeredMicros,
    floorMicros: lowestMicros,
    computedMicros: ceilingMicros,
    impressions,
    flight: { start: row.flight_start, end: row.flight_end },
    dealType: row.deal_type,
    holdsAlready: false,
    rounds: [],
  };
};

/** The quote or proposal, whose flight and type the talk leaves as they are. */
const bargainedOver = async (context: SellerContext, { quote_id: quoteId, proposal_id: proposalId }: NegotiationRow) =>
  (proposalId === null ? await context.load(quoteKind, quoteId ?? "") : await context.load(proposalKind, proposalId))
    ?.body ?? null;

const ofNegotiation = async (context: SellerContext, id: string): Promise<Subject | null> => {
  const row = (await context.load(negotiationKind, id))?.body;
  if (row === undefined) return null;
  const { rounds, held, floorMicros, ceilingMicros } = row.life.context;
  const about = await bargainedOver(context, row);
  const offerMicros = rounds.at(-1)?.buyerMicros ?? ceilingMicros;
  return {
    offerMicros,
    wouldMicros: held?.outcome.round.sellerMicros ?? offerMicros,
    floorMicros,
    computedMicros: ceilingMicros,
    impressions: row.impressions,
    flight: about === null ? null : { start: about.flight_start, end: about.flight_end },
    dealType: about?.deal_type ?? null,
    holdsAlready: false,
    rounds: roundViews(row),
  };
};

/** Null for a key, which has no price. */
const approvalSubject = (context: SellerContext, row: ApprovalRow): Promise<Subject | null> => {
  if (row.flow_type === "deal") return ofDeal(context, row.subject_id);
  if (row.flow_type === "proposal") return ofProposal(context, row.subject_id);
  return row.flow_type === "negotiation" ? ofNegotiation(context, row.subject_id) : Promise.resolve(null);
};

const inventoryOf = async (
  context: SellerContext,
  product: Product | null,
  { flight, impressions, dealType, holdsAlready }: Subject,
): Promise<Brief["inventory"]> => {
  if (product === null || flight === null || impressions === null || dealType !== "PG") return null;
  const { fromSlot, toSlot } = spanOf(flight.start, flight.end);
  const amounts = await context.reservedSlots(inventoryLedger(product.product_id), fromSlot, toSlot);
  const held = Math.max(0, ...amounts.values());
  const [fullest] = [...amounts]
    .filter(([, amount]) => amount === held)
    .map(([slot]) => slot)
    .sort((one, other) => one - other);
  const before = holdsAlready ? Math.max(0, held - impressions) : held;
  const cap = product.maximum_impressions;
  const leftAfter = cap === null ? null : Math.max(0, cap - before - impressions);
  const busiestDay = before === 0 || fullest === undefined ? null : dateOfSlot(fullest);
  return {
    cap,
    held: before,
    busiest_day: busiestDay,
    left_before: cap === null ? null : Math.max(0, cap - before),
    left_after: leftAfter,
  };
};

const nobody = { verified: false, tier: null, tier_reason: null, trust_status: null, agent_url: null };

const whoAsks = async (context: SellerContext, owner: string): Promise<Brief["buyer"]> => {
  const [key] = await newestKeysOf(context, owner, 1);
  const { ceiling: _ceiling, ...standing } =
    key === undefined ? { ...nobody, ceiling: null } : await standingOfKey(context, key);
  const name = key === undefined ? null : buyerNameIn(owner, key);
  return { owner, name, ...standing, deals: await everBooked(context, owner) };
};

const mostSimilar = 5;

const similarTo = async (
  context: SellerContext,
  row: ApprovalRow,
  productId: string | null,
): Promise<Brief["similar"]> => {
  if (productId === null) return [];
  const query = {
    terms: [selectionTerm([row.owner, null, productId])],
    order: "newest",
    limit: mostSimilar + 1,
  } as const;
  const deals = (await context.list(dealKind, query)).filter(({ id }) => id !== row.subject_id).slice(0, mostSimilar);
  return deals.map(({ body }) => {
    const { life } = settledDeal(body, context.nowMs);
    const { priceMicros, impressions } = life.context.terms;
    return {
      deal_id: body.deal_id,
      status: life.value,
      price: fromMicros(priceMicros),
      impressions,
      booked_at: isoTime(body.created_at_ms),
    };
  });
};

const gateText = (context: SellerContext, row: ApprovalRow): string => {
  const { aboveMicros } = context.ports.settings.approvalGate;
  const which = `${row.flow_type.replaceAll("_", " ")}s`;
  return aboveMicros === 0
    ? `All ${which} wait for a person.`
    : `Of ${which}, those of ${fromMicros(aboveMicros)} USD or more, or in another currency, wait for a person.`;
};

const wordsOf = (buyer: Brief["buyer"], product: Product | null, subject: Subject | null): string => {
  const who = buyer.name === null ? seenText(buyer.owner) : quoted(buyer.name);
  if (subject === null || product === null) return `What ${who} asked for is gone.`;
  return `${who} offers ${formatMoney(subject.offerMicros, product.currency)} CPM for ${product.name}.`;
};

const rulesOf = (context: SellerContext, row: ApprovalRow, subject: Subject | null): Brief["rules"] => {
  if (row.flow_type === "api_key") return null;
  if (row.flow_type === "media_buy") return { would: "accept", price: null, because: gateText(context, row) };
  const isAsOffered = subject === null || subject.wouldMicros === subject.offerMicros;
  return {
    would: isAsOffered ? "accept" : "answer",
    price: unitsOrNull(subject?.wouldMicros),
    because: gateText(context, row),
  };
};

const outcomesOf = (row: ApprovalRow, subject: Subject | null): Brief["outcomes"] => {
  const canCounter = row.flow_type === "proposal" || row.flow_type === "negotiation";
  const answer = `The seller's answer at ${decimalText(subject?.wouldMicros ?? null) ?? ""} goes out.`;
  const approve = {
    deal: "The deal may then be activated, by hand or by its booked order.",
    proposal: answer,
    negotiation: answer,
    api_key: "The key's identity counts as verified: it gives its tier, and all records of that buyer.",
    media_buy: "All of its packages are booked at the shown prices, each as a deal with its order.",
  } as const;
  const reject = {
    deal: "The deal is rejected and gives its impressions back.",
    proposal: "The proposal is rejected; its quote can be booked again.",
    negotiation: "The negotiation is rejected; its quote can be booked again.",
    api_key: "The key is revoked.",
    media_buy: "Nothing is booked; the buyer is told why.",
  } as const;
  return {
    approve: approve[row.flow_type],
    reject: reject[row.flow_type],
    counter: canCounter ? { min: unitsOrNull(subject?.floorMicros), max: unitsOrNull(subject?.computedMicros) } : null,
  };
};

/** Changes of the deal that the buyer asked for after it booked: an approval alone would not answer them. */
const askedMeanwhile = async (context: SellerContext, row: ApprovalRow): Promise<Brief["changes_waiting"]> => {
  if (row.flow_type !== "deal") return [];
  return (await waitingChanges(context, row.subject_id)).map((change) => ({
    change_request_id: change.change_request_id,
    change_type: change.change_type,
    reason: change.reason,
  }));
};

export const briefOf = async (context: SellerContext, row: ApprovalRow): Promise<Brief> => {
  const productId = typeof row.context["product_id"] === "string" ? row.context["product_id"] : null;
  const product = productId === null ? null : context.ports.catalog.get(productId);
  const subject = await approvalSubject(context, row);
  const { approvalGate } = context.ports.settings;
  const buyer = await whoAsks(context, row.owner);
  const value = subject?.impressions == null ? null : costMicros(subject.wouldMicros, subject.impressions);
  const keyRequest = (await keyRequestsOf(context, [row])).get(row.approval_id) ?? null;
  const buy = await buyOfApproval(context, row);
  const floorMicros = subject?.floorMicros ?? product?.floor_cpm_micros ?? null;
  return {
    approval_id: row.approval_id,
    revision: (await decidedAbout(context, row)).revision,
    flow_type: row.flow_type,
    flow_id: row.subject_id,
    status: row.life.value,
    preferred: row.preferred === true,
    expires_at: isoTime(row.life.context.expiresAtMs),
    seconds_left: Math.max(0, Math.floor((row.life.context.expiresAtMs - context.nowMs) / 1000)),
    headline: keyRequest === null ? wordsOf(buyer, product, subject) : keyRequestText(keyRequest),
    key_request: keyRequest,
    rules: rulesOf(context, row, subject),
    buyer,
    similar: await similarTo(context, row, productId),
    product: product === null ? null : { product_id: product.product_id, name: product.name },
    currency: product?.currency ?? null,
    impressions: subject?.impressions ?? null,
    flight_start: subject?.flight?.start ?? null,
    flight_end: subject?.flight?.end ?? null,
    deal_type: subject?.dealType ?? null,
    prices: {
      floor: unitsOrNull(floorMicros),
      offer: unitsOrNull(subject?.offerMicros),
      would: unitsOrNull(subject?.wouldMicros),
      computed: unitsOrNull(subject?.computedMicros),
      list: unitsOrNull(product?.base_cpm_micros),
      last_ours: subject?.rounds.at(-1)?.seller_price ?? null,
    },
    value: unitsOrNull(value),
    gate: { flow: row.flow_type, above_value: fromMicros(approvalGate.aboveMicros) },
    rounds: subject?.rounds ?? [],
    changes_waiting: await askedMeanwhile(context, row),
    inventory: subject === null ? null : await inventoryOf(context, product, subject),
    outcomes: outcomesOf(row, subject),
    ...(buy === null ? {} : buyBrief(context, buy, buyer)),
  };
};
