import { isOneOf } from "../../../talk/reader/word-lists.ts";
import type { Draft } from "../../../talk/gate/record.ts";
import { quoteRequest } from "../drafts.ts";
import { boughtFor } from "../figures.ts";
import {
  idsIn,
  newTopic,
  numberIn,
  openTopics,
  pick,
  rowOfProduct,
  rowsOfList,
  sizeNames,
  type Slots,
  soleOf,
  type Topic,
  topicFor,
  withoutRecords,
  costOf,
  inCents,
} from "../memory.ts";
import { says } from "../requests.ts";
import { ask, clarify, inTurn, type Spoken, type Talk, tell } from "../spoken.ts";
import { changesTerms, termsSaid } from "../terms.ts";
import { asLines, count, listed, money, percent, type Sale } from "../wording.ts";
import { itemsOf, ofAll, nameOf, type Priced, pricesOf, priceOf, rowOf, withoutOutput } from "./discovery.ts";

export const productQuestion = (talk: Talk): string => {
  const named = idsIn(talk.request.said);
  return named.length > 1 ? `Which product do you mean: ${listed(named.map((id) => nameOf(talk, id)))}?` : whichProduct;
};

/** Asked beside nothing that a reply says of products. */
export const whichProduct = "Which product do you mean? Give its name or id.";

export const unpricedText = (talk: Talk, id: string): string =>
  `${nameOf(talk, id)} has no price here and cannot be quoted; a person of our team can make an offer.`;

/** An amount in another currency is never taken for one in the product's own. */
export const mismatch = (talk: Talk, currency: unknown): Spoken | null => {
  const { currency: said } = talk.request.said;
  if (said === null || said === currency) return null;
  const message = `Prices of this product are in ${String(currency)}; amounts in ${said} are not converted.`;
  return {
    skill: "pricing",
    outcome: "refuse",
    result: { error: "currency_mismatch", message, status: 422 },
    text: `${message} Say the amount in ${String(currency)}.`,
    learnt: { budget: null, target_cpm: null },
    reason: "currency_mismatch",
  };
};

/** How the price came about; empty where it is the list price. */
const madeOf = ({
  base_price: base,
  final_price: cpm,
  tier_discount: tier,
  volume_discount: volume,
  currency,
}: Slots): string => {
  if (Number(base) <= Number(cpm)) return "";
  // A price that is limited says no more than that: discounts that do not make it are not named.
  const made = Number(base) * (1 - Number(tier)) * (1 - Number(volume));
  if (Math.abs(made - Number(cpm)) > 0.011) return `: list price ${money(base, currency)}, your discounts are in it`;
  const parts = [
    `list price ${money(base, currency)}`,
    ...(Number(tier) > 0 ? [`${percent(tier)} off for you`] : []),
    ...(Number(volume) > 0 ? [`${percent(volume)} off for the volume`] : []),
  ];
  return `: ${parts.join(", ")}`;
};

const limitWords = new RegExp(
  "\\b(?:under|below|less than|at most|no more than|not more than|up to|within|max|maximum|sub|cheaper than|" +
    "exceed|limit|ceiling|over|above|at least|spend|budget|very most|cap)\\b",
  "i",
);

/** "Over four weeks" and "within March" say how long, and limit no sum. */
const limitingIn = ({ scan, parts }: Talk["request"]): string => {
  const isTime = (at: number): boolean =>
    [at, at + 1].some((place) => isOneOf(scan.owners[place]?.kind ?? "", "length period"));
  return parts
    .flatMap(({ from, to }) => scan.tokens.slice(from, to).map(({ text }, at) => ({ text, next: from + at + 1 })))
    .map(({ text, next }) => (isOneOf(text.toLowerCase(), "over within") && isTime(next) ? "" : text))
    .join(" ");
};

/** "If I book it, would we then have both, 18,000 in total?" asks what would be, and limits nothing. */
const whatWouldBe = /\bwould (?:we|i|it|that|they|there|both)\b/i;

