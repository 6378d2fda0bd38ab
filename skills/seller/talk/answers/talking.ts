import type { Draft } from "../../../talk/gate/record.ts";
import { words as wordList } from "../../../talk/reader/word-lists.ts";
import { isOfDeal, passedOn } from "../drafts.ts";
import { openTopics, pick, recordIds, rowsOfList, type Slots, soleOf, topicFor } from "../memory.ts";
import { says } from "../requests.ts";
import { clarify, longestWords, read, type Spoken, type Talk, tell, toPerson } from "../spoken.ts";
import { money } from "../wording.ts";
import { recordNames } from "./deals.ts";
import { nameOf } from "./discovery.ts";
import { price, quoteDraft, unpricedText } from "./pricing.ts";

const assurances: Readonly<Record<string, string>> = {
  PG: "PG, programmatic guaranteed: a fixed price and a volume that is reserved on every day of the flight. ",
  PD: "PD, preferred deal: a fixed price and a first look, without a reserved volume. ",
  PA: "PA, private auction: invited buyers bid above a set price, without a reserved volume. ",
};

const meanings: readonly (readonly [RegExp, string])[] = [
  [
    /\bcpms?\b|\bper thousand\b/i,
    "CPM is the price of 1,000 impressions: at $7.20 CPM, 100,000 impressions cost $720.00. ",
  ],
  [/\bimpressions?\b|\bimps?\b/i, "An impression is one showing of an ad to one viewer. "],
  [/\bros\b|\brun[- ]of[- ]site\b/i, "ROS, run of site, is an ad in any section of a site. "],
  [/\bctv\b/i, "CTV is television over the internet, on connected sets. "],
  [/\bd?ooh\b/i, "DOOH is advertising on digital screens out of home, like a billboard. "],
  [/\bpre-?rolls?\b/i, "A pre-roll is a video ad before the video that somebody wants to see. "],
  [/\bnative\b/i, "A native ad has the form of the feed or article around it. "],
  [/\bdsps?\b/i, "A DSP is the buying system in which a booked deal runs, by its deal ID. "],
  [/\bper (?:spot|thousand)\b/i, "Prices here are per 1,000 impressions (CPM), for spots too. "],
  [/\bdeal ids?\b/i, "A deal ID names a booked deal in your buying system (DSP). "],
  [/\bflights?\b/i, "The flight is the first to the last day on which the ads run. "],
  [/\bpg\b|\bguaranteed\b/i, assurances["PG"] ?? ""],
  [/\bpd\b|\bpreferred\b/i, assurances["PD"] ?? ""],
  [/\bpa\b|\bprivate (?:auction|marketplace)\b|\bpmp\b/i, assurances["PA"] ?? ""],
];

const soldAs = (asked: readonly string[], types: readonly string[]): string => {
  const sold = asked.filter((one) => types.includes(one));
  if (sold.length === asked.length) return "Yes";
  return sold.length === 0 ? "No" : `As ${sold.join(" and ")}, yes`;
};

const asksFloor = /\bfloors?\b|\b(?:minimum|lowest|least|starting)\b.*\bbids?\b|\bbids? (?:above|over|below|under)\b/i;

/** A deal of a private auction has the price of its quote as its `bidfloor`; how low a quote may go is not told. */
export const bidFloor = async (talk: Talk): Promise<readonly Spoken[] | null> => {
  const { said, text } = talk.request;
  const isAuction =
    said.dealTypes.includes("PA") || talk.terms["deal_type"] === "PA" || /\bauctions?\b|\bbids?\b/i.test(text);
  if (!isAuction || !asksFloor.test(text)) return null;
  const sold = talk.ids.filter((id) => talk.finder.get(id)?.deal_types.includes("PA") === true);
  const others = talk.ids.filter((id) => !sold.includes(id)).map((id) => `${nameOf(talk, id)} is not sold as PA. `);
  const lead =
    `${others.join("")}In a private auction (PA) invited buyers bid above a set price, which is the ` +
    "price of the quote: bids have to exceed it.";
  const plain = { ...talk.request, text: "", said: { ...said, price: null, numbers: [], budget: null } };
  const told = sold.length === 0 || sold.length > mostPriced ? [] : await price({ ...talk, ids: sold, request: plain });
  const about = { ...talk.terms, deal_type: "PA" };
  return [
    tell("pricing", lead, { about }),
    ...told.map((one) => ({ ...one, drafts: [], about: { ...one.about, ...about } })),
  ];
};

const mostPriced = 6;

/** The words of the trade that the message names; of a product, what it is sold as; without either the deal types. */
export const explained = async (talk: Talk): Promise<readonly Spoken[]> => (await bidFloor(talk)) ?? [meaning(talk)];

