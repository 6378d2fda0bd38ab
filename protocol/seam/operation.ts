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

/** One REST route. Members named in the path come from it, the rest from the query on GET and DELETE, else the body. */
export interface RestRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** In the router's own grammar, for example `/api/v1/quotes/:quote_id`. */
  readonly path: string;
  readonly status?: number;
  /**
   * Other names that JSON has here: a body is read whatever its `Content-Type` says, and answered under its own name
   * if it is one of these. Without them a type that is not JSON is 415.
   */
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
 * An operation as plain data: the one place from which REST, MCP, A2A, OpenAPI, the docs page, the command line and
 * the typed client are read. `name` is verb_noun and serves as tool name, operationId, verb and log field. `refusals`
 * lists the codes that the handler may answer, each with its HTTP status here; those of the gates are implied.
 * `secretOutput` names output members that a stored or replayed answer never holds (decision 78). A door that makes
 * no sense is left out in `closedDoors` with its reason.
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

/** States a contract as data and keeps its exact schema types. */
export const defineContract = <I extends z.ZodType, O extends z.ZodType>(contract: Contract<I, O>): Contract<I, O> =>
  contract;

/**
 * An event before `run` gives it id, time and owner. Members of the wire record that are left out are empty strings.
 */
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
 * A handler's answer. Everything in `changes` and `events` is committed at once, together with the audit entry and
 * the idempotency record; nothing is committed in a dry run. Where the commit loses a race the handler is called
 * again with fresh rows, so it must decide from what it loads and must not act outside the store.
 */
export interface Answer<T> {
  readonly output: T;
  readonly changes?: readonly Change[];
  readonly events?: readonly EventDraft[];
  /**
   * Lines for the log, written once the commit is durable: a lost race or a dry run leaves no trace of what never
   * was.
   */
  readonly log?: readonly LogLine[];
  readonly meta?: AnswerMeta;
}

/** One line of the log; chosen fields only. */
export interface LogLine {
  readonly level: "info" | "warn";
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** What a wire may need besides the output: the dialect the record was made in, its revision for `ETag`. */
export interface AnswerMeta {
  readonly dialect?: string | null;
  readonly revision?: number;
}

/** What the wire needs besides a record of which a dialect is kept. */
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
 * What a handler is given. It sees durable rows only and cannot write; it answers with the changes it wants.
 * `own` is the one place of ownership and of 404: a missing row and a foreign row are refused in equal bytes.
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
  /**
   * Refuses with 412 and the current revision when the caller's `If-Match` names another one (decision 63). Call it
   * with the revision of the record that is about to be changed.
   */
  matchRevision(revision: number): void;
  /**
   * Names what this call does elsewhere: the same for each of its attempts, and for every call under the same
   * idempotency key, so that another agent does it once.
   */
  effectKey(): string;
  /** Makes an id or a secret that a dry run must not give away. */
  mint(make: () => string): string;
  /**
   * Calls another operation for the same caller through every gate but the rate count. What it does is a commit of its
   * own. Where it fails by a bug of ours the calling operation fails with it.
   */
  call(name: string, input: unknown): Promise<Outcome>;
}

export type Handler<I extends z.ZodType, O extends z.ZodType, P> = (
  context: Context<P>,
  input: z.output<I>,
) => Promise<Answer<z.input<O>> | Refusal | RefusalWithChanges>;

/** A contract with the handler that fulfils it, its types folded away so that operations form one list. */
export interface Operation<P = unknown> {
  readonly contract: Contract;
  readonly handle: (context: Context<P>, input: unknown) => Promise<Answer<unknown> | Refusal | RefusalWithChanges>;
}

/** Binds a handler to its contract. `run` parses the input with the contract before the handler sees it. */
export const defineOperation = <I extends z.ZodType, O extends z.ZodType, P>(
  contract: Contract<I, O>,
  handle: Handler<I, O, P>,
): Operation<P> => ({ contract, handle: (context, input) => handle(context, input as z.output<I>) });

/** What the wire tells the caller besides the body. */
export interface OutcomeMeta {
  readonly replayed: boolean;
  readonly dryRun: boolean;
  readonly dialect: string | null;
  readonly revision: number | null;
}

/** The end of every call: an output, a declared refusal, or a bug of ours that is logged and never explained. */
export type Outcome =
  | { readonly kind: "done"; readonly output: unknown; readonly meta: OutcomeMeta }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly status: number }
  | { readonly kind: "bug"; readonly requestId: string };

/**
 * One call as a wire hands it over. `input` is a thunk, so that nothing of the body is read before the gates of
 * caller, access and rate have passed; it may throw `Refused`.
 */
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

/**
 * The operations that skill files export, group by group, by name within a group: the order of a module's exports is
 * not the same under every loader.
 */
export const operationsOf = <P>(groups: readonly Readonly<Record<string, Operation<P>>>[]): readonly Operation<P>[] =>
  groups.flatMap((group) =>
    Object.values(group).sort((left, right) => (left.contract.name < right.contract.name ? -1 : 1)),
  );
