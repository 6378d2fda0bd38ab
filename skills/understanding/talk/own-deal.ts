import type { Slots } from "../reading/slots.ts";
import { subjectOf } from "../subjects.ts";
import { hasOffer, productIdsOf } from "../terms.ts";
import { clarify, type Spoken, type Talk } from "./speech.ts";

const isOpen = ({ status }: Slots): boolean => status === "proposed" || status === "active";

const mostNamed = 5;

const whichDeal = ({ memory }: Talk, ids: readonly unknown[]): Spoken => {
  const nothing =
    hasOffer(memory.terms) && ids.length === 0
      ? "Nothing is booked here yet; what is not booked expires by itself. "
      : "";
  const among = ids.length === 0 ? "" : ` Yours of it: ${ids.slice(0, mostNamed).map(String).join(", ")}.`;
  return clarify("deals", `${nothing}Which deal do you mean? Give its deal ID, or ask for your deals.${among}`);
};

/** The deal of an id, of the conversation, or the only open one of the product that the message names. */
export const dealMeant = async (talk: Talk): Promise<string | Spoken> => {
  const { heard, memory } = talk;
  const { deal_id: id } = memory.terms;
  if (typeof id === "string") return id;
  const [product, other] = productIdsOf(memory.terms);
  if (product === undefined || other !== undefined) return whichDeal(talk, []);
  const booked = subjectOf(memory, product)?.dealId ?? null;
  if (booked !== null) return booked;
  if (heard.inventory.length === 0) return whichDeal(talk, []);
  const found = await talk.context.call("list_deals", { product_id: product, limit: 200 });
  if (found.kind !== "done") return whichDeal(talk, []);
  const deals = ((found.output as Slots)["deals"] ?? []) as readonly Slots[];
  const ids = deals.filter(isOpen).map((deal) => deal["deal_id"]);
  const [only] = ids;
  return ids.length === 1 && typeof only === "string" ? only : whichDeal(talk, ids);
};
