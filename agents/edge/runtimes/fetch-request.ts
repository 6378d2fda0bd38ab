import type { EdgeRequest, EdgeResponse } from "../platform.ts";
import { requestUrl } from "./leaf-request.ts";

/** The platform's request as far as the leaves of B, C and D read it. */
type PlatformRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | null;
  readonly signal: AbortSignal;
};

/**
 * The target as it stands in the runtime's URL, which may be folded or raw. Where the runtime took the authority from
 * an absolute-form target instead of `Host`, the target stays absolute, so that the two are compared.
 */
const targetOf = (url: string, host: string | null): string => {
  const [, authority = "", path = "/"] = /^[a-z]+:\/\/([^/?#]*)(.*)$/i.exec(url) ?? [];
  const isHosts = host === null || authority.toLowerCase() === withoutDefaultPort(host);
  return isHosts ? path : url;
};

const withoutDefaultPort = (host: string): string => host.toLowerCase().replace(/:80$/, "");

/**
 * The request with headers that may be changed, under the URL of its `Host` header; or the refusal that every leaf
 * gives. The headers of a platform's own request are frozen on some runtimes.
 */
export const fromPlatform = (request: PlatformRequest): EdgeRequest | Response => {
  const headers = new Headers(request.headers);
  const host = headers.get("host");
  const target = targetOf(request.url, host);
  // One runtime turns the target of `OPTIONS *` into a path.
  const url = requestUrl({
    method: request.method,
    target: request.method === "OPTIONS" && target === "/*" ? "*" : target,
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

/** The core's answer as the platform's own. */
export const toResponse = (answer: EdgeResponse): Response =>
  answer instanceof Response ? answer : new Response(answer.body, { status: answer.status, headers: answer.headers });
