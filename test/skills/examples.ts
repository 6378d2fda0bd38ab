import type { Examples } from "../../protocol/openapi/openapi.ts";
import { type FoundCase, loadCases, openCase } from "./cases.ts";

/** An input and its output, as a case sent and got them. */
type Example = Examples[string];

const isOperators = ({ skillCase }: FoundCase): boolean => ["operator", "senior", "host"].includes(skillCase.caller);

const inputLength = ({ skillCase }: FoundCase): number => JSON.stringify(skillCase.input ?? {}).length;

/**
 * The exemplary case that shows an operation best: a buyer's where there is one, because the document is public, and of
 * those the one that says most in its input.
 */
export const exemplaryCase = (cases: readonly FoundCase[], operation: string): FoundCase | undefined =>
  cases
    .filter(({ file, skillCase }) => file.includes(`/${operation}/exemplary/`) && !skillCase.expect?.refusal)
    .sort((left, right) => inputLength(right) - inputLength(left))
    .sort((left, right) => Number(isOperators(left)) - Number(isOperators(right)))[0];

/** What operators alone may see of a price or a negotiation (decisions 41, 83). */
const operatorsOnly = ["floor_price", "strategy", "max_rounds", "per_round_concession_cap", "total_concession_cap"];

/** A secret is shown cut short. */
const withoutSecrets = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replace(/(ask_live_|whsec_)[\w+/=.-]+/g, "$1...")) as unknown;

/** What operators alone may see is not shown to everybody. */
const asAnyone = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(withoutSecrets(value)), (name, member: unknown) =>
    operatorsOnly.includes(name) ? null : member,
  );

/** Makes the call that a case is about, on a fresh seller. */
const recorded = async ({ skillCase }: FoundCase): Promise<Example> => {
  const { world, request } = await openCase(skillCase, {});
  try {
    const { body } = await world.send(request);
    return { request: withoutSecrets(request.input ?? {}), response: asAnyone(body) };
  } finally {
    await world.close();
  }
};

/** Hexadecimal runs that stand alone: what makes a minted id another one in each run. */
const mintedPart =
  /(?<![0-9A-Za-z])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{8,}|[0-9A-F]{8,})(?![0-9A-Za-z])/g;

/** The text of an example with every minted id masked: two runs of a case differ in nothing else. */
const masked = (example: Example | undefined): string => JSON.stringify(example ?? null).replace(mintedPart, "#");

/**
 * The examples of operations, taken from their exemplary cases. What is `known` and differs in minted ids alone stays,
 * so that a new run changes nothing that has not changed.
 */
export const collectExamples = async (operations: readonly string[], known: Examples): Promise<Examples> => {
  const cases = loadCases();
  const collected: Record<string, Example> = {};
  for (const operation of operations) {
    const found = exemplaryCase(cases, operation);
    if (found === undefined) continue;
    const example = await recorded(found);
    const before = known[operation];
    collected[operation] = before !== undefined && masked(before) === masked(example) ? before : example;
  }
  return collected;
};
