import { webStream } from "../../http/byte-stream.ts";
import { type AllowList, isListed, judgeTarget } from "../../../../protocol/neutral/address-guard.ts";
import { dropHopByHop } from "../../http/outbound-headers.ts";
import type { ContentCoding, EdgeEnv, OutboundRequest, OutboundResult } from "../../platform.ts";

/** Longest wait for the answer to a body that is passed on as it comes: this runtime does not tell how far it is. */
const longestUploadMs = 300_000;

export interface Network {
  fetch(
    url: string,
    options: {
      method: string;
      headers: Headers;
      body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
      redirect: "manual";
      signal: AbortSignal;
    },
  ): Promise<Response>;
}

export interface Networks {
  readonly operator: Network;
  readonly foreign: Network;
  readonly origin?: Network;
}

const decodedByRuntime: readonly string[] = ["gzip", "br"];

const withIdleLimit = (
  body: ReadableStream<Uint8Array>,
  idleMs: number,
  end: () => void,
): ReadableStream<Uint8Array> => {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const timer = setTimeout(end, idleMs);
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } finally {
          clearTimeout(timer);
        }
      },
      cancel: () => reader.cancel(),
    },
    { highWaterMark: 0 },
  );
};

/** The core is promised a raw body: what the runtime decodes on reading is encoded again. */
const rawBody = (
  headers: Headers,
  body: ReadableStream<Uint8Array>,
  encode: EdgeEnv["encode"],
): ReadableStream<Uint8Array> => {
  const coding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (!decodedByRuntime.includes(coding)) return body;
  headers.delete("content-length");
  return body.pipeThrough(encode(coding as ContentCoding));
};

/** What the runtime's own guard would refuse too, but without saying that it was the guard. */
const isRefused = (allow: AllowList, url: URL): boolean =>
  judgeTarget(url, allow) === "refused" || (url.hostname === "localhost" && !isListed(allow, url, "127.0.0.1"));

interface Way {
  readonly network: Network;
  readonly url: string;
}

/** `fetch` writes `Host` from the URL, so that another one is only possible towards a server of the configuration. */
const routeOf = (request: OutboundRequest, networks: Networks, isOpened: boolean): Way => {
  const { url, headers, trust } = request;
  const host = headers.get("host");
  if (trust === "operator" && networks.origin !== undefined && host !== null && host !== url.host) {
    return { network: networks.origin, url: `${url.protocol}//${host}${url.pathname}${url.search}` };
  }
  return { network: trust === "operator" || isOpened ? networks.operator : networks.foreign, url: url.href };
};

export const createSend =
  (networks: Networks, allow: AllowList, encode: EdgeEnv["encode"]): EdgeEnv["send"] =>
  async (request: OutboundRequest): Promise<OutboundResult> => {
    const isOpened = isListed(allow, request.url);
    if (request.trust === "foreign" && !isOpened && isRefused(allow, request.url)) {
      return { ok: false, fault: "blocked", reason: "the address is not a permitted public target" };
    }
    const { network, url } = routeOf(request, networks, isOpened);
    const controller = new AbortController();
    const end = (): void => controller.abort();
    const { body } = request;
    const isWhole = body === null || body instanceof Uint8Array;
    const headMs = isWhole ? request.idleMs : longestUploadMs;
    const head = setTimeout(end, Math.min(headMs, request.totalMs ?? Number.POSITIVE_INFINITY));
    if (request.totalMs !== undefined) setTimeout(end, request.totalMs);
    const headers = new Headers(request.headers);
    dropHopByHop(headers);
    if (!headers.has("accept-encoding")) headers.set("accept-encoding", "identity");
    try {
      const response = await network.fetch(url, {
        method: request.method,
        headers,
        body: isWhole ? (body as Uint8Array<ArrayBuffer> | null) : webStream(body),
        redirect: "manual",
        signal: controller.signal,
      });
      const seen = new Headers(response.headers);
      const limited = response.body === null ? null : withIdleLimit(response.body, request.idleMs, end);
      const raw = limited === null ? null : rawBody(seen, limited, encode);
      return { ok: true, status: response.status, headers: seen, body: raw };
    } catch (error) {
      const fault = controller.signal.aborted ? "timeout" : "refused";
      return { ok: false, fault, reason: error instanceof Error ? error.message : String(error) };
    } finally {
      clearTimeout(head);
    }
  };
