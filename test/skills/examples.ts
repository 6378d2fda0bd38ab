import type { Examples } from "../../protocol/openapi/openapi.ts";
import { canaryProducts } from "../secrecy/canaries.ts";
import { type FoundCase, loadCases, openCase } from "./cases.ts";

type Example = Examples[string];

const isOperators = ({ skillCase }: FoundCase): boolean => ["operator", "senior", "host"].includes(skillCase.caller);

const inputLength = ({ skillCase }: FoundCase): number => JSON.stringify(skillCase.input ?? {}).length;

/** A buyer's where there is one, because the document is public; then the one with the largest input. */
export const exemplaryCase = (cases: readonly FoundCase[], operation: string): FoundCase | undefined =>
  cases
    .filter(({ file, skillCase }) => file.includes(`/${operation}/exemplary/`) && !skillCase.expect?.refusal)
    .sort((left, right) => inputLength(right) - inputLength(left))
    .sort((left, right) => Number(isOperators(left)) - Number(isOperators(right)))[0];

/** Visible to operators only (decisions 41, 83). */
const operatorsOnly = [
  "floor_price",
  "accept_from",
  "strategy",
  "max_rounds",
  "per_round_concession_cap",
  "total_concession_cap",
];

const withoutSecrets = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replace(/(ask_live_|whsec_)[\w+/=.-]+/g, "$1...")) as unknown;

const floors = canaryProducts.flatMap(({ floor_cpm_micros: micros }) => (micros === null ? [] : [micros / 1_000_000]));

/** What operators alone may see is not shown to everybody: a floor is shown as another figure. */
const asAnyone = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(withoutSecrets(value)), (name, member: unknown) => {
    if (operatorsOnly.includes(name)) return null;
    return typeof member === "number" && floors.includes(member) ? 20 : member;
  });

const recorded = async ({ skillCase }: FoundCase): Promise<Example> => {
  const { world, request } = await openCase(skillCase, {});
  try {
    const { body } = await world.send(request);
    return { request: withoutSecrets(request.input ?? {}), response: asAnyone(body) };
  } finally {
    await world.close();
  }
};

/** Stand-alone hexadecimal runs: minted ids differ in each run. */
const mintedPart =
  /(?<![0-9A-Za-z])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{8,}|[0-9A-F]{8,})(?![0-9A-Za-z])/g;

/** A cursor holds minted ids in base64. */
const cursor = /(?<="next_cursor":)"[^"]*"/g;

const masked = (example: Example | undefined): string =>
  JSON.stringify(example ?? null)
    .replace(mintedPart, "#")
    .replace(cursor, '"#"');

/** Known examples that differ in minted ids alone stay, so that a new run changes nothing else. */
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
