import type { Draft } from "../../../talk/gate/record.ts";
import { dealTopics, focusOf, openTopics, pick, type Slots, type Topic, topicFor, withoutRecords } from "../memory.ts";
import { ask, carriedText, clarify, read, type Spoken, type Talk, tell } from "../spoken.ts";
import { priceSaid } from "../figures.ts";
import { changesTerms } from "../terms.ts";
import { recordOf } from "../meant.ts";
import { moment, money, saleIn, saleOfProposal, saleWords, targetingNote } from "../wording.ts";
import { saleText } from "../terms-text.ts";
import { recordNames, topicName, activationText } from "./deals.ts";
import { cancel } from "./changes.ts";
import { nameOf } from "./discovery.ts";
import { declinedOf, recordsNamed, topicsMeant } from "./topics-meant.ts";
import { productQuestion } from "./pricing.ts";
import { offer } from "./offers.ts";
import { heldBy, quote } from "./quotes.ts";

export const saidOfBooking = (talk: Talk, output: Slots): Omit<Spoken, "skill"> => {
  const { product_id: product } = output["product"] as Slots;
  const own = {
    product_id: product,
    deal_type: output["deal_type"],
    ...pick(output["terms"] as Slots, ["impressions", "flight_start", "flight_end"]),
  };
  const ids = { ...pick(output, ["quote_id", "proposal_id"]), deal_id: output["deal_id"] };
  const isInForce = talk.memory.terms["product_id"] === product;
  return {
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
    topic: { product: String(product), terms: { ...own, ...ids }, cpm: saleIn(output).cpm, isOver: false },
    text: [
      `Booked: deal ID ${String(output["deal_id"])}, ${saleWords(output)}.`,
      typeof output["notes"] === "string" ? ` It carries: ${output["notes"]}.` : "",
      activationText(output),
      targetingNote(talk.memory.terms),
    ].join(""),
  };
};

const open = (output: Slots | null): boolean => output !== null && output["status"] === "available";

const shownQuote = (talk: Talk, id: string, words: string): Promise<Spoken> =>
  ask(talk, "deals", { name: "get_quote", input: { quote_id: id } }, (output) => {
    const held = heldBy(talk, output);
    const what = `Quote ${id}: ${saleWords(output)}.${held.text}`;
    const dealId = output["deal_id"];
    const { product_id: product } = output["product"] as Slots;
    const terms = {
      product_id: product,
      quote_id: id,
      deal_type: output["deal_type"],
      ...pick(output["terms"] as Slots, ["impressions", "flight_start", "flight_end"]),
    };
    if (open(output)) {
      const topic: Topic = {
        product: String(product),
        terms: { ...pick(topicFor(talk.memory, String(product))?.terms ?? {}, ["negotiation_id"]), ...terms },
        cpm: saleIn(output).cpm,
        isOver: false,
      };
      return {
        outcome: "clarify",
        result: output,
        drafts: [{ operation: "book_deal", input: { quote_id: id } }],
        asks: "Shall I book it?",
        about: { ...talk.terms, ...terms },
        topic,
        learnt: terms,
        text: `${words}${what} Valid until ${moment(output["expires_at"])}.${carriedText(talk)}`,
      };
    }
    const over =
      typeof dealId === "string"
        ? `It is booked already: deal ID ${dealId}.`
        : `It is ${String(output["status"])}; ask for a new one.`;
    return { outcome: "answer", result: output, about: terms, text: `${what} ${over}` };
  });

const shownProposal = (talk: Talk, id: string, words: string): Promise<Spoken> =>
  ask(talk, "deals", { name: "get_proposal", input: { proposal_id: id } }, (output) => {
    const isAgreed = output["status"] === "accepted";
    const cpm = isAgreed ? output["agreed_price"] : output["price"];
    const sale = saleText(saleOfProposal(output, nameOf(talk, String(output["product_id"])), cpm));
    const drafts: readonly Draft[] = isAgreed ? [{ operation: "generate_deal", input: { proposal_id: id } }] : [];
    return {
      outcome: isAgreed ? "clarify" : "answer",
      result: output,
      drafts,
      ...(isAgreed ? { asks: "Shall I book it?" } : {}),
      about: { ...talk.terms, proposal_id: id },
      learnt: { proposal_id: id },
      text: `${words}Proposal ${id} is ${String(output["status"])}: ${sale}.`,
    };
  });

