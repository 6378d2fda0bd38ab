import { plainHost } from "../../../protocol/neutral/address-guard.ts";
import type { EdgeContext, EdgeHandler } from "../context.ts";
import { ecCookieName } from "../identity/ec.ts";
import { activeId, openSession } from "../identity/session.ts";
import type { EdgeRequest, EdgeResponse, OutboundResult } from "../platform.ts";
import { refuse, type EdgeRefusalCode } from "../http/refusals.ts";
import { codingOf, readDecoded } from "./decoded-body.ts";
import { fetchTarget } from "./fetch-target.ts";
import { refuseSigned } from "./refuse-signed.ts";
import { verifySignedUrl } from "./signed-url.ts";

type Fetched = Extract<OutboundResult, { ok: true }>;

const mostTextBytes = 10_485_760;
const mostPixelBytes = 256;

/**
 * Headers of the answer that go on: what describes the body and its keeping, and what its own site forbids. Others of a
 * stranger would act on the whole first-party site: cookies, a challenge for its passwords, rules of transport.
 */
const passed = (
  "content-type content-length content-encoding content-language content-disposition content-range content-md5 " +
  "accept-ranges cache-control expires age date etag last-modified vary location retry-after digest repr-digest " +
  "content-security-policy referrer-policy x-content-type-options x-frame-options x-robots-tag"
).split(" ");
const droppedWhenRewritten = ["content-length", "etag", "accept-ranges", "content-md5", "digest", "repr-digest"];

/**
 * Anybody can have an address signed, so a document behind it is a stranger's: it may run, but never as a page of the
 * publisher, where it could read cookies and storage. Only documents heed it; images, scripts and styles do not.
 */
const sandbox =
  "sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox " +
  "allow-top-navigation-by-user-activation";

/** In open mode a host that no creative had is anybody's: its documents show text and pictures. */
const still = "sandbox";

const script = /^(?:text|application)\/(?:x-)?(?:java|ecma|live|j)script/i;

/** The identity goes along as the last parameter; a copy in the target's own query is replaced. */
export const withIdentity = (target: URL, id: string | null): URL => {
  if (id === null) return target;
  const url = new URL(target);
  url.searchParams.delete(ecCookieName);
  url.searchParams.append(ecCookieName, id);
  return url;
};

/** What a target answered, at last from `url`. */
interface Source {
  readonly answer: Fetched;
  readonly url: URL;
  readonly isTrusted: boolean;
}

const mirrored = ({ answer, isTrusted }: Source, { url: own }: EdgeContext): Headers => {
  const kept = new Headers();
  for (const name of passed) {
    const value = answer.headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  kept.append("content-security-policy", isTrusted ? sandbox : still);
  if (isTrusted) return kept;
  // A browser runs as a script whatever is not plainly something else.
  kept.set("x-content-type-options", "nosniff");
  const location = kept.get("location") ?? "";
  if (!URL.canParse(location, own.href) || new URL(location, own.href).origin !== own.origin) kept.delete("location");
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

const rewriteText = async (text: string, type: TextType, isTrusted: boolean, context: EdgeContext): Promise<string> => {
  const { rewriteCreative, rewriteStyleSheet } = await import("../html/creative.ts");
  const rules = {
    tokens: context.tokens,
    excluded: context.config.rewrite.exclude_domains,
    origin: "",
    longest: mostTextBytes,
    ...(isTrusted ? { meet: context.met.meet } : {}),
  };
  return type === "html" ? rewriteCreative(text, { ...rules, injectRuntime: true }) : rewriteStyleSheet(text, rules);
};

const answerText = async (source: Source, type: TextType, context: EdgeContext): Promise<Response> => {
  const { answer, isTrusted } = source;
  const body = await readDecoded(context.env, answer.body, answer.headers, mostTextBytes);
  const text = body.ok ? decodeText(body.bytes, type === "html") : null;
  if (text === null) return refuse("upstream_failed");
  const headers = mirrored(source, context);
  for (const name of droppedWhenRewritten) headers.delete(name);
  headers.set("content-type", type === "html" ? "text/html; charset=utf-8" : "text/css; charset=utf-8");
  const rewritten = await rewriteText(text, type, isTrusted, context);
  return new Response(encodedBody(rewritten, answer.headers, context), { status: answer.status, headers });
};

const isPixel = (headers: Headers, url: URL): boolean => {
  const length = headers.get("content-length");
  const isSmall = length !== null && /^\d+$/.test(length) && Number(length) <= mostPixelBytes;
  return isSmall || /\/pixel|1x1|\/track/.test(url.href) || url.pathname.endsWith("/p.gif");
};

const answerOther = (source: Source, request: EdgeRequest, context: EdgeContext): EdgeResponse => {
  const headers = mirrored(source, context);
  const { answer, url } = source;
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
  const refused = (host: string, code: EdgeRefusalCode, reason: string): Response => {
    env.log({ level: "warn", event: "proxy_refused", request_id: context.requestId, host, code, reason });
    return refuse(code);
  };
  const target = withIdentity(signed.target.url, activeId(openSession(request, context)));
  const fetched = await fetchTarget(target, request.headers, context);
  if (!fetched.ok) return refused(target.host, fetched.code, fetched.reason);
  const { answer, url } = fetched;
  const source = { answer, url, isTrusted: context.met.isTrusted(plainHost(url)) };
  if (answer.status < 200 || answer.status > 599) return refuse("upstream_failed");
  if (hasNoBody(answer.status)) {
    await answer.body?.cancel().catch(() => undefined);
    return new Response(null, { status: answer.status, headers: mirrored(source, context) });
  }
  if (!source.isTrusted && script.test(answer.headers.get("content-type")?.trim() ?? "")) {
    await answer.body?.cancel().catch(() => undefined);
    const reason = "a script of a host that no creative had; list the host in proxy.allowed_domains";
    return refused(url.host, "allowlist_violation", reason);
  }
  const type = textTypeOf(answer.headers);
  return type === null ? answerOther(source, request, context) : answerText(source, type, context);
};
