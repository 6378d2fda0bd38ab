import { type Dispatcher, fetch, type Response } from "undici";
import { checkDepth } from "../neutral/json-input.ts";
import { type ClientFailure, failureOf, readErrorBody } from "./client-result.ts";
import type { WireRequest } from "./request.ts";

const deepestAnswer = 64;
const mostRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);
const keepsMethod = new Set([307, 308]);

export interface ExchangeParts {
  readonly dispatcher: Dispatcher;
  readonly sellerUrl: string;
  readonly timeoutMs: number;
  readonly mostBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export type Exchanged =
  | { readonly ok: true; readonly status: number; readonly json: unknown; readonly replayed: boolean }
  | ClientFailure;

class Ended extends Error {
  readonly failure: ClientFailure;

  constructor(failure: ClientFailure) {
    super(failure.code);
    this.failure = failure;
  }
}

const timeoutCodes = new Set([
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);
const brokenCodes = /^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_|HPE_|Z_)/;

/** Somewhere along the chain of causes. */
const codeOf = (error: unknown): string | null => {
  let current = error;
  for (let depth = 0; depth < 5 && typeof current === "object" && current !== null; depth += 1) {
    const { code, cause } = current as { code?: unknown; cause?: unknown };
    if (typeof code === "string") return code;
    current = cause;
  }
  return null;
};

/** The error's own text can hold addresses and header values. */
const failureOfError = (sellerUrl: string, error: unknown): ClientFailure => {
  if (error instanceof Ended) return error.failure;
  const code = codeOf(error);
  if (code === "TARGET_NOT_ALLOWED") {
    return failureOf(sellerUrl, 0, "target_not_allowed", "The address is not a permitted public target.");
  }
  if (code !== null && timeoutCodes.has(code)) return timedOut(sellerUrl);
  if (code !== null && !brokenCodes.test(code)) {
    return failureOf(sellerUrl, 0, "connect_error", `Cannot connect to ${sellerUrl} (${code}).`);
  }
  return failureOf(sellerUrl, 0, "http_error", `The connection to ${sellerUrl} broke off.`);
};

const timedOut = (sellerUrl: string): ClientFailure =>
  failureOf(sellerUrl, 0, "timeout", `${sellerUrl} did not answer in time.`);

/** Bounded after decompression, so that a small body cannot unfold into a huge one. */
const readBody = async (parts: ExchangeParts, response: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).byteLength;
    if (size > parts.mostBytes) {
      const detail = `The answer is larger than ${parts.mostBytes} bytes.`;
      throw new Ended(failureOf(parts.sellerUrl, response.status, "response_too_large", detail));
    }
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString("utf8");
};

const parseAnswer = (text: string): { readonly json: unknown } | null => {
  if (text.trim() === "") return { json: {} };
  try {
    checkDepth(text, deepestAnswer);
    return { json: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
};

/** In seconds, from number or date. */
const retryAfterOf = (response: Response, nowMs: number): number | null => {
  const value = response.headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const atMs = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1000));
};

const withoutCredential = (headers: Readonly<Record<string, string>>): Record<string, string> => {
  const { "x-api-key": _key, authorization: _token, ...rest } = headers;
  return rest;
};

/**
 * A read follows where the guard allows, without its credential on another origin; a write only within its origin and
 * with the same method (RFC 9110, 15.4).
 */
const redirected = (parts: ExchangeParts, request: WireRequest, response: Response): WireRequest => {
  const location = response.headers.get("location") ?? "";
  const refused = (detail: string): Ended =>
    new Ended(failureOf(parts.sellerUrl, response.status, "redirect_refused", detail));
  if (!URL.canParse(location, request.url)) throw refused("The redirect names no usable address.");
  const next = new URL(location, request.url);
  const isSameOrigin = next.origin === new URL(request.url).origin;
  if (next.protocol !== "http:" && next.protocol !== "https:") throw refused("The redirect leaves http.");
  if (request.method !== "GET" && !(isSameOrigin && keepsMethod.has(response.status))) {
    throw refused("A write was answered with a redirect that would change it or leave the seller.");
  }
  return { ...request, url: next.href, headers: isSameOrigin ? request.headers : withoutCredential(request.headers) };
};

const answerOf = async (parts: ExchangeParts, response: Response): Promise<Exchanged> => {
  const text = await readBody(parts, response);
  const parsed = parseAnswer(text);
  if (!response.ok) {
    return readErrorBody(parts.sellerUrl, response.status, parsed?.json ?? text, retryAfterOf(response, Date.now()));
  }
  if (parsed === null) {
    return failureOf(parts.sellerUrl, response.status, "invalid_response", "The answer is not JSON.");
  }
  const replayed = response.headers.get("idempotency-replayed") === "true";
  return { ok: true, status: response.status, json: parsed.json, replayed };
};

const follow = async (parts: ExchangeParts, first: WireRequest, signal: AbortSignal): Promise<Exchanged> => {
  let request = first;
  for (let hop = 0; hop <= mostRedirects; hop += 1) {
    const { method, headers, body } = request;
    const options = { method, headers: { ...headers }, body, signal, redirect: "manual" as const };
    const response = await fetch(request.url, { ...options, dispatcher: parts.dispatcher });
    if (!redirects.has(response.status)) return answerOf(parts, response);
    request = redirected(parts, request, response);
    await response.body?.cancel();
  }
  return failureOf(parts.sellerUrl, 0, "redirect_refused", `More than ${mostRedirects} redirects.`);
};

/** Every failure is a value. */
export const exchange = async (parts: ExchangeParts, request: WireRequest): Promise<Exchanged> => {
  const controller = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    controller.abort();
  }, parts.timeoutMs);
  const stop = (): void => controller.abort();
  parts.signal?.addEventListener("abort", stop, { once: true });
  if (parts.signal?.aborted === true) stop();
  try {
    return await follow(parts, request, controller.signal);
  } catch (error) {
    if (isLate) return timedOut(parts.sellerUrl);
    if (parts.signal?.aborted === true) return failureOf(parts.sellerUrl, 0, "aborted", "The call was stopped.");
    return failureOfError(parts.sellerUrl, error);
  } finally {
    clearTimeout(timer);
    parts.signal?.removeEventListener("abort", stop);
    controller.abort();
  }
};
