import type { ListRole } from "./schema.ts";

/** The agent card's `audience_capabilities`. The caps are references per role. */
export interface AudienceCapabilities {
  readonly schema_version: string;
  readonly standard_taxonomy_versions: readonly string[];
  readonly contextual_taxonomy_versions: readonly string[];
  readonly agentic: { readonly supported: boolean };
  readonly supports_constraints: boolean;
  readonly supports_extensions: boolean;
  readonly supports_exclusions: boolean;
  readonly max_refs_per_role: Readonly<Record<"primary" | ListRole, number>>;
  readonly taxonomy_lock_hashes: { readonly audience: string; readonly content: string };
}

/** The published defaults (seller spec). */
export const defaultAudienceCapabilities: AudienceCapabilities = {
  schema_version: "1",
  standard_taxonomy_versions: ["1.1"],
  contextual_taxonomy_versions: ["3.1"],
  agentic: { supported: false },
  supports_constraints: true,
  supports_extensions: false,
  supports_exclusions: false,
  max_refs_per_role: { primary: 1, constraints: 3, extensions: 0, exclusions: 0 },
  taxonomy_lock_hashes: {
    audience: "sha256:0216547402f3dc028f5ec1bb78c648eed68a81ea3b3b94862e6f6caa9db3ad3b",
    content: "sha256:7212cdc496ba347a03e703b1932bdcdd4fd29089b058f4edeb4d3da1f1222ea7",
  },
};
