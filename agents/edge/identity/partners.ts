import { sha256 } from "@noble/hashes/sha2.js";
import type { EdgeConfig } from "../config.ts";
import type { PartnerConfig } from "../config/identity.ts";
import { toHex } from "./hex.ts";

export const tokenHash = (token: string): string => toHex(sha256(new TextEncoder().encode(token)));

const tables = new WeakMap<EdgeConfig, ReadonlyMap<string, PartnerConfig>>();

const tableOf = (config: EdgeConfig): ReadonlyMap<string, PartnerConfig> => {
  const known = tables.get(config);
  if (known !== undefined) return known;
  const table = new Map(config.ec.partners.map((partner) => [tokenHash(partner.api_token), partner]));
  tables.set(config, table);
  return table;
};

/** The partner whose bearer token the request carries; `null` for none and for anything else in the header. */
export const authenticatePartner = (headers: Headers, config: EdgeConfig): PartnerConfig | null => {
  const [scheme = "", token, ...rest] = (headers.get("authorization") ?? "").trim().split(/\s+/);
  if (scheme.toLowerCase() !== "bearer" || token === undefined || rest.length > 0) return null;
  return tableOf(config).get(tokenHash(token)) ?? null;
};

export const invalidToken = { error: "invalid_token" } as const;
