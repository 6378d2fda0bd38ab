import type { CardFacts } from "../protocol/a2a/card.ts";
import type { DoorRequest, DoorResponse, DoorRoute } from "../protocol/door.ts";

/** What an agent's own card says beyond the A2A facts; `extra` are the members of one kind of agent. */
export interface SpecCardFacts extends CardFacts {
  readonly url: string;
  readonly protocols: readonly string[];
  /** Read anew for every request: the live catalog's types on a seller. */
  readonly extra: () => Readonly<Record<string, unknown>>;
}

/** The spec's card as it is served. */
export const specCard = (facts: SpecCardFacts): Readonly<Record<string, unknown>> => ({
  name: facts.name,
  description: facts.description,
  url: facts.url,
  version: facts.version,
  provider: { name: facts.provider.organization, url: facts.provider.url },
  capabilities: { protocols: facts.protocols, streaming: true, push_notifications: false },
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

/**
 * `GET /.well-known/agent.json`: the spec's card, public, with what A2A 0.3 wants where no key clashes (decision 66).
 */
export const specCardRoute = (facts: SpecCardFacts): DoorRoute => ({
  method: "GET",
  path: "/.well-known/agent.json",
  handle: (_request: DoorRequest): Promise<DoorResponse> =>
    Promise.resolve({
      status: 200,
      headers: { "content-type": "application/json", "cache-control": "public, max-age=300" },
      body: JSON.stringify(specCard(facts)),
    }),
});
