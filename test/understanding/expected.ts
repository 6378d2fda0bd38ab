import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { optionsFor, sendOn, takeOptions } from "./follow.ts";
import { commitsOf, type Said, type Talker } from "./talker.ts";

/** Absent members are not checked; of names and ids, several are parted by a bar. */
export interface Expected {
  readonly say: readonly string[];
  readonly product?: string;
  readonly impressions?: number;
  readonly flight?: readonly [string, string];
  readonly cpm?: number;
  readonly budget?: number;
  readonly dealType?: string;
  readonly absent?: readonly string[];
  readonly skill?: string | null;
  readonly outcome?: string;
  readonly skills?: readonly string[];
  readonly outcomes?: readonly string[];
  readonly unused?: string;
  readonly text?: string;
  readonly never?: string;
  /** Of the last message; a booking only where the outcome may be one. */
  readonly commits?: readonly string[];
}

interface UnderstandingSet {
  readonly products: Readonly<Record<string, string>>;
  readonly groups: readonly { readonly name: string; readonly cases: readonly Expected[] }[];
}

/** With the ids of the products that they name. */
export const groupsOf = (file: string): UnderstandingSet["groups"] => {
  const path = join(import.meta.dirname, "sets", file);
  const { products, groups } = JSON.parse(readFileSync(path, "utf8")) as UnderstandingSet;
  const named = (one: Expected): Expected =>
    one.product === undefined ? one : { ...one, product: products[one.product] ?? one.product };
  return groups.map(({ name, cases }) => ({ name, cases: cases.map(named) }));
};

export interface Heard {
  readonly said: readonly Said[];
  readonly commits: readonly string[];
  readonly contextId?: string | undefined;
}

/** What the last message was answered with, and what it committed. */
export const hearLast = async (talker: Talker, texts: readonly string[]): Promise<Heard> => {
  let contextId: string | undefined;
  let said: readonly Said[] = [];
  for (const text of texts.slice(0, -1)) ({ contextId } = await sendOn(talker, text, { caller: "agency", contextId }));
  const commits = await commitsOf(talker, async () => {
    ({ contextId, said } = await talker.send("agency", texts.at(-1) ?? "", { contextId }));
  });
  return { said, commits, contextId };
};

/** What a reply lacks that an option of it gives, the sender takes: both replies are judged as one. */
export const problemsWithPick = async (
  talker: Talker,
  expected: Omit<Expected, "say">,
  { said, commits, contextId }: Heard,
  caller = "agency",
): Promise<readonly string[]> => {
  const problems = problemsOf(expected, { said, commits });
  const wanted = (expected.commits ?? []).filter((one) => !commits.includes(one));
  const outcomes = [...(expected.outcomes ?? []), ...(expected.outcome?.split("|") ?? [])];
  const effects = wanted.length > 0 && outcomes.length <= wanted.length ? wanted : outcomes;
  const options = problems.length === 0 ? [] : optionsFor(said, effects);
  if (options.length === 0) return problems;
  let after: readonly Said[] = [];
  const more = await commitsOf(talker, async () => {
    ({ said: after } = await takeOptions(talker, options, { caller, contextId }));
  });
  const all = [...commits, ...more];
  const [first] = said;
  const [then] = after;
  if (first === undefined || then === undefined) return problems;
  const both = { ...first, ...then, understood: { ...first.understood, ...then.understood } };
  const read = [after, [{ ...both, text: `${first.text}\n${then.text}` }], [{ ...both, skill: first.skill }], said];
  const judged = read.map((one) => problemsOf(expected, { said: one, commits: all }));
  return judged.find((one) => one.length === 0) ?? judged[0] ?? problems;
};

const oneOf = (names: string): RegExp => new RegExp(`^(?:${names})$`);

const slotsOf = ({ product, impressions, flight, cpm, budget, dealType }: Omit<Expected, "say">) =>
  Object.entries({
    product_id: product,
    impressions,
    flight_start: flight?.[0],
    flight_end: flight?.[1],
    target_cpm: cpm,
    budget,
    deal_type: dealType,
  }).filter(([, value]) => value !== undefined);

const fitsNames = (wanted: string | null | undefined, is: string | null | undefined): boolean => {
  if (wanted === undefined) return true;
  return wanted === null ? is === null : typeof is === "string" && oneOf(wanted).test(is);
};

/** Empty where the reply is right. */
const problemsOf = (expected: Omit<Expected, "say">, { said, commits }: Heard): readonly string[] => {
  const [first] = said;
  if (first === undefined) return ["no answer"];
  const { understood, text, not_used: unused = [] } = first;
  const skills = said.map(({ skill }) => skill);
  const outcomes = said.map(({ outcome }) => outcome);
  const wrong = slotsOf(expected).filter(([name, value]) => understood[name] !== value);
  const mayBook =
    expected.commits === undefined && [expected.outcome, ...(expected.outcomes ?? [])].join().includes("booked");
  const isCommitted = mayBook
    ? commits.every((one) => one === "booked") && commits.length > 0 === outcomes.includes("booked")
    : isDeepStrictEqual(commits, expected.commits ?? []);
  const checks: readonly (readonly [string, boolean])[] = [
    ...wrong.map(([name, value]) => [`${name} ${String(understood[name])}, not ${String(value)}`, false] as const),
    ...(expected.absent ?? []).map((name) => [`${name} understood`, understood[name] === undefined] as const),
    [`skill ${String(first.skill)}`, fitsNames(expected.skill, first.skill)],
    [`outcome ${first.outcome}`, fitsNames(expected.outcome, first.outcome)],
    [`skills ${skills.join()}`, expected.skills === undefined || isDeepStrictEqual(skills, expected.skills)],
    [`outcomes ${outcomes.join()}`, expected.outcomes === undefined || isDeepStrictEqual(outcomes, expected.outcomes)],
    [`not used: ${unused.join("; ")}`, new RegExp(expected.unused ?? "").test(unused.join("; "))],
    ["text lacks it", new RegExp(expected.text ?? "").test(text)],
    ["text has it", expected.never === undefined || !new RegExp(expected.never).test(text)],
    [`committed ${commits.join()}`, isCommitted],
  ];
  return checks.filter(([, holds]) => !holds).map(([problem]) => problem);
};
