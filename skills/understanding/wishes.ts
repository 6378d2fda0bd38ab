import type { Offer } from "../../machines/conversation/machine.ts";
import type { Memory, Topic } from "./memory.ts";
import { isQuestion } from "./reading/choice/mood.ts";
import { plainText } from "./reading/choice/spelling.ts";
import type { Heard } from "./reading/slots.ts";
import { dealTopics, isInFocus, only, openTopics } from "./topics.ts";

const changeable = ["impressions", "flight_start", "flight_end"];

const takesUp =
  /\b(?:chang\w*|mov\w*|shift\w*|rais\w*|reduc\w*|extend\w*|updat\w*|yes|ok(?:ay)?|do|go ahead|request)\b/i;
const changes = /\b(?:change|move|shift|raise|reduce|extend|update|submit|request)\b/i;

const wishesIn = (memory: Memory): readonly Topic[] => dealTopics(memory).filter(({ wish }) => wish !== null);

/** The topic whose change was shown before, where the message comes back to it: "and the 1.2M? Change it, yes". */
export const wished = (memory: Memory, heard: Heard, text: string): Topic | null => {
  const { slots, inventory, resize, shift } = heard;
  if (resize !== null || shift !== null || slots["deal_id"] !== undefined) return null;
  const named = inventory.flatMap(({ products }) => products.map(({ product_id: id }) => id));
  const meant = wishesIn(memory).filter(({ product }) => named.length === 0 || named.join() === product);
  const figures = Object.entries(only(slots, changeable));
  const fitting = meant.filter(({ wish }) => figures.every(([name, value]) => wish?.[name] === value));
  const [topic, other] = fitting;
  if (topic === undefined || other !== undefined) return null;
  if (figures.length > 0) return takesUp.test(text) ? topic : null;
  const isOne = named.length > 0 || isInFocus(memory, topic);
  return isOne && changes.test(text) && !isQuestion(plainText(text)) && Object.keys(slots).length === 0 ? topic : null;
};

const isOther = /\b(?:(?:make|set|put|bump|turn) (?:it|that|this|them)|inst(?:ea|e)d)\b/i;
const isAnother = /\b(?:another|second|extra|additional|more|new|also|too|quotes?|prices?|costs?)\b/i;

/** "And homepage, make it 300k instead" of a booked deal: a quote beside it would be bought twice. */
export const changedDeal = (memory: Memory, { slots, inventory }: Heard, text: string): Topic | null => {
  const [product, other] = inventory.flatMap(({ products }) => products);
  const isChange = isOther.test(text) && !isAnother.test(text) && !isQuestion(plainText(text));
  if (product === undefined || other !== undefined || !isChange) return null;
  if (Object.keys(only(slots, changeable)).length === 0) return null;
  const isOf = (topic: Topic): boolean => topic.product === product.product_id;
  const [deal, another] = dealTopics(memory).filter(isOf);
  return another === undefined && !openTopics(memory).some(isOf) ? (deal ?? null) : null;
};

export const wishOf = (memory: Memory): Topic["wish"] =>
  wishesIn(memory).find((topic) => isInFocus(memory, topic))?.wish ?? null;

interface Heeded {
  readonly shown: readonly Offer[];
  /** What a yes or no was said to. */
  readonly settled: readonly Offer[];
}

/** A change that was shown stays wished until it is requested or refused. */
export const withWishes = (memory: Memory, { shown, settled }: Heeded): Memory => {
  const isOf = (id: unknown) => (offer: Offer) => offer.kind === "change" && offer.id === id;
  if (memory.topics === undefined || ![...shown, ...settled].some(({ kind }) => kind === "change")) return memory;
  const topics = memory.topics.map((topic): Topic => {
    const { deal_id: id } = topic.terms;
    const asked = shown.find(isOf(id));
    if (asked !== undefined) return { ...topic, wish: asked.change };
    return settled.some(isOf(id)) ? { ...topic, wish: null } : topic;
  });
  return { ...memory, topics };
};
