import { bookingOf } from "../drafts.ts";
import { type Talk, type Spoken, read, carriedText, clarify, ask, inTurn, tell } from "../spoken.ts";
import {
  flightNames,
  lastFlight,
  newTopic,
  productIn,
  rowOfProduct,
  type Slots,
  sizeNames,
  withoutRecords,
  pick,
  topicFor,
} from "../memory.ts";
import { limitText, dealTypeFor, mismatch, topicOf, price, productQuestion, ofOne } from "./pricing.ts";
import { saleIn, saleWords, moment, count, totalOf } from "../wording.ts";
import { rowOfRecord } from "./deals.ts";
import { begunToday, cheapestOf, nameOf } from "./discovery.ts";
import { without } from "../terms.ts";

/** The quote with its terms in full, and the option to book it. */
export const saidOfQuote = (talk: Talk, about: Slots, output: Slots): Spoken => {
  const quoteId = String(output["quote_id"]);
  const sale = saleIn(output);
  const terms = { ...withoutRecords(about), deal_type: output["deal_type"], quote_id: quoteId };
  const { inventory_available: isAvailable, available_impressions: left } = (output["availability"] ?? {}) as Slots;
  if (isAvailable === false) {
    const most = typeof left === "number" && left > 0 ? ` At most ${count(left)} impressions are left.` : "";
    const why = `${String(output["status_text"])}${most} Ask for fewer impressions or another flight.`;
    const text = `Quote ${quoteId}: ${saleWords(output)}. ${why}`;
    return tell("pricing", text, { result: output, about, reason: "inventory_unavailable" });
  }
  const held = limitText(talk, sale);
  return {
    skill: "pricing",
    outcome: "quoted",
    result: output,
    about: terms,
    learnt: { proposal_id: null, deal_id: null, negotiation_id: null, quote_id: quoteId },
    topic: newTopic(productIn(output), { ...terms, ...pick(output["terms"] as Slots, sizeNames) }, sale.cpm),
    rows: [rowOfRecord(output, quoteId)],
    drafts: [bookingOf(quoteId)],
    // Above the buyer's own limit it is an offer, and no question.
    ...(held.holds === false ? {} : { asks: "Shall I book it?" }),
    text: [
      `Quote ${quoteId}: ${saleWords(output)}.${held.text}`,
      ` Valid until ${moment(output["expires_at"])}.${carriedText(talk)}`,
    ].join(""),
  };
};

const quoteInput = (talk: Talk, id: string, terms: Slots): Slots => {
  const { currency } = talk.request.said;
  return {
    product_id: id,
    deal_type: dealTypeFor(talk, id),
    ...pick(terms, [...sizeNames, "target_cpm"]),
    ...(terms["impressions"] === undefined ? pick(terms, ["budget"]) : {}),
    ...(currency === null ? {} : { currency }),
  };
};

/** A deal type that is not sold is refused, and the one that is sold is offered. */
const otherType = (talk: Talk, id: string, refused: Spoken): Spoken => {
  const [type] = talk.finder.get(id)?.deal_types ?? [];
  if (refused.reason !== "invalid_deal_type" || type === undefined) return refused;
  const learnt = { ...refused.learnt, deal_type: null };
  if (typeof talk.terms["impressions"] !== "number") return { ...refused, learnt };
  const input = { ...pick(talk.terms, sizeNames), product_id: id, deal_type: type };
  const drafts = [{ operation: "request_quote", input }];
  return { ...refused, learnt, drafts, asks: `Shall I quote it as ${type}?` };
};

/** A budget is the limit of an open quote where it already costs that; else terms of their own. */
export const isOpenAlready = async (talk: Talk, id: string): Promise<Spoken | null> => {
  const topic = topicFor(talk.memory, id);
  const quoteId = topic?.terms["quote_id"];
  const { said, text } = talk.request;
  if (
    topic === null ||
    typeof quoteId !== "string" ||
    topic.terms["deal_id"] != null ||
    topic.terms["negotiation_id"] != null
  )
    return null;
  if (said.price !== null || /\b(?:new|another|fresh|second|again|anew|one more|updated?)\b/i.test(text)) return null;
  const output = await read(talk, "get_quote", { quote_id: quoteId });
  if (output === null || output["status"] !== "available") return null;
  const sale = saleIn(output);
  const { impressions, flight_start: start, flight_end: end, deal_type: type, budget } = talk.terms;
  const isSame =
    (impressions ?? sale.impressions) === sale.impressions &&
    (start ?? sale.start) === sale.start &&
    (end ?? sale.end) === sale.end &&
    (type ?? sale.dealType) === sale.dealType &&
    (budget == null || budget === talk.memory.terms["budget"] || Math.abs((totalOf(sale) ?? 0) - Number(budget)) < 1);
  return isSame ? saidOfQuote(talk, { ...talk.terms, product_id: id }, output) : null;
};

