import { refuse } from "../../../../protocol/neutral/refusals.ts";
import { computedPriceMicros, fromMicros } from "../../../../machines/money.ts";
import type { Draft } from "../../../talk/gate/record.ts";
import { agreementOn } from "../drafts.ts";
import { focusOf, lastPriceOf, numberIn, openTopics, type Slots, soleOf, topicFor, withoutRecords } from "../memory.ts";
import { clarify, read, saidOfRefusal, type Spoken, type Talk, tell, whichOf } from "../spoken.ts";
import { changesTerms } from "../terms.ts";
import { priceSaid } from "../figures.ts";
import { money, saleOfProposal, saleText } from "../wording.ts";
import { says } from "../requests.ts";
import { list, nameOf, namesOf } from "./discovery.ts";
import { dealTypeFor, price as pricesFor, productQuestion } from "./pricing.ts";
import { quoteOne } from "./quotes.ts";
import { bargainWords, saleOfRecord } from "./outcomes.ts";

/** What an offer is about: a record of the conversation that may be bargained about. */
interface Subject {
  readonly input: Slots;
  readonly cpm: number;
  readonly currency: string;
  readonly words: string;
  readonly product: string;
}

const subjectOf = async (talk: Talk, terms: Slots): Promise<Subject | null> => {
  const { quote_id: quoteId, proposal_id: proposalId, negotiation_id: negotiationId } = terms;
  const product = String(terms["product_id"]);
  if (typeof negotiationId === "string") {
    const output = await read(talk, "get_negotiation_status", { negotiation_id: negotiationId });
    const cpm = lastPriceOf(output);
    if (output !== null && output["status"] === "active" && cpm !== null) {
      const words = await bargainWords(talk, output, cpm);
      return { input: { negotiation_id: negotiationId }, cpm, currency: String(output["currency"]), words, product };
    }
  }
  const isQuote = typeof quoteId === "string";
  if (!isQuote && typeof proposalId !== "string") return null;
  const input = isQuote ? { quote_id: quoteId } : { proposal_id: proposalId };
  const output = await read(talk, isQuote ? "get_quote" : "get_proposal", input);
  if (output === null || (isQuote && output["status"] !== "available")) return null;
  // Its own price is the buyer's; ours is the last of its negotiation.
  const bargain = (output["counter_terms"] as Slots | null | undefined)?.["negotiation_id"];
  if (!isQuote && typeof bargain === "string" && negotiationId == null)
    return subjectOf(talk, { ...terms, negotiation_id: bargain });
  const sale = saleOfRecord(talk, output, output["price"]);
  return { input, cpm: sale.cpm, currency: sale.currency, words: saleText(sale), product };
};

const isFinal = (text: string): boolean => /\b(?:best and )?final\b|\blast offer\b|\btake it or leave\b/i.test(text);

/** As the operation itself refuses it. */
const refusedByTier = (talk: Talk, learnt: Slots): Spoken => ({
  ...saidOfRefusal("negotiation", { refusal: refuse("negotiation_not_allowed"), status: 403 }),
  about: { ...talk.terms, ...learnt },
  learnt,
});

const bid = (subject: Subject, price: number, text: string, currency: string | null): Draft => ({
  operation: "negotiate",
  input: {
    ...subject.input,
    action: isFinal(text) ? "final_offer" : "counter",
    buyer_price: price,
    ...(currency === null ? {} : { currency }),
  },
});

/** "15% off rate card": before the discounts that our price holds. */
const listPrice = async (talk: Talk, { product, cpm }: Subject): Promise<number> => {
  const output = await read(talk, "get_pricing", { product_id: product });
  return numberIn(output?.["base_price"]) ?? cpm;
};

const rounded = (price: number): number => fromMicros(computedPriceMicros(price));

