import type { Slots } from "../reading/slots.ts";
import { hasOffer, productIdsOf } from "../terms.ts";
import { dealOf } from "../topics.ts";
import { dealLine, dealsOf, isRunning } from "./deal-lines.ts";
import { asLines, clarify, type Spoken, type Talk } from "./speech.ts";

const mostNamed = 6;

const whichDeal = ({ memory }: Talk, deals: readonly Slots[]): Spoken => {
  if (deals.length > 0) {
    const lines = deals.slice(0, mostNamed).map(dealLine);
    return clarify("deals", `${asLines("Which of these deals do you mean?", lines)}\nGive its deal ID.`);
  }
  const nothing = hasOffer(memory.terms) ? "Nothing is booked here yet; what is not booked expires by itself. " : "";
  return clarify("deals", `${nothing}Which deal do you mean? Give its deal ID, or ask for your deals.`);
};

/** The deal of an id, of the conversation, or the only running one of the product that the message names. */
export const dealMeant = async (talk: Talk): Promise<string | Spoken> => {
  const { heard, memory } = talk;
  const [product, other] = productIdsOf(memory.terms);
  const { deal_id: id } = other === undefined ? memory.terms : heard.slots;
  if (typeof id === "string") return id;
  if (other !== undefined) return whichDeal(talk, (await dealsOf(talk, {})).filter(isRunning));
  const booked = dealOf(memory, product);
  if (booked !== null) return booked;
  const isNamed = product !== undefined && heard.inventory.length > 0;
  const isOpen = !isNamed && hasOffer(memory.terms);
  const found = isOpen ? [] : await dealsOf(talk, isNamed ? { product_id: product } : {});
  const deals = found.filter(isRunning);
  const [only] = deals;
  const { deal_id: onlyId } = only ?? {};
  return deals.length === 1 && typeof onlyId === "string" ? onlyId : whichDeal(talk, deals);
};
