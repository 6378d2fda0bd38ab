import { z } from "zod";
import { isMembers } from "../../../protocol/neutral/json-input.ts";
import type { AgentCard } from "../../../skills/buyer/registry/models.ts";
import { readSellerAddress } from "../../../skills/buyer/seller-url.ts";
import type { AskRegistry, RegistryForm } from "./registry-form.ts";

/** IAB's agent registry (AAMP_REGISTRY_URL). */
export interface AampRegistry {
  readonly url: string;
  readonly token: string | null;
}

const text = z.string().max(2048).nullish();
const words = z.array(z.string().max(255)).max(100).nullish().catch(null);

/** Lists may be null. */
const listedAgent = z.looseObject({
  agent_name: z.string().max(255).nullish(),
  name: z.string().max(255).nullish(),
  id: z.union([z.string().max(255), z.int()]).nullish(),
  agent_id: z.string().max(255).nullish(),
  endpoint_url: text,
  repository_url: text,
  capabilities: words,
  iab_capabilities: words,
  industry_roles: words,
  protocol_type: z.string().max(64).nullish().catch(null),
  verification_status: z.string().max(64).nullish().catch(null),
});

type Listed = z.output<typeof listedAgent>;

const folded = (address: string): string => address.trim().toLowerCase().replace(/\/+$/, "");

const namesOf = ({ capabilities, iab_capabilities }: Listed): readonly string[] => [
  ...(capabilities ?? []),
  ...(iab_capabilities ?? []),
];

const trustOf = ({ verification_status: status }: Listed): "verified" | "registered" =>
  status?.toLowerCase() === "active" ? "verified" : "registered";

const idOf = ({ agent_id, id }: Listed): string | null => agent_id ?? (id == null ? null : String(id));

/** The answer is null where it has no address that could be called, or is a buyer alone. */
const cardOf = (agent: Listed): AgentCard | null => {
  const url = readSellerAddress(agent.endpoint_url ?? agent.repository_url ?? "")?.url;
  const roles = (agent.industry_roles ?? []).map((role) => role.toLowerCase());
  if (url === undefined || (roles.length > 0 && roles.every((role) => role === "buyer"))) return null;
  return {
    agent_id: idOf(agent) ?? url,
    name: agent.agent_name ?? agent.name ?? url,
    url,
    protocols: agent.protocol_type == null ? [] : [agent.protocol_type],
    capabilities: [...new Set(namesOf(agent))].map((name) => ({ name, description: "", tags: [] })),
    trust_level: trustOf(agent),
  };
};

/** The registry lists all agents and filters nothing. */
export const aampForm = ({ url, token }: AampRegistry, ask: AskRegistry): RegistryForm => {
  const agentsUrl = `${url.replace(/\/+$/, "")}/api/agents`;
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };

  const list = async (): Promise<readonly Listed[] | null> => {
    const answer = await ask("GET", agentsUrl, null, headers);
    if (!isMembers(answer?.json) || answer.json["success"] !== true) return null;
    const { data } = answer.json;
    const listed = isMembers(data) ? data["agents"] : data;
    if (!Array.isArray(listed)) return null;
    return listed.slice(0, 1_000).flatMap((item): Listed[] => {
      const read = listedAgent.safeParse(item);
      return read.success ? [read.data] : [];
    });
  };

  return {
    discover: async (wanted) => {
      const agents = await list();
      const names = new Set(wanted.map((name) => name.toLowerCase()));
      const fits = (agent: Listed): boolean =>
        names.size === 0 || namesOf(agent).some((name) => names.has(name.toLowerCase()));
      return agents?.filter(fits).flatMap((agent) => cardOf(agent) ?? []) ?? null;
    },
    verify: async (agentUrl) => {
      const agents = await list();
      if (agents === null) return null;
      const found = agents.find(
        (agent) => agent.endpoint_url != null && folded(agent.endpoint_url) === folded(agentUrl),
      );
      if (found === undefined) return { is_registered: false, trust_level: "unknown", registry_id: null };
      return { is_registered: true, trust_level: trustOf(found), registry_id: idOf(found) };
    },
    register: async (card) => {
      const entry = {
        agent_name: card.name,
        primary_domain: new URL(card.url).hostname,
        type: "remote",
        endpoint_url: card.url,
        capabilities: card.capabilities.map(({ name }) => name),
        industry_roles: ["buyer"],
      };
      return (await ask("POST", agentsUrl, entry, headers)) !== null;
    },
  };
};
