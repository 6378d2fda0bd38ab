import { agreementOn, bookingOf, dealOf, quoteRequest } from "../drafts.ts";
import {
  dealTopics,
  focusOf,
  idsIn,
  isDropped,
  lastPriceOf,
  newTopic,
  openTopics,
  pick,
  productIn,
  rowsOfList,
  sizeNames,
  type Slots,
  soleOf,
  type Topic,
  topicFor,
  withoutRecords,
} from "../memory.ts";
import { ask, carriedText, clarify, inTurn, read, type Spoken, type Talk, tell } from "../spoken.ts";
import { priceSaid } from "../figures.ts";
import { changesTerms } from "../terms.ts";
import { recordOf } from "../meant.ts";
import { says } from "../requests.ts";
import { moment, money, saleIn, saleText, saleWords, targetingNote } from "../wording.ts";
import { activationText, alsoOpen, hasDeal, status, topicName } from "./deals.ts";
import { cancel } from "./changes.ts";
import { nameOf } from "./discovery.ts";
import { recordFor, saleOfRecord } from "./outcomes.ts";
import { recordsNamed, topicsMeant } from "./topics-meant.ts";
import { limitText, productQuestion } from "./pricing.ts";
import { offer } from "./offers.ts";
import { quote } from "./quotes.ts";

export const saidOfBooking = (talk: Talk, output: Slots): Spoken => {
  const { product_id: product } = output["product"] as Slots;
  const own = {
    product_id: product,
    deal_type: output["deal_type"],
    ...pick(output["terms"] as Slots, sizeNames),
  };
  const ids = { ...pick(output, ["quote_id", "proposal_id"]), deal_id: output["deal_id"] };
  const isInForce = talk.memory.terms["product_id"] === product;
  return {
    skill: "deals",
    outcome: output["approval_id"] == null ? "booked" : "pending",
    result: output,
    about: { ...own, ...ids },
    // An id never stands beside a product that it is not of.
    learnt: {
      ...(isInForce ? {} : { quote_id: null, proposal_id: null, negotiation_id: null }),
      ...own,
      ...ids,
      target_cpm: null,
      budget: null,
    },
    topic: newTopic(String(product), { ...own, ...ids }, saleIn(output).cpm),
    text: [
      `Booked: deal ID ${String(output["deal_id"])}, ${saleWords(output)}.`,
      typeof output["notes"] === "string" ? ` It carries: ${output["notes"]}.` : "",
      activationText(output),
      targetingNote(talk.memory.terms),
    ].join(""),
  };
};

const isAvailable = ({ status }: Slots): boolean => status === "available";

const shownQuote = (talk: Talk, id: string): Promise<Spoken> =>
  ask(talk, "deals", "get_quote", { quote_id: id }, (output) => {
    const held = limitText(talk, saleIn(output));
    const what = `Quote ${id}: ${saleWords(output)}.${held.text}`;
    const dealId = output["deal_id"];
    const product = productIn(output);
    const terms = {
      product_id: product,
      quote_id: id,
      deal_type: output["deal_type"],
      ...pick(output["terms"] as Slots, sizeNames),
    };
    if (isAvailable(output)) {
      const bargain = pick(topicFor(talk.memory, product)?.terms ?? {}, ["negotiation_id"]);
      return {
        outcome: "clarify",
        drafts: [bookingOf(id)],
        asks: "Shall I book it?",
        about: { ...talk.terms, ...terms },
        topic: newTopic(product, { ...bargain, ...terms }, saleIn(output).cpm),
        learnt: terms,
        text: `${what} Valid until ${moment(output["expires_at"])}.${carriedText(talk)}`,
      };
    }
    const over =
      typeof dealId === "string"
        ? `It is booked already: deal ID ${dealId}.`
        : `It is ${String(output["status"])}; ask for a new one.`;
    return { about: terms, text: `${what} ${over}` };
  });

