import { hasRecord, type Memory } from "./memory.ts";
import type { ActReader } from "./phrases.ts";
import { anyOf } from "./reading/any-of.ts";
import { conditionIn } from "./reading/clauses.ts";
import type { Act } from "./reading/choice/acts.ts";
import { dateWords } from "./reading/dates/words.ts";
import type { Leftover } from "./reading/leftovers.ts";
import type { Heard } from "./reading/slots.ts";
import { spansOf } from "./reading/spans.ts";
import { topicsIn as searchedIn } from "./reading/topics.ts";
import { clarify, count, type Spoken, type Talk } from "./talk/speech.ts";
import { productIdsOf } from "./terms.ts";
import { topicOf, topicsIn } from "./topics.ts";

const priced: ReadonlySet<Act> = new Set(["offer", "propose"]);

/** A search that finds nothing of what was named answers with more than was asked for. */
const searches: ReadonlySet<Act> = new Set(["list", "rank", "packages", "media kit", "targeting"]);

const asideOf = (text: string): Leftover => ({ text, isBinding: false, isBarePrice: false });

const isDate = (text: string): boolean => spansOf(text, dateWords).length > 0;

/** "1M instead of 1.2M", "April, not March" name what stood before. */
const isReplaced = (figure: string, { words, slots }: Heard): boolean => {
  const slot = isDate(figure) ? "flight_start" : "impressions";
  const isNamed = ["instead of", "rather than", "not"].some((before) =>
    words.toLowerCase().includes(`${before} ${figure.toLowerCase()}`),
  );
  return isNamed && slots[slot] !== undefined;
};

/** "If my client approves tomorrow" is no date of the flight. */
const ofCondition = (figure: string, text: string): boolean =>
  /^(?:today|tomorrow|tonight|(?:next|this) week|\p{L}+day)$/iu.test(figure) && conditionIn(text).includes(figure);

/** When something was quoted, not when it shall run. */
const ofPast = /^(?:yesterday|last week|earlier|before)$/i;

/** "Thanks for your patience" and "for completeness" name nothing to search for. */
const courtesies = anyOf(
  /\b(?:thanks|thank you|sorry|grateful|apologies|appreciate)\b[^.!?;,\n]*/gi,
  /\bfor (?:the sake of |(?:my|our|your|the) )?(?:completeness|clarity|reference|understanding|curiosity|patience)\b/gi,
);

/** "Book 1 and 3" means places among what is shown. */
export const unusedBy = (act: Act, heard: Heard, memory: Memory, actReader: ActReader): readonly Leftover[] => {
  const { life, terms } = memory;
  if (act === "deal types") return [];
  if (act === "change deal") return heard.leftovers.filter(({ text }) => !isReplaced(text, heard));
  const isOfRecord =
    (act === "book" || act === "accept") && productIdsOf(terms).some((id) => topicOf(memory, id) !== null);
  const usesBare =
    (act === "price" && heard.slots["budget"] !== undefined) ||
    priced.has(act) ||
    isOfRecord ||
    (heard.barePrice !== null && heard.limit?.value === heard.barePrice);
  const isPlaced = act === "book" && life.context.shown.length > 1;
  const usesCut = act === "offer" && heard.slots["target_cpm"] === undefined && heard.barePrice === null;
  const isUsed = ({ text, isBarePrice, isCut }: Leftover): boolean =>
    (act === "book" && (ofPast.test(text) || ofCondition(text, heard.words))) ||
    isReplaced(text, heard) ||
    (isCut === true && usesCut) ||
    (isBarePrice && usesBare) ||
    (isPlaced && /^[1-9](?:st|nd|rd|th)?$/.test(text));
  const spoken = heard.spoken.replace(courtesies, "");
  const topics = searches.has(act) ? searchedIn(spoken, (word) => actReader.knows(word)) : [];
  return [...heard.leftovers.filter((one) => !isUsed(one)), ...topics.map(asideOf)];
};

const targeted: ReadonlySet<Act> = new Set(["quote", "book", "propose", "offer", "price", "availability", "plan"]);

/** Of audiences and places, which every quote names as no part of it. */
export const extrasOf = (act: Act, { slots }: Heard): readonly string[] =>
  targeted.has(act) ? [slots["audience"], slots["geo"]].filter((extra) => typeof extra === "string") : [];

const isFigure = /^[$€£]?\s?\d[\d.,']*\s?(?:k|m|mm|mio|million|thousand|bn)?$/i;

const hasCents = /^[$€£]?\s?\d{1,3}[.,]\d{2}$/;

const isLarge = (text: string): boolean => /[a-z]$/i.test(text) || Number(text.replace(/\D/g, "")) >= 10_000;

const questionAbout = (texts: readonly string[]): string => {
  const names = texts.map((text) => `"${text}"`).join(" and ");
  const [only = "", other] = texts;
  if (texts.every(isDate)) return `Which first and last day do you mean by ${names}?`;
  if (other !== undefined) return `I am not sure about ${names}: which price, volume or dates do you mean?`;
  if (isFigure.test(only) && isLarge(only)) return `Is ${names} the budget or the impressions?`;
  if (hasCents.test(only)) return `Is ${names} the price per thousand impressions that you offer?`;
  if (isFigure.test(only)) return `Is ${names} the price per thousand impressions, or part of a date?`;
  return `I am not sure about ${names}: do you mean a price, a volume, a date or a product?`;
};

const understoodText = ({ finder, memory }: Talk): string => {
  const { impressions, flight_start: start, flight_end: end } = memory.terms;
  const parts = [
    ...productIdsOf(memory.terms).map((id) => finder.get(id)?.name ?? id),
    ...(typeof impressions === "number" ? [`${count(impressions)} impressions`] : []),
    ...(typeof start === "string" && typeof end === "string" ? [`${start} to ${end}`] : []),
  ];
  return parts.length === 0 ? "" : ` I understood: ${parts.join(", ")}.`;
};

/** One question that names what was understood, and what was not. */
export const askAbout = (leftovers: readonly Leftover[], talk: Talk): Spoken => {
  const isFirst = !hasRecord(talk.memory.terms) && topicsIn(talk.memory).length === 0;
  const stands = isFirst
    ? "Nothing is quoted, offered or booked yet."
    : "Nothing is quoted, offered or booked by this message; what was agreed or booked before stays.";
  const question = questionAbout(leftovers.map(({ text }) => text));
  return clarify("pricing", `${question}${understoodText(talk)} ${stands}`);
};

export const notUsedText = (names: readonly string[]): string =>
  `Not used: ${names.map((one) => `"${one}"`).join(", ")}.`;
