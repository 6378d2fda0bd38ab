import type { EdgeRequest } from "../platform.ts";
import { requestUrl } from "./leaf-request.ts";

/** The platform's request as far as the leaves of B, C and D read it. */
type PlatformRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | null;
  readonly signal: AbortSignal;
};

/** The target as it stands in the runtime's URL, which may be folded or raw. */
const targetOf = (url: string): string => /^[a-z]+:\/\/[^/?#]*(.*)$/i.exec(url)?.[1] ?? "/";

/**
 * The request with headers that may be changed, under the URL of its `Host` header; or the refusal that every leaf
 * gives. The headers of a platform's own request are frozen on some runtimes.
 */
export const fromPlatform = (request: PlatformRequest): EdgeRequest | Response => {
  const headers = new Headers(request.headers);
  const host = headers.get("host");
  const url = requestUrl({
    method: request.method,
    target: targetOf(request.url),
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
