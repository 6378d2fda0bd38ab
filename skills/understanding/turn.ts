import type { Offer } from "../../machines/conversation/machine.ts";
import { isMembers } from "../../protocol/neutral/json-input.ts";
import type { Reading } from "../talk/gate/read-context.ts";
import { type Ears, type Hearing, meaningOf, type Message, ofDeals, situationOf } from "./meaning.ts";
import { hasRecord, type Memory, recordIds } from "./memory.ts";
import { type Act, likelyActs, needsAll, onlyFilters } from "./reading/choice/acts.ts";
import { isForeign, mostRead } from "./reading/clauses.ts";
import type { PlainConsent } from "./reading/consent.ts";
import type { Leftover } from "./reading/leftovers.ts";
import type { ProductFinder } from "./reading/product-finder.ts";
import { segmentsOf } from "./reading/segments.ts";
import type { Table } from "./reading/table/table.ts";
import { type Heard, hear, type Slots } from "./reading/slots.ts";
import { type Parts, partsIn, withoutOutcome, withoutUnaffected } from "./parts.ts";
import { acts } from "./talk/acts.ts";
import { heldBack, notDone } from "./talk/aside-talk.ts";
import { heldOpen } from "./talk/held-talk.ts";
import { consented, lifeAfter, voided } from "./talk/consented.ts";
import { inOneTable, withoutRepeated } from "./talk/several.ts";
import { standingOf, tableTexts, withTable } from "./talk/table-talk.ts";
import { pick, type Spoken, type Talk } from "./talk/speech.ts";
import { settled, withStanding } from "./standing.ts";
import { ofCampaign, topicOf, withoutTopics, withTopics } from "./topics.ts";
import { askAbout, extrasOf, notUsedText, unusedBy } from "./unused.ts";
import { inForce, unplacedChanges } from "./terms.ts";
import { withWishes } from "./wishes.ts";
import { withCampaign } from "./campaign.ts";

interface Answer extends Pick<Spoken, "offers" | "again"> {
  readonly skill: Spoken["skill"];
  readonly understood: Slots;
  readonly outcome: Spoken["outcome"];
  readonly result: unknown;
  readonly not_used: readonly string[];
}

export interface Turn {
  readonly memory: Memory;
  readonly text: string;
  readonly answers: readonly Answer[];
}

const isPresent = ([, value]: readonly [string, unknown]): boolean => value !== null && value !== undefined;

const learn = (memory: Memory, spoken: Spoken): Memory => ({
  ...memory,
  isNegotiating: spoken.isNegotiating ?? memory.isNegotiating,
  isHandedOver: spoken.isHandedOver ?? memory.isHandedOver,
  terms: Object.fromEntries(Object.entries({ ...memory.terms, ...spoken.learnt }).filter(isPresent)),
});

const smallTalk: ReadonlySet<Act> = new Set(["greet", "thanks", "unknown", "withhold", "elsewhere"]);

/** The request before them is still the last one. */
const asides: ReadonlySet<Act> = new Set([...smallTalk, "unclear", "policy", "reach", "wait", "correct"]);

const isMissing = ({ result }: Spoken): boolean => isMembers(result) && /not_found$/.test(String(result["error"]));

/** Drops ids that the caller has no record of. */
const withoutMissing = (memory: Memory, heard: Heard, spoken: readonly Spoken[]): Memory => {
  if (!spoken.some(isMissing)) return memory;
  const isKept = ([name]: readonly [string, unknown]): boolean =>
    !recordIds.includes(name) || heard.slots[name] === undefined;
  return { ...memory, terms: Object.fromEntries(Object.entries(memory.terms).filter(isKept)) };
};

/** They answer or ask; what was in force before stays so. */
const changesNothing: ReadonlySet<Act> = new Set([
  "open terms",
  "open question",
  "deal types",
  "rank",
  "compare",
  "change deal",
  "about product",
  "my deals",
  "summary",
  "cancel",
  "read deal",
  "activate",
  "cancel terms",
  "my spend",
  "my changes",
  "policy",
  "wait",
  "unclear",
]);

/** They name products without wanting them. */
const onlyNames: ReadonlySet<Act> = new Set(["compare", "rank"]);

