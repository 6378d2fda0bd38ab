import { isOneOf } from "../reader/word-lists.ts";
import { z } from "zod";
import { isMembers } from "../../../protocol/neutral/json-input.ts";
import { type Entity, entitiesOf, type Scan, textOf } from "../reader/entity.ts";
import { scanOf } from "../reader/entities.ts";
import type { ProductFinder } from "../reader/names/product-finder.ts";
import { mostRead } from "../reader/tokens.ts";
import { type Callable, callablesOf, type CallableContract, isChosen, ownTerms } from "./callable.ts";
import { entitiesAt, isSaid, needsEvidence, occursIn, type Sources } from "./evidence.ts";
import type { LanguageModel } from "./language-model.ts";
import { mostCalls, promptOf } from "./prompt.ts";

/** One thing that the message asks for, as far as its words say it. */
export interface ModelCall {
  readonly operation: string;
  readonly effect: CallableContract["effect"];
  readonly input: Readonly<Record<string, unknown>>;
  /** Fields that no words say: they are asked about. */
  readonly dropped: readonly string[];
  /** The operation takes what is left. */
  readonly isWhole: boolean;
  readonly contract: CallableContract;
}

export interface ModelReading {
  readonly calls: readonly ModelCall[];
  /** As the message has them: what the model did not use, and terms that none of its words name. */
  readonly unanswered: readonly string[];
  readonly doubt: boolean;
}

export interface HeardMessage {
  /** The same object for each attempt of one message, which is asked about once. */
  readonly message: object;
  readonly scan: Scan;
  /** What is open in the conversation, as it was shown. */
  readonly shown: readonly { readonly label: string; readonly terms: string }[];
  readonly finder: ProductFinder;
  readonly nowMs: number;
  /** Products that the model is told of. */
  readonly told: readonly ToldProduct[];
}

interface ToldProduct {
  readonly product_id: string;
  readonly name: string;
}

/** Null: the grammar reads the message. */
export type ModelReader = (heard: HeardMessage) => Promise<ModelReading | null>;

const longestWords = 200;

const answer = z.strictObject({
  calls: z
    .array(
      z.strictObject({
        operation: z.string().max(64),
        input: z.record(z.string().max(64), z.unknown()),
        evidence: z.record(z.string().max(64), z.string().max(longestWords)),
      }),
    )
    .max(mostCalls),
  unanswered: z.array(z.string().max(longestWords)).max(40),
  doubt: z.boolean(),
});

type Proposed = z.output<typeof answer>["calls"][number];

const longestAnswer = 20_000;
const mostNames = 40;
const deepest = 4;

/** Some models put a fence around JSON. */
const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text.trim().replace(/^```(?:json)?\s*([\s\S]*?)\s*```$/, "$1")) as unknown;
  } catch {
    return null;
  }
};

interface Leaf {
  readonly name: string;
  readonly value: unknown;
}

/** Null: deeper than any input. */
const leavesOf = (name: string, value: unknown, depth = 0): readonly Leaf[] | null => {
  if (!Array.isArray(value) && !isMembers(value)) return [{ name, value }];
  if (depth >= deepest) return null;
  const own = Array.isArray(value) ? value.map((one): [string, unknown] => [name, one]) : Object.entries(value);
  const found: Leaf[] = [];
  for (const [inner, one] of own) {
    const leaves = leavesOf(inner, one, depth + 1);
    if (leaves === null) return null;
    found.push(...leaves);
  }
  return found;
};

type Kept = "kept" | "dropped" | "left out";

/** Free text is the sender's own words; names of a list and yes or no are the model's to choose. */
const keptOf = (
  callable: Callable,
  sources: Sources,
  [field, value]: readonly [string, unknown],
  words: string,
): Kept => {
  if (value === null || value === undefined) return "left out";
  const leaves = leavesOf(field, value) ?? [];
  const isOwnTerm = ownTerms.has(field);
  if (isOwnTerm && words === "") return "left out";
  if (isOwnTerm || leaves.some((leaf) => needsEvidence(leaf.name, leaf.value)))
    return leaves.every((leaf) => isSaid(sources, leaf.name, leaf.value, words)) ? "kept" : "dropped";
  if (isChosen(callable, field)) return "kept";
  const isOwnWord = leaves.every(
    ({ name, value: own }) =>
      typeof own !== "string" || occursIn(sources.message, own) || isSaid(sources, name, own, words),
  );
  return isOwnWord ? "kept" : "left out";
};

const isMissing = (input: object, [name]: readonly PropertyKey[]): boolean =>
  typeof name === "string" && ownTerms.has(name) && !Object.hasOwn(input, name);

const takes = ({ contract }: Callable, input: object): boolean => {
  const read = contract.input.safeParse(input);
  return read.success || read.error.issues.every(({ path }) => isMissing(input, path));
};

