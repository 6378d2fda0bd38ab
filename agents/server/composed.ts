import type { StoredParts } from "../../protocol/a2a/routes.ts";
import type { CardSkill } from "../../protocol/a2a/card/card.ts";
import type { AdcpFacts } from "../../protocol/adcp/task.ts";
import type { ToolLists } from "../../tools/listing.ts";
import type { PromptKind } from "../../tools/surface/prompts.ts";
import type { Agent } from "./agent.ts";
import type { DueWorker } from "./sweeper.ts";

export interface AgentFace {
  readonly displayName: string;
  /** Asked for at each use: people may change it. */
  readonly organization: () => string;
  readonly publicUrl: string;
  readonly skills: readonly CardSkill[];
  readonly protocols: readonly string[];
  readonly instructions: string;
  /** Without it every tool that the caller may call is listed. */
  readonly toolLists?: ToolLists;
  readonly prompts: readonly PromptKind[];
  readonly cardExtra: () => Readonly<Record<string, unknown>>;
  /** Left out: no AdCP. */
  readonly adcp?: Omit<AdcpFacts, "agentUrl">;
}

export interface Composed {
  readonly agent: Agent;
  readonly face: AgentFace;
  readonly due: DueWorker;
  readonly a2a: Pick<StoredParts, "push" | "approvals">;
  readonly start?: () => void;
  /** Of the rows of its keys. */
  readonly keyKind: string;
}
