import type { EdgeContext, EdgeHandler } from "../context.ts";

const cookieDomain = (context: EdgeContext): string =>
  context.config.publisher.cookie_domain ?? `.${context.config.publisher.domain}`;

const answer = (context: EdgeContext, value: string, ending: string): Response => {
  if (!context.config.tester_cookie.enabled) return new Response(null, { status: 404 });
  const cookie = `ts-tester=${value}; Domain=${cookieDomain(context)}; Path=/; Secure; SameSite=Lax${ending}`;
  return new Response(null, {
    status: 204,
    headers: { "cache-control": "no-store, private", "set-cookie": cookie },
  });
};

/** `GET /_ts/set-tester`: marks a QA browser (edge spec). */
export const handleSetTester: EdgeHandler = async (_, context) => answer(context, "true", "");

/** `GET /_ts/clear-tester`: takes the mark away. */
export const handleClearTester: EdgeHandler = async (_, context) => answer(context, "", "; Max-Age=0");