/** A sentence that says why the whole answer is not used. */
const checked = (
  callables: readonly Callable[],
  sources: Sources,
  { operation, input, evidence }: Proposed,
): ModelCall | string => {
  const callable = callables.find(({ contract }) => contract.name === operation);
  if (callable === undefined) return "it names an operation that is not on the list";
  if (Object.keys(input).some((name) => !Object.hasOwn(callable.properties, name)))
    return "it names a field that is not in the schema";
  if (Object.keys(evidence).some((name) => !Object.hasOwn(input, name))) return "it has words for no field";
  if (leavesOf("", input) === null || !takes(callable, input)) return "its input is none of the operation";
  const fields = Object.entries(input).map((field) => ({
    field,
    kept: keptOf(callable, sources, field, (Object.hasOwn(evidence, field[0]) ? evidence[field[0]] : undefined) ?? ""),
  }));
  const of = (kind: Kept) => fields.filter(({ kept }) => kept === kind).map(({ field }) => field);
  const left = Object.fromEntries(of("kept"));
  const { contract } = callable;
  return {
    operation,
    effect: contract.effect,
    input: left,
    dropped: of("dropped").map(([name]) => name),
    isWhole: takes(callable, left),
    contract,
  };
};

const isTerm = ({ kind }: Entity): boolean =>
  isOneOf(kind, "price money volume percent number length period day vague cap");

/** By subtraction: figures and dates of the message that no call has words for. */
const unusedIn = (scan: Scan, words: readonly string[]): readonly string[] => {
  const used = new Set(words.flatMap((one) => entitiesAt(scan, one)));
  return entitiesOf(scan).flatMap((entity) => (isTerm(entity) && !used.has(entity) ? [textOf(scan, entity)] : []));
};

const readingOf = (callables: readonly Callable[], sources: Sources, text: string): ModelReading | string => {
  if (text.length > longestAnswer) return "it is too long";
  const parsed = answer.safeParse(jsonIn(text));
  if (!parsed.success) return "it is no answer of the schema";
  const { calls, unanswered, doubt } = parsed.data;
  const found = calls.map((call) => checked(callables, sources, call));
  const wrong = found.find((one) => typeof one === "string");
  if (wrong !== undefined) return wrong;
  const words = [...new Set(calls.flatMap(({ evidence }) => Object.values(evidence)))];
  const named = unanswered.filter((one) => occursIn(sources.message, one));
  const rest = unusedIn(sources.message, [...words, ...named]);
  return {
    calls: found.filter((one) => typeof one !== "string"),
    unanswered: [...new Set([...named, ...rest])],
    doubt,
  };
};

/** Those that the message names, and the first of the catalog. */
export const productsToTell = (scan: Scan, finder: ProductFinder): readonly ToldProduct[] => {
  const named = entitiesOf(scan)
    .flatMap((one) => (one.kind === "product" ? one.ids : []))
    .flatMap((id) => finder.get(id) ?? []);
  return [...new Map([...named, ...finder.first(mostNames)].map((one) => [one.product_id, one])).values()].slice(
    0,
    mostNames,
  );
};

/**
 * Asks a model what a message means and believes nothing: an answer that is not of the schema is discarded as a whole,
 * and of the others each id, figure and date must be in words that our own readers read to the same. It has no gate and
 * no context, so it can neither call an operation nor take, word or show an option.
 */
export const createModelReader = (
  model: LanguageModel,
  contracts: readonly CallableContract[],
  named: ReadonlySet<string>,
): ModelReader => {
  const callables = callablesOf(contracts, named);
  const read = async ({ scan, shown, finder, nowMs, told }: HeardMessage): Promise<ModelReading | null> => {
    if (!/\p{L}{2}/u.test(scan.text)) return null;
    const labels = shown.map(({ label }) => label);
    const prompt = promptOf(callables, {
      text: scan.text.slice(0, mostRead),
      labels,
      products: told,
      nowMs,
    });
    const text = await model.ask(prompt);
    if (text === null) return null;
    let scans: readonly Scan[] | null = null;
    const scansOf = (): readonly Scan[] =>
      (scans ??= shown.map(({ label, terms }) => scanOf(`${label}\n${terms}`, finder, nowMs)));
    const reading = readingOf(callables, { message: scan, shown: scansOf, finder, nowMs }, text);
    if (typeof reading !== "string") return reading.calls.length === 0 ? null : reading;
    model.discard(reading);
    return null;
  };
  const asked = new WeakMap<object, { readonly text: string; readonly reading: Promise<ModelReading | null> }>();
  return (heard) => {
    const { message, scan } = heard;
    const known = asked.get(message);
    if (known?.text === scan.text) return known.reading;
    const reading = read(heard);
    asked.set(message, { text: scan.text, reading });
    return reading;
  };
};
