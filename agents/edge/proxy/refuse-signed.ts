import type { EdgeContext } from "../context.ts";
import { refuse } from "../http/refusals.ts";
import type { SignedUrlResult } from "./signed-url.ts";

/** Refuses a signed address; the log says why and what helps, because the answer to a wrong token says nothing. */
export const refuseSigned = (
  { code, message }: Extract<SignedUrlResult, { ok: false }>,
  context: EdgeContext,
): Response => {
  const cure = "sign the address anew with /first-party/sign; all processes need the same publisher.proxy_secret";
  const { requestId: request_id, url } = context;
  context.env.log({ level: "warn", event: "signed_url_refused", request_id, path: url.pathname, code, message, cure });
  return refuse(code, message);
};
