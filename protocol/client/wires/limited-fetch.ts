import { isMembers } from "../../neutral/json-input.ts";
import { type ClientFailure, failureOf, readErrorBody } from "../client-result.ts";
import { Ended, type ExchangeParts, parseAnswer, readBody, retryAfterOf } from "../limits.ts";

export interface FetchLimits {
  readonly parts: ExchangeParts;
  readonly signal: AbortSignal;
  /** A library may swallow what its `fetch` throws. */
  readonly stop: (failure: ClientFailure) => void;
  readonly headers: Readonly<Record<string, string>>;
}

/** A refusal in a JSON-RPC envelope stands in `data`, in the form of REST. */
const envelopeBody = (json: unknown): unknown => {
  const error = isMembers(json) ? json["error"] : undefined;
  if (!isMembers(error)) return json;
  const { data, message } = error;
  return isMembers(data) && typeof data["error"] === "string" ? data : { error: "rpc_error", message };
};

const isStream = (headers: { get(name: string): string | null }): boolean =>
  /^text\/event-stream\b/i.test(headers.get("content-type")?.trim() ?? "");

const boundedStream = ({ parts, stop }: FetchLimits): TransformStream<Uint8Array, Uint8Array> => {
  let size = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      size += chunk.byteLength;
      if (size > parts.mostBytes) stop(tooLarge(parts));
      else controller.enqueue(chunk);
    },
  });
};

const tooLarge = ({ sellerUrl, mostBytes }: ExchangeParts): ClientFailure =>
  failureOf(sellerUrl, 200, "response_too_large", `The answer is larger than ${mostBytes} bytes.`);

type SdkFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * `fetch` for a library that speaks its own protocol: behind the guard, bounded, and without following redirects. A
 * status from 400 on ends the call with the seller's own words.
 */
export const limitedFetch = (limits: FetchLimits): SdkFetch => {
  const { parts, signal, stop } = limits;
  const end = (failure: ClientFailure): never => {
    stop(failure);
    throw new Ended(failure);
  };
  return async (input, init = {}) => {
    const answer = await parts.fetch(input instanceof Request ? input.url : input, {
      method: init.method ?? "GET",
      headers: { ...Object.fromEntries(new Headers(init.headers)), ...limits.headers },
      body: typeof init.body === "string" ? init.body : null,
      redirect: "manual",
      signal: init.signal == null ? signal : AbortSignal.any([signal, init.signal]),
    });
    const { status } = answer;
    const headers = Object.fromEntries(answer.headers);
    if (isStream(answer.headers) && answer.ok && answer.body !== null) {
      const body = (answer.body as ReadableStream<Uint8Array>).pipeThrough(boundedStream(limits));
      return new Response(body, { status, headers });
    }
    const text = await readBody(parts, answer);
    const parsed = parseAnswer(text);
    if (status >= 400) {
      const body = parsed === null ? text : envelopeBody(parsed.json);
      return end(readErrorBody(parts.sellerUrl, status, body, retryAfterOf(answer, Date.now())));
    }
    if (parsed === null) return end(failureOf(parts.sellerUrl, status, "invalid_response", "The answer is not JSON."));
    return new Response(text === "" ? null : text, { status, headers });
  };
};
