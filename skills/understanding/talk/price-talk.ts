import { ask, clarify, count, moment, money, pick, productQuestion, type Spoken, type Talk, usd } from "./speech.ts";
import type { Offer } from "../../../machines/conversation/machine.ts";
import { asksForDiscountAt, asksForMinimum, asksIfNegotiable } from "../asides.ts";
import { pastStart } from "./inventory-talk.ts";
import { minimum } from "./advice-talk.ts";
import { termsOnTable } from "./open-talk.ts";
import {
  bookQuestion,
  heldText,
  isAsNamed,
  limitText,
  quoteOffer,
  quoteTerms,
  showOpen,
  targetingNote,
  termsText,
  totalOf,
} from "./shown-terms.ts";
import type { Slots } from "../reading/slots.ts";
import { changesTerms, productIdsOf } from "../terms.ts";

const costOf = (cpm: unknown, impressions: unknown, currency: unknown): string =>
  typeof impressions === "number"
    ? ` ${count(impressions)} impressions cost ${money((Number(cpm) * impressions) / 1000, currency)}.`
    : "";

const boughtFor = ({ heard, memory }: Talk, cpm: unknown, currency: unknown): string => {
  const { budget } = memory.terms;
  if (typeof budget !== "number" || !(Number(cpm) > 0)) return "";
  const bought = (price: unknown): string => count(Math.floor((budget / Number(price)) * 1000));
  const said = heard.slots["target_cpm"] ?? heard.barePrice;
  const isOther = typeof said === "number" && said > 0 && said !== Number(cpm);
  const atOther = isOther ? ` At ${money(said, currency)} CPM it would be ${bought(said)}.` : "";
  return ` ${money(budget, currency)} buys about ${bought(cpm)} impressions.${atOther}`;
};

/** An amount in another currency must not become one in the seller's own a message later. */
const forgotten = ({ heard, memory }: Talk): Pick<Spoken, "learnt"> =>
  heard.currency !== null && heard.slots["budget"] !== undefined && memory.terms["budget"] !== undefined
    ? { learnt: { budget: null } }
    : {};

const mismatch = (talk: Talk, currency: unknown): Spoken | null => {
  const { currency: said } = talk.heard;
  if (said === null || said === currency) return null;
  const message = `Prices of this product are in ${String(currency)}; amounts in ${said} are not converted.`;
  const text = `${message} Say the amount in ${String(currency)}.`;
  const result = { error: "currency_mismatch", message, status: 422 };
  return { skill: "pricing", outcome: "refuse", result, text, ...forgotten(talk) };
};

const percent = (share: unknown): string => `${Math.round(Number(share) * 1000) / 10}%`;

/** How the price came about; empty where it is the list price. */
const madeOf = ({
  base_price: base,
  final_price: cpm,
  tier_discount: tier,
  volume_discount: volume,
  currency,
}: Slots): string => {
  if (Number(base) <= Number(cpm)) return "";
  const parts = [
    `list price ${money(base, currency)}`,
    ...(Number(tier) > 0 ? [`${percent(tier)} off for you`] : []),
    ...(Number(volume) > 0 ? [`${percent(volume)} off for the volume`] : []),
  ];
  return `: ${parts.join(", ")}`;
};

const priceOf = async (talk: Talk, id: string): Promise<Spoken> => {
  const { terms } = talk.memory;
  const input = { product_id: id, volume: terms["impressions"] ?? 0 };
  const spoken = await ask(talk, "pricing", { name: "get_pricing", input }, (output) => {
    const { final_price: cpm, currency } = output;
    const sums =
      terms["impressions"] === undefined ? boughtFor(talk, cpm, currency) : costOf(cpm, terms["impressions"], currency);
    const name = talk.finder.get(id)?.name ?? id;
    const isAsked = asksForDiscountAt(talk.text, talk.heard, talk.memory);
    const none = isAsked && !(Number(output["volume_discount"]) > 0) ? " That volume has no volume discount." : "";
    const held = limitText(talk.heard.limit, { cpm, impressions: terms["impressions"], currency });
    const own = `${name} costs ${money(cpm, currency)} CPM (${String(currency)})${madeOf(output)}`;
    return {
      outcome: "answer",
      result: output,
      about: { ...terms, product_id: id },
      text: `${own}.${sums}${none}${held}`,
    };
  });
  if (spoken.outcome === "refuse") return spoken;
  const { final_price: cpm, currency } = spoken.result as Slots;
  const other = mismatch(talk, currency);
  if (other === null) return spoken;
  return { ...other, text: `${talk.finder.get(id)?.name ?? id} costs ${money(cpm, currency)} CPM. ${other.text}` };
};