/** What is told next is about the product that is named: a yes that follows must not mean the one before. */
const returnsTo = (act: Act, before: Memory, { inventory }: Heard): boolean => {
  const [only, other] = inventory;
  const [product, ambiguous] = only?.products ?? [];
  const isOne = product !== undefined && ambiguous === undefined && other === undefined;
  return isOne && !onlyNames.has(act) && topicOf(before, product.product_id) !== null;
};

const namesOnly = (heard: Heard): Heard => ({
  ...heard,
  slots: pick(heard.slots, recordIds),
  resize: null,
  shift: null,
});

const isNotSold = (finder: ProductFinder, { product_id: id, deal_type: type }: Slots): boolean =>
  typeof id === "string" && typeof type === "string" && finder.get(id)?.deal_types.includes(type) === false;

interface Step {
  readonly memory: Memory;
  /** Of all requests of the message so far. */
  readonly offers: readonly Offer[];
  readonly texts: readonly string[];
  readonly answers: readonly Answer[];
}

const withDealType = (memory: Memory, type: unknown): Memory => {
  const { deal_type: _said, ...terms } = memory.terms;
  return { ...memory, terms: type === undefined ? terms : { ...terms, deal_type: type } };
};

/** "Is it cheaper than that one?" compares with what was talked about. */
const withEarlier = (memory: Memory, { terms }: Memory): Memory => ({
  ...memory,
  terms: { ...memory.terms, ...pick(terms, ["product_id"]) },
});

/** A flight asked about is kept for the next quote, unless it would change what is open. */
const withAsked = (before: Memory, { slots }: Heard): Memory => {
  const kept = hasRecord(before.terms) ? recordIds : [...recordIds, "flight_start", "flight_end"];
  return { ...before, terms: { ...before.terms, ...pick(slots, kept) } };
};

const spokenFor = async (
  talk: Talk,
  act: Act,
  consent: PlainConsent | null,
  unused: readonly Leftover[],
): Promise<readonly Spoken[]> => {
  if (consent !== null) return consented(talk, consent);
  const binding = unused.filter(({ isBinding }) => isBinding);
  const isAsked = needsAll.has(act) && binding.length > 0;
  return isAsked ? [askAbout(binding, talk)] : [await acts[act](talk)].flat();
};

const staysOpen = "What is open stays open until it expires; I cannot hold it any longer.";

const shownBy = ({ offers, again }: Spoken): Pick<Answer, "offers" | "again"> => ({
  ...(offers === undefined ? {} : { offers }),
  ...(again === undefined ? {} : { again }),
});

const stepOn = async (
  context: Reading,
  ears: Ears & { readonly hearing: Hearing },
  { memory: earlierOn, offers: earlier }: Pick<Step, "memory" | "offers">,
  message: Message,
): Promise<Step> => {
  const meaning = await meaningOf(context, ears, earlierOn, message);
  const { text, given, stored, consent, act, heard, situation } = meaning;
  const { finder, actReader } = ears;
  const before = settled(stored, act, { text, heard });
  const memory = inForce(before, text, heard, given.terms, finder);
  const changes = act === "change deal" ? [] : unplacedChanges(before.terms, heard);
  const unused = consent === null ? [...unusedBy(act, heard, memory, actReader), ...changes] : [];
  const talk = {
    context,
    finder,
    text,
    heard,
    given: given.terms,
    memory: act === "compare" ? withEarlier(memory, before) : memory,
    likely: likelyActs(situation),
  };
  const mayHold = consent === null && Object.keys(given.terms).length === 0 && given.act === null;
  const held = mayHold ? await heldOpen({ ...talk, text: message.text, memory: before }, act) : null;
  const spoken = held ?? (await spokenFor(talk, act, consent, unused));
  const { life } = before;
  // What a product is sold as is no wish for that deal type.
  const asksForType = act === "describe" || act === "list" || (onlyFilters.has(act) && isNotSold(finder, memory.terms));
  const wanted = asksForType ? withDealType(memory, before.terms["deal_type"]) : memory;
  const goesBack = ofDeals.has(act) || returnsTo(act, before, heard);
  const base = goesBack ? inForce(before, text, namesOnly(heard), given.terms, finder) : before;
  const kept = changesNothing.has(act) && consent === null ? withAsked(base, heard) : wanted;
  const learnt = spoken.reduce(learn, { ...kept, asked: asides.has(act) ? memory.asked : act });
  const stood = withStanding(before, withoutMissing(learnt, heard, spoken), { act, text, heard: meaning.said });
  const said = spoken.map((one) => learn({ ...kept, terms: one.about ?? kept.terms }, one));
  const isNo = consent?.kind === "no" || consent?.kind === "reject";
  const settledBy = isNo ? earlierOn.life.context.shown : [];
  const shown = spoken.flatMap((one) => one.offers ?? []);
  const dropped = spoken.flatMap((one) => one.dropped ?? []);
  const topical = withoutTopics(withWishes(withTopics(stood, said, text), { shown, settled: settledBy }), dropped);
  const after = withCampaign(before, topical, { text, heard: meaning.said });
  const extras = consent === null ? extrasOf(act, heard) : [];
  const notUsed = smallTalk.has(act) && act !== "unknown" ? [] : [...unused.map(({ text: said }) => said), ...extras];
  const open = shown.length > 0 ? [...earlier, ...shown] : [];
  const isSaid =
    notUsed.length > 0 && !spoken.some(({ text: said }) => notUsed.every((one) => said.includes(`"${one}"`)));
  return {
    memory: {
      ...after,
      life: lifeAfter(dropped.length === 0 ? life : voided(life), open, earlierOn.terms, after.terms),
    },
    offers: [...earlier, ...shown],
    texts: [
      ...spoken.map((one) => one.text),
      ...(meaning.holdsToo ? [staysOpen] : []),
      ...(isSaid ? [notUsedText(notUsed)] : []),
    ],
    answers: spoken.map((one, place) => ({
      skill: one.skill,
      understood: said[place]?.terms ?? kept.terms,
      outcome: one.outcome,
      result: one.result,
      not_used: notUsed,
      ...shownBy(one),
    })),
  };
};

