import { bargainMachine, type BargainEvent, newBargain } from "../../../../../machines/booking/bargain.ts";
import { strategyFor } from "../../../../../machines/booking/strategy.ts";
import { step } from "../../../../../machines/step.ts";
import { moveJob } from "../../moves.ts";
import type { Bargain, BookingRow, Offer } from "../../record.ts";
import { concluded, roundEvent, started } from "./bargain-events.ts";
import { type Cell, openCellsOf } from "../cells.ts";
import { negotiates, worthAsking } from "./limits.ts";
import { offersOf, productOf } from "../offers.ts";
import type { BargainAnswer, BargainMessage, BookingCallResult } from "../ports.ts";
import { askQuote } from "../quotes.ts";
import { effectiveCpmMicros, rankOffers, sellerCpmWithin } from "../choice/rank.ts";
import { callFor, type FlowSession } from "../session.ts";

const bargainsPerCell = 3;

const eligibleTiers = new Set(["agency", "advertiser"]);

type QuoteOf = Pick<Offer, "seller_url" | "quote_id">;

/** Two sellers may use one quote id. */
const isAbout = (bargain: Bargain, quote: QuoteOf): boolean =>
  bargain.quote_id === quote.quote_id && bargain.seller_url === quote.seller_url;

const bargainOf = (job: BookingRow, quote: QuoteOf): Bargain | undefined =>
  job.bargains.find((bargain) => isAbout(bargain, quote));

const withBargain = (job: BookingRow, bargain: Bargain): BookingRow => ({
  ...job,
  bargains: [...job.bargains.filter((one) => !isAbout(one, bargain)), bargain],
});

/** The price at which this offer would cost what the best of another seller costs now for the same cell. */
const leverageFor = (job: BookingRow, offer: Offer): number | null => {
  const prices = offersOf(job, offer)
    .filter(({ seller_url }) => seller_url !== offer.seller_url)
    .map((other) => {
      const context = bargainOf(job, other)?.life.context;
      const asked = context?.rounds.at(-1)?.seller_micros ?? other.cpm_micros;
      return effectiveCpmMicros({ ...other, cpm_micros: asked });
    });
  return prices.length === 0 ? null : sellerCpmWithin(offer, Math.min(...prices));
};

const opened = (session: FlowSession, offer: Offer): Bargain | null => {
  const { brief } = session.job();
  const wishes = brief.negotiation;
  if (wishes === null || !offer.is_negotiable || !eligibleTiers.has(offer.buyer_tier)) return null;
  const ceiling = brief.max_cpm_micros === null ? null : sellerCpmWithin(offer, brief.max_cpm_micros);
  const limits = [ceiling, wishes.walk_away_cpm_micros].filter((limit) => limit !== null);
  const strategy = strategyFor({
    style: wishes.style,
    quotedMicros: offer.cpm_micros,
    targetMicros: brief.target_cpm_micros,
    walkAwayMicros: limits.length === 0 ? null : Math.min(...limits),
    rounds: wishes.rounds,
    leverageMicros: leverageFor(session.job(), offer),
  });
  if (strategy === null) return null;
  const { quote_id, seller_url, product_id, product_name, channel, flight } = offer;
  const subject = { quote_id, seller_url, product_id, product_name, channel, flight };
  const life = newBargain(strategy, offer.cpm_micros);
  return { ...subject, proposal_id: null, requoted_quote_id: null, life };
};

/** `current` is the bargain as last committed. */
interface Talk {
  readonly session: FlowSession;
  readonly offer: Offer;
}

const current = ({ session, offer }: Talk): Bargain => {
  const found = bargainOf(session.job(), offer);
  if (found === undefined) throw new Error(`there is no negotiation about ${offer.quote_id}`);
  return found;
};

const moved = (bargain: Bargain, event: BargainEvent): Bargain | null => {
  const life = step(bargainMachine, bargain.life, event);
  return life === null ? null : { ...bargain, life };
};

/** The same message has the same key, so a resumed job repeats nothing. */
const say = (
  { session, offer }: Talk,
  bargain: Bargain,
  message: Pick<BargainMessage, "action" | "priceMicros">,
): Promise<BookingCallResult<BargainAnswer>> => {
  const { job_id } = session.job();
  const round = bargain.life.context.rounds.length + 1;
  const key = `bargain-${job_id}-${offer.quote_id}-${round}-${message.action}`;
  const subject = { subjectId: bargain.proposal_id ?? offer.quote_id, quoteId: offer.quote_id };
  return session.calls.bargain(offer.seller_url, { ...subject, ...message }, callFor(session, key));
};

