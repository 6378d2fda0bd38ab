import type { z } from "zod";
import type { Change, Kind, ListQuery, StoredRow } from "../../storage/store.ts";
import type { Admission } from "./admission.ts";
import type { Caller, Tier } from "./caller.ts";
import type { Log } from "./ports.ts";
import type { Refusal, RefusalCode } from "../neutral/refusals.ts";

/** Who may call: anybody; the holder of any valid key; an operator; a senior operator. */
export type Access = "public" | "key" | "operator" | "senior";

/** A way in. `host` is the command line over the control socket or the opened store. */
export type Door = "rest" | "mcp" | "a2a" | "rpc" | "host";

/** Members named in the path come from it, the rest from the query on GET and DELETE, else from the body. */
export interface RestRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** In the router's own grammar, for example `/api/v1/quotes/:quote_id`. */
  readonly path: string;
  readonly status?: number;
  /** Other names of JSON here: a body is read whatever its type says. Without them another type is 415. */
  readonly mediaTypes?: readonly string[];
  readonly aliases?: readonly { readonly method: RestRoute["method"]; readonly path: string }[];
}

/** What MCP clients are told of the tool beyond name, summary and schemas. */
export interface ToolTraits {
  readonly title: string;
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly openWorld: boolean;
  readonly aliases?: readonly string[];
  /** Argument names that existing clients use, each with the input name it stands for (decision 65). */
  readonly argumentAliases?: Readonly<Record<string, string>>;
}

/** How free text reaches the operation: the skill of the agent card, and phrases that ask for it. */
export interface Intent {
  readonly skill: "discovery" | "pricing" | "proposals" | "negotiation" | "deals";
  readonly phrases: readonly string[];
}

/**
 * An operation as plain data, from which every door, the documents and the client are made. `refusals` are the
 * handler's own codes with their HTTP status. `secretOutput` names members that no stored or replayed answer holds.
 */
export interface Contract<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly group: string;
  readonly summary: string;
  readonly effect: "read" | "write";
  readonly access: Access;
  readonly input: I;
  readonly output: O;
  readonly refusals: Readonly<Partial<Record<RefusalCode, number>>>;
  readonly rest?: RestRoute;
  readonly tool?: ToolTraits;
  readonly intent?: Intent;
  readonly secretOutput?: readonly string[];
  /** The input's `agent_url` is what the operation is about, not who calls: it neither caps nor blocks the caller. */
  readonly agentIsSubject?: true;
  readonly closedDoors?: Readonly<Partial<Record<Door, string>>>;
}

export const defineContract = <I extends z.ZodType, O extends z.ZodType>(contract: Contract<I, O>): Contract<I, O> =>
  contract;

/** An event before `run` gives it id, time and owner. */
export interface EventDraft {
  /** An id that another row of the same commit names; made anew where it is left out. */
  readonly event_id?: string;
  readonly event_type: string;
  readonly flow_id?: string;
  readonly flow_type?: string;
  readonly proposal_id?: string;
  readonly deal_id?: string;
  readonly session_id?: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Whose record the event tells of; the caller's own where it is left out. */
  readonly owner?: string;
}

/**
 * What a handler answers. `changes` and `events` are one commit with audit entry and idempotency record. After a lost
 * race the handler is called again, so it must act nowhere else.
 */
export interface Answer<T> {
  readonly output: T;
  readonly changes?: readonly Change[];
  readonly events?: readonly EventDraft[];
  /** Written once the commit is durable. */
  readonly log?: readonly LogLine[];
  readonly meta?: AnswerMeta;
}

