import type { z } from "zod";
import { type JsonSchema, jsonSchemaOf } from "../../../protocol/seam/json-schema.ts";

/** Of an operation's contract what a model may be told; here is nothing that could call one. */
export interface CallableContract {
  readonly name: string;
  readonly summary: string;
  readonly effect: "read" | "draft" | "write";
  readonly access: string;
  readonly input: z.ZodType;
  readonly intent?: { readonly skill: string };
  readonly tool?: { readonly programsOnly?: readonly string[] };
}

type Properties = Readonly<Record<string, JsonSchema>>;

/** An operation as a model is told of it. */
export interface Callable {
  readonly contract: CallableContract;
  readonly properties: Properties;
  readonly required: readonly string[];
}

/** Who asks, pages of lists, and what the terms of an option would not show. */
const unsaid: ReadonlySet<string> = new Set(
  (
    "agent_url buyer_identity buyer_tier buyer agency_id advertiser_id buyer_id limit offset cursor fields " +
    "audience_plan context_id round_number shift_days"
  ).split(" "),
);

/** Terms that hold as the product has them where no words name others. */
export const ownTerms: ReadonlySet<string> = new Set(["deal_type", "currency"]);

/** Bounds are checked here, and a field that nothing says is left out rather than null. */
const kept: ReadonlySet<string> = new Set(["type", "enum", "format", "description", "items", "properties", "required"]);

const lean = ({ anyOf, ...schema }: JsonSchema): JsonSchema => {
  const [only = {}, other] = ((anyOf ?? []) as readonly JsonSchema[]).filter(({ type }) => type !== "null");
  const whole = other === undefined ? { ...only, ...schema } : schema;
  const { items, properties } = whole as { readonly items?: JsonSchema; readonly properties?: Properties };
  return {
    ...Object.fromEntries(Object.entries(whole).filter(([name]) => kept.has(name))),
    ...(items === undefined ? {} : { items: lean(items) }),
    ...(properties === undefined ? {} : { properties: leanAll(properties) }),
  };
};

const leanAll = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, lean(schema)]));

const callableOf = (contract: CallableContract): Callable => {
  const { properties = {}, required = [] } = jsonSchemaOf(contract.input, "input") as {
    readonly properties?: Properties;
    readonly required?: readonly string[];
  };
  const hidden = new Set(contract.tool?.programsOnly ?? []);
  const isShown = (name: string): boolean => !unsaid.has(name) && !hidden.has(name);
  return {
    contract,
    properties: leanAll(Object.fromEntries(Object.entries(properties).filter(([name]) => isShown(name)))),
    required: required.filter((name) => isShown(name) && !ownTerms.has(name)),
  };
};

/**
 * What a conversation may call: what changes nothing and has phrases that ask for it or a reply, and the deeds of the
 * gate. `named` are those with a reply, and the deeds.
 */
export const callablesOf = (contracts: readonly CallableContract[], named: ReadonlySet<string>): readonly Callable[] =>
  contracts
    .filter(({ access }) => access === "public" || access === "key")
    .filter(({ name, effect, intent }) => named.has(name) || (effect !== "write" && intent !== undefined))
    .map(callableOf);

/** Chosen from a list of names, or yes and no: it needs no evidence. */
export const isChosen = ({ properties }: Callable, name: string): boolean => {
  const { type, enum: own, items } = properties[name] ?? {};
  return type === "boolean" || own !== undefined || (items as JsonSchema | undefined)?.["enum"] !== undefined;
};
