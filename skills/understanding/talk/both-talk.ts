import { meansAll } from "../asides.ts";
import type { Memory, Topic } from "../memory.ts";
import { changedFrom, changesTerms } from "../terms.ts";
import { allMeant, focusedOn, only, sold } from "../topics.ts";
import { quoteOf } from "./price-talk.ts";
import type { Spoken, Talk } from "./speech.ts";

const changedMemory = ({ memory, heard }: Talk, topic: Topic): Memory => {
  const own = only(topic.terms, sold);
  const terms = { ...own, ...changedFrom(own, heard), ...only(heard.slots, sold) };
  return focusedOn(memory, { ...topic, terms, isNegotiating: false });
};

/** "Move both to April" quotes each anew at its own terms; null where it does not mean several. */
export const quoteBoth = async (talk: Talk): Promise<readonly Spoken[] | null> => {
  const isMeant = meansAll(talk.text) && talk.heard.inventory.length === 0 && changesTerms(talk.heard);
  const topics = isMeant ? allMeant(talk.memory, talk.text) : [];
  if (topics.length < 2) return null;
  const quoted: Spoken[] = [];
  for (const topic of topics) {
    const { learnt: _learnt, ...one } = await quoteOf({ ...talk, memory: changedMemory(talk, topic) }, topic.product);
    quoted.push(one);
  }
  return quoted;
};
