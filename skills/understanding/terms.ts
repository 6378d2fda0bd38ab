import { hasRecord, type Memory, newMemory, recordIds } from "./memory.ts";
import type { NamedProduct } from "./reading/names.ts";
import type { NamedInventory, ProductFinder } from "./reading/product-finder.ts";
import { resized, shifted } from "./reading/figures/changes.ts";
import type { Heard, Slots } from "./reading/slots.ts";
import type { Leftover } from "./reading/leftovers.ts";
import {
  agreedProduct,
  isInFocus,
  isOnlyName,
  ofCampaign,
  only,
  pricedTerms,
  topicNamed,
  topicOf,
  withoutBound,
} from "./topics.ts";

const startsOver = /\b(?:start over|start again|forget (?:all|everything)|scratch that|new request)\b/i;

const dropsIt = /\b(?:forget (?:it|that)|never ?mind)\b/i;

/** "No deal, forget it" answers our price, and what is negotiated does not end by it. */
const startsAnew = ({ isNegotiating }: Memory, text: string, { slots, inventory }: Heard): boolean => {
  const isAnswer = isNegotiating && inventory.length === 0 && Object.keys(slots).length === 0;
  return startsOver.test(text) || (dropsIt.test(text) && !isAnswer);
};

/** A quote or proposal, which stays open until it expires. */
export const hasOffer = (terms: Slots): boolean =>
  terms["quote_id"] !== undefined || terms["proposal_id"] !== undefined;

/** Dropped where another product is named. */
const boundToProduct = [...recordIds, "target_cpm", "budget"];

export const without = (slots: Slots, names: readonly string[]): Slots =>
  Object.fromEntries(Object.entries(slots).filter(([name]) => !names.includes(name)));

export const productIdsOf = (terms: Slots): readonly string[] => {
  const given = terms["product_id"];
  if (typeof given === "string") return [given];
  return Array.isArray(given) ? given.filter((id) => typeof id === "string") : [];
};

/** "Display and video" asks of each, unless a kind has more. */
const mostOfKind = 4;

const namedOf = (inventory: readonly NamedInventory[]): Slots => {
  const isMeant = ({ products: found, isNamed }: NamedInventory): boolean =>
    found.length === 1 || (inventory.length > 1 && !isNamed && found.length <= mostOfKind);
  const products = inventory.flatMap((one) => (isMeant(one) ? one.products : []));
  const [only] = products;
  if (products.length > 1) return { product_id: products.map((product) => product.product_id) };
  if (only !== undefined) return { product_id: only.product_id };
  const type = inventory[0]?.inventoryType ?? null;
  return type === null ? {} : { inventory_type: type };
};

/** What the message changes by a share, a number or a length of what is in force. */
export const changedFrom = (before: Slots, { slots, resize, shift }: Heard): Slots => {
  const { impressions, flight_start: start, flight_end: end } = before;
  const isResized = resize !== null && slots["impressions"] === undefined && typeof impressions === "number";
  const isMoved = shift !== null && typeof start === "string" && typeof end === "string";
  return {
    ...(isResized ? { impressions: resized(impressions, resize) } : {}),
    ...(isMoved ? shifted({ flight_start: start, flight_end: end }, shift) : {}),
  };
};

const soldTerms = ["impressions", "flight_start", "flight_end", "deal_type"];

/** Of what is sold, not of its price. */
export const changesTerms = ({ slots, resize, shift }: Heard): boolean =>
  resize !== null || shift !== null || soldTerms.some((name) => slots[name] !== undefined);

/** Changes of something that nobody has named yet. */
export const unplacedChanges = (terms: Slots, { resize, shift }: Heard): readonly Leftover[] => {
  const hasFlight = terms["flight_start"] !== undefined && terms["flight_end"] !== undefined;
  const unplaced = [
    ...(resize !== null && terms["impressions"] === undefined ? [resize] : []),
    ...(shift !== null && !hasFlight ? [shift] : []),
  ];
  return unplaced.map(({ words }) => ({ text: words.trim(), isBinding: true, isBarePrice: false }));
};

const sells = (product: NamedProduct | null, dealType: unknown): boolean =>
  product === null || typeof dealType !== "string" || product.deal_types.includes(dealType);

interface Said {
  readonly text: string;
  /** With marks for names and figures. */
  readonly spoken: string;
}

type Place = Pick<Memory, "terms" | "isNegotiating">;

const keptOf = (
  memory: Memory,
  { named, isUnclear, said, slots }: { readonly named: Slots; isUnclear: boolean; readonly said: Said; slots: Slots },
  finder: ProductFinder,
): Place => {
  const namesNothing = named["product_id"] === undefined && named["inventory_type"] === undefined;
  if (namesNothing && !isUnclear) return memory;
  const [id, another] = productIdsOf(named);
  const meant = another === undefined ? topicNamed(memory, id, slots) : null;
  const isSame = id !== undefined && productIdsOf(memory.terms).join() === productIdsOf(named).join();
  if (isSame) return meant === null || isInFocus(memory, meant) ? memory : meant;
  const recorded = another === undefined ? (meant ?? topicOf(memory, id)) : null;
  if (recorded !== null) return recorded;
  const priced = pricedTerms(memory, id, said.text, said.spoken);
  const own = withoutBound(memory.terms, said.text, said.spoken);
  const free = priced === null ? own : { ...without(own, ["impressions", "deal_type"]), ...priced };
  // What was said before any product was named is meant for the one that is named now.
  const isNext = productIdsOf(memory.terms).length === 0;
  const isAside = isOnlyName(said.spoken) && !hasRecord(memory.terms);
  const bound = isNext ? recordIds : boundToProduct;
  const kept = without(free, [
    "product_id",
    "inventory_type",
    ...bound.filter((name) => !(isAside && name === "budget")),
  ]);
  const isSold = sells(id === undefined ? null : finder.get(id), kept["deal_type"]);
  return { terms: isSold ? kept : without(kept, ["deal_type"]), isNegotiating: false };
};

export const inForce = (memory: Memory, text: string, heard: Heard, given: Slots, finder: ProductFinder): Memory => {
  const before = startsAnew(memory, text, heard) ? newMemory : memory;
  const agreed = heard.inventory.length === 0 ? agreedProduct(before, text, heard.slots) : null;
  const named = { ...(agreed === null ? namedOf(heard.inventory) : { product_id: agreed }), ...given };
  const isUnclear = heard.inventory.some(({ products, isNamed }) => isNamed && products.length > 1);
  const said = { text, spoken: heard.spoken };
  const { terms: found, isNegotiating } = keptOf(before, { named, isUnclear, said, slots: heard.slots }, finder);
  // "What would 10k buy" asks for a volume; a limit of the total leaves the volume in force.
  const isNewBudget = heard.slots["budget"] !== undefined && heard.slots["impressions"] === undefined;
  const isBudget = isNewBudget && heard.limit === null;
  const kept = isBudget ? without(found, ["impressions"]) : found;
  const slots = { ...changedFrom(kept, heard), ...heard.slots, ...named };
  return { ...before, isNegotiating, terms: { ...only(before.terms, ofCampaign), ...kept, ...slots } };
};