/** What the tier of the caller may do. */
const ofTier = (talk: Talk): Promise<Spoken> =>
  ask(talk, "pricing", { name: "discover_inventory", input: { query: "price", limit: 1 } }, (output) => {
    const tier = output["pricing"] as Slots;
    const { discount_from_msrp: discount } = tier;
    const off = typeof discount === "string" ? `${discount} off` : "no discount on";
    const isByVolume = tier["volume_discounts_enabled"] === true;
    const byVolume = isByVolume ? "and volume discounts, by the impressions of one product" : "and no volume discounts";
    const offers = tier["negotiation_enabled"] === true ? " Each quote of yours may be negotiated." : "";
    const text = `The tier ${String(tier["tier_name"])} has ${off} list prices ${byVolume}.${offers}`;
    return { outcome: "answer", result: output, text: `${text} Name a product and a volume for the price.` };
  });

const usualVolumes = [0, 5_000_000, 10_000_000, 20_000_000, 50_000_000];

/** What the caller can do for a lower price, in words that are understood. */
const nextStep = ({ context, memory }: Talk): string => {
  if (context.tier === "public")
    return "Next: sign in with a key of a seat, an agency or an advertiser for its prices.";
  const isQuoted = memory.terms["quote_id"] !== undefined;
  const first = isQuoted ? "Next: " : "Next: ask for a quote, then ";
  return `${first}name a larger volume, or make an offer of your own, like "can you do" and your CPM.`;
};

export const steps = async (talk: Talk): Promise<readonly Spoken[]> => {
  if (asksForMinimum(talk.text, talk.heard)) return [await minimum(talk)];
  const [id, other] = productIdsOf(talk.memory.terms);
  if (other !== undefined) return discounts(talk);
  if (id !== undefined && talk.heard.slots["impressions"] !== undefined) return price(talk);
  if (id !== undefined) return pricesAt(talk, id, usualVolumes);
  const told = await discounts(talk);
  return told.map((one) => (one.outcome === "answer" ? { ...one, text: `${one.text} ${nextStep(talk)}` } : one));
};

const pricesAt = async (talk: Talk, id: string, volumes: readonly number[]): Promise<readonly Spoken[]> => {
  const lines: string[] = [];
  let last: Spoken | null = null;
  for (const volume of volumes) {
    last = await ask(talk, "pricing", { name: "get_pricing", input: { product_id: id, volume } }, (output) => {
      const price = money(output["final_price"], output["currency"]);
      return { outcome: "answer", result: output, text: volume === 0 ? price : `${price} from ${count(volume)}` };
    });
    if (last.outcome === "refuse") return [last];
    const isStep = volumes !== usualVolumes || lines.at(-1)?.split(" ")[0] !== last.text.split(" ")[0];
    if (isStep) lines.push(last.text);
  }
  if (last === null) return [];
  const name = talk.finder.get(id)?.name ?? id;
  return [{ ...last, text: `Your CPM for ${name} by impressions: ${lines.join(", ")}. ${nextStep(talk)}` }];
};

export const price = async (talk: Talk): Promise<readonly Spoken[]> => {
  const ids = productIdsOf(talk.memory.terms);
  const [only] = ids;
  if (only === undefined) return [clarify("pricing", productQuestion(talk))];
  if (ids.length === 1 && talk.heard.volumes.length > 1) return pricesAt(talk, only, talk.heard.volumes);
  const told = await Promise.all(ids.map((id) => priceOf(talk, id)));
  const [one] = told;
  return one === undefined || ids.length > 1 ? told : [await withRequest(talk, only, one)];
};

