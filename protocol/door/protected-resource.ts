import { fixedPage } from "../rest/pages/fixed-page.ts";
import { tokenScopes, type TokenIssuer } from "./access-tokens.ts";
import type { Contract } from "../seam/operation.ts";
import { scopesOf } from "../seam/scopes.ts";
import { bearerChallenge, type Challenge } from "./challenge.ts";
import type { DoorRoute } from "./door.ts";

const path = "/.well-known/oauth-protected-resource";

/** RFC 9728, 5.1: where a client learns which issuer to ask for a token. */
export const resourceChallenge =
  (publicUrl: string): Challenge =>
  (more) =>
    bearerChallenge({ ...more, resource_metadata: `${publicUrl}${path}/mcp` });

/** Not of the type oauth2: its flows name addresses that only the issuer's own metadata knows. */
export const accessTokenScheme = (issuer: string) => ({
  type: "http",
  scheme: "bearer",
  bearerFormat: "JWT",
  description: `An OAuth 2.1 access token of ${issuer}; ${path} (RFC 9728) tells its scopes.`,
});

/** For the agent and, as MCP clients ask, for its `/mcp` (RFC 9728, 3.1). */
export const protectedResourceRoutes = (
  publicUrl: string,
  name: string,
  { issuer }: Pick<TokenIssuer, "issuer">,
  contracts: readonly Contract[],
): readonly DoorRoute[] =>
  ["", "/mcp"].map((resource) =>
    fixedPage(`${path}${resource}`, "application/json", () =>
      JSON.stringify({
        resource: `${publicUrl}${resource}`,
        authorization_servers: [issuer],
        scopes_supported: [...tokenScopes, ...scopesOf(contracts)],
        bearer_methods_supported: ["header"],
        resource_name: name,
        resource_documentation: `${publicUrl}/docs`,
      }),
    ),
  );