const shownProposal = (talk: Talk, id: string): Promise<Spoken> =>
  ask(talk, "deals", "get_proposal", { proposal_id: id }, (output) => {
    const isAgreed = output["status"] === "accepted";
    const sale = saleOfRecord(talk, output, isAgreed ? output["agreed_price"] : output["price"]);
    return {
      ...(isAgreed ? { outcome: "clarify", drafts: [dealOf(id)], asks: "Shall I book it?" } : { drafts: [] }),
      about: { ...talk.terms, proposal_id: id },
      learnt: { proposal_id: id },
      text: `Proposal ${id} is ${String(output["status"])}: ${saleText(sale)}.`,
    };
  });

const shownNegotiation = async (talk: Talk, id: string, terms: Slots): Promise<Spoken> => {
  const output = await read(talk, "get_negotiation_status", { negotiation_id: id });
  const last = lastPriceOf(output);
  if (output === null || output["status"] !== "active" || last === null)
    return shownRecord(talk, { ...terms, negotiation_id: null });
  const record = await recordFor(talk, output);
  const sale = record === null ? null : saleOfRecord(talk, record, last);
  const isQuote = record?.["product"] !== undefined;
  const product = isQuote ? productIn(record) : record?.["product_id"];
  const at = output["last_offer"] === true ? "Our last offer stands" : "Our price stands";
  const held = sale === null || !isQuote ? "" : limitText(talk, sale).text;
  const words = sale === null ? "" : saleText(sale);
  return clarify("negotiation", `${at}: ${money(last, output["currency"])} CPM, ${words}, negotiation ${id}.${held}`, {
    result: output,
    drafts: [agreementOn(id, last)],
    asks: "Shall we agree on that price?",
    about: {
      ...pick({ ...output, product_id: product }, ["product_id", "quote_id", "proposal_id"]),
      ...pick((isQuote ? record["terms"] : (record ?? {})) as Slots, [...sizeNames, "deal_type"]),
      negotiation_id: id,
    },
  });
};

/** The record with its terms in full and the option to take it. */
export const shownRecord = (talk: Talk, terms: Slots): Promise<Spoken> => {
  const { negotiation_id: negotiationId, proposal_id: proposalId, quote_id: quoteId } = terms;
  if (typeof negotiationId === "string") return shownNegotiation(talk, negotiationId, terms);
  return typeof proposalId === "string" ? shownProposal(talk, proposalId) : shownQuote(talk, String(quoteId));
};

const nothingOpen = (talk: Talk): Spoken => {
  const known = openTopics(talk.memory).map(
    ({ product, terms }) => `${nameOf(talk, product)} (${recordOf(terms) ?? "no quote"})`,
  );
  const text =
    known.length === 0
      ? "Which quote or proposal do you mean? Nothing is open here: give its id, or ask for a quote first."
      : `Which do you mean: ${known.join(", ")}? Name the product or the id.`;
  return clarify("deals", text, { reason: "nothing_open" });
};

/** "Book both", where both are booked and a third is open: that one is shown, and no yes takes it. */
const shownToBook = async (talk: Talk, terms: Slots): Promise<Spoken> => {
  const told = await shownRecord(talk, terms);
  const { asks: _asks, ...shown } = told;
  const isOfMore =
    says(talk.request, "both two three") && dealTopics(talk.memory).length > 0 && openTopics(talk.memory).length < 2;
  return isOfMore ? { ...shown, text: `Only this is open: ${shown.text}` } : told;
};

const bookWithoutProduct = (talk: Talk): Promise<Spoken> | Spoken => {
  const open = openTopics(talk.memory);
  const isPlain = talk.request.said.unsold === null;
  const one = soleOf(open);
  if (one !== null && isPlain) return shownToBook(talk, one.terms);
  // What was declined a moment ago may be ordered after all.
  const declined = talk.memory.topics.findLast(isDropped);
  if (open.length === 0 && declined !== undefined && !hasSaid(talk)) return shownRecord(talk, declined.terms);
  return isPlain && !hasSaid(talk)
    ? nothingOpen(talk)
    : clarify("deals", productQuestion(talk), { reason: "missing_product" });
};

const hasNoSize = ({ terms }: Talk): boolean => terms["impressions"] === undefined && terms["budget"] === undefined;