const asksForLeast = /\b(?:floor|minimum|min|least|lowest|bottom|reserve)\b/i;

/** How low a price may go stays with the seller; what it asks is said instead. */
export const withheld = async (talk: Talk, words: string): Promise<readonly Spoken[]> => {
  const [id, other] = productIdsOf(talk.memory.terms);
  const refused = { skill: null, outcome: "refuse", result: null } as const;
  if (!asksForLeast.test(talk.text) || id === undefined || other !== undefined) return [{ ...refused, text: words }];
  const open = await termsOnTable(talk);
  const told = open === null ? (await priceOf(talk, id)).text : `Our price so far: ${termsText(open)}.`;
  return [{ ...refused, text: `How low a price may go I do not tell. ${told} Name your own price, and I answer it.` }];
};

const requestable = ["impressions", "flight_start", "flight_end"];

/** What is quoted or negotiated keeps its terms: others need a quote of their own, which a yes asks for. */
export const otherRequest = async (
  talk: Talk,
  id: string,
): Promise<{ readonly offers: readonly Offer[]; readonly text: string } | null> => {
  const { terms, isNegotiating } = talk.memory;
  const isDeal = terms["deal_id"] !== undefined;
  if ((isDeal && !/\bsame\b/i.test(talk.text)) || !changesTerms(talk.heard)) return null;
  const open = await termsOnTable(talk);
  const today = pastStart(terms, talk.context.nowMs);
  const wanted = { ...pick(terms, requestable), ...(today === null ? {} : { flight_start: today }) };
  const { impressions, flight_start: start, flight_end: end }: Slots = wanted;
  if (open === null || isAsNamed(wanted, open) || typeof impressions !== "number") return null;
  const change = { product_id: id, deal_type: open.dealType, ...wanted };
  const flight = typeof start === "string" && typeof end === "string" ? `, ${start} to ${end}` : "";
  const what = isDeal ? "The deal" : isNegotiating ? "What is negotiated" : "The open quote";
  const stays = `${what} stays as it is: ${termsText(open)}.`;
  const question = `Shall I quote ${count(impressions)} impressions${flight} ${isDeal ? "as well" : "instead"}?`;
  return { offers: [{ kind: "request", id, digest: null, change }], text: `${stays} ${question}` };
};

const withRequest = async (talk: Talk, id: string, priced: Spoken): Promise<Spoken> => {
  if (priced.outcome !== "answer") return priced;
  const open = await termsOnTable(talk);
  const isOther = open !== null && open.cpm !== (priced.result as Slots)["final_price"];
  const own = isOther ? ` What you have of it is at ${money(open.cpm, open.currency)} CPM.` : "";
  const spoken = { ...priced, text: `${priced.text}${own}` };
  const other = await otherRequest(talk, id);
  return other === null ? spoken : { ...spoken, offers: other.offers, text: `${spoken.text} ${other.text}` };
};

const together = /\b(?:together|both|bundl\w*|combin\w*|packag\w*|several|multiple|all (?:of )?(?:them|these))\b/i;

const withNoBundle = ({ text }: Talk, told: readonly Spoken[]): readonly Spoken[] =>
  told.map((one, place) =>
    place === 0 && together.test(text) && one.outcome === "answer"
      ? { ...one, text: `No discount is on record for several products together; each has its own price. ${one.text}` }
      : one,
  );

/** Of a price where a product is meant, else of the tier. */
export const discounts = async (talk: Talk): Promise<readonly Spoken[]> => {
  const [id, other] = asksIfNegotiable(talk.text) ? [] : productIdsOf(talk.memory.terms);
  if (other !== undefined) return withNoBundle(talk, await price(talk));
  if (id !== undefined && talk.memory.terms["impressions"] === undefined) return pricesAt(talk, id, usualVolumes);
  if (id !== undefined) return price(talk);
  return [await ofTier(talk)];
};

const quoted = ["impressions", "flight_start", "flight_end", "target_cpm"];