const notes = (text: string): readonly string[] => [
  ...(isForeign(text.slice(0, mostRead)) ? ["I answer in English."] : []),
  ...(text.length > mostRead ? [`I read the first ${mostRead} characters of your message; the rest is not used.`] : []),
];

/** Parts of a message are read to part it, and again to answer them. */
const hearingOf = (finder: ProductFinder, nowMs: number): Hearing => {
  const known = new Map<string, Heard>();
  return (text) => {
    const heard = known.get(text) ?? hear(text, finder, nowMs);
    known.set(text, heard);
    return heard;
  };
};

/** Each row is answered by itself, under its number. */
const answerTable = async (
  context: Reading,
  ears: Ears & { readonly hearing: Hearing },
  before: Step,
  table: Table,
): Promise<Step> => {
  const { terms } = before.memory;
  const shared = hasRecord(terms) ? ofCampaign : [...ofCampaign, ...flightNames];
  const rows: Step[] = [];
  for (const text of table.rows) {
    const earlier = rows.at(-1) ?? before;
    const memory = { ...earlier.memory, isNegotiating: false, terms: pick(terms, shared) };
    const message = { text, given: {}, isWhole: false, act: table.act };
    rows.push(await stepOn(context, ears, { memory, offers: earlier.offers }, message));
  }
  const last = rows.at(-1) ?? before;
  const notes = table.notes.length > 0 ? [notUsedText(table.notes)] : [];
  return {
    memory: withTable(last.memory, table, rows, ears.finder),
    offers: last.offers,
    texts: [...tableTexts(table, rows), ...notes],
    answers: rows
      .flatMap(({ answers }) => answers)
      .map((one) => ({ ...one, not_used: [...one.not_used, ...table.notes] })),
  };
};

const flightNames = ["flight_start", "flight_end"];

const withStep = (step: Step, next: Step): Step => ({
  memory: next.memory,
  offers: next.offers,
  texts: [...step.texts, ...next.texts],
  answers: [...step.answers, ...next.answers],
});

