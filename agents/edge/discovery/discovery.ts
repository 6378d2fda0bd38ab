import type { EdgeHandler } from "../context.ts";
import { refuse } from "../http/refusals.ts";
import { parseJwk, readActiveKids, type PublicJwk } from "../signing/keys.ts";

/**
 * `GET /.well-known/<service-name>.json`: the public signing keys. No active key is an empty list; a listed key whose
 * JWK is missing or broken is a configuration error.
 */
export const handleDiscovery: EdgeHandler = async (_, context) => {
  const storeId = context.config.request_signing?.config_store_id;
  const keys: PublicJwk[] = [];
  if (storeId !== undefined) {
    for (const kid of await readActiveKids(context.configStore, storeId)) {
      const jwk = parseJwk(await context.configStore.get(storeId, kid), kid);
      if (jwk === null) {
        context.env.log({ level: "error", event: "active_key_without_jwk", kid, store: storeId });
        return refuse("configuration");
      }
      keys.push(jwk);
    }
  }
  const body = JSON.stringify({ version: "1.0", jwks: { keys } }, null, 2);
  return new Response(body, { headers: { "content-type": "application/json" } });
};
