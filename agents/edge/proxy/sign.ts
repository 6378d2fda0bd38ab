import { z } from "zod";
import { parseJson, readRequestBody } from "../http/body.ts";
import type { EdgeContext, EdgeHandler } from "../context.ts";
import { plainHost } from "../../../protocol/neutral/address-guard.ts";
import type { EdgeRequest } from "../platform.ts";
import { jsonAnswer, refuse } from "../http/refusals.ts";
import { isHostListed } from "./host-list.ts";
import { mintUrl, parseTarget } from "./signed-url.ts";

const mostFormBytes = 65_536;
const lifetimeS = 30;

const bodySchema = z.object({ url: z.string() });

export const readSmallBody = async (request: EdgeRequest): Promise<{ bytes: Uint8Array } | { refusal: Response }> => {
  const body = await readRequestBody(request, mostFormBytes);
  if (body.ok) return { bytes: body.bytes };
  if (body.fault === "too_large") return { refusal: refuse("request_too_large") };
  return { refusal: refuse("bad_request", "the body ended early") };
};

const requestedUrl = async (request: EdgeRequest, context: EdgeContext): Promise<string | Response> => {
  if (request.method !== "POST") return context.url.searchParams.get("url") ?? "";
  const body = await readSmallBody(request);
  if ("refusal" in body) return body.refusal;
  const parsed = bodySchema.safeParse(parseJson(body.bytes));
  return parsed.success ? parsed.data.url : refuse("bad_request", 'send {"url": "https://…"} as JSON');
};

/** `GET` and `POST` `/first-party/sign`: mints a proxy address that holds for half a minute. */
export const handleFirstPartySign: EdgeHandler = async (request, context) => {
  const requested = await requestedUrl(request, context);
  if (typeof requested !== "string") return requested;
  const text = requested.trim();
  if (text === "") return refuse("bad_request", "url is missing; name the target to sign");
  const target = parseTarget(text.startsWith("//") ? `${context.url.protocol}${text}` : text);
  if (target === null) return refuse("bad_request", "url must be an absolute http or https URL without credentials");
  if (isHostListed(context.config.rewrite.exclude_domains, plainHost(target))) {
    return refuse("bad_request", "the host is excluded by rewrite.exclude_domains; use the address as it is");
  }
  const expiresAtS = Math.floor(context.env.now() / 1_000) + lifetimeS;
  const minted = mintUrl(context.tokens, "proxy", target, expiresAtS);
  if (minted === null) return refuse("bad_request", "the query of url may not hold tsurl, tstoken or tsexp");
  return jsonAnswer(200, minted, { "content-type": "application/json; charset=utf-8" });
};
