import { z } from "zod";
import type { CardFacts } from "../../protocol/a2a/card/card.ts";
import type { DoorRequest, DoorResponse, DoorRoute, RouteDescription } from "../../protocol/door/door.ts";

export interface SpecCardFacts extends CardFacts {
  readonly url: string;
  readonly protocols: readonly string[];
  /** Read for every request: a seller's product types change. */
  readonly extra: () => Readonly<Record<string, unknown>>;
}

export const specCard = (facts: SpecCardFacts): Readonly<Record<string, unknown>> => ({
  name: facts.name,
  description: facts.description,
  url: facts.url,
  version: facts.version,
  provider: { name: facts.provider().organization, url: facts.provider().url },
  capabilities: { protocols: facts.protocols, streaming: true, push_notifications: facts.pushNotifications },
  skills: facts.skills,
  authentication: { schemes: ["api_key", "bearer"] },
  ...facts.extra(),
  protocolVersion: "0.3.0",
  preferredTransport: "JSONRPC",
  additionalInterfaces: [{ url: facts.rpcUrl, transport: "JSONRPC" }],
  documentationUrl: facts.documentationUrl,
  defaultInputModes: ["text/plain", "application/json"],
  defaultOutputModes: ["text/plain", "application/json"],
});

const shownSkill = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
});

const description: RouteDescription = {
  name: "get_agent_json",
  group: "agent-card",
  summary: "The agent's card: who it is, its skills, protocols and ways to authenticate.",
  access: "public",
  answers: {
    200: {
      meaning: "The card.",
      body: {
        type: "application/json",
        schema: z.looseObject({
          name: z.string(),
          description: z.string(),
          url: z.string(),
          version: z.string(),
          provider: z.looseObject({ name: z.string(), url: z.string() }),
          capabilities: z.looseObject({ protocols: z.array(z.string()), streaming: z.boolean() }),
          skills: z.array(shownSkill),
          authentication: z.looseObject({ schemes: z.array(z.string()) }),
          inventory_types: z.array(z.string()).optional(),
          supported_deal_types: z.array(z.string()).optional(),
        }),
      },
    },
  },
};

/** `GET .well-known/agent.json`: the spec's card, public, with the A2A 0.3 members where no key clashes. */
export const specCardRoute = (facts: SpecCardFacts): DoorRoute => ({
  method: "GET",
  path: "/.well-known/agent.json",
  description,
  handle: (_request: DoorRequest): Promise<DoorResponse> =>
    Promise.resolve({
      status: 200,
      headers: { "content-type": "application/json", "cache-control": "public, max-age=300" },
      body: JSON.stringify(specCard(facts)),
    }),
});