/** The price that the words make of ours: "10% off", "meet me in the middle"; null where they name none. */
const derived = async (
  talk: Talk,
  subject: Subject,
): Promise<{ readonly price: number; readonly words: string } | null> => {
  const { said, text } = talk.request;
  const [percent] = said.percents;
  const { cpm, currency } = subject;
  if (/\b(?:volume|impressions|budget|somebody|someone|others?|competitor)\b/i.test(text) && percent !== undefined)
    return null;
  if (
    percent !== undefined &&
    percent > 0 &&
    percent < 100 &&
    /\b(?:off|discount|less|lower|cheaper|down|rebate|reduc\w*)\b/i.test(text)
  ) {
    const base = /\b(?:rate ?card|list)\b/i.test(talk.request.scan.text) ? await listPrice(talk, subject) : cpm;
    const price = rounded((base * (100 - percent)) / 100);
    return { price, words: `${percent}% off ${money(base, currency)} makes your offer ${money(price, currency)} CPM.` };
  }
  const step = said.price;
  if (step !== null && /\b(?:off|less|cheaper|down by)\b/i.test(text) && step < cpm / 2) {
    const price = rounded(cpm - step);
    const off = `${money(step, currency)} off ${money(cpm, currency)}`;
    return { price, words: `${off} makes your offer ${money(price, currency)} CPM.` };
  }
  const id = subject.input["negotiation_id"];
  // "In the middle at 28" names its own price.
  if (said.price !== null || said.numbers.length > 0) return null;
  if (!/\bmiddle\b|\bsplit the difference\b|\bhalf-?way\b/i.test(text) || typeof id !== "string") return null;
  const output = await read(talk, "get_negotiation_status", { negotiation_id: id });
  const { buyer_price: yours } = (output?.["round"] ?? {}) as Slots;
  if (typeof yours !== "number") return null;
  const price = rounded((yours + cpm) / 2);
  return {
    price,
    words:
      `The middle of your ${money(yours, currency)} and our ${money(cpm, currency)} ` +
      `is ${money(price, currency)} CPM.`,
  };
};

const openDrafts = (talk: Talk): readonly Draft[] =>
  talk.open.filter(
    ({ operation, input }) =>
      operation === "book_deal" ||
      operation === "generate_deal" ||
      (operation === "negotiate" && input["action"] === "accept"),
  );

/** Without a price there is nothing to send: ours is told, and what may be done with it. */
const ourPrice = (talk: Talk, subject: Subject): Spoken => {
  const isOver = /\b(?:best|last|final|lowest)\b/i.test(talk.request.text);
  const words = isOver
    ? "This is our price as it stands; name your own, and I answer it."
    : "Name your own price per thousand, and I answer it.";
  return clarify(
    "negotiation",
    `Our price is ${money(subject.cpm, subject.currency)} CPM: ${subject.words}. ${words}`,
    { drafts: openDrafts(talk), reason: "missing_price" },
  );
};

const onWhat =
  "On what? Name a product, a quote or a proposal, and the price per thousand impressions that would work for you.";

const termsOf = (talk: Talk): Slots => {
  const only = soleOf(talk.ids);
  const topic = only === null ? null : topicFor(talk.memory, only);
  return { ...(topic === null || topic.terms["deal_id"] != null ? {} : topic.terms), ...talk.terms };
};

const shownBid = (talk: Talk, subject: Subject, price: number, words: string): Spoken => {
  const { currency } = talk.request.said;
  const about = { ...talk.terms, target_cpm: price };
  const ours = money(subject.cpm, subject.currency);
  // "6.10 is too high": our own price, and no wish to agree on it.
  if (price === subject.cpm && /\btoo\b|\bexpensive\b|\bleave it\b|\bno way\b/i.test(talk.request.text))
    return ourPrice(talk, subject);
  if (price >= subject.cpm) {
    const own =
      price === subject.cpm
        ? `${ours} CPM is our own price.`
        : `Our own price, ${ours} CPM, is below your ${money(price, subject.currency)}.`;
    const id = subject.input["negotiation_id"];
    return clarify("negotiation", `${own} ${subject.words}.`, {
      drafts: [id === undefined ? { operation: "book_deal", input: subject.input } : agreementOn(id, subject.cpm)],
      asks: id === undefined ? "Shall I book it?" : "Shall we agree on that?",
      about,
    });
  }
  const lead =
    words === ""
      ? `You offer ${money(price, currency ?? subject.currency)} CPM; our price is ${ours}: ${subject.words}.`
      : `${words} Ours is for ${subject.words}.`;
  return clarify("negotiation", lead, {
    drafts: [bid(subject, price, talk.request.text, currency)],
    asks: "Shall I send that offer?",
    about,
    learnt: { target_cpm: price },
  });
};

