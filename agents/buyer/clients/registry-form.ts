import type { AgentCard, TrustInfo } from "../../../skills/buyer/registry/models.ts";

interface Trust {
  readonly is_registered: boolean;
  readonly trust_level: TrustInfo["trust_level"];
  readonly registry_id: string | null;
}

/** The answer is null where the registry gave no usable one. */
export interface RegistryForm {
  discover(wanted: readonly string[]): Promise<readonly AgentCard[] | null>;
  verify(agentUrl: string): Promise<Trust | null>;
  register(card: AgentCard): Promise<boolean>;
}

/** The answer is null where nothing usable was answered. */
export type AskRegistry = (
  method: "GET" | "POST",
  url: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<{ readonly json: unknown } | null>;
