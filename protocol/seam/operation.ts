import type { z } from "zod";
import type { Change, Kind, ListQuery, StoredRow } from "../../storage/store.ts";
import type { Admission } from "./admission.ts";
import type { Caller, Tier } from "./caller.ts";
import type { Log } from "./ports.ts";
import type { Refusal, RefusalCode, MissingCode } from "../neutral/refusals.ts";

/** Who may call: anybody; the holder of any valid key; an operator; a senior operator. */
export type Access = "public" | "key" | "operator" | "senior";

/** `host` is the command line. */
export type Door = "rest" | "mcp" | "a2a" | "rpc" | "host";

/** Members named in the path come from it, the rest from the query on GET and DELETE, else from the body. */
export interface RestRoute {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** For example `/api/v1/quotes/:quote_id`. */
  readonly path: string;
  readonly status?: number;
  /** Other names of JSON here: without them another type is 415. */
  readonly mediaTypes?: readonly string[];
  readonly aliases?: readonly { readonly method: RestRoute["method"]; readonly path: string }[];
}

export interface ToolTraits {
  readonly title: string;
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly openWorld: boolean;
  readonly aliases?: readonly string[];
  /** Arguments that are taken, and not listed to assistants. */
  readonly programsOnly?: readonly string[];
  /** Names that existing clients use, each with its input name. */
  readonly argumentAliases?: Readonly<Record<string, string>>;
  /** Of each list in an answer the members, as paths, that one decides by; an id or `fields` gives the rest. */
  readonly rows?: Readonly<Record<string, readonly string[]>>;
}

/** The skill of the agent card, and phrases that ask for the operation; `@` is any product, `#` any figure or date. */
export interface Intent {
  readonly skill: "discovery" | "pricing" | "proposals" | "negotiation" | "deals" | "bookings";
  readonly phrases: readonly string[];
}

/**
 * A draft is stored, binds nobody and ends by itself: a quote. It is a write wherever keys, dry runs, scopes and
 * viewers are concerned; only a reader of text may make one unasked.
 */
export type Effect = "read" | "draft" | "write";

/**
 * Every door, the documents and the client are made from it. `refusals` are the handler's own codes with status. No
 * stored or replayed answer holds `secretOutput`.
 */
export interface Contract<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly group: string;
  readonly summary: string;
  readonly effect: Effect;
  readonly access: Access;
  readonly input: I;
  readonly output: O;
  readonly refusals: Readonly<Partial<Record<RefusalCode, number>>>;
  readonly rest?: RestRoute;
  readonly tool?: ToolTraits;
  readonly intent?: Intent;
  readonly secretOutput?: readonly string[];
  /** Also for the key of an edge server, which may call nothing else. */
  readonly opensToEdge?: true;
  /** `agent_url` is what the operation is about, not the caller: it neither caps nor blocks. */
  readonly agentIsSubject?: true;
  readonly closedDoors?: Readonly<Partial<Record<Door, string>>>;
}

/** Keeps the effect in the type, so that what only reads takes no contract that writes. */
export const defineContract = <I extends z.ZodType, O extends z.ZodType, const E extends Effect>(
  contract: Contract<I, O> & { readonly effect: E },
): Contract<I, O> & { readonly effect: E } => contract;

export interface EventDraft {
  /** Set where another row of the commit names it. */
  readonly event_id?: string;
  readonly event_type: string;
  readonly flow_id?: string;
  readonly flow_type?: string;
  readonly proposal_id?: string;
  readonly deal_id?: string;
  readonly session_id?: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Default: the caller. */
  readonly owner?: string;
}

/**
 * `changes` and `events` are one commit with audit entry and idempotency record. After a lost race the handler runs
 * again, so it must have no other effects.
 */
