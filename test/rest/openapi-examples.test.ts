import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sellerOperations } from "../../agents/seller/operations.ts";
import type { OpenApiDocument } from "../../protocol/openapi/document.ts";
import { readDocument } from "../fuzz/document.ts";

type Node = Readonly<Record<string, unknown>>;

const file = join(import.meta.dirname, "../../docs/surface/seller/openapi.json");
const document = JSON.parse(readFileSync(file, "utf8")) as OpenApiDocument;
const { defects } = readDocument(document);

const escaped = (part: string): string => part.replaceAll("~", "~0").replaceAll("/", "~1");

interface Shown {
  readonly pointer: string;
  readonly value: unknown;
}

const examplesIn = (value: unknown, at: string): readonly Shown[] => {
  if (typeof value !== "object" || value === null) return [];
  const node = value as Node;
  if ("schema" in node) {
    const several = Object.values((node["examples"] ?? {}) as Readonly<Record<string, Node>>);
    const values = [...("example" in node ? [node["example"]] : []), ...several.map((one) => one["value"])];
    return values.map((shown) => ({ pointer: `${at}/schema`, value: shown }));
  }
  return Object.entries(node).flatMap(([name, member]) => examplesIn(member, `${at}/${escaped(name)}`));
};

const shown = examplesIn(document.paths, "#/paths");

test("openapi: every example fits the schema beside it", () => {
  expect(shown.length).toBeGreaterThan(150);
  expect(shown.flatMap(({ pointer, value }) => defects(pointer, value).map((one) => `${pointer}: ${one}`))).toEqual([]);
});

test("openapi: an example that breaks its schema is noticed", () => {
  const first = shown.find(({ pointer }) => pointer.includes("/responses/200/"));
  expect(defects(String(first?.pointer), "no object")).not.toEqual([]);
});

test("openapi: every operation shows what it answers, and what is sent where it takes a body", () => {
  const pointers = shown.map(({ pointer }) => pointer).join("\n");
  for (const { contract } of sellerOperations) {
    const { rest } = contract;
    if (rest === undefined) continue;
    const at = `#/paths/${escaped(rest.path.replace(/:(\w+)/g, "{$1}"))}/${rest.method.toLowerCase()}`;
    expect(pointers, contract.name).toContain(`${at}/responses/${rest.status ?? 200}/`);
    if (rest.method === "POST" || rest.method === "PUT")
      expect(pointers, contract.name).toContain(`${at}/requestBody/`);
  }
});

test("openapi: both forms of a quote are shown", () => {
  const quotes = document.paths["/api/v1/quotes"]?.["post"];
  const sent = quotes?.requestBody?.["content"] as Readonly<Record<string, Node>>;
  expect(sent["application/json"]?.["examples"]).toMatchObject({
    flat: { value: { product_id: "prod-53e78a97" } },
    envelope: { value: { product_id: "prod-53e78a97", idempotency_key: expect.any(String) } },
  });
});

/** With the routes of the envelope form (decision 1, decision 81). */
const endpoints = `
get / | get /health | post /api/v1/quotes | get /api/v1/quotes/{quote_id} | post /api/v1/deals
get /api/v1/deals/{deal_id} | post /api/v1/orders | get /api/v1/orders | get /api/v1/orders/report
get /api/v1/orders/{order_id} | get /api/v1/orders/{order_id}/history | get /api/v1/orders/{order_id}/audit
post /api/v1/orders/{order_id}/transition | post /api/v1/change-requests | get /api/v1/change-requests
get /api/v1/change-requests/{cr_id} | post /api/v1/change-requests/{cr_id}/review
post /api/v1/change-requests/{cr_id}/apply | post /auth/api-keys | get /auth/api-keys
get /auth/api-keys/{key_id} | delete /auth/api-keys/{key_id} | get /.well-known/agent.json
get /registry/agents | get /registry/agents/{agent_id} | post /registry/agents/discover | post /registry/discover
put /registry/agents/{agent_id}/trust | delete /registry/agents/{agent_id} | get /media-kit
get /media-kit/packages | get /media-kit/packages/{package_id} | post /media-kit/search | get /packages
get /packages/{package_id} | post /packages | put /packages/{package_id} | delete /packages/{package_id}
post /packages/assemble | post /packages/sync | post /sessions | get /sessions | get /sessions/{session_id}
post /sessions/{session_id}/messages | post /sessions/{session_id}/close | get /products
get /products/{product_id} | post /pricing | post /proposals | post /deals | post /discovery
post /proposals/{proposal_id}/counter | get /proposals/{proposal_id}/negotiation | get /approvals
get /approvals/{approval_id} | post /approvals/{approval_id}/decide | post /approvals/{approval_id}/resume
post /a2a/seller/jsonrpc | get /a2a/seller/.well-known/agent-card.json | get /events | get /events/{event_id}
get /events/stream | post /products/avails | post /api/v1/negotiations/messages
get /api/v1/negotiations/{negotiation_id}
`;

test("openapi: the document has every endpoint of the spec, of the envelope form and the event stream", () => {
  const named = endpoints
    .trim()
    .split(/\s*[|\n]\s*/)
    .map((one) => one.split(" ") as [method: string, path: string]);
  expect(named.length).toBe(65);
  expect(named.filter(([method, path]) => document.paths[path]?.[method] === undefined)).toEqual([]);
});
