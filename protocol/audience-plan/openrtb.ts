import { floatText } from "./plan-id.ts";
import { type AudiencePlan, type AudienceRef, listRoles } from "./schema.ts";

/** Why a plan's references cannot be carried. */
export interface TranslationWarning {
  readonly reason:
    | "site_cat_has_no_exclusion_semantics"
    | "agentic_ext_has_no_exclusion_semantics"
    | "agentic_ext_feature_flag_disabled";
  readonly count: number;
  readonly identifiers: readonly string[];
}

export interface Translation {
  readonly openrtb: {
    readonly user?: Readonly<Record<string, unknown>>;
    readonly site?: Readonly<Record<string, unknown>>;
  };
  readonly warnings: readonly TranslationWarning[];
}

/** Draft key, until another is ratified. */
const draftKey = "iab_agentic_audiences";

/** Both keys are sent for 90 days after ratification. */
const bothKeysMs = 90 * 86_400_000;

export interface AgenticExtension {
  readonly isOn: boolean;
  readonly ratified: { readonly key: string; readonly sinceMs: number } | null;
}

/**
 * The draft key, both for 90 days, then the ratified one (seller spec, Audience plan on the deal booking). None where
 * the extension is off.
 */
export const agenticKeys = ({ isOn, ratified }: AgenticExtension, nowMs: number): readonly string[] => {
  if (!isOn) return [];
  if (ratified === null || nowMs < ratified.sinceMs) return [draftKey];
  return nowMs < ratified.sinceMs + bothKeysMs ? [ratified.key, draftKey] : [ratified.key];
};

interface Placed {
  readonly ref: AudienceRef;
  readonly excluded: boolean;
}

const placed = (plan: AudiencePlan): readonly Placed[] => [
  { ref: plan.primary, excluded: false },
  ...listRoles.flatMap((role) => (plan[role] ?? []).map((ref) => ({ ref, excluded: role === "exclusions" }))),
];

const segment = ({ ref, excluded }: Placed) => ({
  id: ref.identifier,
  ...(ref.source === "explicit" || ref.confidence == null ? {} : { value: floatText(ref.confidence) }),
  ...(excluded ? { ext: { exclude: true } } : {}),
});

const standardData = (refs: readonly Placed[]) => {
  const [first] = refs;
  if (first === undefined) return {};
  const ext = { taxonomy_version: first.ref.version };
  return { data: [{ name: "IAB_Taxonomy", ext, segment: refs.map(segment) }] };
};

const agenticEntry = ({ ref }: Placed) => {
  const context = ref.compliance_context;
  return {
    identifier: ref.identifier,
    version: ref.version,
    source: ref.source,
    compliance_context: {
      jurisdiction: context?.jurisdiction ?? null,
      consent_framework: context?.consent_framework ?? null,
      consent_string_ref: context?.consent_string_ref ?? null,
      attestation: context?.attestation ?? null,
      embedding_provenance: context?.embedding_provenance ?? null,
    },
  };
};

const warning = (reason: TranslationWarning["reason"], refs: readonly Placed[]): readonly TranslationWarning[] =>
  refs.length === 0 ? [] : [{ reason, count: refs.length, identifiers: refs.map(({ ref }) => ref.identifier) }];

const isExcluded = ({ excluded }: Placed): boolean => excluded;
const isTargeted = ({ excluded }: Placed): boolean => !excluded;

/**
 * A plan as OpenRTB 2.6 (seller spec, Audience plan on the deal booking). An exclusion that OpenRTB cannot express is
 * left out with a warning: sent plainly, it would target what it excludes.
 */
export const translatePlan = (plan: AudiencePlan, agenticUnder: readonly string[]): Translation => {
  const all = placed(plan);
  const ofType = (type: string) => all.filter(({ ref }) => ref.type === type);
  const contextual = ofType("contextual");
  const agentic = ofType("agentic");
  const cat = contextual.filter(isTargeted).map(({ ref }) => ref.identifier);
  const refs = agentic.filter(isTargeted).map(agenticEntry);
  const ext = refs.length === 0 ? [] : agenticUnder.map((key) => [key, { refs }] as const);
  const user = {
    ...standardData(ofType("standard")),
    ...(ext.length === 0 ? {} : { ext: Object.fromEntries(ext) }),
  };
  return {
    openrtb: {
      ...(Object.keys(user).length === 0 ? {} : { user }),
      ...(cat.length === 0 ? {} : { site: { cat, cattax: 7 } }),
    },
    warnings: [
      ...warning("site_cat_has_no_exclusion_semantics", contextual.filter(isExcluded)),
      ...(agenticUnder.length > 0
        ? warning("agentic_ext_has_no_exclusion_semantics", agentic.filter(isExcluded))
        : warning("agentic_ext_feature_flag_disabled", agentic)),
    ],
  };
};
