import { hash } from "node:crypto";
import { type AudiencePlan, type AudienceRef, listRoles } from "./schema.ts";

/**
 * A number as the hash writes it: shortest digits, always a fraction, below 0.0001 a two-digit exponent.
 * `JSON.stringify` differs for 1, 0, -0 and small values.
 */
export const floatText = (value: number): string => {
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  if (Math.abs(value) < 1e-4) return value.toExponential().replace(/e-(\d)$/, "e-0$1");
  return Number.isInteger(value) ? `${value}.0` : String(value);
};

/** Object members are sorted. */
const textOrNull = (value: string | null | undefined): string => (value == null ? "null" : JSON.stringify(value));

const contextText = (context: AudienceRef["compliance_context"]): string => {
  if (context == null) return "null";
  const members = [
    `"attestation":${textOrNull(context.attestation)}`,
    `"consent_framework":${JSON.stringify(context.consent_framework)}`,
    `"consent_string_ref":${textOrNull(context.consent_string_ref)}`,
    `"embedding_provenance":${textOrNull(context.embedding_provenance)}`,
    `"jurisdiction":${JSON.stringify(context.jurisdiction)}`,
  ];
  return `{${members.join(",")}}`;
};

const refText = (ref: AudienceRef): string => {
  const members = [
    `"compliance_context":${contextText(ref.compliance_context)}`,
    `"confidence":${ref.confidence == null ? "null" : floatText(ref.confidence)}`,
    `"identifier":${JSON.stringify(ref.identifier)}`,
    `"source":${JSON.stringify(ref.source)}`,
    `"taxonomy":${JSON.stringify(ref.taxonomy)}`,
    `"type":${JSON.stringify(ref.type)}`,
    `"version":${JSON.stringify(ref.version)}`,
  ];
  return `{${members.join(",")}}`;
};

/**
 * The text that is hashed: four roles, known members, keys sorted, no blanks; without `schema_version`, `rationale` and
 * the id (seller spec).
 */
export const planText = (plan: AudiencePlan): string => {
  const lists = Object.fromEntries(listRoles.map((name) => [name, `[${(plan[name] ?? []).map(refText).join(",")}]`]));
  const { constraints, exclusions, extensions } = lists;
  const primary = refText(plan.primary);
  return `{"constraints":${constraints},"exclusions":${exclusions},"extensions":${extensions},"primary":${primary}}`;
};

/** `sha256:` and lower-case hex, equal for buyer and seller. */
export const planId = (plan: AudiencePlan): string => `sha256:${hash("sha256", planText(plan), "hex")}`;
