import type { Term } from "../brief/form.ts";
import type { Campaign } from "./campaign.ts";
import { noPick, type Pick, pickIn } from "./lines.ts";
import { topicOf } from "./market.ts";
import { overTopic } from "./over.ts";
import { type Command, orders, type Read } from "./parts.ts";
import type { Request, Situation } from "./request.ts";
import { plainOf, type Text } from "./text.ts";
import { isIn, says } from "./words.ts";

/** A remark beside something that is asked for needs no answer; of what nobody understands at all a menu is one. */
export const withoutChat = (requests: readonly Request[]): readonly Request[] => {
  const isChanged = requests.some(({ command }) => command === "brief change");
  const chat = isChanged ? "thanks greet unknown keep" : "thanks greet unknown";
  const asked = requests.filter(({ command }) => !isIn(command, chat));
  if (asked.some(({ command }) => command !== "unanswered")) return asked;
  const [first] = asked;
  return first === undefined ? requests.slice(0, 1) : [{ ...first, command: "unknown" }];
};

export const merged = (requests: readonly Request[]): readonly Request[] => {
  const isOfBrief = ({ command, input }: Request): boolean =>
    command === "brief change" ||
    command === "new brief" ||
    (command === "new" && ((input["terms"] as readonly Term[] | undefined) ?? []).length > 0);
  const changes = requests.filter(isOfBrief);
  if (changes.length < 2) return requests;
  const terms = changes.flatMap(({ input }) => input["terms"] as readonly Term[]);
  const [first] = changes;
  if (first === undefined) return requests;
  const one: Request = {
    ...(changes.find(({ command }) => command !== "new") ?? first),
    input: { ...first.input, terms },
    said: changes.map(({ said }) => said).join(" "),
    isDoubt: changes.some(({ isDoubt: is }) => is),
  };
  return requests.flatMap((each) => (each === first ? [one] : isOfBrief(each) ? [] : [each]));
};

/** "About native: can I get out of it?": an order that names nothing means what was named before it. */
export const withNamed = (text: Text, reads: readonly Read[], requests: readonly Request[]): readonly Request[] => {
  let last: { readonly pick: Pick; readonly request: Request } | null = null;
  let kept: { readonly pick: Pick; readonly request: Request } | null = null;
  const meant = new Set<unknown>();
  const all = requests.flatMap((one, at) => {
    const own = (one.input["pick"] as Pick | undefined) ?? noPick;
    // "I don't want the native. Book it": not what is dropped.
    const before = one.command === "approve" ? kept : last;
    const read = reads[at];
    const said = read === undefined ? noPick : pickIn(text, read);
    if (said.lines.some(({ by }) => by !== "all") && one.command !== "drop") kept = { pick: said, request: one };
    if (said.lines.some(({ by }) => by !== "all")) last = { pick: said, request: one };
    const isOpen =
      (orders.has(one.command as Command) || isIn(one.command, "change dropped paused")) &&
      own.lines.length + own.except.length === 0;
    const isIt = isOpen && before !== null && says(one.said.toLowerCase(), "it its that them their those this");
    // "Only 5,000 of the display line. If that works, book it": a part of a line, which is not booked.
    if (isIt && one.command === "approve" && isIn(before.request.command, "inpart change")) return [];
    if (isIt && one.command !== "approve") meant.add(before.request);
    return isIt ? { ...one, input: { ...one.input, pick: before.pick, before: before.request } } : one;
  });
  // "And the pre-roll line, please drop that": named for the order, and not to be booked.
  return all.filter((one) => one.command !== "lines" || !meant.has(one));
};

const aboutOf = ({ input }: Request): unknown => (input["asked"] as { readonly about?: unknown } | undefined)?.about;

const conditions = "if that it this is works work so not possible fits ok okay fine then";

const echoed =
  "is are can could do does would will that it this be done possible doable feasible at all here now or and so then " +
  "you i we please ok others other there which yet yes no";

const toHandOver = "send give hand go upload deliver done seller who";

/** They are answered with the reasons that are known. */
const reasoned = "chosen dearer pace split waiting";

const isBareChange = ({ command, input }: Request): boolean =>
  command === "change" &&
  (input["terms"] as readonly Term[]).length === 0 &&
  (input["pick"] as Pick).lines.length === 0 &&
  (input["campaign"] as Campaign | null)?.by !== "deal";

const isOfDeal = ({ input }: Request): boolean => (input["campaign"] as Campaign | null | undefined)?.by === "deal";