/** What was talked about for a flight is never quoted for the default one. */
const termsWithFlight = ({ terms, memory }: Talk, id: string): Slots => {
  const flights = [topicFor(memory, id)?.terms, memory.terms, lastFlight(memory)];
  const before = flights.find((one) => one?.["flight_start"] != null);
  return { ...pick(terms["flight_start"] == null ? (before ?? {}) : {}, flightNames), ...terms };
};

export const quoteOne = async (talk: Talk, id: string): Promise<Spoken> => {
  const terms = termsWithFlight(talk, id);
  const about = { ...terms, product_id: id };
  if (terms["impressions"] === undefined && terms["budget"] === undefined) {
    const other =
      talk.request.said.currency === null
        ? null
        : mismatch(talk, (await read(talk, "get_pricing", { product_id: id, volume: 0 }))?.["currency"]);
    if (other !== null) return { ...other, about };
    const when = terms["flight_start"] === undefined ? ", and from when to when" : "";
    const text = `How many impressions of ${nameOf(talk, id)} do you want${when}?`;
    return clarify("pricing", text, {
      about,
      topic: topicOf(talk, id, topicFor(talk.memory, id)?.cpm ?? null),
      reason: "missing_volume",
    });
  }
  const today = begunToday(talk, terms);
  const start = today === null ? {} : { flight_start: today };
  const begun = today === null ? "" : `${String(terms["flight_start"])} is past, so the flight starts today. `;
  const input = quoteInput(talk, id, { ...terms, ...start });
  const issued = await ask(talk, "pricing", "request_quote", input, (output) => {
    const said = saidOfQuote(talk, { ...about, ...start }, output);
    return { ...said, text: `${begun}${said.text}` };
  });
  return issued.outcome === "refuse"
    ? otherType(talk, id, {
        ...issued,
        about,
        ...(talk.request.said.currency === null ? {} : { learnt: { budget: null, target_cpm: null } }),
      })
    : issued;
};

const mostQuoted = 12;

export const quote = async (talk: Talk): Promise<readonly Spoken[]> => {
  const { ids, request } = talk;
  const [only] = ids;
  // "If I wanted March instead? Just asking."
  if (request.isConditional && request.isQuestion && only !== undefined) return price(talk);
  if (only === undefined) return [clarify("pricing", productQuestion(talk), { reason: "missing_product" })];
  const kinds = request.said.products.filter(({ ids: own }) => own.length > 1);
  if (kinds.length > 0 && request.said.products.length === 1) {
    // "Display for 3,000 in March. Please use your cheapest banner product."
    const isCheapest = request.scan.tokens.some(({ word }) => word === "cheapest");
    const least = isCheapest ? await cheapestOf(talk, ids) : undefined;
    if (least !== undefined) return [await quoteOne(ofOne(talk, least.product_id), least.product_id)];
    return [
      clarify("pricing", productQuestion(talk), {
        reason: "missing_product",
        rows: ids.map((id) => rowOfProduct(id)),
      }),
    ];
  }
  const { volumes } = request.said;
  if (ids.length === 1 && volumes.length > 1 && talk.request.parts.length === 1) {
    const named = volumes.map(count).join(" or ");
    return [
      clarify("pricing", `Which volume shall I quote: ${named} impressions?`, {
        about: without(talk.terms, "impressions"),
        learnt: { impressions: null },
        reason: "several",
      }),
    ];
  }
  const same = ids.length === 1 ? await isOpenAlready(talk, only) : null;
  if (same !== null) return [same];
  const told = await inTurn(ids.slice(0, mostQuoted), (id) => quoteOne(ofOne(talk, id), id));
  const [first, ...others] = told.filter(({ reason }) => reason === "missing_volume");
  if (others.length === 0) return told;
  const text = "How many impressions of each do you want, and from when to when?";
  return told.map((one) => (one === first ? { ...one, text } : others.includes(one) ? { ...one, text: "" } : one));
};
