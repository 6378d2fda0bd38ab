import type { Response } from "undici";
import { type ClientFailure, failureOf, readErrorBody } from "./client-result.ts";
import { Ended, type ExchangeParts, parseAnswer, readBody, retryAfterOf, withinTime } from "./limits.ts";
import type { WireRequest } from "./request.ts";

const mostRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);
const keepsMethod = new Set([307, 308]);

export type Exchanged =
  | { readonly ok: true; readonly status: number; readonly json: unknown; readonly replayed: boolean }
  | ClientFailure;

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
    const response = await parts.fetch(request.url, options);
    if (!redirects.has(response.status)) return answerOf(parts, response);
    request = redirected(parts, request, response);
    await response.body?.cancel();
  }
  return failureOf(parts.sellerUrl, 0, "redirect_refused", `More than ${mostRedirects} redirects.`);
};

/** Every failure is a value. */
export const exchange = (parts: ExchangeParts, request: WireRequest): Promise<Exchanged> =>
  withinTime(parts, (signal) => follow(parts, request, signal));
