import type { SessionStage } from "../../../machines/session/machine.ts";
import type { Caller } from "../../../protocol/seam/caller.ts";
import type { Talk } from "./record.ts";
import { membersOf, type Members } from "../../../protocol/neutral/members.ts";

/** The first kind with a match counts. */
const phrases: readonly (readonly [kind: string, intent: string, words: readonly string[]])[] = [
  ["deal", "deal_request", ["create a deal", "create deal", "book", "buy inventory", "want to buy", "make a deal"]],
  [
    "negotiation",
    "counter_offer",
    [
      "counter",
      "lower",
      "negotiate",
      "how about",
      "would you accept",
      "can you do",
      "what about",
      "best price",
      "too high",
      "too expensive",
    ],
  ],
  ["pricing", "pricing_inquiry", ["price", "cost", "cpm", "rate", "how much"]],
  ["availability", "availability_inquiry", ["available", "inventory", "impressions", "capacity", "product", "catalog"]],
];

/** `stage` null keeps the session's stage. */
export interface MessageKind {
  readonly type: string;
  readonly intent: string | null;
  readonly stage: SessionStage | null;
}

/** Changes nothing: the understanding finds what the text asks for. */
export const kindOfMessage = (text: string): MessageKind => {
  const lower = text.toLowerCase();
  const found = phrases.find(([kind, , words]) => kind === lower || words.some((word) => lower.includes(word)));
  if (found === undefined) return { type: "general", intent: null, stage: null };
  const [type, intent] = found;
  return { type, intent, stage: type === "availability" ? null : (type as SessionStage) };
};

/** Public where unproven. */
export const buyerKeyOf = (caller: Caller): string => {
  if (!caller.verified) return "public";
  const { advertiser_id: advertiser, agency_id: agency, seat_id: seat } = caller.identity;
  if (advertiser) return `advertiser:${advertiser}`;
  if (agency) return `agency:${agency}`;
  return seat ? `seat:${seat}` : "public";
};

export const newTalk: Talk = {
  product_ids_discussed: [],
  last_pricing_shown: {},
  pending_proposal_id: null,
  active_deal_ids: [],
  counter_round: 0,
  last_intent: null,
  negotiation_id: null,
  linked_flow_ids: [],
};

interface Answered {
  readonly understood: Readonly<Record<string, unknown>>;
  readonly result: unknown;
}

const textIn = (members: Members, name: string): string | null => {
  const value = members[name];
  return typeof value === "string" && value !== "" ? value : null;
};

/** Of one sort; the oldest are evicted. */
const mostIds = 100;

const added = (ids: readonly string[], more: readonly (string | null)[]): readonly string[] =>
  [...new Set([...ids, ...more.filter((id) => id !== null)])].slice(-mostIds);

const priceIn = (result: Members): number | null => {
  const { final_price: direct } = result;
  const { final_cpm: quoted } = membersOf(result["pricing"]);
  if (typeof direct === "number") return direct;
  return typeof quoted === "number" ? quoted : null;
};

const shownPrices = (before: Talk["last_pricing_shown"], product: string | null, price: number | null) => {
  if (product === null || price === null) return before;
  const { [product]: _, ...others } = before;
  return Object.fromEntries([...Object.entries(others), [product, price] as const].slice(-mostIds));
};

export const talkAfter = (talk: Talk, answer: Answered): Talk => {
  const result = membersOf(answer.result);
  const product =
    textIn(result, "product_id") ??
    textIn(membersOf(result["product"]), "product_id") ??
    textIn(answer.understood, "product_id");
  const [proposal, deal, negotiation, quote] = ["proposal_id", "deal_id", "negotiation_id", "quote_id"].map((name) =>
    textIn(result, name),
  );
  const round = result["round_number"] ?? membersOf(result["round"])["round_number"];
  return {
    ...talk,
    product_ids_discussed: added(talk.product_ids_discussed, [product]),
    last_pricing_shown: shownPrices(talk.last_pricing_shown, product, priceIn(result)),
    pending_proposal_id: proposal ?? talk.pending_proposal_id,
    active_deal_ids: added(talk.active_deal_ids, [deal ?? null]),
    counter_round: typeof round === "number" ? round : talk.counter_round,
    negotiation_id: negotiation ?? talk.negotiation_id,
    linked_flow_ids: added(talk.linked_flow_ids, [quote ?? null, proposal ?? null, deal ?? null]),
  };
};

/** Content without words is kept as it came; the message's `type` is then what it asks for. */
export const spokenIn = (input: {
  readonly message?: string | null | undefined;
  readonly content?: string | Members | null | undefined;
  readonly type?: string | null | undefined;
}): { readonly text: string; readonly words: string; readonly slots: Members } => {
  const said = input.message ?? input.content ?? "";
  if (typeof said === "string") return { text: said, words: said, slots: {} };
  const { text, message, ...slots } = said;
  const spoken = [text, message].find((value) => typeof value === "string");
  if (typeof spoken === "string") return { text: spoken, words: spoken, slots };
  return { text: JSON.stringify(said), words: "", slots: { query_type: input.type, ...slots } };
};
