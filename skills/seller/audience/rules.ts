import { roundHalfEven } from "../../../machines/money.ts";
import type { AudienceCapabilities } from "../../../protocol/audience-plan/capabilities.ts";
import { planId } from "../../../protocol/audience-plan/plan-id.ts";
import {
  type AudiencePlan,
  type AudienceRef,
  type ListRole,
  listRoles,
} from "../../../protocol/audience-plan/schema.ts";
import { sha256Hex } from "../ids.ts";

/** Buyers drop exactly what `path` names. */
export interface UnsupportedPart {
  readonly path: string;
  readonly reason: string;
}

const taxonomies = { standard: "iab-audience", contextual: "iab-content", agentic: "agentic-audiences" } as const;

const taxonomyOf: Readonly<Record<string, string>> = taxonomies;

/** What an audience plan may hold here, whatever the product. */
export const carriedAudiences = (can: AudienceCapabilities) => {
  const roles = ["primary" as const, ...listRoles.filter((role) => can[`supports_${role}`])];
  const carried = (type: keyof typeof taxonomies, versions: readonly string[]) => ({
    type,
    taxonomy: taxonomies[type],
    versions: [...versions],
    roles,
  });
  return [
    carried("standard", can.standard_taxonomy_versions),
    carried("contextual", can.contextual_taxonomy_versions),
    ...(can.agentic.supported ? [carried("agentic", [])] : []),
  ];
};

const listedWords = (words: readonly string[]): string => `[${words.map((word) => `'${word}'`).join(", ")}]`;

const versionsFor = (type: string, can: AudienceCapabilities): readonly string[] =>
  type === "standard" ? can.standard_taxonomy_versions : can.contextual_taxonomy_versions;

/**
 * Buyers match the words: "not supported" and "… taxonomy version" switch a whole kind of reference off for them, so
 * only the primary audience gets those; a role's reason drops one reference.
 */
const refReason = (ref: AudienceRef, can: AudienceCapabilities, isPrimary: boolean): string | null => {
  const taxonomy = Object.hasOwn(taxonomyOf, ref.type) ? taxonomyOf[ref.type] : undefined;
  if (taxonomy === undefined) return `unknown audience ref type '${ref.type}'`;
  if (ref.taxonomy !== taxonomy)
    return `taxonomy '${ref.taxonomy}' is outside the accepted list ${listedWords([taxonomy])}`;
  if (ref.type === "agentic") {
    if (can.agentic.supported) return null;
    return isPrimary ? "agentic refs not supported by this seller" : "agentic refs are outside what this seller takes";
  }
  const accepted = versionsFor(ref.type, can);
  if (accepted.includes(ref.version)) return null;
  return isPrimary
    ? `${ref.type} taxonomy version '${ref.version}' not supported; accepted: ${listedWords(accepted)}`
    : `version '${ref.version}' of ${taxonomy} is outside the accepted list ${listedWords(accepted)}`;
};

const supportsRole = (role: ListRole, can: AudienceCapabilities): boolean => can[`supports_${role}`];

const roleParts = (role: ListRole, refs: readonly AudienceRef[], can: AudienceCapabilities): UnsupportedPart[] => {
  if (refs.length === 0) return [];
  if (!supportsRole(role, can)) return [{ path: role, reason: `${role} not supported by this seller` }];
  const cap = can.max_refs_per_role[role];
  const parts: UnsupportedPart[] = [];
  if (refs.length > cap) {
    parts.push({ path: role, reason: `${refs.length} refs in ${role} exceeds max_refs_per_role.${role}=${cap}` });
  }
  for (const [index, ref] of refs.entries()) {
    const reason = refReason(ref, can, false);
    if (reason !== null) parts.push({ path: `${role}[${index}].taxonomy`, reason });
  }
  return parts;
};

export const unsupportedParts = (plan: AudiencePlan, can: AudienceCapabilities): readonly UnsupportedPart[] => {
  const primary = refReason(plan.primary, can, true);
  return [
    ...(primary === null ? [] : [{ path: "primary.taxonomy", reason: primary }]),
    ...listRoles.flatMap((role) => roleParts(role, plan[role] ?? [], can)),
  ];
};

/** By the unrounded score (seller spec, thresholds). */
const labelOf = (score: number): string => {
  if (score >= 0.85) return "STRONG";
  if (score >= 0.65) return "MODERATE";
  return score >= 0.4 ? "WEAK" : "NONE";
};

/** In [0, 1) from the identifier alone, so that every seller computes the same. */
const matchOf = (ref: AudienceRef) => {
  const score = Number.parseInt(sha256Hex(ref.identifier).slice(0, 8), 16) / 2 ** 32;
  return { match: labelOf(score), score: roundHalfEven(score, 4) };
};

export const matchSummary = (plan: AudiencePlan) => ({
  primary: matchOf(plan.primary),
  constraints: (plan.constraints ?? []).map(matchOf),
  extensions: (plan.extensions ?? []).map(matchOf),
  exclusions: (plan.exclusions ?? []).map(matchOf),
});

/** Value for value. */
export interface FrozenPlan {
  readonly plan: AudiencePlan;
  readonly computedId: string;
  /** Came with the plan, but is not the hash of its content. */
  readonly wrongId: string | null;
}

/** A wrong id is reported, never rejected. */
export const freezePlan = (plan: AudiencePlan): FrozenPlan => {
  const computedId = planId(plan);
  const givenId = plan.audience_plan_id?.trim() ?? "";
  if (givenId === "") return { plan: { ...plan, audience_plan_id: computedId }, computedId, wrongId: null };
  return { plan, computedId, wrongId: givenId === computedId ? null : givenId };
};