const meaning = (talk: Talk): Spoken => {
  const isOfOne = talk.request.said.products.length > 0 || /\b(?:it|this|that)\b/i.test(talk.request.text);
  const id = isOfOne ? soleOf(talk.ids) : null;
  const assured = (types: readonly string[]): string => types.map((one) => assurances[one] ?? "").join("");
  const asked = talk.request.said.dealTypes.filter((one) => one !== "");
  const [type] = asked;
  const defining =
    /\b(?:vs|versus|against|compared|difference|mean\w*|explain|define)\b|^\W*(?:and |but |so )?what(?:'s| is| are)\b/i;
  const isDefined = says(talk.request, "matter letters") || defining.test(talk.request.text);
  if (type !== undefined && isDefined) return tell("discovery", assured(asked).trim());
  if (id !== null && type !== undefined) {
    const types = talk.finder.get(id)?.deal_types ?? [];
    const open = topicFor(talk.memory, id)?.terms["deal_type"];
    const isOpen = typeof open === "string" && openTopics(talk.memory).some(({ product }) => product === id);
    const isOther = isOpen && open !== type && types.includes(type);
    const words = isOpen
      ? [
          `${open === type ? "Yes" : "No"}, what is open of ${nameOf(talk, id)} is a ${open} deal.`,
          isOther ? `It is sold as ${type} too: "quote it as ${type}" tells its price.` : "",
          assured([open]),
        ]
      : [`${soldAs(asked, types)}, ${nameOf(talk, id)} is sold as ${types.join(", ")}.`, assured(types)];
    return tell("discovery", words.join(" ").trim(), { about: { ...talk.terms, product_id: id } });
  }
  const named = meanings.filter(([pattern]) => pattern.test(talk.request.text)).map(([, meaning]) => meaning);
  return tell("discovery", (named.length === 0 ? Object.values(assurances) : named).join("").trim());
};

const openNames = (talk: Talk): string => recordNames(talk, openTopics(talk.memory));

/** Nothing is done by a message that holds back; what is open may be taken later. */
export const wait = (talk: Talk): Spoken => {
  const names = openNames(talk);
  const isDeal = talk.memory.terms["deal_id"] != null && names === "";
  const state = names === "" ? (isDeal ? " The deal stays as it is." : "") : ` Still open: ${names}.`;
  return tell(
    talk.open.length > 0 || names !== "" ? "deals" : null,
    `Nothing is booked, sent or changed by this message.${state}`,
    { drafts: talk.open.slice(-3), reason: "held_back" },
  );
};

export const greet = (): Spoken =>
  tell(
    null,
    "Hello. Ask what is on sale, for a price or availability, or name a product, a volume and dates for a quote; " +
      "then book it, or offer your own price.",
  );

export const thanks = (talk: Talk): Spoken => {
  const names = openNames(talk);
  return tell(null, `You are welcome.${names === "" ? "" : ` Nothing is booked by that; still open: ${names}.`}`, {
    drafts: talk.open.slice(-3),
  });
};

/** How low a price may go, and what others do, stays with the seller. */
export const withhold = async (talk: Talk): Promise<Spoken> => {
  const isPrice = /\b(?:floor|minimum|min|least|lowest|bottom|reserve|low)\b/i.test(talk.request.text);
  const id = soleOf(talk.ids);
  const words = isPrice
    ? "How far a price may go is not told here."
    : "What is internal here, and what other buyers do or pay, is not told.";
  const refusal = { outcome: "refuse", reason: "withheld" } as const;
  if (!isPrice || id === null) return tell(null, `${words} Ask for a price, or name your own.`, refusal);
  const open = topicFor(talk.memory, id);
  const [told] = await price({
    ...talk,
    request: { ...talk.request, text: "", said: { ...talk.request.said, price: null, numbers: [], budget: null } },
  });
  const own = open?.cpm != null ? `Our price so far is ${money(open.cpm)} CPM.` : (told?.text ?? "");
  return tell("pricing", `${words} ${own} Name your own price, and I answer it.`, refusal);
};

/** For a person, of several messages. */
const mostWords = 1500;

const mostOfBare = 6;

/** "Yes, pass it on, and the question about sizes": what was asked before is passed on as well. */
const wordsFor = ({ memory, open, request }: Talk): string => {
  const own = request.scan.text.slice(0, longestWords);
  // "Talk to a person", behind a question, says nothing of it.
  const isBare = request.scan.tokens.length <= mostOfBare && request.said.entities.length === 0;
  if (memory.isHandedOver || !(isBare || says(request, "it this that these those them along"))) return own;
  const shown = open.findLast(({ operation }) => operation === toPerson)?.input["words"];
  const before = typeof shown === "string" && shown.endsWith(memory.words) ? shown : memory.words;
  return [before, own].filter((one) => one !== "").join(" / ");
};

/** With the buyer's words and records, by its option. */
export const handOver = (talk: Talk): Spoken => {
  if (talk.context.caller.kind === "anonymous")
    return clarify(null, "A person can answer you when you sign in with an API key.", { reason: "sign_in" });
  const { memory, request } = talk;
  const about = Object.fromEntries(
    Object.entries(pick({ ...memory.terms, ...request.said.ids }, ["product_id", ...recordIds])).filter(
      ([, value]) => typeof value === "string",
    ),
  );
  const all = wordsFor(talk);
  const words = all.slice(-mostWords);
  const lead = memory.isHandedOver ? "No answer has come yet." : "A person of our team can answer that.";
  const told = all === request.scan.text.slice(0, longestWords) ? "" : ` I would pass on: "${words}"`;
  return clarify("deals", `${lead}${told}`, {
    drafts: [{ operation: toPerson, input: { words, ...about } }],
    asks: memory.isHandedOver ? "Shall I pass these words on as well?" : "Shall I pass your words on?",
  });
};

const whereAnswered = "Once a person has answered, your next message here brings the answer.";

export const handedOver = (output: Slots, words: string): Spoken => ({
  skill: "deals",
  outcome: "pending",
  result: output,
  isHandedOver: true,
  text: `A person of our team is asked to answer you, with your words: "${words}" ${whereAnswered}`,
});

/** What was asked in another conversation counts too: a buyer has one request at a time. */
export const answered = async (talk: Talk): Promise<Spoken> => {
  const found = talk.context.caller.kind === "anonymous" ? null : await read(talk, "list_handovers", { limit: 1 });
  const [last] = rowsOfList(found, "handovers");
  if (last === undefined) return tell(null, "No person was asked yet. Ask for one, and I pass your words on.");
  const words = `You asked a person: "${String(last["words"])}"`;
  return last["status"] === "open"
    ? tell(null, `No answer has come yet. ${words} ${whereAnswered}`, { result: last })
    : tell(null, `A person answered you: "${String(last["answer"])}" ${words}`, { result: last });
};

/** What has no price is named, and a person can make one. */
export const withPerson = (talk: Talk, spoken: Spoken): Spoken => {
  const id = soleOf(talk.ids);
  if (spoken.reason !== "unpriceable_product" || id === null) return spoken;
  return { ...spoken, text: unpricedText(talk, id), drafts: passedOn(talk) };
};

const longestNamed = 160;

/** A wish beside others that nothing here answers: it is named, so that nobody takes it for agreed. */
export const unanswered = ({ request: { text } }: Talk): Spoken =>
  clarify(null, `I have no answer to "${text.slice(0, longestNamed)}".`, { reason: "not_understood" });

const mostOptions = 3;
const mostOffered = 6;
/** What a menu makes of itself. */
const guesses = wordList("get_pricing check_avails discover_inventory list_deals request_quote request_handover");

/** Nothing fits: at most three things that may be meant, each done by a pick and none by itself. */
export const menu = (talk: Talk): Spoken => {
  const id = soleOf(talk.ids);
  const { impressions, flight_start: start, flight_end: end } = talk.terms;
  const volume = typeof impressions === "number" ? { volume: impressions } : null;
  const ofProduct = [
    { operation: "get_pricing", input: { product_id: id, ...volume } },
    ...(id === null || volume === null ? [] : [quoteDraft(talk, id)]),
    ...(start != null && end != null
      ? [{ operation: "check_avails", input: { product_id: id, start_date: start, end_date: end } }]
      : []),
  ];
  const ofAny = [
    { operation: "discover_inventory", input: { query: "catalog" } },
    { operation: "list_deals", input: {} },
  ];
  const open = talk.open.filter(({ operation }) => !guesses.has(operation));
  // What was shown last stays what "both" and "2" mean.
  const of = open.at(-1);
  const isLike = (one: Draft): boolean =>
    of !== undefined && (one.operation === of.operation || (isOfDeal(one) && isOfDeal(of)));
  const offered = open.slice(open.findLastIndex((one) => !isLike(one)) + 1);
  if (offered.length > 1)
    return clarify(null, "I did not understand that, and nothing was done. Still open, and none of it is done:", {
      drafts: offered.slice(-mostOffered),
      reason: "menu",
    });
  const last = offered.slice(-1);
  const person = passedOn(talk);
  const drafts: readonly Draft[] = [...last, ...(id === null ? ofAny : ofProduct)];
  const shown = [...drafts.slice(0, mostOptions - person.length), ...person];
  return clarify(
    null,
    shown.length === 0
      ? "I did not understand that. Ask for products, prices, availability or a quote."
      : "I did not understand that, and nothing was done. Did you mean one of these?",
    { drafts: shown, reason: "menu" },
  );
};