export interface Answer<T> {
  readonly output: T;
  readonly changes?: readonly Change[];
  readonly events?: readonly EventDraft[];
  /** Written once the commit is durable. */
  readonly log?: readonly LogLine[];
  readonly meta?: AnswerMeta;
  /** A dry run's `next_step`, where this caller's same call would not be taken without it. */
  readonly dryStep?: string;
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

/** A refusal that nevertheless stores something. */
export interface RefusalWithChanges extends Refusal {
  readonly changes: readonly Change[];
  readonly events?: readonly EventDraft[];
}

export type Loaded<T> = StoredRow<T>;

export interface PageQuery {
  readonly terms?: readonly string[];
  readonly order: ListQuery["order"];
  readonly limit: number;
  readonly after?: number;
  readonly offset?: number;
}

/** Reads durable rows, cannot write. `own` refuses a missing and a foreign row in equal bytes, by the id asked for. */
export interface Context<P = unknown> {
  readonly caller: Caller;
  /** The lowest of identity, bound agent and named agent. */
  readonly tier: Tier;
  readonly nowMs: number;
  readonly requestId: string;
  readonly door: Door;
  readonly dryRun: boolean;
  readonly dialect: string | null;
  /** Sent on with outbound calls. */
  readonly traceparent?: string | null;
  readonly ports: P;
  readonly log: Log;
  own<T>(kind: Kind<T>, id: string, code: MissingCode, asked?: string): Promise<Loaded<T>>;
  load<T>(kind: Kind<T>, id: string): Promise<Loaded<T> | null>;
  list<T>(kind: Kind<T>, query: PageQuery): Promise<readonly Loaded<T>[]>;
  count<T>(kind: Kind<T>, term: string | null): Promise<number>;
  reserved(ledger: string, fromSlot: number, toSlot: number): Promise<number>;
  reservedSlots(ledger: string, fromSlot: number, toSlot: number): Promise<ReadonlyMap<number, number>>;
  added(sums: readonly string[], fromSlot: number, toSlot: number): Promise<readonly number[]>;
  /** 412 where `If-Match` names another revision. */
  matchRevision(revision: number): void;
  /** The same for each attempt under one idempotency key, so that another agent acts once. */
  effectKey(): string;
  /** An id or secret that a dry run must not return. */
  mint(make: () => string): string;
  /** Aborted when the caller cancels; null: it cannot. */
  readonly signal?: AbortSignal | null;
  /** Tells a caller that asked for progress what is being done, in a sentence. */
  progress?(message: string): void;
  /** For the same caller, outside the rate limit. It commits by itself; its bug ends this call too. */
  call(name: string, input: unknown, how?: InnerHow): Promise<Outcome>;
}

export interface InnerHow {
  /** Of the inner call, instead of one made from the outer call's. */
  readonly key?: string;
  /** Instead of the outer call's caller: what stands in for an operator where nothing is sold. */
  readonly as?: Caller;
  /** An operation that writes is a bug here. */
  readonly readsOnly?: true;
  /** In one commit with what the operation changes. Asked again after a lost race; a refusal undoes the operation. */
  readonly beside?: () => Promise<readonly Change[] | Refusal>;
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

/** What a call brings in its body, its query and its path. */
export interface CallInput {
  readonly input: unknown;
  /** Null: neither yes nor no. */
  readonly dryRun?: boolean | null;
  /** Of `?agent_url=`, where it is no input. */
  readonly agents?: readonly string[];
  readonly dialect?: string | null;
}

/** For a dialect whose keys hold over several operations, and whose requests are compared as they were sent. */
export interface KeyedAs {
  readonly scope: string;
  readonly request: unknown;
}

export interface Call {
  readonly operation: string;
  readonly door: Door;
  readonly admission: Admission;
  readonly requestId: string;
  /** The body is unread until the gates of caller, access and rate have passed. */
  readonly input: () => CallInput | Promise<CallInput>;
  /** From header, data part or `messageId`; `run` reads the input's own field. */
  readonly idempotencyKey?: string | null;
  /** Left out: the key is one of the operation, and the parsed input what a repetition must equal. */
  readonly keyedAs?: KeyedAs;
  /** Tools and data parts send `if_match` in the input instead. */
  readonly ifMatch?: string | null;
  readonly traceparent?: string | null;
  /** Aborted: what is not committed yet is not done. */
  readonly signal?: AbortSignal;
  readonly progress?: (message: string) => void;
  /** For the `loc` of schema issues; default: body. */
  readonly locate?: (member: string) => "path" | "query" | "body";
}

/** Sorted by name: module exports are ordered differently by loaders. */
export const operationsOf = <P>(groups: readonly Readonly<Record<string, Operation<P>>>[]): readonly Operation<P>[] =>
  groups.flatMap((group) =>
    Object.values(group).sort((left, right) => (left.contract.name < right.contract.name ? -1 : 1)),
  );
