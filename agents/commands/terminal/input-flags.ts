import { type Command, Option } from "commander";
import type { Members } from "../../../protocol/neutral/members.ts";
import type { Contract } from "../../../protocol/seam/operation.ts";
import { type JsonSchema, jsonSchemaOf } from "../../../protocol/seam/json-schema.ts";
import { nearestOf } from "../../../tools/calls/nearest.ts";
import { UsageFailure } from "../context.ts";

type Kind = "text" | "number" | "integer" | "boolean";

/** One member of an operation's input, as a flag takes it. */
interface InputFlag {
  readonly member: string;
  readonly kind: Kind;
  readonly isList: boolean;
  /** Empty: any value. */
  readonly choices: readonly string[];
  readonly meaning: string;
}

const schemasIn = (schema: JsonSchema): readonly JsonSchema[] => {
  const options = schema["anyOf"] as readonly JsonSchema[] | undefined;
  return options === undefined ? [schema] : options.flatMap(schemasIn);
};

const schemaTypes = ({ type }: JsonSchema): readonly string[] => [type].flat().filter((one) => typeof one === "string");

const flagKind = (schema: JsonSchema): Kind | null => {
  const types = schemaTypes(schema);
  const known = (["boolean", "integer", "number"] as const).find((kind) => types.includes(kind));
  return known ?? (types.includes("string") ? "text" : null);
};

const choicesOf = ({ enum: choices }: JsonSchema): readonly string[] =>
  ((choices ?? []) as readonly unknown[]).filter((one) => typeof one === "string" && one !== "") as readonly string[];

/** Null: a value that no word can write, such as an object. */
const flagOf = (member: string, schema: JsonSchema): InputFlag | null => {
  const options = schemasIn(schema);
  const list = options.find((option) => schemaTypes(option).includes("array"));
  const one = list === undefined ? options : schemasIn(list["items"] as JsonSchema);
  const found = one.map((option) => ({ option, kind: flagKind(option) })).find(({ kind }) => kind !== null);
  if (found?.kind == null) return null;
  const said = schema["description"] ?? found.option["description"];
  const meaning = typeof said === "string" ? said : "";
  return { member, kind: found.kind, isList: list !== undefined, choices: choicesOf(found.option), meaning };
};

const flagsOf = (contract: Contract): readonly InputFlag[] => {
  const { properties = {} } = jsonSchemaOf(contract.input, "input") as { properties?: Record<string, JsonSchema> };
  return Object.entries(properties)
    .map(([member, schema]) => flagOf(member, schema))
    .filter((flag) => flag !== null);
};

const spelled = (member: string): string => `--${member.replaceAll("_", "-")}`;

const placeholder = ({ kind, isList }: InputFlag): string => {
  if (kind === "boolean") return " [yes|no]";
  return isList ? " <values>" : ` <${kind === "text" ? "value" : "number"}>`;
};

export const addInputFlags = (command: Command, contracts: readonly Contract[]): void => {
  const seen = new Set<string>();
  for (const flag of contracts.flatMap(flagsOf)) {
    if (seen.has(flag.member)) continue;
    seen.add(flag.member);
    const option = new Option(spelled(flag.member) + placeholder(flag), flag.meaning);
    // Read by help and completion; the check is ours, which takes lists and offers the nearest.
    if (flag.choices.length > 0) option.argChoices = [...flag.choices];
    command.addOption(option);
  }
};

const optionName = (member: string): string =>
  member.replace(/_(\w)/g, (_whole, letter: string) => letter.toUpperCase());

const yesOrNo: Readonly<Record<string, boolean>> = { yes: true, true: true, no: false, false: false };

const valueOf = (flag: InputFlag, text: string): unknown => {
  const name = spelled(flag.member);
  const shown = JSON.stringify(text);
  if (flag.kind === "boolean") {
    const value = Object.hasOwn(yesOrNo, text) ? yesOrNo[text] : undefined;
    if (value === undefined) throw new UsageFailure(`${name}: ${shown} is neither yes nor no.`);
    return value;
  }
  if (flag.kind !== "text") {
    const isNumber = flag.kind === "integer" ? /^-?\d{1,15}$/ : /^-?\d{1,15}(\.\d{1,9})?$/;
    if (!isNumber.test(text)) throw new UsageFailure(`${name}: ${shown} is no ${flag.kind}.`);
    return Number(text);
  }
  if (flag.choices.length === 0 || flag.choices.includes(text)) return text;
  const near = nearestOf(text, flag.choices);
  const guess = near === null ? "" : ` Did you mean ${near}?`;
  throw new UsageFailure(`${name}: ${shown} is none of ${flag.choices.join(", ")}.${guess}`);
};

const flagValue = (flag: InputFlag, given: unknown): unknown => {
  if (given === true) return true;
  const text = String(given);
  return flag.isList ? text.split(",").map((one) => valueOf(flag, one.trim())) : valueOf(flag, text);
};

/** The input that the flags write. A flag of another agent's operation alone is wrong usage. */
export const inputOfFlags = (contract: Contract, others: readonly Contract[], given: Members): Members => {
  const own = flagsOf(contract);
  const foreign = others.flatMap(flagsOf).find(({ member }) => {
    return given[optionName(member)] !== undefined && !own.some((flag) => flag.member === member);
  });
  if (foreign !== undefined)
    throw new UsageFailure(`${spelled(foreign.member)}: ${contract.name} takes no such filter.`);
  const entries = own.map((flag) => [flag, given[optionName(flag.member)]] as const);
  return Object.fromEntries(
    entries.filter(([, value]) => value !== undefined).map(([flag, value]) => [flag.member, flagValue(flag, value)]),
  );
};