const shownNegotiation = async (talk: Talk, id: string, terms: Slots): Promise<Spoken> => {
  const output = await read(talk, "get_negotiation_status", { negotiation_id: id });
  const last = (output?.["round"] as Slots | null | undefined)?.["seller_price"];
  if (output === null || output["status"] !== "active" || typeof last !== "number")
    return shownRecord(talk, { ...terms, negotiation_id: null }, "");
  const quoteId = output["quote_id"];
  const quoted = typeof quoteId === "string" ? await read(talk, "get_quote", { quote_id: quoteId }) : null;
  const proposalId = output["proposal_id"];
  const proposal =
    quoted === null && typeof proposalId === "string"
      ? await read(talk, "get_proposal", { proposal_id: proposalId })
      : null;
  const words =
    quoted !== null
      ? saleWords(quoted, last)
      : proposal === null
        ? ""
        : saleText(saleOfProposal(proposal, nameOf(talk, String(proposal["product_id"])), last));
  const product = (quoted?.["product"] as Slots | undefined)?.["product_id"] ?? proposal?.["product_id"];
  const of = (quoted?.["terms"] ?? proposal ?? {}) as Slots;
  const at = output["last_offer"] === true ? "Our last offer stands" : "Our price stands";
  const held =
    quoted === null
      ? ""
      : heldBy(talk, { ...quoted, pricing: { ...(quoted["pricing"] as Slots), final_cpm: last } }).text;
  return clarify("negotiation", `${at}: ${money(last, output["currency"])} CPM, ${words}, negotiation ${id}.${held}`, {
    result: output,
    drafts: [{ operation: "negotiate", input: { negotiation_id: id, action: "accept", buyer_price: last } }],
    asks: "Shall we agree on that price?",
    about: {
      ...pick({ product_id: product, quote_id: quoteId, proposal_id: proposalId }, [
        "product_id",
        "quote_id",
        "proposal_id",
      ]),
      ...pick(of, ["impressions", "flight_start", "flight_end", "deal_type"]),
      negotiation_id: id,
    },
  });
};

