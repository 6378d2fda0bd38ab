import { researchProgress } from "../../../../machines/booking/machine.ts";
import type { EventDraft } from "../../../../protocol/seam/operation.ts";
import type { AskedSeller, BookingRow, Finding, Offer, TooSmall, Warning } from "../record.ts";
import { channelBuys, dealTypeFor, typesOf } from "./channels.ts";
import { type Cell, openCellsOf } from "./cells.ts";
import { costCents, volumeWithin } from "./money.ts";
import type { OfferedProduct } from "./ports.ts";
import { askQuote, failureText, feesOf, type QuoteFor, type Quoted } from "./quotes.ts";
import { moveJob } from "../moves.ts";
import { effectiveCpmMicros } from "./choice/rank.ts";
import { endEmpty } from "./endings.ts";
import { readMediaKit } from "./media-kit.ts";
import { worthAsking } from "./bargain/limits.ts";
import { advanceJob, callFor, flowEvent, type FlowSession, warnJob } from "./session.ts";

const pageSize = 100;
const mostPages = 20;
const quotesPerCell = 5;

interface CatalogRead {
  readonly products: readonly OfferedProduct[];
  readonly failure: string | null;
}

/** At most 2,000 items. */
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

/** The channel of its own name, else the one with the most money. */
const channelOf = (session: FlowSession, product: OfferedProduct): string | null => {
  const types = product.part_types ?? [product.inventory_type];
  const buying = session.job().allocations.filter(({ channel }) => types.every((type) => channelBuys(channel, type)));
  const own = buying.find(({ channel }) => channel === product.inventory_type);
  const [largest] = buying.toSorted((left, right) => right.budget_cents - left.budget_cents);
  return (own ?? largest)?.channel ?? null;
};

interface Candidate {
  readonly product: OfferedProduct;
  readonly channel: string;
  readonly dealType: string;
}

/** `tooDear`: the cheapest of each channel above the price limit. */
interface Candidates {
  readonly fitting: readonly Candidate[];
  readonly tooDear: readonly Candidate[];
}

const candidatesOf = (session: FlowSession, products: readonly OfferedProduct[]): Candidates => {
  const ceiling = worthAsking(session);
  const seen = new Set<string>();
  const fitting: Candidate[] = [];
  const tooDear = new Map<string, Candidate>();
  for (const product of products) {
    const channel = channelOf(session, product);
    const dealType = channel === null ? null : dealTypeFor(channel, product.deal_types);
    if (channel === null || dealType === null || seen.has(product.product_id)) continue;
    seen.add(product.product_id);
    const candidate = { product, channel, dealType };
    const price = product.price_micros;
    if (ceiling === null || price === null || price <= ceiling) fitting.push(candidate);
    else if (price < (tooDear.get(channel)?.product.price_micros ?? Infinity)) tooDear.set(channel, candidate);
  }
  return { fitting, tooDear: [...tooDear.values()] };
};

/** Priced before unpriced, then cheaper first, then catalog order. */
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

/** 0 below the product's minimum. */
const volumeFor = (cell: Cell, product: OfferedProduct, cpmMicros: number): number =>
  volumeWithin(cell.budget_cents, cpmMicros, {
    minimum: product.minimum_impressions,
    ceiling: product.available_impressions ?? Infinity,
  });

/** An unpriced product is asked at its smallest volume first, to learn its price; a price is never invented. */
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

/** Null where the money of the cell buys the minimum of a product, or no price is shown. */
const leastOf = (cell: Cell, candidates: readonly Candidate[]): TooSmall | null => {
  const { channel, flight, budget_cents } = cell;
  const least = candidates.flatMap(({ product }) => {
    const cents = costCents(product.price_micros ?? 0, Math.max(1, product.minimum_impressions)) ?? 0;
    return cents === 0 ? [] : [{ channel, flight, product_name: product.name, least_cents: cents }];
  });
  const [cheapest] = least.toSorted((left, right) => left.least_cents - right.least_cents);
  return cheapest === undefined || cheapest.least_cents <= budget_cents ? null : cheapest;
};

interface Researched {
  readonly finding: Finding;
  readonly errors: readonly string[];
  readonly warnings: readonly Warning[];
  readonly events: readonly EventDraft[];
}

/** A replan does not ask again for products that were rejected, failed or taken. */
const isUsed = (session: FlowSession, sellerUrl: string, cell: Cell, { product }: Candidate): boolean =>
  session
    .job()
    .recommendations.some(
      (line) =>
        line.seller_url === sellerUrl &&
        line.product_id === product.product_id &&
        line.channel === cell.channel &&
        line.flight === cell.flight,
    );

const refusedAll = (sellerUrl: string, refusals: readonly string[]): readonly Warning[] => {
  if (refusals.length === 0) return [];
  const message = `${sellerUrl} offers nothing: it refused each quote with ${[...new Set(refusals)].join(", ")}`;
  return [{ field: "sellers", message }];
};

