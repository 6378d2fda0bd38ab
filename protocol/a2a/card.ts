import { createHash } from "node:crypto";
import { AgentCard } from "@a2a-js/sdk";
import type { DoorRequest, DoorResponse } from "../door/door.ts";

/** One skill as the cards show it; `id` is one of the five of the spec on the seller. */
export interface CardSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples: readonly string[];
}

/** What the A2A cards of an agent say, before either protocol version gives it a shape. */
export interface CardFacts {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** The absolute address of the JSON-RPC door. */
  readonly rpcUrl: string;
  readonly documentationUrl: string;
  readonly provider: { readonly organization: string; readonly url: string };
  readonly skills: readonly CardSkill[];
}

const textModes = ["text/plain", "application/json"];

/** The card as the SDK keeps it; both protocol versions are offered at one address. */
export const agentCard = (facts: CardFacts): AgentCard => ({
  name: facts.name,
  description: facts.description,
  version: facts.version,
  documentationUrl: facts.documentationUrl,
  provider: { ...facts.provider },
  supportedInterfaces: ["1.0", "0.3"].map((protocolVersion) => ({
    url: facts.rpcUrl,
    protocolBinding: "JSONRPC",
    tenant: "",
    protocolVersion,
  })),
  capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false, extensions: [] },
  securitySchemes: {
    api_key: {
      scheme: {
        $case: "apiKeySecurityScheme",
        value: { description: "An API key.", location: "header", name: "X-Api-Key" },
      },
    },
    bearer: {
      scheme: {
        $case: "httpAuthSecurityScheme",
        value: { description: "The same key as a bearer token.", scheme: "Bearer", bearerFormat: "" },
      },
    },
  },
  securityRequirements: [],
  defaultInputModes: [...textModes],
  defaultOutputModes: [...textModes],
  skills: facts.skills.map((skill) => ({
    ...skill,
    tags: [...skill.tags],
    examples: [...skill.examples],
    inputModes: [],
    outputModes: [],
    securityRequirements: [],
  })),
  signatures: [],
});

/** The card of A2A 0.3: the same facts with the version's own top-level members. */
const legacyCard = (facts: CardFacts): Readonly<Record<string, unknown>> => ({
  protocolVersion: "0.3.0",
  name: facts.name,
  description: facts.description,
  url: facts.rpcUrl,
  preferredTransport: "JSONRPC",
  additionalInterfaces: [{ url: facts.rpcUrl, transport: "JSONRPC" }],
  version: facts.version,
  documentationUrl: facts.documentationUrl,
  provider: facts.provider,
  capabilities: { streaming: true, pushNotifications: false, stateTransitionHistory: false },
  supportsAuthenticatedExtendedCard: false,
  securitySchemes: {
    api_key: { type: "apiKey", in: "header", name: "X-Api-Key" },
    bearer: { type: "http", scheme: "bearer" },
  },
  defaultInputModes: textModes,
  defaultOutputModes: textModes,
  skills: facts.skills,
});

/** Both forms of the A2A card, as they are served. */
export const cardForms = (facts: CardFacts): { readonly legacy: unknown; readonly current: unknown } => ({
  legacy: legacyCard(facts),
  current: AgentCard.toJSON(agentCard(facts)),
});

interface Rendered {
  readonly text: string;
  readonly etag: string;
}

const render = (card: unknown): Rendered => {
  const text = JSON.stringify(card);
  return { text, etag: `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"` };
};

/**
 * Serves the A2A card: the 0.3 form, or the 1.0 form to a request whose `A2A-Version` says so. Cached for an hour,
 * revalidated by ETag.
 */
export const cardHandler = (facts: CardFacts, sinceMs: number): ((request: DoorRequest) => Promise<DoorResponse>) => {
  const forms = cardForms(facts);
  const byVersion = { legacy: render(forms.legacy), current: render(forms.current) };
  const lastModified = new Date(sinceMs).toUTCString();
  return (request) => {
    const isCurrent = (request.headers["a2a-version"] ?? "").startsWith("1.");
    const { text, etag } = isCurrent ? byVersion.current : byVersion.legacy;
    const headers = {
      etag,
      "content-type": "application/json",
      "cache-control": "public, max-age=3600",
      "last-modified": lastModified,
      vary: "A2A-Version",
    };
    return Promise.resolve({ status: 200, headers, body: text });
  };
};
