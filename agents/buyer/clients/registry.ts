import { z } from "zod";
import { type AampRegistry, aampForm } from "./aamp-registry.ts";
import type { AskRegistry, RegistryForm } from "./registry-form.ts";
import { exchange } from "../../../protocol/client/exchange.ts";
import type { Outbound } from "../../../protocol/client/outbound.ts";
import { isMembers } from "../../../protocol/neutral/json-input.ts";
import type { Clock, Log } from "../../../protocol/seam/ports.ts";
import { type AgentCard, type RegistryClient, trustLevels } from "../../../skills/buyer/registry/models.ts";
import { readSellerAddress } from "../../../skills/buyer/seller-url.ts";

export interface RegistryParts {
  /** When it is null every look-up fails. */
  readonly registryUrl: string | null;
  /** Asked in its own form, in place of `registryUrl`. */
  readonly aamp?: AampRegistry | null;
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeoutMs?: number;
  readonly cacheMs?: number;
}

const mostBytes = 1_048_576;

const base = (url: string): string => url.replace(/\/+$/, "");
const mostCached = 1_000;

const text = (most: number) => z.string().max(most);
const words = z.array(text(255)).max(100);
const trustLevel = z.enum(trustLevels).catch("unknown").default("unknown");

const plainForm = (registryUrl: string, ask: AskRegistry): RegistryForm => ({
  discover: async (wanted) => {
    const query = new URLSearchParams({ agent_type: "seller" });
    if (wanted.length > 0) query.set("capabilities", wanted.join(","));
    const answer = await ask("GET", `${base(registryUrl)}/agents?${query.toString()}`);
    const listed = isMembers(answer?.json) ? answer.json["agents"] : answer?.json;
    return Array.isArray(listed) ? listed.map((item) => cardOf(item, null)).filter((card) => card !== null) : null;
  },
  verify: async (agentUrl) => {
    const answer = await ask("GET", `${base(registryUrl)}/verify?agent_url=${encodeURIComponent(agentUrl)}`);
    if (!isMembers(answer?.json)) return null;
    const { is_registered, trust_level, registry_id } = answer.json;
    return {
      is_registered: is_registered === true,
      trust_level: trustLevel.parse(trust_level),
      registry_id: typeof registry_id === "string" ? registry_id.slice(0, 255) : null,
    };
  },
  register: async (card) => (await ask("POST", `${base(registryUrl)}/agents`, card)) !== null,
});

const capability = z.looseObject({
  name: text(255),
  description: text(2_000).catch("").default(""),
  tags: words.catch([]).default([]),
});

const skill = z
  .looseObject({ id: text(255), description: text(2_000).catch("").default(""), tags: words.catch([]).default([]) })
  .transform(({ id, description, tags }) => ({ name: id, description, tags }));

const listOf = <T>(schema: z.ZodType<T>, value: unknown): T[] =>
  (Array.isArray(value) ? value : []).slice(0, 200).flatMap((item) => {
    const read = schema.safeParse(item);
    return read.success ? [read.data] : [];
  });

const identity = z.looseObject({ name: text(255), url: text(2048).nullish(), agent_id: text(255).nullish() });

/** The answer is null where it names nobody, or no address that could be called. */
const cardOf = (value: unknown, fallbackUrl: string | null): AgentCard | null => {
  const read = identity.safeParse(value).data;
  const url = readSellerAddress(read?.url ?? fallbackUrl ?? "")?.url;
  if (read === undefined || url === undefined || !isMembers(value)) return null;
  const { capabilities, skills, protocols } = value;
  const inner = isMembers(capabilities) ? capabilities["protocols"] : [];
  const named = listOf(capability, capabilities);
  return {
    agent_id: read.agent_id ?? url,
    name: read.name,
    url,
    protocols: listOf(text(64), protocols ?? inner),
    capabilities: named.length > 0 ? named : listOf(skill, skills),
    trust_level: trustLevel.parse(value["trust_level"]),
  };
};

interface Kept {
  readonly value: readonly AgentCard[];
  readonly untilMs: number;
}

const createCache = (clock: Clock, cacheMs: number) => {
  const kept = new Map<string, Kept>();
  return {
    get: (key: string): readonly AgentCard[] | null => {
      const found = kept.get(key);
      if (found === undefined) return null;
      if (clock.nowMs() < found.untilMs) return found.value;
      kept.delete(key);
      return null;
    },
    set: (key: string, value: readonly AgentCard[]): void => {
      const [oldest] = kept.keys();
      if (kept.size >= mostCached && oldest !== undefined) kept.delete(oldest);
      kept.set(key, { value, untilMs: clock.nowMs() + cacheMs });
    },
  };
};

/** Trust is asked anew each time, and failures are not cached. */
export const createRegistryClient = (parts: RegistryParts): RegistryClient => {
  const { registryUrl, aamp = null, outbound, clock, log, timeoutMs = 15_000, cacheMs = 300_000 } = parts;
  const cache = createCache(clock, cacheMs);

  const ask: AskRegistry = async (method, url, body = null, more = {}) => {
    if (!URL.canParse(url)) return null;
    const sellerUrl = new URL(url).origin;
    const sends: Record<string, string> = body === null ? {} : { "content-type": "application/json" };
    const fixed = { accept: "application/json", "accept-encoding": "identity", "user-agent": "parley" };
    const headers = { ...fixed, ...sends, ...more };
    const of = { fetch: outbound.fetch, sellerUrl, timeoutMs, mostBytes };
    const answer = await exchange(of, { method, url, headers, body: body === null ? null : JSON.stringify(body) });
    if (answer.ok) return answer;
    log.warn({ host: sellerUrl, status: answer.status, code: answer.code }, "a registry or a card gave no answer");
    return null;
  };

  const formOf = (): RegistryForm | null => {
    if (aamp !== null) return aampForm(aamp, ask);
    return registryUrl === null ? null : plainForm(registryUrl, ask);
  };
  const form = formOf();

  return {
    discover: async (capabilities) => {
      const wanted = [...new Set(capabilities)].toSorted();
      const key = `discover:${wanted.join(",")}`;
      const known = cache.get(key);
      if (known !== null) return known;
      const cards = (await form?.discover(wanted)) ?? null;
      if (cards === null) return [];
      cache.set(key, cards);
      for (const card of cards) cache.set(`card:${card.agent_id}`, [card]);
      return cards;
    },
    fetchCard: async (sellerUrl) => {
      const key = `card:${sellerUrl}`;
      const known = cache.get(key)?.[0];
      if (known !== undefined) return known;
      const answer = await ask("GET", `${base(sellerUrl)}/.well-known/agent.json`);
      const card = answer === null ? null : cardOf(answer.json, sellerUrl);
      if (card !== null) cache.set(key, [card]);
      return card;
    },
    verify: async (agentUrl) => {
      const unknown = { is_registered: false, trust_level: "unknown", registry_id: null } as const;
      return { agent_url: agentUrl, ...((await form?.verify(agentUrl)) ?? unknown) };
    },
    register: async (card) => (await form?.register(card)) ?? false,
  };
};
