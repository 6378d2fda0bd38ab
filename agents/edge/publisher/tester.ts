import type { EdgeContext, EdgeHandler } from "../context.ts";

const cookieDomain = (context: EdgeContext): string =>
  context.config.publisher.cookie_domain ?? `.${context.config.publisher.domain}`;

const warnOfMismatch = (context: EdgeContext, domain: string): void => {
  const host = context.url.hostname;
  const apex = domain.replace(/^\./, "").toLowerCase();
  if (host === apex || host.endsWith(`.${apex}`)) return;
  const message = "cookie domain mismatch; set publisher.cookie_domain to the parent domain with a leading dot";
  context.env.log({ level: "warn", event: "cookie_domain", request_id: context.requestId, host, domain, message });
};

const answer = (context: EdgeContext, value: string, ending: string): Response => {
  if (!context.config.tester_cookie.enabled) return new Response(null, { status: 404 });
  const domain = cookieDomain(context);
  warnOfMismatch(context, domain);
  const cookie = `ts-tester=${value}; Domain=${domain}; Path=/; Secure; SameSite=Lax${ending}`;
  return new Response(null, {
    status: 204,
    headers: { "cache-control": "no-store, private", "set-cookie": cookie },
  });
};

export const handleSetTester: EdgeHandler = async (_, context) => answer(context, "true", "");

export const handleClearTester: EdgeHandler = async (_, context) => answer(context, "", "; Max-Age=0");
