import pRetry from "p-retry";

export interface ClientOptions {
  /** Of the agent, for example http://127.0.0.1:8000. */
  readonly url: string;
  /** Left out: an anonymous caller. */
  readonly key?: string;
  /** Every call is for the agent's sandbox; an agent without one refuses it. */
  readonly sandbox?: boolean;
  /** Of one attempt; 30 seconds. */
  readonly timeoutMs?: number;
  /** After the first attempt; 3. */
  readonly retries?: number;
  /** Between attempts, at least; doubled each time, 250 ms. */
  readonly retryAfterMs?: number;
  /** Sent in place of the platform's. */
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  /** The same key gives the first answer again; a write gets one of its own where none is named. */
  readonly idempotencyKey?: string;
  /** A revision that was read: another one is refused (412). */
  readonly ifMatch?: number;
  /** Checks everything and changes nothing; ids that would be made are null. */
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
}

interface ErrorParts {
  readonly code: string;
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Headers;
  readonly cause?: unknown;
}

const secondsOf = (text: string | null): number | null =>
  text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;

/** What the agent refused, or why it was not reached. */
export class ParleyError extends Error {
  /** Of the agent, for example `quote_expired`; else `connect_error`, `timeout`, `invalid_response`. */
  readonly code: string;
  /** Of HTTP; 0: no answer. */
  readonly status: number;
  readonly body: unknown;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(message: string, { code, status, body, headers, cause }: ErrorParts) {
    super(message, cause === undefined ? {} : { cause });
    this.name = "ParleyError";
    this.code = code;
    this.status = status;
    this.body = body ?? null;
    this.requestId = headers?.get("request-id") ?? null;
    this.retryAfterSeconds = secondsOf(headers?.get("retry-after") ?? null);
  }
}

export interface ClientRoute {
  readonly method: string;
  /** For example `/api/v1/quotes/:quote_id`. */
  readonly path: string;
  readonly writes: boolean;
  /** The member with the rows, where the answer is a page. */
  readonly rows?: string;
}

type Values = Readonly<Record<string, unknown>>;

const isValues = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const bodyText = (body: unknown, name: string): string | null => {
  const nested = isValues(body) && isValues(body["detail"]) ? body["detail"] : {};
  const value = isValues(body) ? (body[name] ?? nested[name]) : undefined;
  return typeof value === "string" ? value : null;
};

/** A schema error lists its issues. */
const issuesIn = (body: unknown): string | null => {
  const issues = isValues(body) ? body["detail"] : null;
  if (!Array.isArray(issues)) return null;
  return issues
    .filter(isValues)
    .map(({ loc, msg }) => `${Array.isArray(loc) ? loc.slice(1).join(".") : ""}: ${String(msg)}`)
    .join("; ");
};

const filledPath = (path: string, input: Values, taken: Set<string>): string =>
  path.replace(/:(\w+)/g, (_whole, name: string) => {
    const value = input[name];
    if ((typeof value !== "string" && typeof value !== "number") || value === "") {
      throw new TypeError(`${name} is missing: it stands in the path.`);
    }
    taken.add(name);
    return encodeURIComponent(value);
  });

const queryOf = (input: Values, taken: ReadonlySet<string>): URLSearchParams => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    if (taken.has(name) || value === undefined || value === null) continue;
    for (const one of [value].flat()) query.append(name, typeof one === "string" ? one : JSON.stringify(one));
  }
  return query;
};

const wireRequest = (options: ClientOptions, route: ClientRoute, input: Values, call: CallOptions) => {
  const taken = new Set<string>();
  const url = new URL(options.url.replace(/\/+$/, "") + filledPath(route.path, input, taken));
  const isBodyless = route.method === "GET" || route.method === "DELETE";
  if (isBodyless) url.search = queryOf(input, taken).toString();
  if (call.dryRun === true) url.searchParams.set("dry_run", "true");
  const headers = new Headers({ accept: "application/json" });
  if (options.key !== undefined) headers.set("x-api-key", options.key);
  if (options.sandbox === true) headers.set("x-parley-sandbox", "true");
  if (!isBodyless) headers.set("content-type", "application/json");
  if (route.writes) headers.set("idempotency-key", call.idempotencyKey ?? crypto.randomUUID());
  if (call.ifMatch !== undefined) headers.set("if-match", `"${call.ifMatch}"`);
  const rest = Object.entries(input).filter(([name]) => !taken.has(name));
  return { url, method: route.method, headers, body: isBodyless ? null : JSON.stringify(Object.fromEntries(rest)) };
};

const errorOf = (status: number, headers: Headers, body: unknown): ParleyError => {
  const issues = issuesIn(body);
  const said = bodyText(body, "message") ?? issues ?? bodyText(body, "detail");
  const code = bodyText(body, "error") ?? (issues === null ? `http_${status}` : "validation_error");
  return new ParleyError(said ?? `The agent answered ${status}.`, { code, status, body, headers });
};

const attempt = async (options: ClientOptions, request: ReturnType<typeof wireRequest>, signal?: AbortSignal) => {
  const limit = AbortSignal.timeout(options.timeoutMs ?? 30_000);
  const { url, ...init } = request;
  const signals = signal === undefined ? limit : AbortSignal.any([limit, signal]);
  try {
    const answer = await (options.fetch ?? fetch)(url, { ...init, redirect: "error", signal: signals });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  } catch (error) {
    signal?.throwIfAborted();
    if (limit.aborted) throw new ParleyError(`${url.origin} did not answer in time.`, { code: "timeout", status: 0 });
    throw new ParleyError(`${url.origin} cannot be reached.`, { code: "connect_error", status: 0, cause: error });
  }
};

const sentOnce = async (options: ClientOptions, request: ReturnType<typeof wireRequest>, signal?: AbortSignal) => {
  const { status, headers, text } = await attempt(options, request, signal);
  let body: unknown = text;
  try {
    body = text === "" ? {} : JSON.parse(text);
  } catch {
    if (status < 400) {
      const said = `${request.url.origin} answered something else than JSON.`;
      throw new ParleyError(said, { code: "invalid_response", status });
    }
  }
  if (status >= 400) throw errorOf(status, headers, body);
  return body;
};

/** Nothing was done, or the key makes it harmless: the first answer is given again. */
const passes = (error: unknown): error is ParleyError =>
  error instanceof ParleyError && [0, 429, 502, 503, 504].includes(error.status);

const longestWaitMs = 30_000;

const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(end);
      reject(signal.reason as Error);
    });
  });

/** One call, tried again with the same key where the connection, the agent's load or a restart was in the way. */
export const callRoute = (
  options: ClientOptions,
  route: ClientRoute,
  input: Values,
  call: CallOptions,
): Promise<unknown> => {
  const request = wireRequest(options, route, input, call);
  const { signal } = call;
  const least = options.retryAfterMs ?? 250;
  return pRetry(() => sentOnce(options, request, signal), {
    retries: options.retries ?? 3,
    minTimeout: 0,
    ...(signal === undefined ? {} : { signal }),
    shouldRetry: async ({ error, attemptNumber }) => {
      if (!passes(error)) return false;
      const asked = (error.retryAfterSeconds ?? 0) * 1000;
      await pause(Math.min(longestWaitMs, Math.max(asked, least * 2 ** (attemptNumber - 1))), signal);
      return true;
    },
  });
};