const quoteInput = (terms: Slots, id: string, dealType: string | undefined, currency: string | null): Slots => ({
  product_id: id,
  deal_type: dealType,
  ...pick(terms, quoted),
  ...(terms["impressions"] === undefined ? pick(terms, ["budget"]) : {}),
  ...(currency === null ? {} : { currency }),
});

/** A type that is not sold must not stay for the next request. */
const otherType = ({ finder, memory: { terms } }: Talk, id: string, refused: Spoken): Spoken => {
  const [type] = finder.get(id)?.deal_types ?? [];
  const { impressions }: Slots = terms;
  if ((refused.result as Slots | null)?.["error"] !== "invalid_deal_type" || type === undefined) return refused;
  const learnt = { ...refused.learnt, deal_type: null };
  if (typeof impressions !== "number") return { ...refused, learnt };
  const change = { ...pick(terms, requestable), product_id: id, deal_type: type };
  const offers: readonly Offer[] = [{ kind: "request", id, digest: null, change }];
  return { ...refused, learnt, offers, text: `${refused.text} Shall I quote it as ${type}?` };
};

export const saidOfQuote = (talk: Talk, about: Slots, output: Slots): Omit<Spoken, "skill"> => {
  const quoteId = String(output["quote_id"]);
  const until = `Valid until ${moment(output["expires_at"])}.${targetingNote(talk.memory.terms)}`;
  const shown = quoteTerms(output);
  const isSold = ((output["availability"] ?? {}) as Slots)["inventory_available"] === false;
  if (isSold) {
    const why = `${String(output["status_text"])} ${String(output["next_step"])}`;
    return { outcome: "answer", result: output, about, text: `Quote ${quoteId}: ${termsText(shown)}. ${why}` };
  }
  return {
    outcome: "quoted",
    result: output,
    about: { ...about, quote_id: quoteId },
    learnt: {
      ...pick(about, ["flight_start"]),
      quote_id: quoteId,
      proposal_id: null,
      deal_id: null,
      negotiation_id: null,
    },
    isNegotiating: false,
    offers: [quoteOffer(output)],
    text: `Quote ${quoteId}: ${termsText(shown)}. ${until}${heldText(talk, shown)} ${bookQuestion}`,
  };
};

export const quoteOf = async (talk: Talk, id: string): Promise<Spoken> => {
  const { terms } = talk.memory;
  const own = terms["deal_type"];
  const dealType = typeof own === "string" ? own : talk.finder.get(id)?.deal_types[0];
  const about = { ...terms, product_id: id };
  if (dealType === "PG" && terms["impressions"] === undefined && terms["budget"] === undefined) {
    const text = "How many impressions do you want? A guaranteed deal needs a volume.";
    return { ...clarify("pricing", text), about };
  }
  const today = talk.given["flight_start"] === undefined ? pastStart(terms, talk.context.nowMs) : null;
  const fromToday = today === null ? {} : { flight_start: today };
  const begun = today === null ? "" : `${String(terms["flight_start"])} is past, so the flight starts today. `;
  const input = quoteInput({ ...terms, ...fromToday }, id, dealType, talk.heard.currency);
  const issued = await ask(talk, "pricing", { name: "request_quote", input }, (output) => {
    const said = saidOfQuote(talk, { ...about, ...fromToday }, output);
    return { ...said, text: `${begun}${said.text}` };
  });
  return issued.outcome === "refuse" ? otherType(talk, id, { ...issued, ...forgotten(talk) }) : issued;
};

const wantsAnother = /\b(?:new|another|fresh|second|again|anew|re-?quote\w*|one more|updated?)\b/i;

export const openQuoteNote = "This is your open quote. ";