/** An offer on what may be bargained about already. */
const onSubject = async (talk: Talk, subject: Subject, price: number | null): Promise<Spoken> => {
  const isHeld = /\b(?:don't|do not|never|won't|not) (?:\w+ )?(?:want|need|offer|bid|pay|send|accept)\b/i.test(
    talk.request.text,
  );
  if (isHeld)
    return {
      ...ourPrice(talk, subject),
      text:
        `Nothing is offered by this message. Our price is ${money(subject.cpm, subject.currency)} CPM: ` +
        `${subject.words}.`,
      reason: "held_back",
    };
  const made = await derived(talk, subject);
  if (made !== null) return shownBid(talk, subject, made.price, made.words);
  return price === null ? ourPrice(talk, subject) : shownBid(talk, subject, price, "");
};

/** Without a quote the terms in force are quoted first, at our price. */
const quotedFirst = async (talk: Talk, id: string, price: number | null): Promise<Spoken> => {
  const learnt = price === null ? {} : { target_cpm: price };
  const asked = { ...talk, terms: { ...withoutRecords(talk.terms), target_cpm: undefined } };
  const quoted = await quoteOne(asked, id);
  if (quoted.outcome !== "quoted")
    return {
      ...quoted,
      skill: quoted.outcome === "clarify" ? "negotiation" : quoted.skill,
      about: { ...talk.terms, ...learnt },
      learnt: { ...quoted.learnt, ...learnt },
    };
  const own = await subjectOf(talk, { ...quoted.about, product_id: id });
  const made = own === null ? null : await derived(talk, own);
  const topic = quoted.topic === undefined ? {} : { topic: quoted.topic };
  if (own !== null && made !== null)
    return {
      ...shownBid(talk, own, made.price, made.words),
      ...topic,
      learnt: quoted.learnt ?? {},
      result: quoted.result,
    };
  if (own === null || price === null) return quoted;
  return {
    ...shownBid(talk, own, price, ""),
    ...topic,
    learnt: { ...quoted.learnt, ...learnt },
    about: { ...quoted.about, target_cpm: price },
    result: quoted.result,
  };
};

/** Of the values beside the text. */
const priceBeside = ({ terms: { target_cpm: price }, memory }: Talk): number | null =>
  typeof price === "number" && price !== memory.terms["target_cpm"] ? price : null;

/** Booked in this conversation, and not named again: a bid begins no second sale of it. */
const isSold = ({ memory, request: { said } }: Talk, id: string): boolean =>
  said.products.length === 0 && memory.topics.findLast(({ product }) => product === id)?.terms["deal_id"] != null;

/** "And the other one, can you do 12?" after a booking is about what is open still. */
const aboutOpen = (talk: Talk): Talk => {
  const [only] = talk.ids;
  const [open, another] = openTopics(talk.memory);
  if (only === undefined || !isSold(talk, only) || open === undefined || another !== undefined) return talk;
  return { ...talk, ids: [open.product], terms: { ...open.terms, product_id: open.product } };
};

/** "I meant max 20 CPM for each": a limit of all that is open, and no bid. */
const limitOfAll = (talk: Talk, price: number | null): Spoken | null => {
  const open = openTopics(talk.memory);
  if (price === null || open.length < 2 || !says(talk.request, "max maximum most limit ceiling")) return null;
  const over = open.filter(({ cpm }) => cpm === null || cpm > price);
  const names = (topics: typeof open): string =>
    topics.map(({ product, cpm }) => `${nameOf(talk, product)} at ${money(cpm)}`).join(", ");
  const within = open.filter((topic) => !over.includes(topic));
  const text = [
    ...(within.length === 0 ? [] : [`Your limit of ${money(price)} CPM holds: ${names(within)}.`]),
    ...(over.length === 0 ? [] : [`It does not hold: ${names(over)}.`]),
  ].join(" ");
  return tell("negotiation", text);
};

