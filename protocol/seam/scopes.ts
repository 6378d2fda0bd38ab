import type { Caller } from "./caller.ts";
import type { Contract } from "./operation.ts";

/** `deals:read`, `deals:write`; without a group: of all. */
const form = /^(?:[a-z][a-z-]*:)?(?:read|write)$/;

/** Undefined: nothing but the roles limits what may be called. */
export const limitingScopes = (scopes: readonly unknown[]): readonly string[] | undefined => {
  const found = scopes.filter((scope): scope is string => typeof scope === "string" && form.test(scope));
  return found.length === 0 ? undefined : found;
};

export const scopeOf = ({ group, effect }: Pick<Contract, "group" | "effect">): string =>
  `${group}:${effect === "read" ? "read" : "write"}`;

/** Who may write a group may read it. */
export const isInScope = (
  { scopes }: Pick<Caller, "scopes">,
  { group, effect }: Pick<Contract, "group" | "effect">,
): boolean =>
  scopes === undefined ||
  scopes.includes("write") ||
  scopes.includes(`${group}:write`) ||
  (effect === "read" && (scopes.includes("read") || scopes.includes(`${group}:read`)));

/** For the metadata of the resource (RFC 9728). */
export const scopesOf = (contracts: readonly Contract[]): readonly string[] => [
  "read",
  "write",
  ...[...new Set(contracts.map(scopeOf))].sort(),
];