/** What another request of the message says or answers. */
const isToldBeside = (one: Request, words: string, requests: readonly Request[]): boolean => {
  const has = (commands: string): boolean => requests.some((other) => isIn(other.command, commands));
  // "Can a booked deal be changed, or who has to do that?"
  const isOfChange = has("change") || requests.some((other) => aboutOf(other) === "changes");
  if (one.command === "waiting" && isOfChange && /^(?:(?:or|and|,) )*who\b/.test(words)) return true;
  // "Drop the pre-roll, it should not be booked."
  if (one.command === "keep" && !one.isQuestion && has("drop cancel change")) return true;
  // "I mean the campaign Alpine: can I lower what is booked?"
  return one.command === "switch" && has("change");
};

/** "Can you do that?", "can you change it?", beside what shall be done: no question of its own. */
export const withoutEchoes = (text: Text, reads: readonly Read[], requests: readonly Request[]): readonly Request[] =>
  requests.filter((one, at) => {
    const read = reads[at];
    const isOpen = one.input["isNamed"] === false || isIn(one.command, "unknown unanswered");
    const isEcho = read?.isQuestion === true && isOpen && at > 0;
    const words = plainOf(text, read ?? { from: 0, to: 0 });
    // "No, not the app one! Just line 2": left out of what is booked, and not dropped.
    const isChosen = requests.some((other) => other !== one && isIn(other.command, "approve lines"));
    // "Only the CTV line. Leave the others open": they are left by it.
    const picked = (one.input["pick"] as Pick | undefined)?.lines ?? [];
    const isLeft =
      one.command === "lines" && one.isDoubt && picked.length > 0 && picked.every(({ by }) => by === "rest");
    if (isLeft && requests.some((other) => isIn(other.command, "approve change inpart paused"))) return false;
    if (one.command === "drop" && isChosen && /^(?:(?:no|nope|oh|but|please) ?,? ?)*not (?:the |line )/.test(words))
      return false;
    // "Can you pause it, and does that cost anything?"
    if (one.command === "cost" && requests.some((other) => other.command === "paused")) return false;
    if (isToldBeside(one, words, requests)) return false;
    // "You said nothing about the cancelling. Cancel deal DEMO-1": nothing is named, and another part names it.
    const isNamed = requests.some((other) => isIn(other.command, "cancel state") && isOfDeal(other));
    if (one.command === "cancel" && !isOfDeal(one) && picked.length === 0 && isNamed) return false;
    // "If the seller agrees, how much do I get back?"
    const isLead = /^(?:(?:and|so|but) )*(?:if|when|once)\b/.test(words) && reads[at + 1]?.isQuestion === true;
    if (isOpen && isLead) return false;
    // "It is too expensive. Please cancel it": a reason, and no question.
    const isReason = one.command === "dearer" && !one.isQuestion;
    if (isReason && requests.some((other) => isIn(other.command, "cancel drop change"))) return false;
    // "The campaign is off, please cancel it."
    if (one.command === "state" && !one.isQuestion && requests.some((other) => other.command === "cancel"))
      return false;
    if (isBareChange(one) && requests.some((other) => other.command === "change" && !isBareChange(other))) return false;
    // "If I cancel it, what would happen?": told with the cancellation.
    if (aboutOf(one) === "next" && requests.some(({ command }) => isIn(command, "cancel drop"))) return false;
    const isCondition = words.startsWith("if ") && words.split(" ").every((word) => isIn(word, conditions));
    if (isOpen && isCondition && at > 0) return false;
    // "What do you recommend, and why?"
    if (isOpen && words === "why" && isIn(requests[at - 1]?.command ?? "", reasoned)) return false;
    // "Can I send it to you, or where does it go?", of a banner.
    const isOfCreatives = requests.some((other) => other.command === "creatives" || aboutOf(other) === "artwork");
    if ((isOpen || one.command === "compare") && isOfCreatives && says(words, toHandOver)) return false;
    // "How do I reach them? An email or phone?"
    if (one.command === "compare" && requests.some(({ command }) => command === "ask_seller")) return false;
    // "End it earlier, for 2,500. What would it cost then?"
    const isThen = one.command === "cost" && says(words, "then would");
    if (isThen && requests.some(({ command }) => isIn(command, "change swap"))) return false;
    // "You gave me numbers but no names": beside what is asked.
    if (!one.isQuestion && at > 0 && /^you (?:gave|said|told|sent|showed|didn't|did)\b/.test(words)) return false;
    return !(isEcho && words.split(" ").every((word) => isIn(word, echoed)));
  });

/** What follows a brief that is forgotten is not of it, and "per line?" goes on with the figures before it. */
export const situationAfter = (now: Situation, one: Request): Situation => {
  const { memory } = now;
  if (one.command === "forget") return { ...now, memory: { ...memory, brief: null } };
  const topic = one.command === "market" ? topicOf(one) : overTopic(one);
  return topic === null ? now : { ...now, memory: { ...memory, topic } };
};
