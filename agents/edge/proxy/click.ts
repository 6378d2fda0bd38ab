import { privateHeaders } from "../http/cache-policy.ts";
import { plainHost } from "../../../protocol/neutral/address-guard.ts";
import type { EdgeHandler } from "../context.ts";
import { shownEc } from "../identity/ec.ts";
import { activeId, openSession } from "../identity/session.ts";
import { leavingPage } from "./leaving.ts";
import { withIdentity } from "./proxy.ts";
import { refuseSigned } from "./refuse-signed.ts";
import { verifySignedUrl } from "./signed-url.ts";
import type { SignedTarget } from "./signed-url.ts";

const locationOf = (target: SignedTarget, id: string | null): string => {
  if (id === null && /^[\x21-\x7e]+$/.test(target.clear)) return target.clear;
  return withIdentity(id === null ? target.url : new URL(target.clear), id).href;
};

export const handleFirstPartyClick: EdgeHandler = async (request, context) => {
  const { env } = context;
  const signed = verifySignedUrl(context.tokens, context.url.searchParams, env.now());
  if (!signed.ok) return refuseSigned(signed, context);
  const { target } = signed;
  const isLeaving = !context.met.isTrusted(plainHost(target.url));
  const id = isLeaving ? null : activeId(openSession(request, context));
  env.log({
    level: "info",
    event: "click",
    request_id: context.requestId,
    target: target.tsurl,
    has_parameters: target.pairs.length > 0,
    referer: request.headers.get("referer"),
    user_agent: request.headers.get("user-agent"),
    ec: id === null ? null : shownEc(id),
    ...(isLeaving ? { shown: "leaving page" } : {}),
  });
  if (isLeaving) return leavingPage(target.url, context.config.publisher.domain);
  context.metrics.add("edge_clicks_total");
  return new Response(null, { status: 302, headers: { location: locationOf(target, id), ...privateHeaders } });
};