const bookedAlready = (talk: Talk): Spoken | null => {
  const booked = focusOf(talk.memory)?.terms ?? {};
  // "Book 1", sent twice: the terms in force are those of the deal.
  const isSame = sizeNames.every((name) => (talk.terms[name] ?? null) === (booked[name] ?? null));
  if (!(hasNoSize(talk) || isSame) || talk.memory.terms["deal_id"] == null || hasSaid(talk)) return null;
  const id = booked["deal_id"];
  const text = `That is booked: deal ID ${String(id)}. Nothing else is open.`;
  return id == null ? null : tell("deals", text, { reason: "nothing_open" });
};

/** No exact order: the terms are shown first, by options. */
export const book = async (talk: Talk): Promise<readonly Spoken[]> => {
  const topics = topicsMeant(talk);
  const named = recordsNamed(talk);
  const records = named.length > 0 ? named : topics.length > 1 ? topics.map(({ terms }) => terms) : [];
  if (records.length > 0) return inTurn(records, (terms) => shownRecord(talk, terms));
  const isChanged = changesTerms(talk.request, talk.memory, talk.terms);
  const price = priceSaid(talk.request, talk.memory);
  const [bargain, second] = topics.length > 0 ? topics : openTopics(talk.memory);
  // "I'll take it at $28", of what is quoted at more: an offer of one's own, and no order.
  if (price !== null && !talk.request.isConditional && second === undefined && price < (bargain?.cpm ?? 0))
    return offer(talk);
  const only = soleOf(talk.ids);
  const declined = talk.memory.topics.findLast((one) => one.product === only && isDropped(one));
  const topic = topics[0] ?? (only === null ? null : (topicFor(talk.memory, only) ?? declined ?? null));
  if (
    topic !== null &&
    (topic.isOver || openTopics(talk.memory).includes(topic)) &&
    !(isChanged && differs(talk, topic))
  )
    return [await shownToBook(talk, topic.terms)];
  if (talk.ids.length === 0) return [await bookWithoutProduct(talk)];
  const booked = bookedAlready(talk);
  if (booked !== null) return [booked];
  const earlier = only !== null && hasNoSize(talk) ? await earlierQuotes(talk, only) : [];
  if (earlier.length > 0) return earlier;
  return quote({ ...talk, terms: isChanged ? withoutRecords(talk.terms) : talk.terms });
};

const mostEarlier = 3;

/** "Book the pre-roll from yesterday": quotes of other conversations that can still be booked. */
const earlierQuotes = async (talk: Talk, product: string): Promise<readonly Spoken[]> => {
  const found = await read(talk, "list_quotes", { product_id: product, status: ["available"], limit: mostEarlier });
  return inTurn(rowsOfList(found, "quotes"), ({ quote_id: id }) => shownQuote(talk, String(id)));
};

const hasSaid = ({ request: { said } }: Talk): boolean =>
  said.volumes.length > 0 || said.products.length > 0 || said.budget !== null || Object.keys(said.flight).length > 0;

/** The message names other terms than the record has. */
const differs = (talk: Talk, { terms }: Topic): boolean =>
  [...sizeNames, "deal_type"].some(
    (name) => talk.terms[name] != null && terms[name] != null && talk.terms[name] !== terms[name],
  ) ||
  (talk.request.said.volumes.length > 0 && terms["impressions"] === undefined);

/** "We accept": of our last price, or of what is open. */
export const accept = async (talk: Talk): Promise<readonly Spoken[]> => {
  const isNamed = talk.request.said.products.length > 0 || talk.request.said.allIds.length > 0;
  const bargain = isNamed
    ? undefined
    : openTopics(talk.memory).findLast(({ terms }) => terms["negotiation_id"] != null);
  return bargain === undefined ? book(talk) : [await shownRecord(talk, bargain.terms)];
};

