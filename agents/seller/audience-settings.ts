import {
  type AudienceCapabilities,
  defaultAudienceCapabilities as byDefault,
} from "../../protocol/audience-plan/capabilities.ts";
import type { ListRole } from "../../protocol/audience-plan/schema.ts";
import { flagSetting, listSetting, numberSetting, type ReadSettings } from "../../protocol/neutral/settings.ts";

const versions = (variable: string, taxonomy: string, fallback: readonly string[]) =>
  listSetting({ variable, meaning: `Versions of ${taxonomy} that audience plans may use.` }, fallback);

/** 0: the role is not supported. */
const cap = (role: ListRole) =>
  numberSetting(
    {
      variable: `AUDIENCE_MAX_${role.toUpperCase()}`,
      meaning: `Most ${role} of an audience plan; 0: ${role} are not supported.`,
    },
    byDefault.max_refs_per_role[role],
    { min: 0, max: 100, whole: true },
  );

export const audienceSettings = {
  audienceStandardVersions: versions(
    "AUDIENCE_STANDARD_VERSIONS",
    "the IAB Audience Taxonomy",
    byDefault.standard_taxonomy_versions,
  ),
  audienceContextualVersions: versions(
    "AUDIENCE_CONTEXTUAL_VERSIONS",
    "the IAB Content Taxonomy",
    byDefault.contextual_taxonomy_versions,
  ),
  audienceAgentic: flagSetting(
    { variable: "AUDIENCE_AGENTIC", meaning: "True: audience plans may hold agentic references." },
    byDefault.agentic.supported,
  ),
  audienceMostConstraints: cap("constraints"),
  audienceMostExtensions: cap("extensions"),
  audienceMostExclusions: cap("exclusions"),
} as const;

/** A plan has one primary audience whatever the settings say. */
export const audienceOf = (config: ReadSettings<typeof audienceSettings>): AudienceCapabilities => {
  const { audienceMostConstraints: constraints, audienceMostExtensions: extensions } = config;
  const { audienceMostExclusions: exclusions } = config;
  return {
    ...byDefault,
    standard_taxonomy_versions: config.audienceStandardVersions,
    contextual_taxonomy_versions: config.audienceContextualVersions,
    agentic: { supported: config.audienceAgentic },
    supports_constraints: constraints > 0,
    supports_extensions: extensions > 0,
    supports_exclusions: exclusions > 0,
    max_refs_per_role: { primary: 1, constraints, extensions, exclusions },
  };
};
