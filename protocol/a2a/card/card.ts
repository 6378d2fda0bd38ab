import { createHash } from "node:crypto";
import { AgentCard, type SecurityScheme } from "@a2a-js/sdk";
import type { Caller } from "../../seam/caller.ts";
import type { Clock } from "../../seam/ports.ts";
import { accessRefusal } from "../../seam/run/gates.ts";
import type { Contract } from "../../seam/operation.ts";
import { accessTokenScheme } from "../../door/protected-resource.ts";
import type { DoorRequest, DoorResponse } from "../../door/door.ts";
import { operationsExtension } from "../extensions.ts";
import type { CardSigner } from "./card-signature.ts";

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
  /** Of the HTTP+JSON door of A2A 1.0. */
  readonly httpUrl: string;
  /** Of that of A2A 0.3. */
  readonly legacyHttpUrl: string;
  readonly documentationUrl: string;
  /** Asked for at each use: people may change its name. */
  readonly provider: () => { readonly organization: string; readonly url: string };
  readonly skills: readonly CardSkill[];
  /** False where tasks are kept in memory. */
  readonly pushNotifications: boolean;
  /** What data parts hold. Left out: operations of the agent. */
  readonly extension?: Pick<typeof operationsExtension, "required"> & {
    readonly uri: string;
    readonly description: string;
  };
  /** OAUTH_ISSUER, where it is set. */
  readonly tokenIssuer?: string;
}

const textModes = ["text/plain", "application/json"];

const tokenScheme = (issuer: string): SecurityScheme => {
  const { description, bearerFormat } = accessTokenScheme(issuer);
  return { scheme: { $case: "httpAuthSecurityScheme", value: { description, scheme: "Bearer", bearerFormat } } };
};

/** JSON-RPC offers both protocol versions at one address. */
export const agentCard = (facts: CardFacts): AgentCard => ({
  name: facts.name,
  description: facts.description,
  version: facts.version,
  documentationUrl: facts.documentationUrl,
  provider: facts.provider(),
  supportedInterfaces: [
    { url: facts.rpcUrl, protocolBinding: "JSONRPC", tenant: "", protocolVersion: "1.0" },
    { url: facts.httpUrl, protocolBinding: "HTTP+JSON", tenant: "", protocolVersion: "1.0" },
    { url: facts.rpcUrl, protocolBinding: "JSONRPC", tenant: "", protocolVersion: "0.3" },
    { url: facts.legacyHttpUrl, protocolBinding: "HTTP+JSON", tenant: "", protocolVersion: "0.3" },
  ],
  capabilities: {
    streaming: true,
    pushNotifications: facts.pushNotifications,
    extendedAgentCard: true,
    extensions: [{ ...(facts.extension ?? operationsExtension), params: undefined }],
  },
  securitySchemes: {
    bearer: {
      scheme: {
        $case: "httpAuthSecurityScheme",
        value: { description: "An API key as a bearer token.", scheme: "Bearer", bearerFormat: "" },
      },
    },
    api_key: {
      scheme: {
        $case: "apiKeySecurityScheme",
        value: { description: "The same key.", location: "header", name: "X-Api-Key" },
      },
    },
    ...(facts.tokenIssuer === undefined ? {} : { oauth: tokenScheme(facts.tokenIssuer) }),
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

/** What the card is to a caller who is known: each operation that it may call in a data part is a skill. */
export const extendedCard = (card: AgentCard, contracts: readonly Contract[], caller: Caller): AgentCard => {
  const callable = contracts.filter(
    (contract) => contract.closedDoors?.a2a === undefined && accessRefusal(contract, caller) === null,
  );
  const operations = callable.map(({ name, group, summary, tool, effect }) => ({
    id: name,
    name: tool?.title ?? name,
    description: summary,
    tags: ["operation", group, effect],
    examples: [JSON.stringify({ operation: name, input: {} })],
    inputModes: ["application/json"],
    outputModes: ["application/json"],
    securityRequirements: [],
  }));
  return { ...card, skills: [...card.skills, ...operations] };
};

const legacyCard = (facts: CardFacts): Readonly<Record<string, unknown>> => ({
  protocolVersion: "0.3.0",
  name: facts.name,
  description: facts.description,
  url: facts.rpcUrl,
  preferredTransport: "JSONRPC",
  additionalInterfaces: [
    { url: facts.rpcUrl, transport: "JSONRPC" },
    { url: facts.legacyHttpUrl, transport: "HTTP+JSON" },
  ],
  version: facts.version,
  documentationUrl: facts.documentationUrl,
  provider: facts.provider(),
  capabilities: {
    streaming: true,
    pushNotifications: facts.pushNotifications,
    stateTransitionHistory: false,
    extensions: [facts.extension ?? operationsExtension],
  },
  supportsAuthenticatedExtendedCard: true,
  securitySchemes: {
    bearer: { type: "http", scheme: "bearer" },
    api_key: { type: "apiKey", in: "header", name: "X-Api-Key" },
    ...(facts.tokenIssuer === undefined ? {} : { oauth: accessTokenScheme(facts.tokenIssuer) }),
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

export const jwksPath = "/.well-known/jwks.json";

/** The key that verifies the signatures of the cards; none where they are unsigned. */
export const jwksHandler = (signer: CardSigner | null): (() => Promise<DoorResponse>) => {
  const headers = { "content-type": "application/jwk-set+json", "cache-control": "public, max-age=3600" };
  const body = JSON.stringify(signer?.jwks ?? { keys: [] });
  return () => Promise.resolve({ status: 200, headers, body });
};

const rendered = async (view: unknown, signer: CardSigner | null): Promise<Rendered> =>
  render(signer === null ? view : await signer.signView(view as object));

/** Rendered once for each name that its provider has. */
const cardViews = (facts: CardFacts, clock: Clock, signer: CardSigner | null) => {
  const { organization } = facts.provider();
  const forms = cardForms(facts);
  return {
    organization,
    lastModified: new Date(clock.nowMs()).toUTCString(),
    "0.3": rendered(forms["0.3"], signer),
    "1.0": rendered(forms["1.0"], signer),
    both: rendered(forms.both, signer),
  };
};

/** Selected by `A2A-Version`, cached for an hour, revalidated by ETag. */
export const cardHandler = (
  facts: CardFacts,
  clock: Clock,
  byDefault: CardDefault,
  signer: CardSigner | null,
): ((request: DoorRequest) => Promise<DoorResponse>) => {
  let views = cardViews(facts, clock, signer);
  return async (request) => {
    if (facts.provider().organization !== views.organization) views = cardViews(facts, clock, signer);
    const { lastModified } = views;
    const { text, etag } = await views[viewOf(request.headers["a2a-version"], byDefault)];
    const headers = {
      etag,
      "content-type": "application/json",
      "cache-control": "public, max-age=3600",
      "last-modified": lastModified,
      vary: "A2A-Version",
    };
    return { status: 200, headers, body: text };
  };
};
