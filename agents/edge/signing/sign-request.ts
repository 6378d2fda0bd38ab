import type { RequestSignature } from "../auction/provider/bid-request.ts";
import type { EdgeContext } from "../context.ts";
import { signBytes } from "./keys.ts";

const unavailable = (context: EdgeContext, cause: string): "unavailable" => {
  const message = "signing key not found; rotate keys with POST /_ts/admin/keys/rotate";
  context.env.log({ level: "error", event: "signing_key_unavailable", request_id: context.requestId, message, cause });
  return "unavailable";
};

/**
 * Signs a bid request's identity with the current key. `off`: signing is not switched on. `unavailable`: it is, but
 * the key cannot be read, so that no auction may run.
 */
export const signBidRequest = async (
  context: EdgeContext,
  auctionId: string,
): Promise<RequestSignature | "off" | "unavailable"> => {
  const signing = context.config.request_signing;
  if (signing === undefined || !signing.enabled) return "off";
  try {
    const kid = await context.configStore.get(signing.config_store_id, "current-kid");
    if (kid === null) return unavailable(context, "no key is current");
    const seed = await context.secretStore.get(signing.secret_store_id, kid);
    if (seed === null) return unavailable(context, `${kid} is not in the secret store`);
    const host = context.config.publisher.domain;
    const ts = context.env.now();
    const payload = JSON.stringify({ version: "1.1", kid, host, scheme: "https", id: auctionId, ts });
    const signature = await signBytes(seed, new TextEncoder().encode(payload));
    if (signature === null) return unavailable(context, `${kid} is not 32 bytes in standard base64`);
    return { version: "1.1", signature, kid, request_host: host, request_scheme: "https", ts };
  } catch (error) {
    return unavailable(context, String(error));
  }
};
