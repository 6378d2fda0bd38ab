import { webStream } from "../../http/byte-stream.ts";
import type { EdgeRequest, EdgeResponse } from "../../platform.ts";
import { requestUrl } from "./leaf-request.ts";

interface PlatformRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | null;
  readonly signal: AbortSignal;
}

const rejoinCookies = (headers: Headers): void => {
  const cookies = headers.get("cookie");
  if (cookies?.includes(", ") !== true) return;
  headers.set("cookie", cookies.replace(/, (?=[!#$%&'*+.^_`|~0-9A-Za-z-]+=)/g, "; "));
};

/**
 * The request with headers that may be changed, under the URL of its `Host` header; or the refusal that every leaf
 * gives. The headers of a platform's own request are frozen on some runtimes.
 */
export const fromPlatform = (request: PlatformRequest): EdgeRequest | Response => {
  const headers = new Headers(request.headers);
  rejoinCookies(headers);
  const host = headers.get("host");
  const url = requestUrl({
    method: request.method,
    // The target of `OPTIONS *` stands behind the authority, on one runtime with a slash between.
    target: request.method === "OPTIONS" && /^[a-z]+:\/\/[^/]*\/?\*$/.test(request.url) ? "*" : request.url,
    hosts: host === null ? [] : [host],
    secure: request.url.startsWith("https:"),
  });
  if (url instanceof Response) return url;
  const bodiless = request.method === "GET" || request.method === "HEAD";
  return {
    method: request.method,
    url,
    headers,
    get body() {
      return bodiless ? null : request.body;
    },
    get signal() {
      return request.signal;
    },
  };
};

export const bodyInit = ({ wholeText, body }: EdgeResponse): ReadableStream<Uint8Array> | string | null =>
  wholeText ?? (body === null ? null : webStream(body));

export const toResponse = (answer: EdgeResponse): Response =>
  answer instanceof Response
    ? answer
    : new Response(bodyInit(answer), { status: answer.status, headers: answer.headers });
