import { z } from "zod";

/** In wire order. */
export const listRoles = ["constraints", "extensions", "exclusions"] as const;

export type ListRole = (typeof listRoles)[number];

const mostRefsInRole = 1_000;

/** A plan is frozen into its deal with unknown members, so its size is bounded. */
const longestPlan = 65_536;

/** Half a surrogate pair has no UTF-8 form to hash. */
const text = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((value) => !/\p{Cs}/u.test(value), "must be well-formed Unicode");

/** Seller spec, ComplianceContext. */
const complianceContext = z.looseObject({
  jurisdiction: z.enum(["US", "EU", "GLOBAL"]),
  consent_framework: z.enum(["IAB-TCFv2", "GPP", "advertiser-1p", "none"]),
  consent_string_ref: text(2048).nullish(),
  attestation: text(2048).nullish(),
  embedding_provenance: z.enum(["local_buyer", "advertiser_supplied", "hosted_external", "mock"]).nullish(),
});

/** Type and taxonomy are open: unknown ones are unsupported, not invalid. */
const audienceRef = z
  .looseObject({
    type: text(64).describe("standard, contextual or agentic; get_product tells which are sold."),
    identifier: text(2048).describe("Id of a segment or category of the taxonomy."),
    taxonomy: text(64).describe(
      "iab-audience for standard, iab-content for contextual, agentic-audiences for agentic.",
    ),
    version: text(64),
    source: z.enum(["explicit", "resolved", "inferred"]),
    confidence: z.number().min(0).max(1).nullish(),
    compliance_context: complianceContext.nullish(),
  })
  .refine((ref) => ref.source !== "explicit" || ref.confidence == null, {
    path: ["confidence"],
    message: "must be null when source is explicit",
  })
  .refine((ref) => ref.type !== "agentic" || ref.compliance_context != null, {
    path: ["compliance_context"],
    message: "is required when type is agentic",
  });

const role = z.array(audienceRef).max(mostRefsInRole).nullish();

/** Seller spec, Audience plan. Unknown members are kept; an absent or null list is empty. */
export const audiencePlan = z
  .looseObject({
    schema_version: z.string().max(64).nullish(),
    audience_plan_id: z.string().max(255).nullish(),
    primary: audienceRef,
    constraints: role,
    extensions: role,
    exclusions: role,
    rationale: z.string().max(10_000).nullish(),
  })
  .refine((plan) => JSON.stringify(plan).length <= longestPlan, `must be at most ${longestPlan} characters of JSON`);

export type AudiencePlan = z.output<typeof audiencePlan>;
export type AudienceRef = z.output<typeof audienceRef>;
