import { matchesGlob } from "../../auction/glob.ts";
import type { CachePolicy } from "../../http/cache-policy.ts";
import type { EdgeConfig } from "../../config.ts";
import type { CacheRule } from "../../config/cache.ts";
import { isPrivate } from "../../routing/finalize.ts";

type Matcher = (path: string) => boolean;

const extensionOf = (path: string): string => /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";

const matcherOf = (rule: CacheRule): Matcher => {
  if (rule.preset !== undefined) return (path) => path.startsWith("/_next/static/");
  const { path_prefix: prefix, extensions } = rule;
  if (prefix !== undefined) return (path) => path.startsWith(prefix);
  if (extensions !== undefined) {
    const wanted = extensions.map((extension) => extension.replace(/^\./, "").toLowerCase());
    return (path) => wanted.includes(extensionOf(path));
  }
  if (rule.path_regex !== undefined) {
    const pattern = new RegExp(rule.path_regex);
    return (path) => pattern.test(path);
  }
  const globs = rule.path_globs ?? [rule.path_glob ?? ""];
  return (path) => globs.some((glob) => matchesGlob(glob, path));
};

const hasMixedCase = (text: string): boolean => /[a-z]/.test(text) && /[A-Z0-9]/.test(text);

const fingerprints: Readonly<Record<NonNullable<CacheRule["fingerprint_style"]>, (part: string) => boolean>> = {
  hex: (part) => /^[0-9a-f]{8,}$/i.test(part) && /[a-f]/i.test(part),
  "esbuild-base32": (part) => /^[A-Z2-7]{8}$/.test(part),
  "vite-base64-url": (part) => /^[A-Za-z0-9_-]{8}$/.test(part) && hasMixedCase(part),
};

const hasFingerprint = (rule: CacheRule, path: string): boolean => {
  if (rule.fingerprint_style === undefined) return true;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const isFingerprint = fingerprints[rule.fingerprint_style];
  const stem = name.replace(/\.[A-Za-z0-9]+$/, "");
  return name.split(/[.-]/).some(isFingerprint) || isFingerprint(stem.slice(-8));
};

const policyOf = (rule: CacheRule): CachePolicy => ({
  visibility: rule.visibility,
  ...(rule.browser_ttl_seconds === undefined ? {} : { browserSeconds: rule.browser_ttl_seconds }),
  ...(rule.edge_ttl_seconds === undefined ? {} : { edgeSeconds: rule.edge_ttl_seconds }),
  ...(rule.stale_while_revalidate_seconds === undefined
    ? {}
    : { staleWhileRevalidateSeconds: rule.stale_while_revalidate_seconds }),
  ...(rule.stale_if_error_seconds === undefined ? {} : { staleIfErrorSeconds: rule.stale_if_error_seconds }),
  immutable: rule.immutable,
});

export type AssetPolicies = (path: string) => CachePolicy | null;

const prepared = new WeakMap<EdgeConfig, AssetPolicies>();

export const assetPolicies = (config: EdgeConfig): AssetPolicies => {
  const known = prepared.get(config);
  if (known !== undefined) return known;
  const rules = config.cache.asset_rules
    .filter((rule): rule is CacheRule => rule.enabled)
    .map((rule) => ({ rule, matches: matcherOf(rule), policy: policyOf(rule) }));
  const find: AssetPolicies = (path) =>
    rules.find(({ rule, matches }) => matches(path) && hasFingerprint(rule, path))?.policy ?? null;
  prepared.set(config, find);
  return find;
};

export const mayCacheAsset = (method: string, status: number, headers: Headers): boolean => {
  if (method !== "GET" && method !== "HEAD") return false;
  if (!(status >= 200 && status < 300) && status !== 304) return false;
  if ((headers.get("content-type") ?? "").toLowerCase().startsWith("text/html")) return false;
  return !isPrivate(headers) && !headers.has("set-cookie");
};
