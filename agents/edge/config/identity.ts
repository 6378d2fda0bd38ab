import { z } from "zod";
import { isHostName, nonEmpty, parseUrl, positiveInt, secretName } from "./rules.ts";

const sourceDomain = z
  .string()
  .transform((text) => text.toLowerCase().replace(/\.$/, ""))
  .refine((text) => isHostName(text, 255), "must be an ASCII host name");

const partner = z
  .strictObject({
    name: nonEmpty,
    source_domain: sourceDomain,
    api_token: secretName,
    openrtb_atype: z.int().min(0, "must be 0 or more").default(3),
    bidstream_enabled: z.boolean().default(false),
    batch_rate_limit: positiveInt.default(60),
    pull_sync_enabled: z.boolean().default(false),
    pull_sync_url: z
      .string()
      .refine((text) => /^https?:$/.test(parseUrl(text)?.protocol ?? ""), "must be an absolute https URL")
      .optional(),
    pull_sync_allowed_domains: z.array(z.string().transform((text) => text.toLowerCase())).default([]),
    pull_sync_rate_limit: positiveInt.default(10),
    ts_pull_token: secretName.optional(),
  })
  .refine(
    (entry) => !entry.pull_sync_enabled || (entry.pull_sync_url !== undefined && entry.ts_pull_token !== undefined),
    "pull_sync_enabled needs pull_sync_url and ts_pull_token",
  );

export const ecSchema = z.strictObject({
  passphrase: secretName,
  ec_store: nonEmpty.optional(),
  pull_sync_concurrency: positiveInt.default(3),
  cluster_recheck_secs: positiveInt.default(3_600),
  partners: z
    .array(partner)
    .default([])
    .refine(
      (list) => new Set(list.map((entry) => entry.source_domain)).size === list.length,
      "two partners have the same source_domain; every partner needs its own",
    ),
});

const gdprCountries =
  "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE IS LI NO GB".split(" ");
const privacyStates = "CA VA CO CT UT MT OR TX FL DE IA NE NH NJ TN MN MD IN KY RI".split(" ");
const codes = (preset: string[]) => z.array(z.string().transform((text) => text.toUpperCase())).default(preset);

export const consentSchema = z.strictObject({
  mode: z.enum(["interpreter", "proxy"]).default("interpreter"),
  check_expiration: z.boolean().default(true),
  max_consent_age_days: z
    .int()
    .transform((days) => Math.min(3_650, Math.max(1, days)))
    .default(395),
  gdpr: z.strictObject({ applies_in: codes(gdprCountries) }).prefault({}),
  us_states: z.strictObject({ privacy_states: codes(privacyStates) }).prefault({}),
  us_privacy_defaults: z
    .strictObject({
      notice_given: z.boolean().default(true),
      lspa_covered: z.boolean().default(false),
      gpc_implies_optout: z.boolean().default(true),
    })
    .prefault({}),
  conflict_resolution: z
    .strictObject({
      mode: z.enum(["restrictive", "newest", "permissive"]).default("restrictive"),
      freshness_threshold_days: z.int().min(0).default(30),
    })
    .prefault({}),
});

export type ConsentConfig = z.output<typeof consentSchema>;
export type PartnerConfig = z.output<typeof partner>;