/** Statuses of a seller that does not negotiate quotes. */
const knowsNoQuotes = (status: number): boolean => [404, 405, 501].includes(status);

/**
 * A seller that negotiates proposals only gets one in the first round, with the quote's id, to bind the agreed price.
 */
const sendOffer = async (
  talk: Talk,
  bargain: Bargain,
  priceMicros: number,
): Promise<{ readonly bargain: Bargain; readonly answer: BookingCallResult<BargainAnswer> }> => {
  const { session, offer } = talk;
  const answer = await say(talk, bargain, { action: "counter", priceMicros });
  const isFirst = bargain.life.context.rounds.length === 0;
  if (answer.ok || !isFirst || !knowsNoQuotes(answer.status)) return { bargain, answer };
  const { job_id, brief } = session.job();
  const dates = brief.flights[offer.flight];
  const { product_id, deal_type, impressions, quote_id: quoteId } = offer;
  const flight = { flight_start: dates?.start_date ?? "", flight_end: dates?.end_date ?? "" };
  const terms = { product_id, deal_type, impressions, ...flight, quoteId, priceMicros };
  const key = `propose-${job_id}-${quoteId}`;
  const proposed = await session.calls.propose(offer.seller_url, terms, callFor(session, key));
  if (!proposed.ok) return { bargain, answer: proposed };
  return { bargain: { ...bargain, proposal_id: proposed.value.proposalId }, answer: proposed };
};

const loweredOffer = async ({ session, offer }: Talk): Promise<Offer | null> => {
  const read = await session.calls.readQuote(offer.seller_url, offer.quote_id, callFor(session));
  const micros = read.ok && read.value.status === "available" ? read.value.cpm_micros : null;
  return micros !== null && micros < offer.cpm_micros
    ? { ...offer, cpm_micros: micros, bargain: offer.quote_id }
    : null;
};

/** The quote as it now reads, or a new quote at the agreed price. */
const boundOffer = async (talk: Talk, agreedMicros: number): Promise<Offer | null> => {
  const { session, offer } = talk;
  if (agreedMicros >= offer.cpm_micros) return { ...offer, bargain: offer.quote_id };
  const lowered = await loweredOffer(talk);
  if (lowered !== null && lowered.cpm_micros <= agreedMicros) return lowered;
  const { brief } = session.job();
  const dates = brief.flights[offer.flight];
  const { product_id, deal_type, impressions } = offer;
  const flight = { flight_start: dates?.start_date ?? "", flight_end: dates?.end_date ?? "" };
  const request = { product_id, deal_type, impressions, ...flight, target_cpm_micros: agreedMicros };
  const place = { sellerUrl: offer.seller_url, product: productOf(offer), channel: offer.channel };
  const quoted = await askQuote(session, { ...place, flight: offer.flight, request, renews: offer.quote_id });
  const isKept = quoted.ok && quoted.offer.cpm_micros <= agreedMicros;
  return isKept ? { ...quoted.offer, bargain: offer.quote_id } : null;
};

const settle = async (talk: Talk, bargain: Bargain, agreedMicros: number | null, reason: string): Promise<void> => {
  const { session, offer } = talk;
  const nowMs = session.nowMs();
  const hasTalked = bargain.life.context.rounds.length > 0;
  const unheard = hasTalked ? () => loweredOffer(talk) : () => Promise.resolve(null);
  const bound = await (agreedMicros === null ? unheard() : boundOffer(talk, agreedMicros));
  const isMismatch = agreedMicros !== null && bound === null;
  const event: BargainEvent =
    bound !== null
      ? { type: "AGREE", nowMs, micros: bound.cpm_micros }
      : { type: isMismatch ? "BREAK" : endingOf(reason), nowMs, reason: isMismatch ? "requote_mismatch" : reason };
  const ended = moved(bargain, event) ?? moved(bargain, { type: "BREAK", nowMs, reason: "above the walk-away price" });
  if (ended === null) return;
  const isAgreed = ended.life.value === "accepted" && bound !== null;
  const requoted_quote_id = isAgreed && bound.quote_id !== offer.quote_id ? bound.quote_id : null;
  const final = { ...ended, requoted_quote_id };
  const replace = (one: Offer): Offer => (isAbout(final, one) && isAgreed ? bound : one);
  await session.commit(
    (job) => ({
      ...withBargain(job, final),
      findings: job.findings.map((finding) => ({ ...finding, offers: finding.offers.map(replace) })),
    }),
    [concluded(session.job(), final)],
  );
};

