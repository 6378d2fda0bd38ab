import { floatText } from "./plan-id.ts";
import { type AudiencePlan, type AudienceRef, listRoles } from "./schema.ts";

/** What of a plan an OpenRTB request cannot carry: why, and which references. */
export interface TranslationWarning {
  readonly reason:
    | "site_cat_has_no_exclusion_semantics"
    | "agentic_ext_has_no_exclusion_semantics"
    | "agentic_ext_feature_flag_disabled";
  readonly count: number;
  readonly identifiers: readonly string[];
}

/** The `user` and `site` of an OpenRTB 2.6 request, each only where the plan has something for it. */
export interface Translation {
  readonly openrtb: {
    readonly user?: Readonly<Record<string, unknown>>;
    readonly site?: Readonly<Record<string, unknown>>;
  };
  readonly warnings: readonly TranslationWarning[];
}

/** The key of `user.ext` that agentic references travel under until another one is ratified. */
const draftKey = "iab_agentic_audiences";

/** How long both keys are sent once one is ratified, in milliseconds: 90 days. */
const bothKeysMs = 90 * 86_400_000;

/** Whether agentic references may travel in `user.ext`, and the ratified key with the time of its publication. */
export interface AgenticExtension {
  readonly isOn: boolean;
  readonly ratified: { readonly key: string; readonly sinceMs: number } | null;
}

/**
 * The keys of `user.ext` that agentic references travel under at a time: the draft's, for 90 days both, then the
 * ratified one (seller spec, Audience plan on the deal booking). None where the extension is off.
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

/** Every reference with its role's sense, in the order of the wire: primary, constraints, extensions, exclusions. */
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
 * A plan as an OpenRTB 2.6 request carries it at impression time (seller spec, Audience plan on the deal booking).
 * Agentic references travel under the given keys of
 * `user.ext`; without any they are left out. An exclusion that its carrier has no word for is
 * left out with a warning: sent as it is, it would target what it was meant to keep away from.
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
