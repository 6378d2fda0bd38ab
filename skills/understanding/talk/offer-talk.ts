import { refuse } from "../../../protocol/neutral/refusals.ts";
import type { Offer } from "../../../machines/conversation/machine.ts";
import { otherRequest, quote } from "./price-talk.ts";
import { computedPriceMicros, fromMicros } from "../../../machines/money.ts";
import { termsOnTable } from "./open-talk.ts";
import { ask, clarify, money, productQuestion, settled, type Skill, type Spoken, type Talk } from "./speech.ts";
import {
  bookQuestion,
  counterOffer,
  proposalOffer,
  proposalTerms,
  quoteTerms,
  showOpen,
  shownCounter,
  takeQuestion,
  targetingNote,
  termsText,
} from "./shown-terms.ts";
import { anyOf } from "../reading/any-of.ts";
import type { Slots } from "../reading/slots.ts";
import { changesTerms, productIdsOf } from "../terms.ts";

const offered = ({ heard, memory }: Talk): number | null => {
  const said = heard.slots["target_cpm"] ?? heard.barePrice;
  if (typeof said === "number") return said;
  const known = memory.terms["target_cpm"];
  // The price of the last round is no new offer.
  return typeof known === "number" && !memory.isNegotiating ? known : null;
};

const roundText = (output: Slots): string => {
  const round = output["round"] as Slots | null | undefined;
  const cpm = money(round?.["seller_price"], output["currency"]);
  if (output["status"] === "accepted") return `Agreed at ${money(output["agreed_price"], output["currency"])} CPM.`;
  if (output["status"] === "rejected") return "The negotiation is over without an agreement.";
  if (output["status"] === "expired") return "The negotiation has expired. Ask for a new quote.";
  if (output["approval_id"] != null) return `We have to ask before we answer. Our last price is ${cpm} CPM.`;
  const last = round?.["action"] === "final_offer" ? "Our final offer is" : "We can do";
  return `${last} ${cpm} CPM. Rounds left: ${String(output["rounds_remaining"])}.`;
};

const outcomeOf = (output: Slots): Spoken["outcome"] => {
  if (output["status"] === "accepted") return "accepted";
  if (output["status"] !== "active") return "rejected";
  return output["approval_id"] == null ? "counter" : "pending";
};

const offerSubject = (terms: Slots): Slots => {
  const name = ["negotiation_id", "proposal_id", "quote_id"].find((id) => typeof terms[id] === "string");
  return name === undefined ? {} : { [name]: terms[name] };
};

/** Agreed is not booked: the terms are shown for the order that follows. */
const withTerms = async (talk: Talk, spoken: Spoken): Promise<Spoken> => {
  if (spoken.outcome === "refuse" || spoken.outcome === "rejected") return spoken;
  const output = spoken.result as Slots;
  if (spoken.outcome === "accepted") {
    const { quote_id: quoteId, proposal_id: proposalId } = output;
    const terms = { ...talk.memory.terms, quote_id: quoteId, proposal_id: proposalId };
    const shown = await showOpen({ ...talk, memory: { ...talk.memory, terms, isNegotiating: false } }, "");
    if (shown === null || shown.offers === undefined) return spoken;
    return { ...spoken, offers: shown.offers, text: `${spoken.text} ${shown.text}` };
  }
  if (spoken.outcome !== "counter") return spoken;
  const cpm = (output["round"] as Slots)["seller_price"];
  // "Only if you do 27.50" made the offer that this price answers.
  const text = `${await shownCounter({ ...talk, text: "" }, output, spoken.text)} ${takeQuestion}`;
  return { ...spoken, offers: [counterOffer(output["negotiation_id"], cpm)], text };
};

/** What the negotiation answered. */
export const negotiated = (talk: Talk, output: Slots): Promise<Spoken> =>
  withTerms(talk, {
    skill: "negotiation",
    outcome: outcomeOf(output),
    result: output,
    learnt: { negotiation_id: output["negotiation_id"] },
    isNegotiating: output["status"] === "active",
    text: roundText(output),
  });