export interface LogLine {
  readonly level: "info" | "warn";
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export interface AnswerMeta {
  readonly dialect?: string | null;
  readonly revision?: number;
}

export const recordMeta = (row: {
  readonly dialect?: string | null | undefined;
  readonly revision: number;
}): AnswerMeta => ({
  dialect: row.dialect ?? null,
  revision: row.revision,
});

/** A refusal that nevertheless stores something (decision 58 names the two there are). */
export interface RefusalWithChanges extends Refusal {
  readonly changes: readonly Change[];
  readonly events?: readonly EventDraft[];
}

/** A row that `own` or `load` returned, typed by its kind. */
export type Loaded<T> = StoredRow<T>;

/** A page of a list, typed by its kind. */
export interface PageQuery {
  readonly terms?: readonly string[];
  readonly order: ListQuery["order"];
  readonly limit: number;
  readonly after?: number;
  readonly offset?: number;
}

/**
 * What a handler gets: durable rows to read, no way to write. `own` refuses a missing and a foreign row in equal
 * bytes.
 */
export interface Context<P = unknown> {
  readonly caller: Caller;
  /** The tier in force for this call: the lowest of identity, bound agent and named agent. */
  readonly tier: Tier;
  readonly nowMs: number;
  readonly requestId: string;
  readonly door: Door;
  readonly dryRun: boolean;
  readonly dialect: string | null;
  /** The caller's W3C trace context, to be sent on with outbound calls (decision 80). */
  readonly traceparent?: string | null;
  readonly ports: P;
  readonly log: Log;
  own<T>(kind: Kind<T>, id: string, missing: RefusalCode): Promise<Loaded<T>>;
  load<T>(kind: Kind<T>, id: string): Promise<Loaded<T> | null>;
  list<T>(kind: Kind<T>, query: PageQuery): Promise<readonly Loaded<T>[]>;
  count<T>(kind: Kind<T>, term: string | null): Promise<number>;
  reserved(ledger: string, fromSlot: number, toSlot: number): Promise<number>;
  reservedSum(ledger: string, fromSlot: number, toSlot: number): Promise<number>;
  /** Refuses with 412 where the caller's `If-Match` names another revision of the record. */
  matchRevision(revision: number): void;
  /** The same for each attempt and each call under one idempotency key, so that another agent does it once. */
  effectKey(): string;
  /** Makes an id or a secret that a dry run must not give away. */
  mint(make: () => string): string;
  /** Calls another operation for the same caller, uncounted. It commits by itself; a bug in it ends this call too. */
  call(name: string, input: unknown): Promise<Outcome>;
}

export type Handler<I extends z.ZodType, O extends z.ZodType, P> = (
  context: Context<P>,
  input: z.output<I>,
) => Promise<Answer<z.input<O>> | Refusal | RefusalWithChanges>;

export interface Operation<P = unknown> {
  readonly contract: Contract;
  readonly handle: (context: Context<P>, input: unknown) => Promise<Answer<unknown> | Refusal | RefusalWithChanges>;
}

export const defineOperation = <I extends z.ZodType, O extends z.ZodType, P>(
  contract: Contract<I, O>,
  handle: Handler<I, O, P>,
): Operation<P> => ({ contract, handle: (context, input) => handle(context, input as z.output<I>) });

export interface OutcomeMeta {
  readonly replayed: boolean;
  readonly dryRun: boolean;
  readonly dialect: string | null;
  readonly revision: number | null;
}

export type Outcome =
  | { readonly kind: "done"; readonly output: unknown; readonly meta: OutcomeMeta }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly status: number }
  | { readonly kind: "bug"; readonly requestId: string };

/** One call of a door. `input` is a thunk: no byte of the body is read before the gates have passed. */
export interface Call {
  readonly operation: string;
  readonly door: Door;
  readonly admission: Admission;
  readonly requestId: string;
  readonly input: () => unknown;
  /** From the header `Idempotency-Key`, the data part or the `messageId`; the input's own field is read by `run`. */
  readonly idempotencyKey?: string | null;
  /** What `?dry_run=` of the request's address says; null where it says neither yes nor no. */
  readonly dryRun?: boolean | null;
  /** The agents that `?agent_url=` of the request's address names, where it is not read as the input. */
  readonly agents?: readonly string[];
  /** The header `If-Match`; tools and data parts send `if_match` in the input instead. */
  readonly ifMatch?: string | null;
  readonly dialect?: string | null;
  /** A valid W3C `traceparent` of the caller, or null. */
  readonly traceparent?: string | null;
  /** Where a member of the input came from, for the `loc` of schema issues; the body where it is left out. */
  readonly locate?: (member: string) => "path" | "query" | "body";
}

/** In the order of names: that of a module's exports differs between loaders. */
export const operationsOf = <P>(groups: readonly Readonly<Record<string, Operation<P>>>[]): readonly Operation<P>[] =>
  groups.flatMap((group) =>
    Object.values(group).sort((left, right) => (left.contract.name < right.contract.name ? -1 : 1)),
  );
