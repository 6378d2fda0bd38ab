import type { Act } from "./reading/acts.ts";
import type { ProductFinder } from "./reading/product-finder.ts";
import { isMembers } from "../../protocol/neutral/json-input.ts";
import type { Heard, Slots } from "./reading/slots.ts";
import { productIdsOf } from "./terms.ts";

/** What a data part says by itself: the terms that it names, and the act that it asks for, if it does. */
export interface Given {
  readonly terms: Slots;
  readonly act: Act | null;
}

/** The names that the operations and older clients give to a term, by the one that a conversation has for it. */
const termNames: ReadonlyMap<string, string> = new Map([
  ["price", "target_cpm"],
  ["buyer_price", "target_cpm"],
  ["proposed_price", "target_cpm"],
  ["start_date", "flight_start"],
  ["end_date", "flight_end"],
  ["volume", "impressions"],
  ["product_ids", "product_id"],
]);

/** Objects that stand for their members (wire contract 8). */
const nested: ReadonlySet<string> = new Set(["proposal", "counter_terms"]);

/** Members that are no terms: who asks, and how. */
const unheard: ReadonlySet<string> = new Set(["operation", "agent_url", "query_type", "buyer"]);

const actsByQueryType: ReadonlyMap<unknown, Act> = new Map([
  ["discovery", "list"],
  ["pricing", "price"],
  ["availability", "availability"],
  ["proposal", "propose"],
  ["negotiation", "offer"],
  ["deal", "book"],
  ["deal_generation", "book"],
]);

/** A list of one is the one. */
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

/** Reads the values that came beside the text (decision 55), under the names of the operations or of older clients. */
export const readGiven = (members: Slots): Given => ({
  terms: termsIn(members),
  act: actsByQueryType.get(members["query_type"]) ?? null,
});

/** What was said, with what came as data beside it: a value counts whichever way it came. */
export const heardWith = (heard: Heard, { terms }: Given, finder: ProductFinder): Heard => {
  const ids = productIdsOf(terms);
  return {
    ...heard,
    slots: { ...heard.slots, ...terms },
    inventory: ids.length === 0 ? heard.inventory : ids.map((id) => finder.find(id)),
  };
};
