import type { Shown, Numbered, Took } from "../../talk/gate/gate.ts";
import type { Option, Draft, Consent } from "../../talk/gate/record.ts";
import type { Turn, Answered } from "./turn.ts";
import type { OfferKind, Offer, Taken } from "./exchanges.ts";
import { isOneOf } from "../../talk/reader/word-lists.ts";
import { isMembers } from "../../../protocol/neutral/json-input.ts";
import { inQuotes } from "./wording.ts";
import { tells } from "./asking.ts";

export const subjects = ["deal_id", "negotiation_id", "quote_id", "proposal_id", "cr_id", "product_id"];

export interface Offering {
  readonly shown: Shown;
  readonly drafts: readonly (readonly Numbered[])[];
}

export const optionsOf = ({ shown, drafts }: Offering, place: number): readonly Option[] =>
  shown.options.filter(
    ({ operation, input }) =>
      drafts[place]?.some((draft) => draft.operation === operation && draft.input === input) === true,
  );

/** Of two bookings each tells it: the second would read as active. */
const ofEach = ["Not active yet", "Booked, and not active yet"];

/** A list whose lines were all told before is left out with its title. */
const withoutTold = (text: string, told: Set<string>): string => {
  const lines = text.split("\n");
  const items = lines.filter((line) => line.startsWith("- "));
  const isTold = items.length > 0 && items.every((line) => told.has(line));
  for (const line of items) told.add(line);
  const isItem = (line: string | undefined): boolean => line?.startsWith("- ") === true;
  return isTold ? lines.filter((line, at) => !isItem(line) && !isItem(lines[at + 1])).join("\n") : text;
};

/** A sentence that an answer before has said already is left out, with its end of validity; short ones are terms. */
const once = (texts: readonly string[]): readonly string[] => {
  const told = new Set<string>();
  return texts.map((text) => {
    let isLeftOut = false;
    const kept = withoutTold(text, told)
      .split(/(?<=\.) (?=[A-Z])/)
      .filter((sentence) => {
        // After a state that was told already its end is told as well.
        if (ofEach.some((begin) => sentence.startsWith(begin))) {
          const end = sentence.slice(sentence.indexOf("ot active yet")).split("\n")[0] ?? "";
          const isTold = isLeftOut && told.has(end) && !sentence.includes("\n");
          told.add(end);
          return !isTold;
        }
        if (sentence.length < leastRepeated) return !(isLeftOut && sentence.startsWith("Valid until"));
        isLeftOut = told.has(sentence);
        told.add(sentence);
        return !isLeftOut;
      });
    return kept.join(" ");
  });
};

const leastRepeated = 60;

/** They say nothing that a term could be of, and a person who reads them back takes them for a machine's log. */
const everyday = `
  existing two three both correct isn't aren't service services series shoe shoes sounds brand anyway currently
  morning brief
`;

/** Who ordered among other wishes learns that nothing is booked, and what books. */
const unbooked = ({ options, desk }: Shown, told: string, isAsShown: boolean): readonly string[] => {
  const [first, other] = options.filter(({ operation }) => operation === "book_deal" || operation === "generate_deal");
  if (first === undefined || /nothing (?:is|was|of) /i.test(told)) return [];
  // Beside another that may be booked "book 1" leaves open which: the number of the list just shown does not.
  const isOther = desk.row.open.some(
    ({ option, operation }) => operation === first.operation && !options.some((one) => one.option === option),
  );
  if (isOther && options.length === 1) return [`Nothing is booked yet: "${first.n}" alone books what is shown.`];
  const say = `"book ${first.n}"${other === undefined ? "" : ' or "book all"'}`;
  return [`Nothing is booked yet: say ${say}${isAsShown ? " to book it as it is shown" : ""}.`];
};

/** Of changes of several deals "both" would leave open which two. */
const inAll = (text: string, { options }: Shown): string =>
  options.length > 2 ? text.replace(' Say "both" to ask for both.', "") : text;