/** Shown, and sent by nothing but an option: a price that is only mentioned is no offer. */
const bidShown = async (
  talk: Talk,
  said: { readonly action: string; readonly buyer_price: number },
): Promise<Spoken> => {
  const { currency } = talk.heard;
  const subject = offerSubject(talk.memory.terms);
  const [id] = Object.values(subject);
  const change = { ...subject, ...said, ...(currency === null ? {} : { currency }) };
  const on = await termsOnTable(talk);
  const price = money(said.buyer_price, currency ?? on?.currency);
  const ours = on?.cpm == null ? "" : ` Our price is ${money(on.cpm, on.currency)} CPM: ${termsText(on)}.`;
  return {
    ...clarify("negotiation", `You offer ${price} CPM.${ours} Shall I send it?`),
    about: { ...talk.memory.terms, target_cpm: said.buyer_price },
    offers: [{ kind: "bid", id: String(id), digest: null, change }],
  };
};

interface Wanted {
  readonly price: number | null;
  /** How it came about, where the caller named no price. */
  readonly text: string;
}

/** "Please don't offer 22.40": whoever names a price need not offer it. */
const holdsBack = anyOf(
  /\b(?:do not|don['’]?t|never|not to) (?:\w+ ){0,3}?(?:offer|bid|counter|propos|send|submit|go)/i,
  /\b(?:without|stop|instead of) (?:\w+ ){0,3}?(?:offer|bid|counter|propos|send|submit|go)/i,
);

const heldBack = ({ text }: Talk, skill: Skill): Spoken | null =>
  !holdsBack.test(text)
    ? null
    : clarify(skill, 'Nothing is offered by this message. To make an offer, say just that: "I offer 12.50 CPM".');

const isFinal = (text: string): boolean => /\b(?:best and )?final\b|\blast offer\b|\btake it or leave\b/i.test(text);

/** As the operation itself rejects it. */
const refusedByTier = (talk: Talk): Spoken =>
  settled("negotiation", { kind: "refused", refusal: refuse("negotiation_not_allowed"), status: 403 }, () =>
    clarify("negotiation", talk.text),
  );

const onWhat =
  "On what? Name a product, a quote or a proposal, and the price per thousand impressions that would work for you.";

const isOfSomething = (terms: Slots): boolean =>
  Object.keys(offerSubject(terms)).length > 0 || productIdsOf(terms).length > 0;

const cutFrom = "Give the id of a quote or proposal, ask for a quote, or name your price per thousand impressions.";

const wantedOf = async (talk: Talk): Promise<Wanted> => {
  const { slots, barePrice, priceCut } = talk.heard;
  const isNamed = slots["target_cpm"] !== undefined || barePrice !== null;
  if (priceCut === null || isNamed) return { price: offered(talk), text: "" };
  const { percent } = priceCut;
  const on = await termsOnTable(talk);
  if (on === null || on.cpm == null) return { price: null, text: `${percent}% off which price? ${cutFrom}` };
  const price = fromMicros(computedPriceMicros((Number(on.cpm) * (100 - percent)) / 100));
  const text = `${percent}% off ${money(on.cpm, on.currency)} makes your offer ${money(price, on.currency)} CPM. `;
  return { price, text };
};

const meetsHalfway = /\bmiddle\b|\bsplit the difference\b|\bhalf-?way\b/i;

/** Of the last two prices, asked before it is offered; null where there are not two. */
const middle = async (talk: Talk): Promise<Spoken | null> => {
  const { negotiation_id: id } = talk.memory.terms;
  if (!talk.memory.isNegotiating || typeof id !== "string" || !meetsHalfway.test(talk.text)) return null;
  const call = { name: "get_negotiation_status", input: { negotiation_id: id } };
  const spoken = await ask(talk, "negotiation", call, (output) => {
    const { buyer_price: yours, seller_price: ours } = (output["round"] ?? {}) as Slots;
    if (output["status"] !== "active" || typeof yours !== "number" || typeof ours !== "number")
      return { outcome: "answer", result: output, text: "" };
    const cpm = fromMicros(computedPriceMicros((yours + ours) / 2));
    const [low, high, half] = [yours, ours, cpm].map((price) => money(price, output["currency"]));
    return {
      outcome: "clarify",
      result: output,
      offers: [{ kind: "bid", id, digest: null, change: { negotiation_id: id, action: "counter", buyer_price: cpm } }],
      text: `The middle of your ${low} and our ${high} is ${half} CPM. Shall I offer ${half} for you?`,
    };
  });
  return spoken.offers === undefined ? null : spoken;
};

const ourPriceText = (price: number, ours: number, currency: unknown): string =>
  price === ours
    ? `${money(ours, currency)} CPM is our own price. `
    : `Our own price, ${money(ours, currency)} CPM, is below your ${money(price, currency)}. `;

/** Never sent as an offer, which would close the deal: whoever repeats our price may as well complain of it. */
const atOurPrice = async (talk: Talk, price: number): Promise<Spoken | null> => {
  if (talk.given["target_cpm"] !== undefined) return null;
  const on = await termsOnTable(talk);
  const ours = Number(on?.cpm ?? Number.POSITIVE_INFINITY);
  return price < ours ? null : showOpen(talk, ourPriceText(price, ours, on?.currency));
};

/** Without a quote or proposal, the terms in force are quoted first. */
export const offer = async (talk: Talk): Promise<readonly Spoken[]> => {
  const { context, memory } = talk;
  const held = heldBack(talk, "negotiation");
  if (held !== null) return [held];
  const { price, text } = await wantedOf(talk);
  const withPrice = (spoken: Spoken): Spoken =>
    price === null
      ? spoken
      : {
          ...spoken,
          text: `${spoken.outcome === "refuse" ? "" : text}${spoken.text}`,
          learnt: { ...spoken.learnt, target_cpm: price },
        };
  if (context.tier === "public") return [withPrice(refusedByTier(talk))];
  if (price === null && talk.heard.currency !== null && talk.heard.currency !== "USD")
    return [
      clarify("negotiation", "Prices are in each product's own currency and are not converted. Which price in it?"),
    ];
  const half = price === null ? await middle(talk) : null;
  if (half !== null) return [half];
  if (price === null && text === "" && !isOfSomething(memory.terms)) return [clarify("negotiation", onWhat)];
  if (price === null) return [text === "" ? await ourPrice(talk) : clarify("negotiation", text)];
  const action = isFinal(talk.text) ? "final_offer" : "counter";
  const isOfOther = talk.heard.slots["negotiation_id"] === undefined && changesTerms(talk.heard);
  if (Object.keys(offerSubject(memory.terms)).length > 0 && !(isOfOther && memory.terms["quote_id"] !== undefined)) {
    return [(await atOurPrice(talk, price)) ?? withPrice(await bidShown(talk, { action, buyer_price: price }))];
  }
  if (productIdsOf(memory.terms).length !== 1) return [withPrice(clarify("negotiation", productQuestion(talk)))];
  const [quoted] = await quote({ ...talk, memory: { ...memory, terms: withoutTarget(memory.terms) } });
  if (quoted?.outcome !== "quoted") return quoted === undefined ? [] : [withPrice({ ...quoted, skill: "negotiation" })];
  const { cpm: ours, currency } = quoteTerms(quoted.result as Slots);
  // "I accept 29.93 for 2M" takes a price that was made for other terms.
  if (isOfOther && /\baccept\b/i.test(talk.text) && !talk.text.includes("?")) return [quoted];
  if (price >= Number(ours))
    return [{ ...quoted, text: `${ourPriceText(price, Number(ours), currency)}${quoted.text}` }];
  const terms = { ...memory.terms, ...quoted.learnt };
  const answered = await bidShown({ ...talk, memory: { ...memory, terms } }, { action, buyer_price: price });
  return [withPrice({ ...answered, learnt: { ...quoted.learnt, ...answered.learnt } })];
};

const whatPrice = "What price per thousand impressions would work for you?";

/** "Your last price?" is answered by the one that stands; "make it 800k then" asks for another quote. */
const ourPrice = async (talk: Talk): Promise<Spoken> => {
  const { isNegotiating, terms } = talk.memory;
  const [id, another] = productIdsOf(terms);
  const other = id === undefined || another !== undefined ? null : await otherRequest(talk, id);
  if (other !== null) return { ...clarify("negotiation", other.text), offers: other.offers };
  const words = isNegotiating ? "" : "This is our price so far; name your own, and I answer it. ";
  const shown = terms["deal_id"] == null ? await showOpen(talk, words) : null;
  return shown?.outcome === "clarify" ? { ...shown, skill: "negotiation" } : clarify("negotiation", whatPrice);
};

const withoutTarget = (terms: Slots): Slots =>
  Object.fromEntries(Object.entries(terms).filter(([name]) => name !== "target_cpm"));

export const readNegotiation = (talk: Talk): Promise<Spoken> | Spoken => {
  const { negotiation_id: id } = talk.memory.terms;
  if (typeof id !== "string") return clarify("negotiation", "Which negotiation do you mean? Give its id.");
  return ask(talk, "negotiation", { name: "get_negotiation_status", input: { negotiation_id: id } }, (output) => ({
    outcome: "answer",
    result: output,
    text: roundText(output),
  }));
};

const missingTerms = (terms: Slots, price: number | null): readonly string[] => [
  ...(price === null ? ["the price per thousand impressions"] : []),
  ...(terms["impressions"] === undefined ? ["the impressions"] : []),
  ...(terms["flight_start"] === undefined || terms["flight_end"] === undefined ? ["the first and last day"] : []),
];

const proposalOutcome: Readonly<Record<string, Spoken["outcome"]>> = {
  accepted: "accepted",
  counter_pending: "counter",
  pending_approval: "pending",
  rejected: "rejected",
};

const proposalText = (talk: Talk, output: Slots): string => {
  const id = String(output["proposal_id"]);
  const counter = output["counter_terms"] as Slots | null | undefined;
  if (output["status"] === "accepted") {
    const terms = termsText(proposalTerms(talk, output, output["agreed_price"]));
    return `Proposal ${id} is accepted: ${terms}.${targetingNote(talk.memory.terms)} ${bookQuestion}`;
  }
  if (counter != null) {
    const theirs = { ...output, impressions: counter["max_impressions"] };
    const terms = termsText(proposalTerms(talk, theirs, counter["proposed_price"]));
    return `Proposal ${id}: we can do ${terms}.${targetingNote(talk.memory.terms)} ${takeQuestion}`;
  }
  if (output["status"] === "pending_approval") return `Proposal ${id} waits for an approval.`;
  const errors = (output["errors"] ?? []) as readonly { readonly detail: string }[];
  const reason = output["status_reason"];
  const why = [...errors.map(({ detail }) => detail), ...(typeof reason === "string" ? [`${reason}.`] : [])];
  return [`Proposal ${id} is ${String(output["status"])}.`, ...why].join(" ");
};

const proposalOffers = (output: Slots): readonly Offer[] => {
  const counter = output["counter_terms"] as Slots | null | undefined;
  if (output["status"] === "accepted") return [proposalOffer(output)];
  return counter == null ? [] : [counterOffer(output["negotiation_id"], counter["proposed_price"])];
};

export const saidOfProposal =
  (talk: Talk) =>
  (output: Slots): Omit<Spoken, "skill"> => ({
    outcome: proposalOutcome[String(output["status"])] ?? "refuse",
    result: output,
    learnt: {
      proposal_id: output["proposal_id"],
      quote_id: null,
      deal_id: null,
      negotiation_id: output["negotiation_id"] ?? null,
    },
    isNegotiating: output["status"] === "counter_pending",
    offers: proposalOffers(output),
    text: proposalText(talk, output),
  });

const proposals: Skill = "proposals";

/** Asks for missing terms and guesses none. */
export const propose = (talk: Talk): Spoken => {
  const { terms } = talk.memory;
  const held = heldBack(talk, proposals);
  if (held !== null) return held;
  const ids = productIdsOf(terms);
  const [id] = ids;
  if (id === undefined || ids.length > 1) return clarify(proposals, productQuestion(talk));
  const price = offered(talk);
  const learnt = price === null ? {} : { target_cpm: price };
  const missing = missingTerms(terms, price);
  if (missing.length > 0) return { ...clarify(proposals, `Please tell me ${missing.join(", ")}.`), learnt };
  const input = {
    product_id: id,
    deal_type: terms["deal_type"] ?? talk.finder.get(id)?.deal_types[0],
    price,
    impressions: terms["impressions"],
    start_date: terms["flight_start"],
    end_date: terms["flight_end"],
    ...(talk.heard.currency === null ? {} : { currency: talk.heard.currency }),
  };
  const currency = talk.heard.currency ?? "USD";
  const full = proposalTerms(talk, { ...input, currency }, price);
  return {
    ...clarify(proposals, `Your proposal: ${termsText(full)}. Shall I submit it?`),
    about: { ...terms, product_id: id, deal_type: input.deal_type, target_cpm: price },
    learnt: { ...learnt, deal_type: input.deal_type },
    offers: [{ kind: "submission", id, digest: null, change: input }],
  };
};

export const readProposal = (talk: Talk): Promise<Spoken> | Spoken => {
  const { proposal_id: id } = talk.memory.terms;
  if (typeof id !== "string") return clarify(proposals, "Which proposal do you mean? Give its id.");
  return ask(talk, proposals, { name: "get_proposal", input: { proposal_id: id } }, (output) => {
    const { outcome: _outcome, ...said } = saidOfProposal(talk)(output);
    return { ...said, outcome: "answer" };
  });
};
