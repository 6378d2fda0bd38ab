import { readBody } from "../body.ts";
import type { EdgeContext, EdgeHandler } from "../context.ts";
import { dropHopByHop, reduceAcceptEncoding } from "../outbound-headers.ts";
import type { EdgeRequest, OutboundResult } from "../platform.ts";
import { refuse } from "../refusals.ts";

/** First byte and gaps between bytes of the publisher's answer (wire contract 9). */
export const ORIGIN_IDLE_MS = 15_000;

/** Origin answer whose status and headers may still be changed. */
export type OriginAnswer = Extract<OutboundResult, { ok: true }>;

const originUrl = (context: EdgeContext): URL =>
  new URL(`${context.config.publisher.origin_url}${context.url.pathname}${context.url.search}`);

/** Headers for the publisher: the client's own, cookies included, with the origin's host and codings that we decode. */
const originHeaders = (request: EdgeRequest, context: EdgeContext, target: URL): Headers => {
  const headers = new Headers(request.headers);
  dropHopByHop(headers);
  headers.set("host", context.config.publisher.origin_host_header_override ?? target.host);
  const codings = reduceAcceptEncoding(headers.get("accept-encoding"));
  if (codings !== null) headers.set("accept-encoding", codings);
  return headers;
};

/** What a failed exchange with an upstream answers: 504 when it was slow, 502 otherwise (decision 23). */
export const upstreamRefusal = (result: Extract<OutboundResult, { ok: false }>): Response =>
  refuse(result.fault === "timeout" ? "upstream_timeout" : "upstream_failed");

type AnswerBody = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | string;

const NO_BODY = [204, 205, 304];

/** Answers with `body`; statuses that cannot carry one lose it. */
export const answerWith = (status: number, headers: Headers, body: AnswerBody | null): Response => {
  if (NO_BODY.includes(status)) headers.delete("content-length");
  if (status === 205) headers.set("content-length", "0");
  return new Response(NO_BODY.includes(status) ? null : body, { status, headers });
};

const buffered = async (origin: OriginAnswer, headers: Headers, context: EdgeContext): Promise<Response> => {
  const body = await readBody(origin.body, context.config.publisher.max_buffered_body_bytes, headers);
  if (!body.ok) {
    context.env.log({ level: "warn", event: "origin_body", fault: body.fault, request_id: context.requestId });
    return refuse("upstream_failed");
  }
  return answerWith(origin.status, headers, body.bytes as Uint8Array<ArrayBuffer>);
};

/** Publisher fallback: every path that the edge does not serve, in both directions as a stream where it can be. */
export const handlePublisher: EdgeHandler = async (request, context) => {
  const target = originUrl(context);
  const bodiless = request.method === "GET" || request.method === "HEAD";
  const result = await context.env.send({
    url: target,
    method: request.method,
    headers: originHeaders(request, context, target),
    body: bodiless ? null : request.body,
    idleMs: ORIGIN_IDLE_MS,
    trust: "operator",
    checkCertificate: context.config.proxy.certificate_check,
  });
  if (!result.ok) {
    context.env.log({ level: "warn", event: "origin_unreachable", fault: result.fault, reason: result.reason });
    return upstreamRefusal(result);
  }
  if (result.status < 200 || result.status > 599) return refuse("upstream_failed");
  const headers = new Headers(result.headers);
  dropHopByHop(headers);
  if (request.method === "HEAD" || context.env.traits.originBody === "streamed") {
    return answerWith(result.status, headers, request.method === "HEAD" ? null : result.body);
  }
  return buffered(result, headers, context);
};
