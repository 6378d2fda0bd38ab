import { isMembers } from "../../../protocol/neutral/json-input.ts";
import type { Draft } from "../../talk/gate/record.ts";
import { words } from "../../talk/reader/word-lists.ts";
import type { Slots } from "./memory.ts";

export interface Given {
  readonly terms: Slots;
  /** The command that a program names by a query type. */
  readonly command: string | null;
}

/** Aliases of operations and older clients, by the conversation's own name. */
const termNames: ReadonlyMap<string, string> = new Map([
  ["price", "target_cpm"],
  ["buyer_price", "target_cpm"],
  ["proposed_price", "target_cpm"],
  ["start_date", "flight_start"],
  ["end_date", "flight_end"],
  ["volume", "impressions"],
  ["product_ids", "product_id"],
]);

/** Objects that stand for their members. */
const nested = words("proposal counter_terms");

/** Not terms: who asks, and how. */
const unheard = words("operation agent_url query_type buyer");

const commandsByQueryType: ReadonlyMap<unknown, string> = new Map([
  ["discovery", "list"],
  ["pricing", "price"],
  ["availability", "availability"],
  ["proposal", "propose"],
  ["negotiation", "offer"],
  ["deal", "book"],
  ["deal_generation", "book"],
]);

const single = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value);

const isKnown = (value: unknown): boolean => value !== null && (!Array.isArray(value) || value.length > 0);

const termsIn = (members: Slots): Slots => {
  const own = Object.entries(members).filter(
    ([name, value]) => !unheard.has(name) && !nested.has(name) && isKnown(value),
  );
  const inner = Object.entries(members).filter(([name]) => nested.has(name));
  const flat = inner.flatMap(([, value]) => (isMembers(value) ? Object.entries(termsIn(value)) : []));
  return Object.fromEntries([...flat, ...own.map(([name, value]) => [termNames.get(name) ?? name, single(value)])]);
};

/** Values beside the text. */
export const readGiven = (members: Slots): Given => ({
  terms: termsIn(members),
  command: commandsByQueryType.get(members["query_type"]) ?? null,
});

const orderNames = words("proposal counter_terms price buyer_price proposed_price");
const orderTypes: ReadonlySet<unknown> = words("proposal negotiation deal deal_generation");

/** A program that names the deed and its terms by values has ordered as plainly as by a pick. */
export const ordersByValues = (slots: Slots): boolean =>
  orderTypes.has(slots["query_type"]) || Object.keys(slots).some((name) => orderNames.has(name));

/** The values name the very record of what would be done, or a price that is not exceeded. */
export const isOfValues = ({ operation, input }: Draft, given: Slots): boolean => {
  const names = (name: string): boolean => given[name] != null && given[name] === input[name];
  const isWithin = (price: unknown): boolean =>
    typeof given["target_cpm"] === "number" && Number(price) <= given["target_cpm"];
  if (operation === "book_deal") return names("quote_id");
  if (operation === "generate_deal") return names("proposal_id");
  if (operation === "submit_proposal") return given["target_cpm"] != null && given["target_cpm"] === input["price"];
  return operation === "negotiate" && isWithin(input["buyer_price"]);
};
