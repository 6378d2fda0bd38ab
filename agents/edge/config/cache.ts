import { z } from "zod";
import { nonEmpty, regularExpression } from "./rules.ts";

const matchers = ["preset", "path_prefix", "path_glob", "path_globs", "path_regex", "extensions"] as const;

const seconds = z.int().min(0).optional();

const enabledRule = z
  .strictObject({
    id: nonEmpty,
    enabled: z.literal(true),
    preset: z.literal("nextjs-static").optional(),
    path_prefix: z.string().startsWith("/").optional(),
    path_glob: nonEmpty.optional(),
    path_globs: z.array(nonEmpty).min(1).optional(),
    path_regex: regularExpression.optional(),
    extensions: z.array(nonEmpty).min(1).optional(),
    fingerprint_style: z.enum(["hex", "esbuild-base32", "vite-base64-url"]).optional(),
    visibility: z.enum(["public", "private"]).default("public"),
    browser_ttl_seconds: seconds,
    edge_ttl_seconds: seconds,
    stale_while_revalidate_seconds: seconds,
    stale_if_error_seconds: seconds,
    immutable: z.boolean().default(false),
  })
  .refine(
    (rule) => matchers.filter((name) => rule[name] !== undefined).length === 1,
    `needs exactly one of ${matchers.join(", ")}`,
  )
  .refine(
    (rule) =>
      rule.visibility === "private"
        ? rule.edge_ttl_seconds === undefined && rule.browser_ttl_seconds !== undefined
        : rule.edge_ttl_seconds !== undefined || rule.browser_ttl_seconds !== undefined,
    "a private rule needs browser_ttl_seconds and no edge_ttl_seconds; a public rule needs one of the two",
  )
  .refine(
    (rule) =>
      !rule.immutable ||
      ((rule.browser_ttl_seconds ?? 0) > 0 &&
        rule.fingerprint_style !== "vite-base64-url" &&
        (rule.fingerprint_style !== undefined || rule.preset !== undefined)),
    "immutable needs a positive browser_ttl_seconds and a fingerprint (hex, esbuild-base32 or a preset)",
  );

/** A disabled rule is only checked for its id, so that a half-written one can be kept in the file. */
const disabledRule = z.looseObject({ id: nonEmpty, enabled: z.literal(false) });

const assetRule = z.preprocess(
  (rule) => (typeof rule === "object" && rule !== null && !("enabled" in rule) ? { ...rule, enabled: false } : rule),
  z.discriminatedUnion("enabled", [enabledRule, disabledRule]),
);

export const cacheSchema = z.strictObject({
  asset_rules: z
    .array(assetRule)
    .default([])
    .refine((rules) => new Set(rules.map((rule) => rule.id)).size === rules.length, "two rules have the same id"),
});

export type CacheRule = z.output<typeof enabledRule>;
