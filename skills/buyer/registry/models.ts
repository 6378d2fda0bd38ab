import { z } from "zod";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";

export const trustLevels = ["unknown", "registered", "verified", "preferred", "blocked"] as const;

const agentCapability = z.looseObject({
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
});

export const agentCard = z.looseObject({
  agent_id: z.string(),
  name: fromOthers(z.string()),
  url: z.string(),
  protocols: z.array(z.string()),
  capabilities: fromOthers(z.array(agentCapability)),
  trust_level: z.enum(trustLevels),
});

export const trustInfo = z.looseObject({
  agent_url: z.string(),
  is_registered: z.boolean(),
  trust_level: z.enum(trustLevels),
  registry_id: z.string().nullable(),
});

export type AgentCard = z.output<typeof agentCard>;
export type TrustInfo = z.output<typeof trustInfo>;

/** Nothing throws: a failure is empty, null, unknown or false. */
export interface RegistryClient {
  /** All sellers where no capability is named. */
  discover(capabilities: readonly string[]): Promise<readonly AgentCard[]>;
  fetchCard(sellerUrl: string): Promise<AgentCard | null>;
  verify(agentUrl: string): Promise<TrustInfo>;
  register(card: AgentCard): Promise<boolean>;
}
