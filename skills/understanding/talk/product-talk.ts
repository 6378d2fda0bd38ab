import { describe } from "./inventory-talk.ts";
import { assurances, asksForType } from "./open-talk.ts";
import type { Spoken, Talk } from "./speech.ts";
import { productIdsOf } from "../terms.ts";

const noMore = " That is all I have on record; ask for a person and I pass the question on.";

const typesText = ({ finder, memory }: Talk, place: number): string => {
  const id = productIdsOf(memory.terms)[place];
  const types = id === undefined ? [] : (finder.get(id)?.deal_types ?? []);
  return ` ${types.map((type) => assurances[type] ?? "").join("")}`.trimEnd();
};

/** What the catalog knows of the products in force. */
export const aboutProduct = async (talk: Talk): Promise<readonly Spoken[]> => {
  const told = (await describe(talk)).map(({ about: _asked, ...one }) => one);
  if (asksForType.test(talk.text))
    return told.map((one, place) => ({ ...one, text: `${one.text}${typesText(talk, place)}` }));
  return told.map((one, place) => (place === told.length - 1 ? { ...one, text: `${one.text}${noMore}` } : one));
};