const researchSeller = async (session: FlowSession, sellerUrl: string): Promise<Researched> => {
  const startedMs = session.nowMs();
  const catalog = await readCatalog(session, sellerUrl);
  const found = { seller_url: sellerUrl, products: catalog.products.length };
  const tookMs = (): number => Math.max(0, session.nowMs() - startedMs);
  if (catalog.failure !== null) {
    const none = { seller_name: null, tier: null, offers: [], too_dear: [] };
    const finding = { ...found, ...none, failure: catalog.failure, took_ms: tookMs() };
    return { finding, errors: [], warnings: [], events: [] };
  }
  const kit = await readMediaKit(session, sellerUrl, catalog.products);
  const { fitting, tooDear } = candidatesOf(session, [...catalog.products, ...kit.products]);
  const allocations = session.job().allocations.map(({ channel }) => channel);
  const query = { query: allocations.join(", "), seller_url: sellerUrl, sellers_found: 1 };
  const events = [
    flowEvent(session.job(), "inventory.discovered", { ...query, products_found: catalog.products.length }),
  ];
  const offers: Offer[] = [];
  const errors: string[] = [];
  const refusals: string[] = [];
  const too_small: TooSmall[] = [];
  for (const cell of openCellsOf(session.job())) {
    const ofCell = fitting
      .filter((candidate) => candidate.channel === cell.channel && !isUsed(session, sellerUrl, cell, candidate))
      .toSorted(byPrice);
    too_small.push(...[leastOf(cell, ofCell)].filter((least) => least !== null));
    for (const candidate of ofCell.slice(0, quotesPerCell)) {
      if (session.signal.aborted) break;
      const quoted = await askCandidate(session, sellerUrl, cell, candidate);
      events.push(...(quoted?.events ?? []));
      if (quoted?.ok === true) offers.push(quoted.offer);
      else if (quoted?.refusal !== undefined) refusals.push(quoted.refusal);
      else if (quoted !== null && quoted.error !== null && !session.signal.aborted) errors.push(quoted.error);
    }
  }
  const fees = feesOf(session, sellerUrl);
  const channels = [...new Set([...fitting, ...tooDear].map(({ channel }) => channel))];
  const too_dear = tooDear.map(({ channel, product, dealType }) => ({
    channel,
    product_name: product.name,
    cpm_micros: effectiveCpmMicros({ deal_type: dealType, cpm_micros: product.price_micros ?? 0, fees }),
  }));
  const [first] = offers;
  const who = { seller_name: first?.seller_id ?? null, tier: first?.buyer_tier ?? null };
  return {
    finding: { ...found, ...who, failure: null, took_ms: tookMs(), offers, channels, too_dear, too_small },
    errors,
    warnings: [...kit.warnings, ...(offers.length === 0 ? refusedAll(sellerUrl, refusals) : [])],
    events,
  };
};

/** A seller that is too slow is cut off; what it answered so far stays. */
const researchInTime = async (session: FlowSession, sellerUrl: string): Promise<Researched> => {
  const { researchDeadlineMs } = session.policy;
  const deadline = AbortSignal.timeout(researchDeadlineMs);
  const bounded = { ...session, signal: AbortSignal.any([session.signal, deadline]) };
  const researched = await researchSeller(bounded, sellerUrl);
  if (!deadline.aborted) return researched;
  const failure = `${sellerUrl} did not answer within ${researchDeadlineMs / 1000} seconds`;
  return { ...researched, finding: { ...researched.finding, failure } };
};

const leftOut = ({ seller_url, failure }: Finding): Warning[] =>
  failure === null ? [] : [{ field: "sellers", message: `${seller_url} is left out: ${failure}` }];

/** Failed sellers are warnings; the job fails only when none is left. */
const settleResearch =
  (session: FlowSession) =>
  (job: BookingRow): BookingRow => {
    const nowMs = session.nowMs();
    const hasAnswer = job.findings.some(({ failure, offers }) => failure === null || offers.length > 0);
    if (hasAnswer) {
      const researched = moveJob(job, { type: "RESEARCHED", nowMs });
      return warnJob(researched, job.findings.flatMap(leftOut));
    }
    const failures = job.findings.flatMap(({ failure }) => (failure === null ? [] : [failure]));
    const isAlone = (job.sellers ?? []).length === 0;
    return endEmpty(job, nowMs, isAlone ? ["no seller is configured: set SELLER_ENDPOINTS"] : failures);
  };

/** Found once: a resumed job and a replan ask the same sellers. */
const sellersOf = async (session: FlowSession): Promise<readonly AskedSeller[]> => {
  const { sellers: known, allocations } = session.job();
  if (known !== undefined) return known;
  const types = [...new Set(allocations.flatMap(({ channel }) => typesOf(channel)))];
  const sellers = await session.calls.findSellers(types);
  await session.commit((job) => ({ ...job, sellers }));
  return sellers;
};

/** In parallel; each seller's quotes are committed together, so that a restart asks only the others again. */
export const research = async (session: FlowSession): Promise<void> => {
  const sellers = await sellersOf(session);
  const asked = new Set(session.job().findings.map((finding) => finding.seller_url));
  const researchOne = async (sellerUrl: string): Promise<void> => {
    const { finding, errors, warnings, events } = await researchInTime(session, sellerUrl);
    await session.commit((job) => {
      const findings = [...job.findings, finding];
      const progress = researchProgress(findings.length, sellers.length);
      return warnJob(advanceJob({ ...job, findings }, session.nowMs(), progress, errors), warnings);
    }, events);
  };
  await Promise.all(sellers.filter(({ url }) => !asked.has(url)).map(({ url }) => researchOne(url)));
  await session.commit(settleResearch(session));
};
