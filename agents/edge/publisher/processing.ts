import { webStream } from "../http/byte-stream.ts";
import type { EdgeContext } from "../context.ts";
import type { ByteStream, ContentCoding, EdgeEnv } from "../platform.ts";
import { createTextRewriter, type OriginNames } from "./origin-text.ts";
import type { PageAds } from "./page.ts";
import { limitBytes, transformText, type TextTransform } from "./text-stream.ts";

export type TextKind = "html" | "text";

const codings: readonly string[] = ["gzip", "deflate", "br"];

const isCoding = (text: string): text is ContentCoding => codings.includes(text);

const mediaType = (headers: Headers): string =>
  (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";

const isUtf8 = (headers: Headers): boolean => {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headers.get("content-type") ?? "")?.[1]?.toLowerCase();
  return charset === undefined || charset === "utf-8" || charset === "utf8" || charset === "us-ascii";
};

/** How an origin's answer is processed: as a page, as another text, or (`null`) not at all. */
export const textKindOf = (status: number, headers: Headers): TextKind | null => {
  if (status === 206 || !isUtf8(headers)) return null;
  const coding = (headers.get("content-encoding") ?? "").trim().toLowerCase();
  if (coding !== "" && coding !== "identity" && !isCoding(coding)) return null;
  const type = mediaType(headers);
  if (type === "text/html") return "html";
  return type.startsWith("text/") || type === "application/javascript" || type === "application/json" ? "text" : null;
};

const namesOf = (context: EdgeContext): OriginNames => ({
  originHost: new URL(context.config.publisher.origin_url).host,
  requestHost: context.url.host,
  requestScheme: context.url.protocol === "https:" ? "https" : "http",
});

const throughText = (
  body: ByteStream,
  headers: Headers,
  env: EdgeEnv,
  most: number,
  transform: TextTransform,
): ByteStream => {
  const coding = (headers.get("content-encoding") ?? "").trim().toLowerCase();
  if (!isCoding(coding)) return transformText(body, transform, most);
  const decoded = webStream(limitBytes(body, most)).pipeThrough(env.decode(coding));
  return webStream(transformText(decoded, transform, most)).pipeThrough(env.encode(coding));
};

/** What reads markup is loaded with the first page, so that no start waits for it. */
const pageTransform = async (names: OriginNames, ads: PageAds | null): Promise<TextTransform> => {
  const { createPageTransform } = await import("./page.ts");
  return createPageTransform(names, ads);
};

/** An origin's text on its way to the client. Its length is no longer known, so that header goes. */
export const processBody = async (
  body: ByteStream,
  kind: TextKind,
  headers: Headers,
  context: EdgeContext,
  ads: PageAds | null,
): Promise<ByteStream> => {
  const names = namesOf(context);
  const transform = kind === "html" ? await pageTransform(names, ads) : createTextRewriter(names);
  return throughText(body, headers, context.env, context.config.publisher.max_buffered_body_bytes, transform);
};

/** Takes out what described the bytes as they came. A range of the original would be cut at other places. */
export const describeProcessed = (headers: Headers): void => {
  for (const name of ["content-length", "accept-ranges", "content-md5", "digest", "repr-digest", "content-digest"]) {
    headers.delete(name);
  }
};
