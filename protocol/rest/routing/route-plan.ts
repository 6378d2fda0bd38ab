import type { BodyLimits } from "../../neutral/json-input.ts";
import type { Call, Contract, RestRoute } from "../../seam/operation.ts";
import { queryIssue } from "../../neutral/query.ts";
import { Refused, refuse } from "../../neutral/refusals.ts";
import type { OperationDialect } from "../dialects/dialect.ts";
import { type MemberReader, memberReaders } from "../members.ts";

export interface RoutePlan {
  readonly contract: Contract;
  readonly method: RestRoute["method"];
  readonly path: string;
  readonly status: number;
  readonly readsBody: boolean;
  readonly pathMembers: readonly (readonly [name: string, reader: MemberReader])[];
  readonly queryMembers: ReadonlyMap<string, MemberReader>;
  readonly locate: NonNullable<Call["locate"]>;
  readonly dialect: OperationDialect | null;
  readonly limits: BodyLimits;
  readonly mediaTypes: ReadonlyMap<string, string>;
}

const asText: MemberReader = { list: false, read: (text) => text };

export const pathNames = (path: string): readonly string[] =>
  [...path.matchAll(/[:*]([A-Za-z_]\w*)/g)].map((match) => String(match[1]));

/** With a body the query has no input members; the gates read a named agent. */
const noMembers: RoutePlan["queryMembers"] = new Map();

const queryOf = (
  contract: Contract,
  members: ReadonlyMap<string, MemberReader>,
  inPath: readonly string[],
): ReadonlyMap<string, MemberReader> => {
  const query = new Map([...members].filter(([name]) => !inPath.includes(name)));
  // A blocked agent is refused on every request that names it.
  if (!query.has("agent_url")) query.set("agent_url", asText);
  if (contract.effect !== "read" && !query.has("idempotency_key")) query.set("idempotency_key", asText);
  return query;
};

export const planRoutes = (
  contract: Contract,
  dialect: OperationDialect | null,
  limits: BodyLimits,
): readonly RoutePlan[] => {
  const { rest } = contract;
  if (rest === undefined || contract.closedDoors?.rest !== undefined) return [];
  const members = memberReaders(contract.input);
  return [rest, ...(rest.aliases ?? [])].map(({ method, path }) => {
    const names = pathNames(path);
    const readsBody = method === "POST" || method === "PUT";
    const elsewhere = readsBody ? "body" : "query";
    return {
      contract,
      method,
      path,
      status: rest.status ?? 200,
      readsBody,
      pathMembers: names.map((name) => [name, members.get(name) ?? asText] as const),
      queryMembers: readsBody ? noMembers : queryOf(contract, members, names),
      locate: (member: string) => (names.includes(member) ? "path" : elsewhere),
      dialect,
      limits,
      mediaTypes: new Map(rest.mediaTypes?.map((type) => [plainSpelling(type), type])),
    };
  });
};

const plainSpelling = (type: string): string => type.toLowerCase().replaceAll(" ", "");

/** Null: plain JSON. */
export const echoedType = (plan: RoutePlan, given: string | undefined): string | null =>
  given === undefined || plan.mediaTypes.size === 0 ? null : (plan.mediaTypes.get(plainSpelling(given)) ?? null);

/** Unknown names are ignored, a repeated scalar is rejected. */
export const readQuery = (plan: RoutePlan, query: URLSearchParams): Record<string, unknown> => {
  const input: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const reader = plan.queryMembers.get(name);
    if (reader === undefined) continue;
    const texts = query.getAll(name);
    if (!reader.list && texts.length > 1) throw queryIssue(name, "Give this parameter once.");
    input[name] = reader.list ? texts.map((text) => reader.read(text)) : reader.read(String(texts[0]));
  }
  return input;
};

/** A body with another id than the path's would change the record's id. */
const checkSameId = (plan: RoutePlan, name: string, inBody: unknown, inPath: unknown): void => {
  if (inBody === undefined || inBody === inPath || plan.contract.refusals.immutable_field === undefined) return;
  const message = `${name} cannot be changed. Leave it out.`;
  throw new Refused(refuse("immutable_field", { message, extras: { field: name, fields: [name] } }));
};

/** A body that is no object is left for the schema. */
export const withPath = (plan: RoutePlan, input: unknown, params: Readonly<Record<string, string>>): unknown => {
  if (plan.pathMembers.length === 0) return input;
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const named = input as Record<string, unknown>;
  for (const [name, reader] of plan.pathMembers) {
    const text = params[name];
    if (text === undefined) continue;
    const value = reader.read(text);
    checkSameId(plan, name, named[name], value);
    named[name] = value;
  }
  return named;
};
