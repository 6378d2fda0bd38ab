import { signal } from "@preact/signals";
import type { z } from "zod";

type Described = { readonly input: z.ZodType; readonly output: z.ZodType };

/** Members named in the path are taken from the input; the rest go into the query of a GET or DELETE, else the body. */
export interface Operation<I = unknown, O = unknown> {
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The first whose members are all in the input is taken. */
  readonly paths: readonly string[];
  /** For the types alone; never set. */
  readonly types?: { readonly input: I; readonly output: O };
}

export type OutputOf<O> = O extends { readonly types?: { readonly output: infer Out } } ? Out : never;

export type InputOf<O> = O extends { readonly types?: { readonly input: infer In } } ? In : never;

export const operation = <C extends Described>(
  name: string,
  method: Operation["method"],
  ...paths: readonly string[]
): Operation<z.input<C["input"]>, z.output<C["output"]>> => ({ name, method, paths });

/** `lost`: no answer came, so that a write may or may not have happened. */
export interface Failure {
  readonly ok: false;
  readonly kind: "refused" | "signed-out" | "lost";
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly requestId: string | null;
}

export type Reply<O> = { readonly ok: true; readonly output: O } | Failure;

export interface CallOptions {
  readonly dryRun?: boolean;
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
  readonly signal?: AbortSignal;
}

/** True once a call was answered 401: the sign-in is shown over the same address. */
export const signedOut = signal(false);

/** False while the agent does not answer. */
export const isReached = signal(true);

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

interface Issue {
  readonly msg?: unknown;
  readonly loc?: unknown;
}

/** A sentence says what to mend; anything shorter needs the name of its field. */
const issueText = ({ msg, loc }: Issue): string | null => {
  const text = textOf(msg);
  const name: unknown = Array.isArray(loc) ? loc.at(-1) : null;
  return text === null || text.endsWith(".") || typeof name !== "string" ? text : `${name}: ${text}.`;
};

/** The seller writes `{error, message}`, the buyer `{error, detail}`; defects of a request are a list of `{msg}`. */
const messageOf = (body: Readonly<Record<string, unknown>>): string => {
  const { detail } = body;
  const issues: readonly Issue[] = Array.isArray(detail) ? detail : [];
  const texts = issues.map(issueText).filter((text) => text !== null);
  return textOf(texts.join(" ")) ?? textOf(body["message"]) ?? textOf(detail) ?? "The agent refused this.";
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const refusedAs = (response: Response, body: unknown): Failure => {
  const members = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const kind = response.status === 401 ? "signed-out" : "refused";
  return {
    ok: false,
    kind,
    status: response.status,
    code: textOf(members["error"]) ?? "unknown",
    message: messageOf(members),
    requestId: response.headers.get("Request-Id"),
  };
};

const lost: Failure = {
  ok: false,
  kind: "lost",
  status: 0,
  code: "lost",
  message: "The agent did not answer.",
  requestId: null,
};

/** Marks a request as the console's own: without it the session's cookie does not count. */
export const consoleHeaders = { "X-Parley-Console": "1" } as const;

interface Sent extends Omit<RequestInit, "headers"> {
  readonly headers?: Readonly<Record<string, string>>;
}

export const request = async (url: string, init: Sent): Promise<Reply<unknown>> => {
  try {
    const response = await fetch(url, { ...init, headers: { ...consoleHeaders, ...init.headers }, redirect: "error" });
    const body = parsed(await response.text());
    isReached.value = true;
    return response.ok ? { ok: true, output: body } : refusedAs(response, body);
  } catch {
    if (init.signal?.aborted !== true) isReached.value = false;
    return lost;
  }
};

const queryText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** What is given of an input; a wire takes no undefined, and null is as if left out. */
export const present = (input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined && value !== null));

const firstFitting = (paths: readonly string[], left: ReadonlyMap<string, unknown>): string =>
  paths.find((path) => [...path.matchAll(/:(\w+)/g)].every(([, name = ""]) => left.has(name))) ?? paths[0] ?? "";

/** The address and body of a call. */
export const wireOf = (
  { method, paths }: Operation,
  input: Readonly<Record<string, unknown>>,
): { readonly url: string; readonly body: string | null } => {
  const left = new Map(Object.entries(present(input)));
  const filled = firstFitting(paths, left).replace(/:(\w+)/g, (_whole, name: string) => {
    const value = left.get(name);
    left.delete(name);
    return encodeURIComponent(String(value));
  });
  if (method !== "GET" && method !== "DELETE") return { url: filled, body: JSON.stringify(Object.fromEntries(left)) };
  const query = new URLSearchParams();
  for (const [name, value] of left) {
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, queryText(one));
  }
  const text = query.toString();
  return { url: text === "" ? filled : `${filled}?${text}`, body: null };
};

export const call = async <I, O>(op: Operation<I, O>, input: I, options: CallOptions = {}): Promise<Reply<O>> => {
  const { url, body } = wireOf(op, input as Readonly<Record<string, unknown>>);
  const headers: Record<string, string> = {};
  if (body !== null) headers["Content-Type"] = "application/json";
  if (options.idempotencyKey !== undefined) headers["Idempotency-Key"] = options.idempotencyKey;
  if (options.ifMatch !== undefined) headers["If-Match"] = options.ifMatch;
  const asked = options.dryRun === true ? `${url}${url.includes("?") ? "&" : "?"}dry_run=true` : url;
  const signal = options.signal ?? null;
  const reply = await request(asked, { method: op.method, headers, body, signal });
  if (!reply.ok && reply.kind === "signed-out") signedOut.value = true;
  return reply as Reply<O>;
};