/** The record with its terms in full and the option to take it. */
export const shownRecord = (talk: Talk, terms: Slots, words: string): Promise<Spoken> => {
  const { negotiation_id: negotiationId, proposal_id: proposalId, quote_id: quoteId } = terms;
  if (typeof negotiationId === "string") return shownNegotiation(talk, negotiationId, terms);
  if (typeof proposalId === "string") return shownProposal(talk, proposalId, words);
  return shownQuote(talk, String(quoteId), words);
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

const shownInTurn = async (talk: Talk, records: readonly Slots[]): Promise<readonly Spoken[]> => {
  const told: Spoken[] = [];
  for (const terms of records) told.push(await shownRecord(talk, terms, ""));
  return told;
};

const bookWithoutProduct = async (talk: Talk): Promise<readonly Spoken[]> => {
  const focus = openTopics(talk.memory);
  const [one, two] = focus;
  if (one !== undefined && two === undefined && talk.request.said.unsold === null)
    return [await shownRecord(talk, one.terms, "")];
  // What was declined a moment ago may be ordered after all.
  const declined = talk.memory.topics.findLast(
    ({ terms, isOver }) => isOver && terms["quote_id"] != null && terms["deal_id"] == null,
  );
  if (focus.length === 0 && declined !== undefined && !hasSaid(talk))
    return [await shownRecord(talk, declined.terms, "")];
  return [
    talk.request.said.unsold === null && !hasSaid(talk)
      ? nothingOpen(talk)
      : clarify("deals", productQuestion(talk), { reason: "missing_product" }),
  ];
};

const hasNoSize = ({ terms }: Talk): boolean => terms["impressions"] === undefined && terms["budget"] === undefined;

const bookedAlready = (talk: Talk): Spoken | null => {
  if (!hasNoSize(talk) || talk.memory.terms["deal_id"] == null || hasSaid(talk)) return null;
  const deal = focusOf(talk.memory);
  return deal?.terms["deal_id"] == null
    ? null
    : tell("deals", `That is booked: deal ID ${deal.terms["deal_id"] as string}. Nothing else is open.`, {
        reason: "nothing_open",
      });
};

/** No exact order: the terms are shown first, by options. */
export const book = async (talk: Talk): Promise<readonly Spoken[]> => {
  const named = recordsNamed(talk);
  if (named.length > 0) return shownInTurn(talk, named);
  const topics = topicsMeant(talk);
  const isChanged = changesTerms(talk.request, talk.memory, talk.terms);
  if (topics.length > 1)
    return shownInTurn(
      talk,
      topics.map(({ terms }) => terms),
    );
  const price = priceSaid(talk.request, talk.memory);
  const [bargain, second] = topics.length > 0 ? topics : openTopics(talk.memory);
  // "I'll take it at $28", of what is quoted at more: an offer of one's own, and no order.
  if (price !== null && !talk.request.isConditional && second === undefined && price < (bargain?.cpm ?? 0))
    return offer(talk);
  const [only, other] = talk.ids;
  const topic =
    topics[0] ??
    (only !== undefined && other === undefined ? (topicFor(talk.memory, only) ?? declinedOf(talk, only)) : null);
  if (
    topic !== null &&
    (topic.isOver || openTopics(talk.memory).includes(topic)) &&
    !(isChanged && differs(talk, topic))
  )
    return [await shownRecord(talk, topic.terms, "")];
  if (only === undefined) return bookWithoutProduct(talk);
  const booked = bookedAlready(talk);
  if (booked !== null) return [booked];
  const earlier = other === undefined && hasNoSize(talk) ? await earlierQuotes(talk, only) : [];
  if (earlier.length > 0) return earlier;
  return quote({ ...talk, terms: isChanged ? withoutRecords(talk.terms) : talk.terms });
};

const mostEarlier = 3;

/** "Book the pre-roll from yesterday": quotes of other conversations that can still be booked. */
const earlierQuotes = async (talk: Talk, product: string): Promise<readonly Spoken[]> => {
  const found = await read(talk, "list_quotes", { product_id: product, status: ["available"], limit: mostEarlier });
  const told: Spoken[] = [];
  for (const { quote_id: id } of (found?.["quotes"] ?? []) as readonly Slots[])
    told.push(await shownQuote(talk, String(id), ""));
  return told;
};

const hasSaid = ({ request: { said } }: Talk): boolean =>
  said.volumes.length > 0 || said.products.length > 0 || said.budget !== null || Object.keys(said.flight).length > 0;

/** The message names other terms than the record has. */
const differs = (talk: Talk, { terms }: Topic): boolean =>
  ["impressions", "flight_start", "flight_end", "deal_type"].some(
    (name) => talk.terms[name] != null && terms[name] != null && talk.terms[name] !== terms[name],
  ) ||
  (talk.request.said.volumes.length > 0 && terms["impressions"] === undefined);

/** "We accept": of our last price, or of what is open. */
export const accept = async (talk: Talk): Promise<readonly Spoken[]> => {
  const isNamed = talk.request.said.products.length > 0 || talk.request.said.allIds.length > 0;
  const bargain = isNamed
    ? undefined
    : openTopics(talk.memory).findLast(({ terms }) => terms["negotiation_id"] != null);
  return bargain === undefined ? book(talk) : [await shownRecord(talk, bargain.terms, "")];
};

/** What is open closes by a plain no; here it is said in many words, and the option that ends it is shown. */
export const decline = async (talk: Talk): Promise<readonly Spoken[]> => {
  const price = priceSaid(talk.request, talk.memory);
  const ours = focusOf(talk.memory)?.cpm ?? null;
  // "6.39 no. Meet me at 5.95": a refusal with a price of one's own is a counter-offer.
  if (price !== null && ours !== null && price < ours && openTopics(talk.memory).length === 1) return offer(talk);
  const said = [...talk.request.said.products.flatMap(({ ids }) => ids), ...talk.request.said.excluded];
  const isOpen =
    openTopics(talk.memory).some(({ product }) => said.includes(product)) &&
    !/\b(?:deal|booking|order)\b/i.test(talk.request.text);
  // "I don't need the native one any more": what is excluded is meant.
  const all = talk.request.said.entities.filter((one) => one.kind === "product");
  if (said.length > 0 && !isOpen && dealTopics(talk.memory).some(({ product }) => said.includes(product)))
    return [await cancel({ ...talk, request: { ...talk.request, said: { ...talk.request.said, products: all } } })];
  const topics = topicsMeant(talk);
  // "NBC is out", where it is out already, drops nothing else.
  const focus = topics.length > 0 || said.length > 0 ? topics : openTopics(talk.memory).slice(-1);
  const dropped = focus.map(({ product, terms }) => recordOf(terms) ?? product);
  const [one, two] = focus;
  const bargain = one?.terms["negotiation_id"];
  const state =
    two === undefined && typeof bargain === "string"
      ? await read(talk, "get_negotiation_status", { negotiation_id: bargain })
      : null;
  if (one !== undefined && state?.["status"] === "active") {
    const id = String(one.terms["negotiation_id"]);
    return [
      clarify("negotiation", `Nothing is booked or ended by this message.`, {
        drafts: [{ operation: "negotiate", input: { negotiation_id: id, action: "reject" } }],
        asks: `Shall I end negotiation ${id}?`,
      }),
    ];
  }
  const left = openTopics(talk.memory).filter((topic) => !focus.includes(topic));
  const names = focus.map((topic) => topicName(talk, topic)).join("; ");
  const rest = left.length === 0 ? "" : ` Still open: ${recordNames(talk, left)}.`;
  return [
    {
      skill: "negotiation",
      outcome: "rejected",
      result: null,
      dropped,
      text:
        focus.length === 0
          ? `Understood: nothing is booked or changed.${rest}`
          : `Understood: nothing is booked of ${names}. The quote expires by itself.${rest}`,
    },
  ];
};

/** How long a price stands; nothing is held without a booking. */
export const validity = async (talk: Talk): Promise<readonly Spoken[]> => {
  const topics = topicsMeant(talk);
  const own = topics.length > 0 ? topics : openTopics(talk.memory).slice(-1);
  const [id] = recordsNamed(talk).flatMap(({ quote_id: quoteId }) => (typeof quoteId === "string" ? [quoteId] : []));
  const ids =
    id !== undefined
      ? [id]
      : own.flatMap(({ terms }) => (typeof terms["quote_id"] === "string" ? [terms["quote_id"]] : []));
  const lines: string[] = [];
  const outputs: Slots[] = [];
  for (const quoteId of ids) {
    const output = await read(talk, "get_quote", { quote_id: quoteId });
    if (output === null) continue;
    outputs.push(output);
    lines.push(
      `Quote ${quoteId} (${(output["product"] as Slots)["name"] as string}) is ${String(output["status"])}, ` +
        `its price stands until ${moment(output["expires_at"])}.`,
    );
  }
  const [gone, another] = outputs.filter((output) => !open(output) && output["deal_id"] == null);
  const topic = own.find(({ terms }) => terms["quote_id"] === gone?.["quote_id"]);
  if (gone !== undefined && another === undefined && outputs.length === 1 && topic !== undefined)
    return [
      clarify("pricing", `${lines.join(" ")} Nothing is booked of it.`, {
        result: gone,
        drafts: [
          {
            operation: "request_quote",
            input: {
              product_id: topic.product,
              ...pick(topic.terms, ["deal_type", "impressions", "flight_start", "flight_end"]),
            },
          },
        ],
        asks: "Shall I quote it anew?",
      }),
    ];
  const isHold = /\b(?:hold|keep|reserve|block|option|freeze|lock)\b/i.test(talk.request.text);
  const none = isHold ? " Inventory is held by a booking alone." : "";
  if (lines.length === 0)
    return [tell("pricing", `A quote's price stands for 24 hours as a rule; nothing is quoted here yet.${none}`, {})];
  return [
    tell("pricing", `${lines.join(" ")}${none}`, {
      result: outputs.at(-1) ?? null,
      drafts: ids.map((quoteId) => ({ operation: "book_deal", input: { quote_id: quoteId } })),
    }),
  ];
};
