import type { EdgeContext, EdgeHandler } from "../context.ts";
import { EC_COOKIE } from "../identity/ec.ts";
import { activeId, openSession } from "../identity/session.ts";
import type { EdgeRequest, EdgeResponse, OutboundResult } from "../platform.ts";
import { refuse } from "../http/refusals.ts";
import { codingOf, readDecoded } from "./decoded-body.ts";
import { fetchTarget } from "./fetch-target.ts";
import { refuseSigned } from "./refuse-signed.ts";
import { verifySignedUrl } from "./signed-url.ts";

type Fetched = Extract<OutboundResult, { ok: true }>;

const MOST_TEXT_BYTES = 10_485_760;
const MOST_PIXEL_BYTES = 256;

/** Headers of a stranger that would act on the whole first-party site, or that no longer hold. */
const DROPPED = (
  "set-cookie set-cookie2 access-control-allow-origin access-control-allow-credentials access-control-expose-headers " +
  "strict-transport-security clear-site-data service-worker-allowed public-key-pins alt-svc nel report-to refresh"
).split(" ");
const DROPPED_WHEN_REWRITTEN = ["content-length", "etag", "accept-ranges", "content-md5", "digest", "repr-digest"];

/**
 * Anybody can have an address signed, so a document behind it is a stranger's: it may run, but never as a page of the
 * publisher, where it could read cookies and storage. Only documents heed it; images, scripts and styles do not.
 */
const SANDBOX =
  "sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox " +
  "allow-top-navigation-by-user-activation";

/** The identity goes along as the last parameter; a copy in the target's own query is replaced. */
export const withIdentity = (target: URL, id: string | null): URL => {
  if (id === null) return target;
  const url = new URL(target);
  url.searchParams.delete(EC_COOKIE);
  url.searchParams.append(EC_COOKIE, id);
  return url;
};

const mirrored = (headers: Headers): Headers => {
  const kept = new Headers(headers);
  for (const name of DROPPED) kept.delete(name);
  kept.append("content-security-policy", SANDBOX);
  return kept;
};

type TextType = "html" | "css";

const textTypeOf = (headers: Headers): TextType | null => {
  const type = (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (type === "text/html") return "html";
  return type === "text/css" ? "css" : null;
};

/** The text in the encoding that the answer came in, so that the client gets what it asked for. */
const encodedBody = (text: string, headers: Headers, context: EdgeContext): ReadableStream<Uint8Array> => {
  const bytes = new Blob([text]).stream() as ReadableStream<Uint8Array>;
  const coding = codingOf(headers);
  return coding === "identity" || coding === "unknown" ? bytes : bytes.pipeThrough(context.env.encode(coding));
};

const decodeText = (bytes: Uint8Array, isStrict: boolean): string | null => {
  try {
    return new TextDecoder("utf-8", { fatal: isStrict }).decode(bytes);
  } catch {
    return null;
  }
};

const rewriteText = async (text: string, type: TextType, context: EdgeContext): Promise<string> => {
  const { rewriteCreative, rewriteStyleSheet } = await import("../html/creative.ts");
  const rules = {
    tokens: context.tokens,
    excluded: context.config.rewrite.exclude_domains,
    origin: "",
    longest: MOST_TEXT_BYTES,
  };
  return type === "html" ? rewriteCreative(text, { ...rules, injectRuntime: true }) : rewriteStyleSheet(text, rules);
};

const answerText = async (answer: Fetched, type: TextType, context: EdgeContext): Promise<Response> => {
  const body = await readDecoded(context.env, answer.body, answer.headers, MOST_TEXT_BYTES);
  const text = body.ok ? decodeText(body.bytes, type === "html") : null;
  if (text === null) return refuse("upstream_failed");
  const headers = mirrored(answer.headers);
  for (const name of DROPPED_WHEN_REWRITTEN) headers.delete(name);
  headers.set("content-type", type === "html" ? "text/html; charset=utf-8" : "text/css; charset=utf-8");
  const rewritten = await rewriteText(text, type, context);
  return new Response(encodedBody(rewritten, answer.headers, context), { status: answer.status, headers });
};

const isPixel = (headers: Headers, url: URL): boolean => {
  const length = headers.get("content-length");
  const isSmall = length !== null && /^\d+$/.test(length) && Number(length) <= MOST_PIXEL_BYTES;
  return isSmall || /\/pixel|1x1|\/track/.test(url.href) || url.pathname.endsWith("/p.gif");
};

const answerOther = (answer: Fetched, url: URL, request: EdgeRequest, context: EdgeContext): EdgeResponse => {
  const headers = mirrored(answer.headers);
  const type = headers.get("content-type");
  const isImage = type?.trim().toLowerCase().startsWith("image/") === true;
  if (isImage || (request.headers.get("accept") ?? "").includes("image/")) {
    if (type === null) headers.set("content-type", "application/octet-stream");
    if (isPixel(headers, url)) {
      const { requestId: request_id } = context;
      context.env.log({ level: "info", event: "pixel", request_id, host: url.host, path: url.pathname });
      context.metrics.add("edge_pixels_total");
    }
  }
  return { status: answer.status, headers, body: answer.body };
};

const hasNoBody = (status: number): boolean => status === 204 || status === 205 || status === 304;

export const handleFirstPartyProxy: EdgeHandler = async (request, context) => {
  const { env } = context;
  const signed = verifySignedUrl(context.tokens, context.url.searchParams, env.now());
  if (!signed.ok) return refuseSigned(signed, context);
  const target = withIdentity(signed.target.url, activeId(openSession(request, context)));
  const fetched = await fetchTarget(target, request.headers, context);
  if (!fetched.ok) {
    const { code, reason } = fetched;
    env.log({ level: "warn", event: "proxy_refused", request_id: context.requestId, host: target.host, code, reason });
    return refuse(code);
  }
  const { answer, url } = fetched;
  if (answer.status < 200 || answer.status > 599) return refuse("upstream_failed");
  if (hasNoBody(answer.status)) {
    await answer.body?.cancel().catch(() => undefined);
    return new Response(null, { status: answer.status, headers: mirrored(answer.headers) });
  }
  const type = textTypeOf(answer.headers);
  return type === null ? answerOther(answer, url, request, context) : answerText(answer, type, context);
};