/** Whether a limit of the message holds: "under $20", "if it stays below 9 dollars". Empty without one. */
export const limitText = (
  talk: Talk,
  of: Pick<Sale, "cpm" | "impressions" | "currency">,
): { readonly text: string; readonly holds: boolean | null } => {
  const { said, isConditional } = talk.request;
  const text = limitingIn(talk.request);
  const isLimit = (isConditional && !whatWouldBe.test(text)) || limitWords.test(text);
  // A budget that is spread is no limit of one line.
  if (!isLimit || talk.request.command === "plan") return { text: "", holds: null };
  const isTotal =
    said.budget !== null ||
    (said.price !== null &&
      !says(talk.request, "cpm cpms") &&
      /\b(?:total|whole|altogether|in all|overall|spend|everything)\b/i.test(text));
  const limit = said.budget ?? said.price ?? soleOf(said.numbers);
  const value = isTotal ? costOf(of.cpm, of.impressions) : of.cpm;
  if (limit === null || value === null) return { text: "", holds: null };
  const isLeast =
    /\b(?:over|above|at least|more than|no less|exceeds)\b/i.test(text) &&
    !/(?:\b(?:no|not|never)|n't) (?:\w+ ){0,2}(?:more|over|above|exceed)/i.test(text);
  const cents = inCents(value);
  const holds = isLeast ? cents >= limit : cents <= limit;
  const asked = `${money(limit, of.currency)} ${isTotal ? "in total" : "CPM"}`;
  return {
    text: ` Your limit of ${asked} ${holds ? "holds" : "does not hold"}: it is ${money(value, of.currency)}.`,
    holds,
  };
};

/** How many impressions the budget buys; null without one in that currency. */
export const boughtText = ({ terms: { budget }, request }: Talk, cpm: number, currency: string): string | null =>
  typeof budget === "number" && cpm > 0 && (request.said.currency ?? currency) === currency
    ? count(boughtFor(budget, cpm))
    : null;

const sumText = (talk: Talk, cpm: number, currency: string): string => {
  const { impressions, budget } = talk.terms;
  const cost = costOf(cpm, impressions);
  if (cost !== null) return ` ${count(impressions)} impressions cost ${money(cost, currency)}.`;
  const bought = boughtText(talk, cpm, currency);
  return bought === null ? "" : ` ${money(budget, currency)} buys about ${bought} impressions.`;
};

export const topicOf = (talk: Talk, id: string, cpm: number | null): Topic => {
  // A price asked without its terms leaves those of the quote: "make it 700k" would lose the days.
  const before = pick(topicFor(talk.memory, id)?.terms ?? {}, [
    ...["quote_id", "proposal_id", "negotiation_id"],
    ...[...sizeNames, "deal_type"],
  ]);
  return newTopic(id, { ...before, ...pick(talk.terms, [...sizeNames, "deal_type", "budget"]), product_id: id }, cpm);
};

/** A quote of a product with the terms in force, to be asked for by a pick. */
export const quoteDraft = (talk: Talk, id: string): Draft =>
  quoteRequest(id, { ...talk.terms, deal_type: dealTypeFor(talk, id) });

/** What is open keeps its terms: others need a quote of their own, which is offered. */
const otherQuote = (talk: Talk, id: string): readonly Draft[] => {
  const open = topicFor(talk.memory, id);
  const isOpen = open !== null && openTopics(talk.memory).includes(open);
  const { impressions, flight_start: start, flight_end: end } = talk.terms;
  // What has all its terms may be quoted by a pick.
  const isOffered = isOpen
    ? changesTerms(talk.request, talk.memory, talk.terms)
    : start != null && end != null && talk.ids.length === 1;
  return isOffered && typeof impressions === "number" ? [quoteDraft(talk, id)] : [];
};

/** " for 400,000 impressions, 2027-02-01 to 2027-02-28,": the days where others were asked about. */
const openWords = ({ terms }: Talk, open: Topic): string => {
  const { impressions: volume, flight_start: start, flight_end: end } = open.terms;
  if (typeof volume !== "number") return "";
  const days = typeof start === "string" && start !== terms["flight_start"] ? `, ${start} to ${String(end)},` : "";
  return ` for ${count(volume)} impressions${days}`;
};

/** Of several products the one without a price is named. */
const withName = (talk: Talk, id: string, refused: Spoken): Spoken =>
  refused.reason === "unpriceable_product" ? { ...refused, text: unpricedText(talk, id) } : refused;

const priceOne = async (talk: Talk, id: string): Promise<Spoken> => {
  const impressions = numberIn(talk.terms["impressions"]);
  const input = { product_id: id, volume: impressions ?? 0 };
  const open = topicFor(talk.memory, id);
  const spoken = await ask(talk, "pricing", "get_pricing", input, (output) => {
    const currency = String(output["currency"]);
    const cpm = Number(output["final_price"]);
    const isAsked = /\bdiscount|rebate|cheaper\b/i.test(talk.request.text) && impressions !== null;
    const none = isAsked && !(Number(output["volume_discount"]) > 0) ? " That volume has no volume discount." : "";
    const held = limitText(talk, { cpm, impressions, currency }).text;
    const types = talk.finder.get(id)?.deal_types ?? [];
    const unsold = talk.request.said.dealTypes.find((type) => type !== "" && !types.includes(type));
    const sold = unsold === undefined ? "" : ` It is not sold as ${unsold}, but as ${listed(types)}.`;
    const drafts = unsold === undefined ? otherQuote(talk, id) : [];
    const isOffered = open !== null && openTopics(talk.memory).includes(open);
    const isOpen = isOffered && open.cpm !== null && open.cpm !== cpm;
    const stays = isOffered && drafts.length > 0 ? openWords(talk, open) : "";
    const own =
      isOpen || stays !== "" ? ` What is open of it${stays} is at ${money(open?.cpm ?? cpm, currency)} CPM.` : "";
    return {
      about: { ...talk.terms, product_id: id },
      topic: open !== null && isOffered && drafts.length > 0 ? open : topicOf(talk, id, isOpen ? open.cpm : cpm),
      rows: [rowOfProduct(id, cpm, costOf(cpm, impressions))],
      drafts,
      ...(drafts.length > 0 && isOffered ? { asks: "Shall I quote that as well?" } : {}),
      text: [
        `${nameOf(talk, id)} costs ${money(cpm, currency)} CPM (${currency})${madeOf(output)}.`,
        sumText(talk, cpm, currency),
        sold,
        none,
        held,
        own,
      ].join(""),
    };
  });
  if (spoken.outcome === "refuse") return withName(talk, id, spoken);
  const { final_price: cpm, currency } = spoken.result as Slots;
  const other = mismatch(talk, currency);
  return other === null
    ? spoken
    : { ...other, text: `${nameOf(talk, id)} costs ${money(cpm, currency)} CPM. ${other.text}` };
};

const ladder = [0, 5_000_000, 10_000_000, 20_000_000, 50_000_000];

const nextStep = ({ context }: Talk): string =>
  context.tier === "public"
    ? "Next: sign in with a key of a seat, an agency or an advertiser for its prices."
    : "Next: name a larger volume, or offer a CPM of your own on a quote.";

const pricesAt = async (talk: Talk, id: string, volumes: readonly number[]): Promise<Spoken> => {
  const item = talk.finder.get(id);
  const steps: { readonly volume: number; readonly priced: Priced }[] = [];
  for (const volume of volumes) {
    const priced = item === null ? null : await priceOf(talk, item, volume);
    if (priced !== null && (volumes !== ladder || steps.at(-1)?.priced.cpm !== priced.cpm))
      steps.push({ volume, priced });
  }
  const [first] = steps;
  if (first === undefined) return priceOne(talk, id);
  const totals = steps.map(({ volume, priced: { cpm } }) => costOf(cpm, volume) ?? 0);
  const words = steps.map(({ volume, priced: { cpm, currency } }, at) => {
    if (volume === 0) return money(cpm, currency);
    return volumes === ladder
      ? `${money(cpm, currency)} from ${count(volume)}`
      : `${money(cpm, currency)} for ${count(volume)} (${money(totals[at], currency)})`;
  });
  const [low = 0, high = 0] = totals;
  const isPair = volumes.length === 2 && steps.length === 2;
  const apart = isPair ? ` The difference is ${money(Math.abs(high - low), first.priced.currency)}.` : "";
  const next = volumes === ladder ? ` ${nextStep(talk)}` : apart;
  return tell("pricing", `Your CPM for ${nameOf(talk, id)} by impressions: ${words.join(", ")}.${next}`, {
    result: steps.at(-1)?.priced.output ?? null,
    about: { ...talk.terms, product_id: id },
    topic: topicOf(talk, id, first.priced.cpm),
    // "Quote the middle one" means one of them, and not the first.
    ...(volumes === ladder || steps.length < 2 ? {} : { learnt: { impressions: null } }),
  });
};

const mostTold = 8;

export const price = async (talk: Talk): Promise<readonly Spoken[]> => {
  const { ids, request } = talk;
  const isOfEach =
    request.said.products.length === 0 && /\b(?:every|each|all your|all) products?\b/i.test(request.text);
  if (isOfEach) return [await priceList(ofAll(talk))];
  const [only] = ids;
  // "Can you give us a better price if we commit to 50,000 for the year?"
  if (only === undefined && request.isConditional && says(request, "better lower cheaper discount"))
    return discounts(talk);
  if (only === undefined) {
    const isOfAll =
      request.said.volumes.length === 0 &&
      says(request, "prices rates all each every everything you preise precios tarifa tarifas tarifs precos");
    // "What can I advertise with you, and what does it cost?"
    const isListed = talk.memory.rows.length > mostTold && talk.memory.rows.every(({ record }) => record === null);
    return [
      isOfAll || isListed || talk.terms["budget"] !== undefined
        ? await priceList(talk)
        : clarify("pricing", productQuestion(talk), { reason: "missing_product" }),
    ];
  }
  if (ids.length === 1 && request.said.volumes.length > 1) return [await pricesAt(talk, only, request.said.volumes)];
  if (ids.length > mostTold) return [await priceList(talk)];
  const told = await inTurn(ids, (id) => priceOne(ofOne(talk, id), id));
  const rows = told.flatMap((one) => one.rows ?? []);
  const sum = rows.reduce((all, { total }) => all + (total ?? Number.NaN), 0);
  const isSummed = ids.length > 1 && sum > 0;
  return ids.length === 1
    ? told
    : told.map((one, at) => ({
        ...one,
        rows,
        ...(isSummed && at === told.length - 1 ? { text: `${one.text} Together that is ${money(sum)}.` } : {}),
      }));
};

/** Each product on sale at the caller's own price. */
export const priceList = async (talk: Talk): Promise<Spoken> => {
  const { output, items } = await itemsOf(talk);
  const priced = await pricesOf(talk, items);
  if (priced.length === 0) return clarify("pricing", productQuestion(talk));
  const lines = priced.map(({ name, cpm, currency, output: of }) => {
    const list = Number(of["base_price"]) > cpm ? ` (list ${money(of["base_price"], currency)})` : "";
    const bought = boughtText(talk, cpm, currency);
    return `${name}: ${money(cpm, currency)}${list}${bought === null ? "" : `; your budget buys about ${bought}`}`;
  });
  const unpriced = items.filter(({ product_id: id }) => !priced.some((one) => one.product_id === id));
  const others = unpriced.slice(0, mostTold).map(({ name }) => `${name}: has no price here`);
  const exact =
    talk.context.tier === "public" ? " Sign in with a key of a seat, an agency or an advertiser for exact prices." : "";
  const text = [
    // Of some kinds alone it is no list of all.
    asLines(talk.ids.length === 0 ? "Your CPM for each product on sale:" : "Your CPM:", [...lines, ...others]),
    `Which shall I quote, for how many impressions, and when?${exact}`,
  ].join("\n");
  return tell("pricing", text, {
    result: { ...output, catalog: withoutOutput(priced) },
    rows: [...priced.map(rowOf), ...unpriced.map(({ product_id: id }) => rowOfProduct(id))],
  });
};

export const rateCard = async (talk: Talk): Promise<readonly Spoken[]> => {
  if (!/\brate ?card/i.test(talk.request.text))
    return talk.request.said.products.length > 0 ? price(talk) : [await priceList(talk)];
  return [
    await ask(talk, "pricing", "get_rate_card", {}, (output) => {
      const lines = rowsOfList(output, "entries").map(
        ({ inventory_type: type, base_cpm: cpm, price_range: range, currency }) =>
          `${String(type)} ${cpm == null ? String(range) : money(cpm, currency)}`,
      );
      return {
        text:
          `Our rate card, CPM by kind before discounts: ${lines.join("; ")}. ` +
          "Each product has a list price of its own, which is what counts.",
      };
    }),
  ];
};

/** What the tier of the caller may do, or the price steps of the product in force. */
export const discounts = async (talk: Talk): Promise<readonly Spoken[]> => {
  const { request } = talk;
  const id = soleOf(talk.ids);
  if (id !== null && request.said.volumes.length > 0) return price(talk);
  if (id !== null && !/\b(?:agency|tier|rebate|why)\b/i.test(request.text)) return [await pricesAt(talk, id, ladder)];
  let hasSteps = false;
  const told = await ask(talk, "pricing", "discover_inventory", { query: "price", limit: 1 }, (output) => {
    const tier = (output["pricing"] ?? {}) as Slots;
    const { discount_from_msrp: discount } = tier;
    hasSteps = tier["volume_discounts_enabled"] === true;
    const off = typeof discount === "string" ? `${discount} off` : "no discount on";
    const byVolume = hasSteps ? "and volume discounts, by the impressions of one product" : "and no volume discounts";
    const offers = tier["negotiation_enabled"] === true ? " Each quote of yours may be negotiated." : "";
    return {
      text: `The tier ${String(tier["tier_name"])} has ${off} list prices ${byVolume}.${offers} ${nextStep(talk)}`,
    };
  });
  return hasSteps && says(request, "volume volumes steps tiers breaks")
    ? [{ ...told, text: `${told.text}${await volumeExample(talk)}` }]
    : [told];
};

/** "What are the volume discounts exactly?": the steps of one product, which its name asks of another. */
const volumeExample = async (talk: Talk): Promise<string> => {
  const [first] = await pricesOf(talk, (await itemsOf(ofAll(talk))).items.slice(0, 1));
  if (first === undefined) return "";
  const steps = await pricesAt(talk, first.product_id, ladder);
  return ` For example: ${steps.text.replace(` ${nextStep(talk)}`, "")} Name a product for its own steps.`;
};

export const dealTypeFor = (talk: Talk, id: string): string | undefined => {
  const own = talk.terms["deal_type"];
  return typeof own === "string" ? own : talk.finder.get(id)?.deal_types[0];
};

/** Of several that were talked about each keeps its own terms: "book both", "move both to June". */
export const ofOne = (talk: Talk, id: string): Talk => {
  const topic = talk.ids.length > 1 && talk.request.said.products.length === 0 ? topicFor(talk.memory, id) : null;
  if (topic === null) return talk;
  return {
    ...talk,
    terms: { ...withoutRecords(topic.terms), ...termsSaid(talk.request, talk.memory, topic.terms), product_id: id },
  };
};
