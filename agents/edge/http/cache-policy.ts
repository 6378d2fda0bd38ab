import type { EdgeTraits } from "../platform.ts";

/** No cache keeps it: it is one visitor's. */
export const privateHeaders = { "cache-control": "no-store, private" };

/** No cache keeps it, and no browser takes it for another type: it is an operator's. */
export const noStore = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

export interface CachePolicy {
  readonly visibility?: "public" | "private";
  readonly browserSeconds?: number;
  readonly edgeSeconds?: number;
  readonly staleWhileRevalidateSeconds?: number;
  readonly staleIfErrorSeconds?: number;
  readonly immutable?: boolean;
}

const staleParts = (policy: CachePolicy): string[] => [
  ...(policy.staleWhileRevalidateSeconds === undefined
    ? []
    : [`stale-while-revalidate=${policy.staleWhileRevalidateSeconds}`]),
  ...(policy.staleIfErrorSeconds === undefined ? [] : [`stale-if-error=${policy.staleIfErrorSeconds}`]),
];

/**
 * Writes the policy into `headers`, replacing what was there. The lifetime for shared caches goes into the header
 * that the adapter's platform reads, or into `s-maxage` where it has none of its own.
 */
export const applyCachePolicy = (headers: Headers, policy: CachePolicy, traits: EdgeTraits): void => {
  const stale = staleParts(policy);
  const parts: string[] = [policy.visibility ?? "public"];
  if (policy.browserSeconds !== undefined) parts.push(`max-age=${policy.browserSeconds}`);
  const edge = policy.edgeSeconds;
  if (edge !== undefined && traits.edgeTtl === "s-maxage") parts.push(`s-maxage=${edge}`);
  parts.push(...stale);
  if (policy.immutable === true) parts.push("immutable");
  headers.set("cache-control", parts.join(", "));
  if (edge !== undefined && traits.edgeTtl !== "s-maxage") {
    headers.set(traits.edgeTtl, [`max-age=${edge}`, ...stale].join(", "));
  }
};
