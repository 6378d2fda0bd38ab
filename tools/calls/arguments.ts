import { canonicalJson } from "../../protocol/neutral/canonical.ts";
import { isMembers } from "../../protocol/neutral/json-input.ts";
import type { Refusal } from "../../protocol/neutral/refusals.ts";
import { fieldRefusal, readBy } from "../../protocol/neutral/validation.ts";
import type { Contract } from "../../protocol/seam/operation.ts";
import { entryOf } from "../catalog.ts";
import type { Members } from "../../protocol/neutral/members.ts";
import { longestCompared, nearestOf } from "./nearest.ts";

/** Our own name wins over an alias. `fields` shapes the answer and is no input: a retry may ask for others. */
export const namedArguments = (contract: Contract, sent: unknown): unknown => {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return sent ?? {};
  const { fields: _fields, ...given } = sent as Members;
  const named: Record<string, unknown> = { ...given };
  for (const [alias, member] of Object.entries(contract.tool?.argumentAliases ?? {})) {
    if (named[member] === undefined && given[alias] !== undefined) named[member] = given[alias];
  }
  return named;
};

/** Read by the gates or the door, whatever the operation. */
export const readEverywhere = ["agent_url", "idempotency_key", "dry_run", "fields"];

/** Null: any member is taken. */
export const membersTaken = (schema: Members): readonly string[] | null => {
  if (schema["additionalProperties"] !== undefined || schema["anyOf"] !== undefined) return null;
  return Object.keys((schema["properties"] as Members | undefined) ?? {});
};

/** Null: the tool takes any argument. */
const knownNames = (contract: Contract): readonly string[] | null => {
  const taken = membersTaken(entryOf(contract).inputSchema);
  return taken === null ? null : [...taken, ...Object.keys(contract.tool?.argumentAliases ?? {})];
};

export interface UnknownArgument {
  readonly name: string;
  readonly meant: string | null;
}

const mostNamed = 20;

/** Unknown arguments are ignored on every door; an assistant that misspelled one has to learn it. */
export const unknownArguments = (contract: Contract, sent: unknown): readonly UnknownArgument[] => {
  const known = isMembers(sent) ? knownNames(contract) : null;
  if (known === null) return [];
  return Object.keys(sent as Members)
    .filter((name) => !known.includes(name) && !readEverywhere.includes(name))
    .slice(0, mostNamed)
    .map((name) => ({ name: name.slice(0, longestCompared), meant: nearestOf(name, known) }));
};

/** Of an argument with one of these words in its name the answer would be wrong without a sign of it. */
const weightyWords = new Set(
  (
    "date dates day days week weeks month months year start end from to since until flight period " +
    "duration time price prices cpm cost rate budget amount bid floor discount currency impression " +
    "impressions imps volume quantity units geo geos geography country countries region regions state " +
    "city cities market markets dma zip location audience audiences segment segments target targets " +
    "targeting filter filters type types format formats device devices channel channels category " +
    "categories frequency query q search keyword keywords waiting status match"
  ).split(" "),
);

const isWeighty = (name: string): boolean =>
  name
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => weightyWords.has(word));

const mostListed = 30;

/** One name of an argument and its alias, with different values. */
const contradiction = (contract: Contract, sent: Members): Refusal | null => {
  for (const [alias, member] of Object.entries(contract.tool?.argumentAliases ?? {})) {
    const [one, other] = [sent[alias], sent[member]];
    if (one == null || other == null || canonicalJson(one) === canonicalJson(other)) continue;
    return fieldRefusal(alias, `${alias} is another name of ${member}: send one of them.`);
  }
  return null;
};

/**
 * Before anything is done: an answer for other dates, another price or without the wanted geo reads like the right one.
 * What could not matter is ignored, as on every door. Null where the call is refused for its other arguments anyway.
 */
export const argumentRefusal = (contract: Contract, sent: unknown): Refusal | null => {
  if (!isMembers(sent)) return null;
  const both = contradiction(contract, sent);
  if (both !== null) return both;
  const found = unknownArguments(contract, sent).find(
    ({ name, meant }) => isWeighty(name) || (meant !== null && contract.effect !== "read"),
  );
  if (found === undefined || !readBy(contract.input, namedArguments(contract, sent)).success) return null;
  const known = (knownNames(contract) ?? []).slice(0, mostListed).join(", ");
  const text = `Nothing was done, since this could change the answer. ${contract.name} takes: ${known}.`;
  return fieldRefusal(found.name, text, "unknown_argument");
};

export const unknownText = ({ name, meant }: UnknownArgument): string =>
  meant === null ? `${name} is no argument of this tool.` : `${name} is no argument: did you mean ${meant}?`;