/** A yes is not dropped without a word: what it was for is asked again, unless the answer asks something itself. */
const stepBack = async (
  context: Reading,
  { finder, hearing }: Ears & { readonly hearing: Hearing },
  before: Memory,
  step: Step,
): Promise<Step> => {
  if (step.offers.length > 0) {
    const words = step.texts.some((said) => /\bnothing is booked\b/i.test(said)) ? [] : [notDone(before)];
    return { ...step, texts: [...words, ...step.texts] };
  }
  const talk = { context, finder, text: "", heard: hearing(""), given: {}, memory: before, likely: [] };
  const spoken = await heldBack(talk);
  if (spoken === null) return step;
  const { skill, outcome, result, text, offers = [] } = spoken;
  const life = offers.length > 0 ? lifeAfter(before.life, offers, {}, {}) : step.memory.life;
  const answered = { skill, understood: before.terms, outcome, result, not_used: [], ...shownBy(spoken) };
  return {
    memory: { ...step.memory, life },
    offers,
    texts: [...step.texts, text],
    answers: [...step.answers, answered],
  };
};

/** Requests in order, each with the results of those before. */
const answerParts = async (
  context: Reading,
  ears: Ears & { readonly hearing: Hearing },
  { text: said, given, memory }: { readonly text: string; readonly given: Slots; readonly memory: Memory },
): Promise<Step> => {
  const { hearing, finder, actReader } = ears;
  const isProduct = (words: string): boolean => finder.find(words).products.length > 0;
  const text = withoutUnaffected(withoutOutcome(said), isProduct);
  const parts = Object.keys(given).length > 0 ? null : partsIn(text, memory, { finder, hearing });
  let step: Step = { memory, offers: [], texts: [], answers: [] };
  if (parts?.done != null) step = await stepOn(context, ears, step, { text: parts.done, given, isWhole: true });
  const before = step.memory;
  const situation = (heard: Heard) => situationOf(before, before, heard, actReader);
  const standing = standingOf(before, finder);
  const segments = segmentsOf(parts?.rest ?? text, { hear: hearing, situation, standing });
  for (const [place, segment] of segments.entries()) {
    if (typeof segment !== "string") {
      step = withStep(step, await answerTable(context, ears, step, segment));
      continue;
    }
    const values = place === 0 ? given : {};
    const isWhole = segments.length === 1 && (parts === null || parts.rest === text);
    step = withStep(step, await stepOn(context, ears, step, { text: segment, given: values, isWhole }));
  }
  return parts?.done === null ? stepBack(context, ears, memory, step) : step;
};

interface Incoming {
  readonly text: string;
  readonly given: Slots;
  readonly memory: Memory;
}

/** A plain order or consent beside something else; null where the message is one, or holds none. */
export const orderIn = (ears: Ears, { text, given, memory }: Incoming, nowMs: number): Parts | null =>
  Object.keys(given).length > 0 ? null : partsIn(text, memory, { ...ears, hearing: hearingOf(ears.finder, nowMs) });

/** What is said of a deed, or of a message that needs no reading. */
export const spokenTurn = async (
  context: Reading,
  { finder }: Ears,
  { text, memory }: Pick<Incoming, "text" | "memory">,
  say: (talk: Talk) => Promise<readonly Spoken[]>,
): Promise<Turn> => {
  const heard = hear("", finder, context.nowMs);
  const spoken = await say({ context, finder, text, heard, given: {}, memory, likely: [] });
  const said = spoken.map((one) => learn({ ...memory, terms: one.about ?? memory.terms }, one));
  const learnt = spoken.reduce(learn, memory);
  const shown = spoken.flatMap((one) => one.offers ?? []);
  const dropped = spoken.flatMap((one) => one.dropped ?? []);
  const settledBy = { shown, settled: memory.life.context.shown };
  const after = withoutTopics(withWishes(withTopics(learnt, said, text), settledBy), dropped);
  return {
    memory: { ...after, life: shown.length === 0 ? voided(memory.life) : lifeAfter(memory.life, shown, {}, {}) },
    text: spoken.map((one) => one.text).join("\n"),
    answers: spoken.map((one, place) => ({
      skill: one.skill,
      understood: said[place]?.terms ?? memory.terms,
      outcome: one.outcome,
      result: one.result,
      not_used: [],
      ...shownBy(one),
    })),
  };
};

export const answer = async (context: Reading, ears: Ears, message: Incoming): Promise<Turn> => {
  const heard = { ...ears, hearing: hearingOf(ears.finder, context.nowMs) };
  const { text } = message;
  const { memory, texts, answers } = await answerParts(context, heard, message);
  return { memory, text: [...withoutRepeated(inOneTable(texts, answers)), ...notes(text)].join("\n"), answers };
};
