import { createHash } from "node:crypto";
import { z } from "zod";
import { readAllowList } from "../../../protocol/client/address-guard.ts";
import { allowedTarget, judgeTarget } from "../../../protocol/neutral/address-guard.ts";
import { type Exchanged, exchange } from "../../../protocol/client/exchange.ts";
import { createOutbound, type Outbound, type OutboundMore } from "../../../protocol/client/outbound.ts";
import type { Log } from "../../../protocol/seam/ports.ts";
import { normalisedUrl } from "../../../skills/seller/registry/agent-url.ts";
import type { AgentLookup, FetchedCard, VouchingRegistry } from "../../../skills/seller/registry/agent-lookup.ts";
import type { SellerSettings } from "../../../skills/seller/settings.ts";

export interface AgentLookupParts {
  readonly settings: Pick<SellerSettings, "agentRegistryUrls" | "aampRegistry" | "outboundAllow">;
  readonly log: Log;
  readonly outbound?: OutboundMore;
}

const timeoutMs = 15_000;
const mostCardBytes = 262_144;
/** The AAMP listing is one answer for all agents. */
const mostListingBytes = 4_194_304;

const cardPaths = ["/.well-known/agent.json", "/.well-known/agent-card.json"] as const;

/** Eight digits of the digest keep similar addresses apart. */
const registryIdOf = (registryUrl: string): string => {
  const address = normalisedUrl(registryUrl) ?? registryUrl;
  const words = address
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/[^a-z0-9]+/g, "-");
  const digest = createHash("sha256").update(address).digest("hex").slice(0, 8);
  return `${words.replace(/^-+|-+$/g, "").slice(0, 80)}-${digest}`;
};

const shortId = z.string().max(255).nullish().catch(null);

const verified = z.looseObject({ is_registered: z.boolean().catch(false), registry_id: shortId, agent_id: shortId });

const aampListing = z.looseObject({
  success: z.literal(true),
  data: z.union([
    z.array(z.unknown()),
    z.looseObject({ agents: z.array(z.unknown()) }).transform(({ agents }) => agents),
  ]),
});

const aampAgent = z.looseObject({ endpoint_url: z.string(), agent_id: shortId, id: shortId });

/** AAMP compares addresses without case and final slash. */
const folded = (url: string): string => url.trim().toLowerCase().replace(/\/+$/, "");

type Get = (url: string, more?: { readonly bearer?: string | null; readonly mostBytes?: number }) => Promise<Exchanged>;

const getter = (outbound: Outbound, traceparent: string | null): Get => {
  return (url, more = {}) => {
    const sellerUrl = new URL(url).origin;
    const mostBytes = more.mostBytes ?? mostCardBytes;
    const parts = { fetch: outbound.fetch, sellerUrl, timeoutMs, mostBytes };
    const headers = {
      accept: "application/json",
      "accept-encoding": "identity",
      "user-agent": "parley",
      ...(traceparent === null ? {} : { traceparent }),
      ...(more.bearer == null || more.bearer === "" ? {} : { authorization: `Bearer ${more.bearer}` }),
    };
    return exchange(parts, { method: "GET", url, headers, body: null });
  };
};

const vouching = (url: string, externalId: string | null | undefined): VouchingRegistry => ({
  registry_id: registryIdOf(url),
  registry_name: new URL(url).host,
  registry_url: url,
  external_agent_id: externalId ?? null,
});

const below = (base: string, path: string): string => {
  const url = new URL(base);
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}${path}`;
};

type Asked = VouchingRegistry | "unknown" | "failed";

const askPlain = async (get: Get, registryUrl: string, agentUrl: string): Promise<Asked> => {
  const answer = await get(`${below(registryUrl, "/verify")}?agent_url=${encodeURIComponent(agentUrl)}`);
  if (!answer.ok) return answer.status === 404 ? "unknown" : "failed";
  const read = verified.safeParse(answer.json).data;
  if (read === undefined) return "failed";
  return read.is_registered ? vouching(registryUrl, read.agent_id ?? read.registry_id) : "unknown";
};

const askAamp = async (
  get: Get,
  registry: NonNullable<SellerSettings["aampRegistry"]>,
  agentUrl: string,
): Promise<Asked> => {
  const more = { bearer: registry.token, mostBytes: mostListingBytes };
  const answer = await get(below(registry.url, "/api/agents"), more);
  const listing = answer.ok ? aampListing.safeParse(answer.json).data : undefined;
  if (listing === undefined) return "failed";
  const agents = listing.data.map((entry) => aampAgent.safeParse(entry).data).filter((entry) => entry !== undefined);
  const found = agents.find((entry) => folded(entry.endpoint_url) === folded(agentUrl));
  return found === undefined ? "unknown" : vouching(registry.url, found.agent_id ?? found.id);
};

/**
 * Registry hosts are allowed wherever they are, because the operator named them. Agent addresses are not: else a caller
 * could reach a private registry by calling it an agent.
 */
export const createAgentLookup = (parts: AgentLookupParts): AgentLookup & { close(): Promise<void> } => {
  const { settings, log } = parts;
  const allow = readAllowList(settings.outboundAllow.join(","));
  const aampUrls = settings.aampRegistry === null ? [] : [settings.aampRegistry.url];
  const registryUrls = [...settings.agentRegistryUrls, ...aampUrls];
  const registryHosts = registryUrls.map(allowedTarget);
  const toAgents = createOutbound({ allow, timeoutMs, peerOf: () => "agent", ...parts.outbound });
  const toRegistries = createOutbound({
    allow: [...allow, ...registryHosts],
    timeoutMs,
    peerOf: () => "registry",
    ...parts.outbound,
  });

  const fetchCard = async (agentUrl: string, traceparent: string | null): Promise<FetchedCard> => {
    const get = getter(toAgents, traceparent);
    for (const path of cardPaths) {
      const answer = await get(below(agentUrl, path));
      if (answer.ok) return { ok: true, card: answer.json };
      if (answer.code === "target_not_allowed") return { ok: false, reason: "target_not_allowed" };
      if (answer.status !== 404) break;
    }
    return { ok: false, reason: "unavailable" };
  };

  return {
    isPermitted: (agentUrl) => judgeTarget(agentUrl, allow) !== "refused",
    fetchCard,
    askRegistries: async (agentUrl, traceparent) => {
      const get = getter(toRegistries, traceparent);
      const { aampRegistry } = settings;
      const asked = await Promise.all([
        ...settings.agentRegistryUrls.map((url) => askPlain(get, url, agentUrl)),
        ...(aampRegistry === null ? [] : [askAamp(get, aampRegistry, agentUrl)]),
      ]);
      for (const [place, answer] of asked.entries()) {
        const registry = new URL(String(registryUrls[place])).host;
        if (answer === "failed") log.warn({ registry }, "a registry gave no usable answer");
      }
      return asked.filter((answer) => typeof answer === "object");
    },
    close: async () => {
      await Promise.all([toAgents.close(), toRegistries.close()]);
    },
  };
};