/** A price of the buyer's own: shown, and sent by its option alone. */
export const offer = async (asked: Talk): Promise<readonly Spoken[]> => {
  const talk = aboutOpen(asked);
  const price = priceSaid(talk.request, talk.memory) ?? priceBeside(talk);
  const learnt = price === null ? {} : { target_cpm: price };
  if (talk.context.tier === "public") return [refusedByTier(talk, learnt)];
  const [only, other] = talk.ids;
  const terms = termsOf(talk);
  const isOther =
    changesTerms(talk.request, talk.memory, talk.terms) && talk.request.said.ids["negotiation_id"] === undefined;
  // "Would you go lower for 2M?" asks what that would cost.
  if (isOther && price === null && talk.request.isQuestion && only !== undefined) return pricesFor(talk);
  const isNumber = price === null && /^\W*\d{1,2}\W*$/.test(talk.request.scan.text);
  if (isNumber && talk.open.length > 0) return [whichOf(talk.open)];
  const subject = isOther ? null : await subjectOf(talk, terms);
  if (subject !== null) return [await onSubject(talk, subject, price)];
  const isSale =
    price !== null &&
    only !== undefined &&
    other === undefined &&
    typeof talk.terms["impressions"] === "number" &&
    talk.terms["flight_end"] != null;
  if (isSale && talk.request.said.products.length > 0 && topicFor(talk.memory, only)?.terms["quote_id"] == null)
    return [await propose(talk)];
  if (
    only === undefined &&
    focusOf(talk.memory) === null &&
    price !== null &&
    /\b(?:under|below|less|most|max|up to|cheaper|within)\b/i.test(talk.request.text)
  )
    return [await list(talk)];
  // "28" that is no likely price begins no sale.
  const isUnread = !isOther && price === null && talk.request.said.numbers.length > 0;
  if (only === undefined || isUnread || isSold(talk, only))
    return [clarify("negotiation", onWhat, { learnt, reason: "missing_product" })];
  const limit = limitOfAll(talk, price);
  if (limit !== null) return [limit];
  if (other !== undefined)
    return [
      clarify("negotiation", `Which of them: ${namesOf(talk, talk.ids)}?`, {
        learnt,
        reason: "several",
      }),
    ];
  return [await quotedFirst(talk, only, price)];
};

/** Asks for missing terms and guesses none. */
export const propose = async (talk: Talk): Promise<Spoken> => {
  const { terms } = talk;
  const id = soleOf(talk.ids);
  const open = id === null ? null : topicFor(talk.memory, id);
  // A price for what is quoted already is an offer on that quote.
  if (
    open?.terms["quote_id"] != null &&
    !changesTerms(talk.request, talk.memory, talk.terms) &&
    talk.request.said.volumes.length === 0
  )
    return (await offer(talk))[0] ?? clarify("proposals", productQuestion(talk));
  if (id === null) return clarify("proposals", productQuestion(talk), { reason: "missing_product" });
  const price = talk.request.said.price ?? priceSaid(talk.request, talk.memory) ?? numberIn(terms["target_cpm"]);
  const missing = [
    ...(price === null ? ["the price per thousand impressions"] : []),
    ...(terms["impressions"] === undefined ? ["the impressions"] : []),
    ...(terms["flight_start"] === undefined || terms["flight_end"] === undefined ? ["the first and last day"] : []),
  ];
  const learnt = price === null ? {} : { target_cpm: price };
  const about = { ...terms, product_id: id, ...learnt };
  if (missing.length > 0 || price === null)
    return clarify("proposals", `Please tell me ${missing.join(", ")}.`, { learnt, about, reason: "missing_terms" });
  const { currency } = talk.request.said;
  const input = {
    product_id: id,
    deal_type: dealTypeFor(talk, id),
    price,
    impressions: terms["impressions"],
    start_date: terms["flight_start"],
    end_date: terms["flight_end"],
    ...(currency === null ? {} : { currency }),
  };
  const sale = saleOfProposal({ ...input, currency: currency ?? "USD" }, nameOf(talk, id), price);
  return clarify("proposals", `Your proposal: ${saleText(sale)}.`, {
    drafts: [{ operation: "submit_proposal", input }],
    asks: "Shall I submit it?",
    about: { ...about, deal_type: input.deal_type },
    learnt,
  });
};
