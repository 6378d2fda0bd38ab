import type { Memory } from "./memory.ts";
import type { ActReader } from "./phrases.ts";
import type { Act } from "./reading/choice/acts.ts";
import type { Leftover } from "./reading/leftovers.ts";
import type { Heard } from "./reading/slots.ts";
import { topicsIn } from "./reading/topics.ts";
import { hasRecord } from "./subjects.ts";
import { clarify, type Spoken } from "./talk/speech.ts";
import { productIdsOf } from "./terms.ts";

const priced: ReadonlySet<Act> = new Set(["offer", "propose"]);

/** A search that finds nothing of what was named answers with more than was asked for. */
const searches: ReadonlySet<Act> = new Set(["list", "rank", "packages", "media kit", "targeting"]);

const asideOf = (text: string): Leftover => ({ text, isBinding: false, isBarePrice: false });

/** "1M instead of 1.2M" names what stood before. */
const isReplaced = (figure: string, { words }: Heard): boolean =>
  ["instead of", "rather than", "not"].some((before) =>
    words.toLowerCase().includes(`${before} ${figure.toLowerCase()}`),
  );

/** When something was quoted, not when it shall run. */
const ofPast = /^(?:yesterday|last week|earlier|before)$/i;

/** "Book 1 and 3" means places among what is shown. */
export const unusedBy = (
  act: Act,
  heard: Heard,
  { life, subjects = {}, terms }: Memory,
  actReader: ActReader,
): readonly Leftover[] => {
  if (act === "change deal") return heard.leftovers.filter(({ text }) => !isReplaced(text, heard));
  const isOfRecord = act === "book" && productIdsOf(terms).some((id) => subjects[id] !== undefined);
  const usesBare =
    priced.has(act) || isOfRecord || (heard.barePrice !== null && heard.limit?.value === heard.barePrice);
  const isPlaced = act === "book" && life.context.shown.length > 1;
  const usesCut = act === "offer" && heard.slots["target_cpm"] === undefined && heard.barePrice === null;
  const isUsed = ({ text, isBarePrice, isCut }: Leftover): boolean =>
    (act === "book" && ofPast.test(text)) ||
    (isCut === true && usesCut) ||
    (isBarePrice && usesBare) ||
    (isPlaced && /^[1-9](?:st|nd|rd|th)?$/.test(text));
  const topics = searches.has(act) ? topicsIn(heard.spoken, (word) => actReader.knows(word)) : [];
  return [...heard.leftovers.filter((one) => !isUsed(one)), ...topics.map(asideOf)];
};

const targeted: ReadonlySet<Act> = new Set(["quote", "book", "propose", "offer", "price", "availability", "plan"]);

/** No quote and no deal holds an audience or a place. */
/** Of audiences and places, which every quote names as no part of it. */
export const extrasOf = (act: Act, { slots }: Heard): readonly string[] =>
  targeted.has(act) ? [slots["audience"], slots["geo"]].filter((extra) => typeof extra === "string") : [];

export const askAbout = (leftovers: readonly Leftover[], memory: Memory): Spoken => {
  const names = leftovers.map(({ text }) => `"${text}"`).join(" and ");
  const isFirst = !hasRecord(memory.terms) && Object.keys(memory.subjects ?? {}).length === 0;
  const stands = isFirst
    ? "Nothing is quoted, offered or booked yet."
    : "Nothing is quoted, offered or booked by this message; what was agreed or booked before stays.";
  return clarify("pricing", `What does ${names} mean here: another price, volume, date or product? ${stands}`);
};

export const notUsedText = (names: readonly string[]): string =>
  `Not used: ${names.map((one) => `"${one}"`).join(", ")}.`;
