import { researchProgress } from "../../../../machines/booking/machine.ts";
import type { EventDraft } from "../../../../protocol/seam/operation.ts";
import type { Finding, Offer } from "../record.ts";
import { channelBuys, dealTypeFor } from "./channels.ts";
import { type Cell, cellsOf } from "./cells.ts";
import { volumeWithin } from "./money.ts";
import type { OfferedProduct } from "./ports.ts";
import { askQuote, failureText, type QuoteFor, type Quoted } from "./quotes.ts";
import { advanceJob, callFor, failJob, flowEvent, type FlowSession } from "./session.ts";

const pageSize = 100;
const mostPages = 20;
const quotesPerCell = 5;

interface CatalogRead {
  readonly products: readonly OfferedProduct[];
  readonly failure: string | null;
}

/** Reads a catalog to its end, a page at a time and never more than 2,000 items. */
const readCatalog = async (session: FlowSession, sellerUrl: string): Promise<CatalogRead> => {
  const products: OfferedProduct[] = [];
  let offset = 0;
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await session.calls.products(sellerUrl, { limit: pageSize, offset }, callFor(session));
    if (!answer.ok) return { products, failure: failureText(sellerUrl, answer) };
    products.push(...answer.value.products);
    offset += answer.value.received;
    const { total, received } = answer.value;
    if (received === 0 || (total === null ? received < pageSize : offset >= total)) break;
  }
  return { products, failure: null };
};

/** The channel that a product is bought for: of those that buy it, the one with the most money (wire contract 3.5). */
const channelOf = (session: FlowSession, product: OfferedProduct): string | null => {
  const buying = session.job().allocations.filter(({ channel }) => channelBuys(channel, product.inventory_type));
  const [largest] = buying.toSorted((left, right) => right.budget_cents - left.budget_cents);
  return largest?.channel ?? null;
};

interface Candidate {
  readonly product: OfferedProduct;
  readonly channel: string;
  readonly dealType: string;
}

const candidatesOf = (session: FlowSession, products: readonly OfferedProduct[]): readonly Candidate[] => {
  const ceiling = session.job().brief.max_cpm_micros;
  const seen = new Set<string>();
  return products.flatMap((product) => {
    const channel = channelOf(session, product);
    const dealType = channel === null ? null : dealTypeFor(channel, product.deal_types);
    const isTooDear = ceiling !== null && product.price_micros !== null && product.price_micros > ceiling;
    if (channel === null || dealType === null || isTooDear || seen.has(product.product_id)) return [];
    seen.add(product.product_id);
    return [{ product, channel, dealType }];
  });
};

/** Priced products before unpriced ones, cheaper before dearer, catalog order on a tie. */
const byPrice = (left: Candidate, right: Candidate): number =>
  (left.product.price_micros ?? Number.MAX_SAFE_INTEGER) - (right.product.price_micros ?? Number.MAX_SAFE_INTEGER);

const questionOf = (session: FlowSession, sellerUrl: string, cell: Cell, of: Candidate, volume: number): QuoteFor => ({
  sellerUrl,
  product: of.product,
  channel: cell.channel,
  flight: cell.flight,
  request: {
    product_id: of.product.product_id,
    deal_type: of.dealType,
    impressions: volume,
    flight_start: cell.dates.start_date,
    flight_end: cell.dates.end_date,
    target_cpm_micros: session.job().brief.target_cpm_micros,
  },
});

/** The volume that a cell can pay at a price, within what the product has; 0 where that is below its minimum. */
const volumeFor = (cell: Cell, product: OfferedProduct, cpmMicros: number): number =>
  volumeWithin(cell.budget_cents, cpmMicros, {
    minimum: product.minimum_impressions,
    ceiling: product.available_impressions ?? Infinity,
  });

/**
 * Asks for one candidate. A product that shows no price is asked at its smallest volume first: its price is then
 * known and the volume follows from it; a price is never invented (wire contract 3.5).
 */
const askCandidate = async (
  session: FlowSession,
  sellerUrl: string,
  cell: Cell,
  of: Candidate,
): Promise<Quoted | null> => {
  const ask = (volume: number): Promise<Quoted> => askQuote(session, questionOf(session, sellerUrl, cell, of, volume));
  const shown = of.product.price_micros;
  if (shown !== null) {
    const volume = volumeFor(cell, of.product, shown);
    return volume === 0 ? null : ask(volume);
  }
  const first = await ask(Math.max(1, of.product.minimum_impressions));
  if (!first.ok) return first;
  const volume = volumeFor(cell, of.product, first.offer.cpm_micros);
  if (volume <= first.offer.impressions) return volume === 0 ? { ...first, ok: false, error: null } : first;
  const second = await ask(volume);
  return { ...second, events: [...first.events, ...second.events] };
};

interface Researched {
  readonly finding: Finding;
  readonly errors: readonly string[];
  readonly events: readonly EventDraft[];
}

const researchSeller = async (session: FlowSession, sellerUrl: string): Promise<Researched> => {
  const catalog = await readCatalog(session, sellerUrl);
  if (catalog.failure !== null) {
    const finding = { seller_url: sellerUrl, failure: catalog.failure, offers: [] };
    return { finding, errors: [catalog.failure], events: [] };
  }
  const candidates = candidatesOf(session, catalog.products);
  const query = session
    .job()
    .allocations.map(({ channel }) => channel)
    .join(", ");
  const found = { query, seller_url: sellerUrl, sellers_found: 1, products_found: catalog.products.length };
  const events = [flowEvent(session.job(), "inventory.discovered", found)];
  const offers: Offer[] = [];
  const errors: string[] = [];
  for (const cell of cellsOf(session.job())) {
    const ofCell = candidates.filter(({ channel }) => channel === cell.channel).toSorted(byPrice);
    for (const candidate of ofCell.slice(0, quotesPerCell)) {
      const quoted = await askCandidate(session, sellerUrl, cell, candidate);
      events.push(...(quoted?.events ?? []));
      if (quoted?.ok === true) offers.push(quoted.offer);
      else if (quoted !== null && quoted.error !== null) errors.push(quoted.error);
    }
  }
  return { finding: { seller_url: sellerUrl, failure: null, offers }, errors, events };
};

/**
 * Asks every seller that was not asked before, in parallel; one seller's failure is its own. Each seller's quotes are
 * committed when they are all there, so that a restart asks only the others again.
 */
export const research = async (session: FlowSession): Promise<void> => {
  const { sellers } = session.calls;
  const asked = new Set(session.job().findings.map((finding) => finding.seller_url));
  const researchOne = async (sellerUrl: string): Promise<void> => {
    const { finding, errors, events } = await researchSeller(session, sellerUrl);
    await session.commit((job) => {
      const findings = [...job.findings, finding];
      const progress = researchProgress(findings.length, sellers.length);
      return advanceJob({ ...job, findings }, session.nowMs(), progress, errors);
    }, events);
  };
  await Promise.all(sellers.filter((url) => !asked.has(url)).map(researchOne));
  await session.commit((job) =>
    job.findings.some((finding) => finding.failure === null)
      ? { ...job, stage: "choose" }
      : failJob(job, session.nowMs(), sellers.length === 0 ? ["no seller is configured: set SELLER_ENDPOINTS"] : []),
  );
};
