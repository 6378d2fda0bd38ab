import { readBody } from "../http/body.ts";
import type { EdgeContext } from "../context.ts";
import { dropHopByHop, reduceAcceptEncoding } from "../http/outbound-headers.ts";
import type { ByteStream, EdgeRequest, EdgeResponse, OutboundRequest, OutboundResult } from "../platform.ts";
import { plainText, refuse } from "../http/refusals.ts";
import { answerUpgrade, opensWebSocket } from "./upgrade.ts";
import type { PageAds } from "./page.ts";
import { ownLocation } from "./own-location.ts";
import { describeProcessed, processBody, textKindOf } from "./processing.ts";

export const originIdleMs = 15_000;

export type OriginAnswer = Extract<OutboundResult, { ok: true }>;

const originUrl = (context: EdgeContext): URL =>
  new URL(`${context.config.publisher.origin_url}${context.url.pathname}${context.url.search}`);

const originHeaders = (headers: Headers, context: EdgeContext, target: URL): Headers => {
  dropHopByHop(headers);
  headers.set("host", context.config.publisher.origin_host_header_override ?? target.host);
  const codings = reduceAcceptEncoding(headers.get("accept-encoding"));
  if (codings !== null) headers.set("accept-encoding", codings);
  return headers;
};

/** What a failed exchange with an upstream answers: 504 when it was slow, 502 otherwise. */
export const upstreamRefusal = (result: Extract<OutboundResult, { ok: false }>): Response =>
  refuse(result.fault === "timeout" ? "upstream_timeout" : "upstream_failed");

type AnswerBody = Uint8Array<ArrayBuffer> | ByteStream | string;

const noBody = [204, 205, 304];

/** Answers with `body`; statuses that cannot carry one lose it. */
export const answerWith = (status: number, headers: Headers, body: AnswerBody | null): EdgeResponse => {
  if (noBody.includes(status)) headers.delete("content-length");
  if (status === 205) headers.set("content-length", "0");
  if (body === null || noBody.includes(status)) return { status, headers, body: null };
  if (typeof body === "string" || body instanceof Uint8Array) return new Response(body, { status, headers });
  return { status, headers, body };
};

export interface PageOptions {
  readonly ads: PageAds | null;
}

const conditionals = ["if-none-match", "if-modified-since", "range", "if-range"];

const toOrigin = (request: EdgeRequest, context: EdgeContext, options: PageOptions): OutboundRequest => {
  const target = originUrl(context);
  // Without an auction beside it nobody else reads the request's headers any more, so that they need no copy.
  const own = options.ads === null ? request.headers : new Headers(request.headers);
  const headers = originHeaders(own, context, target);
  if (options.ads !== null) for (const name of conditionals) headers.delete(name);
  const bodiless = request.method === "GET" || request.method === "HEAD";
  return {
    url: target,
    method: request.method,
    headers,
    body: bodiless ? null : request.body,
    idleMs: originIdleMs,
    trust: "operator",
    checkCertificate: context.config.proxy.certificate_check,
  };
};

const isStreamed = (context: EdgeContext): boolean => context.env.traits.originBody === "streamed";

const answerBody = async (
  { status, headers }: OriginAnswer,
  body: ByteStream,
  context: EdgeContext,
): Promise<EdgeResponse> => {
  if (isStreamed(context)) return answerWith(status, headers, body);
  const read = await readBody(body, context.config.publisher.max_buffered_body_bytes, headers);
  if (read.ok) return answerWith(status, headers, read.bytes as Uint8Array<ArrayBuffer>);
  context.env.log({ level: "warn", event: "origin_body", fault: read.fault, request_id: context.requestId });
  return refuse("upstream_failed");
};

const noValidators = ["etag", "last-modified", "expires", "age"];

const makePrivate = (headers: Headers): void => {
  for (const name of noValidators) headers.delete(name);
  headers.set("cache-control", "no-store, private");
};

const answerOrigin = async (
  origin: OriginAnswer,
  request: EdgeRequest,
  context: EdgeContext,
  { ads }: PageOptions,
): Promise<EdgeResponse> => {
  if (ads !== null && origin.status === 304) {
    return plainText(502, "Publisher origin returned an invalid conditional response");
  }
  const { headers } = origin;
  dropHopByHop(headers);
  const location = headers.get("location");
  if (location !== null) headers.set("location", ownLocation(location, context));
  const kind = noBody.includes(origin.status) ? null : textKindOf(origin.status, headers);
  const isBodiless = request.method === "HEAD" || noBody.includes(origin.status);
  if (kind === null) {
    if (isBodiless) return answerWith(origin.status, headers, null);
    // Untouched, so that the leaf can pass the body on without anybody reading it.
    if (isStreamed(context)) return origin;
    return origin.body === null ? origin : answerBody(origin, origin.body, context);
  }
  describeProcessed(headers);
  if (ads !== null && kind === "html") makePrivate(headers);
  if (isBodiless || origin.body === null) return answerWith(origin.status, headers, null);
  return answerBody(origin, await processBody(origin.body, kind, headers, context, ads), context);
};

/** Publisher fallback: every path that the edge does not serve, in both directions as a stream where it can be. */
export const handlePublisher = async (
  request: EdgeRequest,
  context: EdgeContext,
  options: PageOptions,
): Promise<EdgeResponse> => {
  const opensSocket = opensWebSocket(request);
  const outgoing = toOrigin(request, context, options);
  if (opensSocket) return answerUpgrade(outgoing, context);
  const result = await context.env.send(outgoing);
  if (!result.ok) {
    context.env.log({ level: "warn", event: "origin_unreachable", fault: result.fault, reason: result.reason });
    return upstreamRefusal(result);
  }
  if (result.status < 200 || result.status > 599) return refuse("upstream_failed");
  return answerOrigin(result, request, context, options);
};