/** The answers, the options with their numbers, what was not used, and one question where one is open. */
export const textOf = ({ answers, notes, isOrdered }: Turn, { shown }: Offering): string => {
  const { armed } = shown.desk.row;
  const told = answers.map(({ spoken }) => spoken.text).join(" ");
  const notUsed = [...new Set(answers.flatMap(({ notUsed: own }) => own))].filter(
    (one) => !tells(told, one) && !one.split(" ").every((word) => isOneOf(word.toLowerCase(), everyday)),
  );
  const question = armed === null ? undefined : answers.find(({ spoken }) => spoken.asks !== undefined)?.spoken.asks;
  // A model's call has no words of its own: its terms are those of the option.
  const isWorded = answers.some(({ spoken }) => spoken.asks === question && spoken.text !== "");
  const lines =
    armed !== null
      ? isWorded
        ? []
        : shown.options.map(({ terms }) => terms)
      : shown.options.map(({ n, label }) => `${n}. ${label}`);
  const refused = shown.refused
    .map(({ refusal }) => refusal.message)
    .filter((message) => !answers.some(({ spoken }) => spoken.text.includes(message)));
  return [
    ...new Set(once(answers.map(({ spoken }) => inAll(spoken.text, shown))).filter((text) => text !== "")),
    ...refused,
    ...lines,
    ...(notUsed.length === 0 ? [] : [`Not used: ${inQuotes(notUsed, ", ")}.`]),
    ...(isOrdered && armed === null ? unbooked(shown, told, notUsed.length > 0) : []),
    ...(question === undefined ? [] : [question]),
    ...notes,
  ].join("\n");
};

export const partOf = (
  { spoken, understood, notUsed, readBy }: Answered,
  options: readonly Option[],
  armed: string | null,
) => ({
  skill: spoken.skill,
  understood,
  outcome: spoken.outcome,
  result: spoken.result,
  not_used: [...notUsed],
  options: options.map((option) => ({ ...option })),
  armed: options.some(({ option }) => option === armed) ? armed : null,
  read_by: readBy,
  ...(spoken.reason === undefined ? {} : { reason: spoken.reason }),
});

const kinds: Readonly<Record<string, OfferKind>> = {
  book_deal: "quote",
  generate_deal: "proposal",
  submit_proposal: "submission",
  cancel_deal: "cancellation",
  withdraw_proposal: "withdrawal",
  withdraw_change_request: "take back",
  request_handover: "hand over",
  request_quote: "request",
};

const kindOf = ({ operation, input: { action } }: Draft): OfferKind => {
  if (operation !== "negotiate") return kinds[operation] ?? "change";
  return action === "accept" ? "counter" : action === "reject" ? "rejection" : "bid";
};

/** For the conversation's record, which operators read. */
export const offerOf = (option: Option, digest: string | null = null): Offer => {
  const [id] = subjects.flatMap((name) => (typeof option.input[name] === "string" ? [option.input[name]] : []));
  return {
    kind: kindOf(option),
    id: id ?? option.option,
    digest: digest ?? option.digest,
    change: { ...option.input },
  };
};

/** A record's own digest of its terms, where the answer that shows the option holds the record. */
export const termsDigestIn = (option: Option, answers: readonly Answered[]): string | null => {
  const name = subjects.find((one) => typeof option.input[one] === "string");
  if (name === undefined) return null;
  const shown = answers.find(({ spoken: { result } }) => isMembers(result) && result[name] === option.input[name]);
  const digest = isMembers(shown?.spoken.result) ? shown.spoken.result["terms_digest"] : null;
  return typeof digest === "string" ? digest : null;
};

export const takenOf = (took: Took, by: Consent, atMs: number): Taken => {
  const own = took.kind === "done" && isMembers(took.output) ? took.output["terms_digest"] : null;
  return { ...offerOf(took.option, typeof own === "string" ? own : null), by, atMs };
};

export const brought = (answer: string | null, text: string): string =>
  answer === null ? text : `A person of our team answers you: "${answer}"\n${text}`;
