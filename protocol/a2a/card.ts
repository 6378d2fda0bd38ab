import { createHash } from "node:crypto";
import { AgentCard } from "@a2a-js/sdk";
import type { DoorRequest, DoorResponse } from "../door/door.ts";

export type CardDefault = "both" | "0.3" | "1.0";

export interface CardSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples: readonly string[];
}

export interface CardFacts {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** The absolute address of the JSON-RPC door. */
  readonly rpcUrl: string;
  /** Of the HTTP+JSON door. */
  readonly httpUrl: string;
  readonly documentationUrl: string;
  readonly provider: { readonly organization: string; readonly url: string };
  readonly skills: readonly CardSkill[];
  /** False where tasks are kept in memory. */
  readonly pushNotifications: boolean;
}

const textModes = ["text/plain", "application/json"];

/** JSON-RPC offers both protocol versions at one address. */
export const agentCard = (facts: CardFacts): AgentCard => ({
  name: facts.name,
  description: facts.description,
  version: facts.version,
  documentationUrl: facts.documentationUrl,
  provider: { ...facts.provider },
  supportedInterfaces: [
    { url: facts.rpcUrl, protocolBinding: "JSONRPC", tenant: "", protocolVersion: "1.0" },
    { url: facts.httpUrl, protocolBinding: "HTTP+JSON", tenant: "", protocolVersion: "1.0" },
    { url: facts.rpcUrl, protocolBinding: "JSONRPC", tenant: "", protocolVersion: "0.3" },
  ],
  capabilities: {
    streaming: true,
    pushNotifications: facts.pushNotifications,
    extendedAgentCard: false,
    extensions: [],
  },
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
  capabilities: { streaming: true, pushNotifications: facts.pushNotifications, stateTransitionHistory: false },
  supportsAuthenticatedExtendedCard: false,
  securitySchemes: {
    api_key: { type: "apiKey", in: "header", name: "X-Api-Key" },
    bearer: { type: "http", scheme: "bearer" },
  },
  defaultInputModes: textModes,
  defaultOutputModes: textModes,
  skills: facts.skills,
});

/** `both` is the 0.3 form with the interfaces of 1.0 beside it. */
export const cardForms = (facts: CardFacts): Readonly<Record<CardDefault, unknown>> => {
  const current = AgentCard.toJSON(agentCard(facts)) as { readonly supportedInterfaces?: unknown };
  const legacy = legacyCard(facts);
  return { "0.3": legacy, "1.0": current, both: { ...legacy, supportedInterfaces: current.supportedInterfaces } };
};

interface Rendered {
  readonly text: string;
  readonly etag: string;
}

const render = (card: unknown): Rendered => {
  const text = JSON.stringify(card);
  return { text, etag: `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"` };
};

const viewOf = (version: string | undefined, byDefault: CardDefault): CardDefault => {
  if (version === undefined || version === "") return byDefault;
  return version.startsWith("1.") ? "1.0" : "0.3";
};

/** Selected by `A2A-Version`, cached for an hour, revalidated by ETag. */
export const cardHandler = (
  facts: CardFacts,
  sinceMs: number,
  byDefault: CardDefault,
): ((request: DoorRequest) => Promise<DoorResponse>) => {
  const forms = cardForms(facts);
  const views = { "0.3": render(forms["0.3"]), "1.0": render(forms["1.0"]), both: render(forms.both) };
  const lastModified = new Date(sinceMs).toUTCString();
  return (request) => {
    const { text, etag } = views[viewOf(request.headers["a2a-version"], byDefault)];
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