/** What is open closes by a plain no; here it is said in many words, and the option that ends it is shown. */
export const decline = async (talk: Talk): Promise<readonly Spoken[]> => {
  const price = priceSaid(talk.request, talk.memory);
  const ours = focusOf(talk.memory)?.cpm ?? null;
  // "6.39 no. Meet me at 5.95": a refusal with a price of one's own is a counter-offer.
  if (price !== null && ours !== null && price < ours && openTopics(talk.memory).length === 1) return offer(talk);
  const said = [...idsIn(talk.request.said), ...talk.request.said.excluded];
  const isQuoted =
    openTopics(talk.memory).some(({ product }) => said.includes(product)) &&
    !/\b(?:deal|booking|order)\b/i.test(talk.request.text);
  // "I don't need the native one any more": what is excluded is meant.
  const all = talk.request.said.entities.filter((one) => one.kind === "product");
  if (said.length > 0 && !isQuoted && dealTopics(talk.memory).some(({ product }) => said.includes(product)))
    return [await cancel({ ...talk, request: { ...talk.request, said: { ...talk.request.said, products: all } } })];
  const topics = topicsMeant(talk);
  // "NBC is out", where it is out already, drops nothing else.
  const focus = topics.length > 0 || said.length > 0 ? topics : openTopics(talk.memory).slice(-1);
  const dropped = focus.map(({ product, terms }) => recordOf(terms) ?? product);
  const id = soleOf(focus)?.terms["negotiation_id"];
  const state = typeof id === "string" ? await read(talk, "get_negotiation_status", { negotiation_id: id }) : null;
  if (state?.["status"] === "active")
    return [
      clarify("negotiation", `Nothing is booked or ended by this message.`, {
        drafts: [{ operation: "negotiate", input: { negotiation_id: id, action: "reject" } }],
        asks: `Shall I end negotiation ${String(id)}?`,
      }),
    ];
  const names = focus.map((topic) => topicName(talk, topic)).join("; ");
  const text =
    focus.length === 0
      ? "Understood: nothing is booked or changed."
      : `Understood: nothing is booked of ${names}. The quote expires by itself.`;
  return [tell("negotiation", `${text}${alsoOpen(talk, focus)}`, { outcome: "rejected", dropped })];
};

/** How long a price stands, or a deal that nobody has activated; nothing is held without a booking. */
export const validity = async (talk: Talk): Promise<readonly Spoken[]> => {
  const isOfDeal = /\b(?:deals?|bookings?|orders?)\b/i.test(talk.request.text) && hasDeal(talk);
  if (isOfDeal) return status(talk);
  const topics = topicsMeant(talk);
  const own = topics.length > 0 ? topics : openTopics(talk.memory).slice(-1);
  const named = recordsNamed(talk).find(({ quote_id: id }) => id !== undefined);
  const ids = (named === undefined ? own.map(({ terms }) => terms) : [named]).flatMap(({ quote_id: id }) => id ?? []);
  const found = await inTurn(ids, (id) => read(talk, "get_quote", { quote_id: id }));
  const outputs = found.filter((output) => output !== null);
  const lines = outputs.map(
    (output) =>
      `Quote ${String(output["quote_id"])} (${saleIn(output).product}) is ${String(output["status"])}, ` +
      `its price stands until ${moment(output["expires_at"])}.`,
  );
  const gone = soleOf(outputs.filter((output) => !isAvailable(output) && output["deal_id"] == null));
  const topic = own.find(({ terms }) => terms["quote_id"] === gone?.["quote_id"]);
  if (gone !== null && outputs.length === 1 && topic !== undefined)
    return [
      clarify("pricing", `${lines.join(" ")} Nothing is booked of it.`, {
        result: gone,
        drafts: [quoteRequest(topic.product, topic.terms)],
        asks: "Shall I quote it anew?",
      }),
    ];
  const isHold = /\b(?:hold|keep|reserve|block|option|freeze|lock)\b/i.test(talk.request.text);
  const none = isHold ? " Inventory is held by a booking alone." : "";
  if (lines.length === 0)
    return [tell("pricing", `A quote's price stands for 24 hours as a rule; nothing is quoted here yet.${none}`)];
  const drafts = ids.map(bookingOf);
  return [tell("pricing", `${lines.join(" ")}${none}`, { result: outputs.at(-1) ?? null, drafts })];
};