const endingOf = (reason: string): "WALK" | "DECLINE" | "BREAK" => {
  if (reason.startsWith("declined")) return "DECLINE";
  return reason.startsWith("error") ? "BREAK" : "WALK";
};

/** Ends the talk so that the quote can be booked at its own price. */
const leave = async (talk: Talk, bargain: Bargain, reason: string): Promise<void> => {
  await say(talk, bargain, { action: "reject", priceMicros: null });
  await settle(talk, bargain, null, reason);
};

/** After a failure an earlier lower price is taken, else the quote stays as it was. */
const salvage = async (talk: Talk, bargain: Bargain, code: string): Promise<void> => {
  const last = bargain.life.context.rounds.at(-1);
  if (last === undefined) return settle(talk, bargain, null, `declined: ${code}`);
  const { quotedMicros, strategy } = bargain.life.context;
  if (last.seller_micros < quotedMicros && last.seller_micros <= strategy.walkAwayMicros) {
    const taken = await say(talk, bargain, { action: "accept", priceMicros: last.seller_micros });
    if (taken.ok) return settle(talk, bargain, last.seller_micros, "");
  }
  return leave(talk, bargain, `error: ${code}`);
};

/** False once the talk has ended. */
const exchange = async (talk: Talk): Promise<boolean> => {
  const { session, offer } = talk;
  const bargain = current(talk);
  if (bargain.life.value !== "open") return false;
  const { next, rounds } = bargain.life.context;
  const last = rounds.at(-1);
  if (last?.action === "accept" || last?.action === "reject") {
    const isAgreed = last.action === "accept";
    await settle(talk, bargain, isAgreed ? last.seller_micros : null, isAgreed ? "" : "the seller broke it off");
    return false;
  }
  if (next.type === "walk") {
    await leave(talk, bargain, next.why);
    return false;
  }
  if (next.type === "accept") {
    const asked = last?.seller_micros ?? 0;
    const taken = await say(talk, bargain, { action: "accept", priceMicros: asked });
    await (taken.ok ? settle(talk, bargain, asked, "") : salvage(talk, bargain, taken.code));
    return false;
  }
  const sent = await sendOffer(talk, bargain, next.micros);
  if (!sent.answer.ok) {
    await salvage(talk, sent.bargain, sent.answer.code);
    return false;
  }
  const { action, sellerMicros } = sent.answer.value;
  const leverageMicros = leverageFor(session.job(), offer);
  const nowMs = session.nowMs();
  const answered = moved(sent.bargain, {
    type: "ANSWER",
    nowMs,
    sellerMicros: sellerMicros ?? (action === "accept" ? next.micros : 0),
    action,
    leverageMicros,
  });
  if (answered === null) {
    await leave(talk, sent.bargain, "error: an answer without a price");
    return false;
  }
  await session.commit((job) => withBargain(job, answered), [roundEvent(session.job(), answered)]);
  return true;
};

const talkAbout = async (session: FlowSession, offer: Offer): Promise<void> => {
  const talk = { session, offer };
  if (bargainOf(session.job(), offer) === undefined) {
    const first = opened(session, offer);
    if (first === null) return;
    await session.commit((job) => withBargain(job, first), [started(session.job(), first)]);
  }
  for (;;) if (!(await exchange(talk))) return;
};

const bestOf = (session: FlowSession, cell: Cell): readonly Offer[] =>
  rankOffers(offersOf(session.job(), cell), worthAsking(session))
    .slice(0, bargainsPerCell)
    .map(({ offer }) => offer);

/** Left open by a process that ended; their offers are still in the findings. */
const unfinished = (session: FlowSession): readonly Offer[] => {
  const open = session.job().bargains.filter(({ life }) => life.value === "open");
  const offers = session.job().findings.flatMap(({ offers: found }) => found);
  return offers.filter((offer) => open.some((bargain) => isAbout(bargain, offer)));
};

/** Other sellers see a price, never whose it is. A failed talk leaves the quote as it was and never fails the job. */
export const negotiate = async (session: FlowSession): Promise<void> => {
  if (negotiates(session)) {
    const best = openCellsOf(session.job()).flatMap((cell) => bestOf(session, cell));
    const offers = new Set([...unfinished(session), ...best]);
    await Promise.all([...offers].map((offer) => talkAbout(session, offer)));
  }
  await session.commit((job) => moveJob(job, { type: "NEGOTIATED", nowMs: session.nowMs() }));
};
