import { firstContact, trustMachine } from "../../../machines/trust/machine.ts";
import { step } from "../../../machines/step.ts";
import { create, update } from "../../../protocol/seam/changes.ts";
import type { EventDraft, Loaded } from "../../../protocol/seam/operation.ts";
import { type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import type { Change } from "../../../storage/store.ts";
import { agentAddressKind, agentKind, type AgentRow, type RegistrySource } from "./record.ts";
import { newAgentId, sha256Hex } from "../ids.ts";
import { type AgentCard, readCard, typeOfCard, unseenCard } from "./card.ts";
import { agentEvent } from "./events.ts";
import type { SellerContext } from "../context.ts";

interface Found {
  readonly row: AgentRow;
  readonly changes: readonly Change[];
  readonly events: readonly EventDraft[];
}

/** For an agent that no registry knew. */
const askAgainAfterMs = 60_000;

/** No request goes out where the registry is off, or in a dry run. */
const sourcesOf = async (context: SellerContext, url: string): Promise<readonly RegistrySource[]> => {
  const { ports, dryRun, traceparent } = context;
  if (!ports.settings.agentRegistryEnabled || dryRun) return [];
  const vouching = await ports.agents.askRegistries(url, traceparent ?? null);
  const verifiedAt = new Date(context.nowMs).toISOString();
  return vouching.map((registry) => ({ ...registry, verified_at: verifiedAt }));
};

/** Out of `unknown` alone, and only where the operator allows it. */
const vouchedFor = (context: SellerContext, row: AgentRow): AgentRow => {
  if (row.sources.length === 0 || !context.ports.settings.autoApproveRegisteredAgents) return row;
  const life = step(trustMachine, { value: row.trust_status, context: {} }, { type: "REGISTER", nowMs: context.nowMs });
  return life === null ? row : { ...row, trust_status: life.value };
};

const cardRefusal = (url: string): Refusal =>
  refuse("agent_card_unavailable", { message: `Could not fetch agent card from ${url}` });

const fetchedCard = async (
  context: SellerContext,
  url: string,
): Promise<{ readonly card: AgentCard; readonly type: AgentRow["agent_type"] } | Refusal> => {
  if (context.dryRun) return { card: unseenCard(url), type: "buyer" };
  const fetched = await context.ports.agents.fetchCard(url, context.traceparent ?? null);
  if (!fetched.ok) return fetched.reason === "target_not_allowed" ? refuse("target_not_allowed") : cardRefusal(url);
  const card = readCard(fetched.card);
  return card === null ? cardRefusal(url) : { card, type: typeOfCard(fetched.card) };
};

/** Kept under the address that was asked: the card could name another agent's. */
export const discovered = async (context: SellerContext, url: string): Promise<Found | Refusal> => {
  if (!context.ports.agents.isPermitted(url)) return refuse("target_not_allowed");
  const fetched = await fetchedCard(context, url);
  if ("refused" in fetched) return fetched;
  const row = vouchedFor(context, {
    agent_id: context.mint(newAgentId),
    url,
    trust_status: firstContact.value,
    card: fetched.card,
    agent_type: fetched.type,
    sources: await sourcesOf(context, url),
    registered_at_ms: context.nowMs,
    last_seen_ms: context.nowMs,
    asked_at_ms: context.nowMs,
    interaction_count: 1,
    notes: null,
  });
  return {
    row,
    changes: [
      create(agentKind, row.agent_id, row),
      create(agentAddressKind, sha256Hex(url), { agent_id: row.agent_id }),
    ],
    events: [agentEvent("agent.discovered", row, { registries: row.sources.map((source) => source.registry_id) })],
  };
};

/** Returns the stored card. Registries are asked again only while the agent is unknown. */
export const knownAgent = async (context: SellerContext, loaded: Loaded<AgentRow>): Promise<Found> => {
  const { nowMs } = context;
  const before = loaded.body;
  const seen: AgentRow = { ...before, last_seen_ms: nowMs, interaction_count: before.interaction_count + 1 };
  const asksAgain = before.trust_status === "unknown" && nowMs - before.asked_at_ms >= askAgainAfterMs;
  const sources = asksAgain ? await sourcesOf(context, before.url) : [];
  const asked: AgentRow = asksAgain ? { ...seen, asked_at_ms: nowMs } : seen;
  const row = sources.length === 0 ? asked : vouchedFor(context, { ...asked, sources });
  const hasMoved = row.trust_status !== before.trust_status;
  return {
    row,
    changes: [update(agentKind, loaded, row)],
    events: hasMoved ? [agentEvent("agent.trust_changed", row, { previous_status: before.trust_status })] : [],
  };
};