/** A second quote of the same terms would leave two to be booked; null where there is none or another is wanted. */
const openQuote = async (talk: Talk, id: string): Promise<Spoken | null> => {
  const { heard, memory, text } = talk;
  const { quote_id: quoteId, deal_id: dealId, proposal_id: proposalId } = memory.terms;
  const isOther = heard.slots["target_cpm"] !== undefined || heard.barePrice !== null;
  if (typeof quoteId !== "string" || dealId != null || proposalId != null) return null;
  if (isOther || wantsAnother.test(text)) return null;
  if (memory.isNegotiating) {
    const open = await termsOnTable(talk);
    return open !== null && isAsNamed(memory.terms, open) ? showOpen(talk, "") : null;
  }
  const shown = await showOpen(talk, openQuoteNote);
  if (shown?.offers?.[0]?.kind !== "quote") return null;
  const output = shown.result as Slots;
  const terms = quoteTerms(output);
  const { budget } = heard.slots;
  const isSame =
    (output["product"] as Slots)["product_id"] === id &&
    isAsNamed(memory.terms, terms) &&
    (budget === undefined || budget === totalOf(terms));
  return isSame ? { ...shown, skill: "pricing", outcome: "quoted" } : null;
};

/** An offer of earlier rounds is no price for other terms. */
const withoutOffer = (talk: Talk): Talk => {
  const { target_cpm: _offered, ...terms } = talk.memory.terms;
  return { ...talk, memory: { ...talk.memory, terms } };
};

export const quote = async (talk: Talk): Promise<readonly Spoken[]> => {
  const ids = productIdsOf(talk.memory.terms);
  const [only] = ids;
  if (only === undefined) return [clarify("pricing", productQuestion(talk))];
  const same = ids.length === 1 ? await openQuote(talk, only) : null;
  if (same !== null) return [same];
  const isAgreed = ids.length === 1 && talk.memory.terms["negotiation_id"] !== undefined;
  const before = isAgreed ? await termsOnTable(talk) : null;
  const isPriced = talk.heard.slots["target_cpm"] !== undefined || talk.given["target_cpm"] !== undefined;
  const asked = before?.cpm == null || isPriced ? talk : withoutOffer(talk);
  const issued: Spoken[] = [];
  for (const id of ids) issued.push(await quoteOf(asked, id));
  if (before?.cpm == null) return issued;
  const earlier = `The price of ${money(before.cpm, before.currency)} CPM was negotiated for other terms. `;
  return issued.map((one) =>
    one.outcome === "quoted"
      ? { ...one, learnt: { ...one.learnt, ...(isPriced ? {} : { target_cpm: null }) }, text: `${earlier}${one.text}` }
      : one,
  );
};

const inGeneral =
  "Each quote says until when it is valid, as a rule 24 hours from its issue; what is not booked by then expires by " +
  "itself, with any price that was agreed on it. Nothing is quoted in force here.";

export const readQuote = (talk: Talk): Promise<Spoken> | Spoken => {
  const input = { quote_id: talk.memory.terms["quote_id"] };
  if (input.quote_id == null) return { skill: "pricing", outcome: "answer", result: null, text: inGeneral };
  return ask(talk, "pricing", { name: "get_quote", input }, (output) => ({
    outcome: "answer",
    result: output,
    ...(output["status"] === "available" ? { offers: [quoteOffer(output)] } : {}),
    text:
      `Quote ${String(output["quote_id"])} is ${String(output["status"])}: ${termsText(quoteTerms(output))}. ` +
      `Valid until ${moment(output["expires_at"])}.${targetingNote(talk.memory.terms)}` +
      (output["status"] === "available" ? ` ${bookQuestion}` : ""),
  }));
};

const listPrice = (entry: Slots): string =>
  entry["base_cpm"] == null ? String(entry["price_range"]) : usd(entry["base_cpm"]);

const ownPrices = "Each product has a list price of its own, which is what counts: ask for the price of every product.";

export const rateCard = (talk: Talk): Promise<Spoken> =>
  ask(talk, "pricing", { name: "get_rate_card", input: {} }, (output) => {
    const entries = (output["entries"] ?? []) as readonly Slots[];
    const lines = entries.map((entry) => `${String(entry["inventory_type"])} ${listPrice(entry)}`);
    return {
      outcome: "answer",
      result: output,
      text: `Our rate card, CPM by kind before discounts: ${lines.join("; ")}. ${ownPrices}`,
    };
  });
