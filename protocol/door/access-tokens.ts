import { createRemoteJWKSet, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from "jose";
import { type Refusal, refuse } from "../neutral/refusals.ts";
import { type Caller, type Identity, noIdentity, ownerOf, type Role, type Tier } from "../seam/caller.ts";
import { limitingScopes } from "../seam/scopes.ts";
import type { CallerDirectory, Clock, Log } from "../seam/ports.ts";

/** An OAuth 2.1 resource server (RFC 9728) whose tokens one issuer signs. */
export interface TokenIssuer {
  readonly issuer: string;
  readonly jwksUrl: string;
  /** RFC 8707: a token for somebody else is refused. */
  readonly audiences: readonly string[];
}

export interface TokenParts {
  /** None: keys alone. */
  readonly from: TokenIssuer | null | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly tierOf: (identity: Identity) => Tier;
}

/** No shared secret: whoever verifies such a token could make one. */
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

const clockToleranceSeconds = 30;
const jwksTimeoutMs = 5000;

const isToken = (secret: string): boolean => {
  if (secret.split(".").length !== 3) return false;
  try {
    return typeof decodeProtectedHeader(secret).alg === "string";
  } catch {
    return false;
  }
};

const longestText = 255;

const textIn = (claims: JWTPayload, name: string): string | null => {
  const value = claims[name];
  return typeof value === "string" && value !== "" && value.length <= longestText ? value : null;
};

const identityIn = (claims: JWTPayload): Identity => ({
  ...noIdentity,
  seat_id: textIn(claims, "seat_id"),
  agency_id: textIn(claims, "agency_id"),
  advertiser_id: textIn(claims, "advertiser_id"),
});

/** Highest first. */
const roleScopes: readonly Role[] = ["senior", "operator", "viewer", "edge"];

export const tokenScopes: readonly string[] = roleScopes;

/** `scope` is a text (RFC 9068); some issuers send a list. */
const scopesIn = ({ scope }: JWTPayload): readonly unknown[] =>
  typeof scope === "string" ? scope.split(" ") : Array.isArray(scope) ? scope : [];

const roleIn = (scopes: readonly unknown[]): Role => roleScopes.find((role) => scopes.includes(role)) ?? "buyer";

const principalPrefix = "token:";

export const isTokenCaller = ({ principal }: Pick<Caller, "principal">): boolean =>
  principal.startsWith(principalPrefix);

const callerOf = (claims: JWTPayload, subject: string, tierOf: TokenParts["tierOf"]): Caller => {
  const identity = identityIn(claims);
  const principal = `${principalPrefix}${subject}`;
  const scopes = scopesIn(claims);
  const limits = limitingScopes(scopes);
  return {
    kind: "key",
    principal,
    owner: ownerOf(principal, identity, true),
    limitKey: principal,
    keyId: null,
    roles: [roleIn(scopes)],
    ...(limits === undefined ? {} : { scopes: limits }),
    identity,
    verified: true,
    tier: tierOf(identity),
    boundAgentUrl: null,
  };
};

const invalid = (why: string): Refusal =>
  refuse("invalid_api_key", { message: `The access token is not valid: ${why} Get a new one from its issuer.` });

const refusalOf = (error: unknown, log: Log): Refusal => {
  if (error instanceof errors.JWTExpired) {
    return refuse("api_key_expired", { message: "The access token has expired. Get a new one from its issuer." });
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    return invalid(`its claim ${error.claim} is not the one that this agent takes.`);
  }
  const isOfToken =
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid) &&
    error.constructor !== errors.JOSEError;
  if (isOfToken) return invalid("it is not signed by the issuer of this agent.");
  log.error(
    { error: error instanceof Error ? error.message : "unknown" },
    "the keys of the token issuer cannot be read",
  );
  return refuse("unavailable", { message: "The keys of the token issuer cannot be read. Try again later." });
};

/** Tokens beside keys: what is no signed token goes to `keys`. */
export const withAccessTokens = <D extends Pick<CallerDirectory, "find">>(
  keys: D,
  { from, clock, log, tierOf }: TokenParts,
): D => {
  if (from == null) return keys;
  const keySet = createRemoteJWKSet(new URL(from.jwksUrl), { timeoutDuration: jwksTimeoutMs });
  const verify = async (token: string): Promise<Caller | Refusal> => {
    try {
      const { payload } = await jwtVerify(token, keySet, {
        issuer: from.issuer,
        audience: [...from.audiences],
        algorithms,
        clockTolerance: clockToleranceSeconds,
        currentDate: new Date(clock.nowMs()),
        requiredClaims: ["exp", "sub"],
      });
      const subject = textIn(payload, "sub");
      return subject === null
        ? invalid("its subject is not a text of 1 to 255 characters.")
        : callerOf(payload, subject, tierOf);
    } catch (error) {
      return refusalOf(error, log);
    }
  };
  return { ...keys, find: (secret, address) => (isToken(secret) ? verify(secret) : keys.find(secret, address)) };
};
