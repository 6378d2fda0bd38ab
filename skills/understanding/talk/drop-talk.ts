import { newConversation } from "../../../machines/conversation/machine.ts";
import type { Topic } from "../memory.ts";
import { hasRecord } from "../memory.ts";
import { dealOf, dealTopics, focusedOn, focusOf, ofCampaign, only, openTopics } from "../topics.ts";
import { topicsMeant, unwantedIn } from "../unwanted.ts";
import { cancelDeal, cancelQuestion } from "./change-talk.ts";
import { countedText, dealsOf, isRunning, isStanding } from "./deal-lines.ts";
import { type Open, openOf, referenceOf } from "./open-talk.ts";
import { openInTalk, openLine } from "./portfolio-talk.ts";
import { shortTerms, termsText } from "./shown-terms.ts";
import { asLines, moment, type Spoken, type Talk } from "./speech.ts";

interface Wanted {
  readonly topic: Topic;
  /** Null where it was never quoted, or is over. */
  readonly open: Open | null;
}

const nameOf = ({ finder }: Talk, product: string): string => finder.get(product)?.name ?? product;

const droppedLine = (talk: Talk, { topic, open }: Wanted): string => {
  const name = nameOf(talk, topic.product);
  if (open === null && hasRecord(topic.terms)) return `${name} is over already: nothing of it is open.`;
  if (open === null) return `${name} was never quoted or booked, so there is nothing to cancel; I leave it out.`;
  const until = open.output["expires_at"];
  const end = typeof until === "string" ? `expires by itself on ${moment(until)}` : "expires by itself";
  return `Left out: ${open.id}, ${shortTerms(open.terms)}. Nothing is booked of it; it costs nothing and ${end}.`;
};

/** What goes on, so that the next message need not guess. */
const restText = async (talk: Talk, left: readonly Topic[]): Promise<string> => {
  const topics = (talk.memory.topics ?? []).filter((topic) => !left.includes(topic));
  const memory = { ...talk.memory, life: newConversation, terms: only(talk.memory.terms, ofCampaign), topics };
  const open = await openInTalk({ ...talk, memory });
  const ids = new Set(dealTopics(memory).map(({ terms }) => terms["deal_id"]));
  const booked = (await dealsOf(talk, {})).filter((deal) => isStanding(deal) && ids.has(deal["deal_id"]));
  const deals = booked.length === 0 ? "" : ` Booked stays: ${countedText(booked)}.`;
  if (open.length === 0) return `Nothing else is open.${deals}`;
  return `${asLines("Still open:", open.map(openLine))}${deals === "" ? "" : `\n${deals.trim()}`}`;
};

const leaveOut = async (talk: Talk, all: readonly Wanted[]): Promise<Spoken> => {
  const left = all.map(({ topic }) => topic);
  const rest = openTopics(talk.memory).filter((topic) => !left.includes(topic));
  const [next, other] = rest;
  const lines = all.map((one) => droppedLine(talk, one));
  return {
    skill: "deals",
    outcome: "rejected",
    result: null,
    dropped: left,
    ...focusOf(next === undefined || other !== undefined ? null : next),
    text: [...lines, await restText(talk, left)].join("\n"),
  };
};

const wantedOf = async (talk: Talk, topics: readonly Topic[]): Promise<readonly Wanted[]> => {
  const wanted: Wanted[] = [];
  for (const topic of topics) {
    const reference = referenceOf(topic);
    wanted.push({ topic, open: reference === null ? null : await openOf(talk, reference) });
  }
  return wanted;
};

export const leaveOutTopics = async (talk: Talk, topics: readonly Topic[]): Promise<Spoken> =>
  leaveOut(talk, await wantedOf(talk, topics));

/** A negotiation is over for both sides, so it ends by the word for it alone. */
const endNegotiation = ({ topic, open }: Running): Spoken => ({
  skill: "negotiation",
  outcome: "clarify",
  result: open.output,
  ...focusOf(topic),
  offers: [{ kind: "rejection", id: open.id, digest: null, change: null }],
  text: `Negotiation ${open.id}: ${termsText(open.terms)} is our last price. Shall I end it? Say "reject" to end it.`,
});

interface Running extends Wanted {
  readonly open: Open;
}

const isNegotiated = (one: Wanted): one is Running =>
  one.open?.kind === "counter" && one.open.output["status"] === "active";

/** Of several deals one question for all, as each asks for itself where it stands alone. */
const cancelDeals = async (talk: Talk, deals: readonly Topic[]): Promise<readonly Spoken[]> => {
  if (deals.length === 0) return [await cancelDeal(talk)];
  const asked: Spoken[] = [];
  for (const topic of deals) asked.push(await cancelDeal({ ...talk, memory: focusedOn(talk.memory, topic) }));
  const question = 'Shall I request these cancellations? Say "yes, cancel all" to do it.';
  return asked.length === 1
    ? asked
    : asked.map((one, place) => {
        const text = one.text.replace(` ${cancelQuestion}`, "");
        return { ...one, text: place === asked.length - 1 ? `${text} ${question}` : text };
      });
};

const nothingOf = async (talk: Talk, products: readonly string[]): Promise<Spoken> => {
  const names = products.map((product) => nameOf(talk, product)).join(" and ");
  const text = `Nothing of ${names} is quoted or booked here, so there is nothing to cancel.`;
  return { skill: "deals", outcome: "clarify", result: null, text: `${text}\n${await restText(talk, [])}` };
};

const hasDeals = async (talk: Talk, products: readonly string[]): Promise<boolean> => {
  for (const product of products) {
    const known = dealOf(talk.memory, product) !== null;
    if (known || (await dealsOf(talk, { product_id: product })).some(isRunning)) return true;
  }
  return false;
};

/** What was asked about or quoted is left out, a negotiation is asked to end, a deal to be cancelled. */
export const drop = async (talk: Talk): Promise<readonly Spoken[]> => {
  const unwanted = unwantedIn(talk.text, talk.heard, talk.finder);
  if (unwanted === null) return cancelDeals(talk, []);
  const meant = topicsMeant(talk.memory, unwanted, talk.heard);
  const { products } = unwanted;
  if (meant.length === 0 && products.length > 0 && !(await hasDeals(talk, products)))
    return [await nothingOf(talk, products)];
  const wanted = await wantedOf(talk, meant);
  const isBooked = ({ open }: Wanted): boolean => open?.kind === "deal" || open?.output["deal_id"] != null;
  const deals = wanted.filter(isBooked).map(({ topic }) => topic);
  const open = wanted.filter((one) => !isBooked(one));
  // Of a deal and a quote of one product only the deal needs an order to end.
  if (open.length === 0 || (deals.length > 0 && /\bcancel/i.test(talk.text))) return cancelDeals(talk, deals);
  const [running] = open.filter(isNegotiated);
  const left = open.filter((one) => !isNegotiated(one));
  const ended = running === undefined ? [] : [endNegotiation(running)];
  return [...(left.length === 0 ? [] : [await leaveOut(talk, left)]), ...ended];
};
