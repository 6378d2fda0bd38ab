import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { covers } from "../requirements.ts";
import { type Started, startSeller } from "./launched.ts";

let seller: Started;
beforeAll(async () => {
  seller = await startSeller();
});
afterAll(() => seller.close());

const listed: readonly (readonly [method: string, path: string])[] = [
  ["GET", "/"],
  ["GET", "/health"],
  ["POST", "/api/v1/quotes"],
  ["GET", "/api/v1/quotes/qt-000000000000"],
  ["POST", "/api/v1/deals"],
  ["GET", "/api/v1/deals/DEMO-000000000000"],
  ["POST", "/api/v1/orders"],
  ["GET", "/api/v1/orders"],
  ["GET", "/api/v1/orders/report"],
  ["GET", "/api/v1/orders/ORD-000000000000"],
  ["GET", "/api/v1/orders/ORD-000000000000/history"],
  ["GET", "/api/v1/orders/ORD-000000000000/audit"],
  ["POST", "/api/v1/orders/ORD-000000000000/transition"],
  ["POST", "/api/v1/change-requests"],
  ["GET", "/api/v1/change-requests"],
  ["GET", "/api/v1/change-requests/CR-000000000000"],
  ["POST", "/api/v1/change-requests/CR-000000000000/review"],
  ["POST", "/api/v1/change-requests/CR-000000000000/apply"],
  ["POST", "/auth/api-keys"],
  ["GET", "/auth/api-keys"],
  ["GET", "/auth/api-keys/key-00000000"],
  ["DELETE", "/auth/api-keys/key-00000000"],
  ["GET", "/.well-known/agent.json"],
  ["GET", "/registry/agents"],
  ["GET", "/registry/agents/agent-00000000"],
  ["POST", "/registry/agents/discover"],
  ["POST", "/registry/discover"],
  ["PUT", "/registry/agents/agent-00000000/trust"],
  ["DELETE", "/registry/agents/agent-00000000"],
  ["GET", "/media-kit"],
  ["GET", "/media-kit/packages"],
  ["GET", "/media-kit/packages/pkg-00000000"],
  ["POST", "/media-kit/search"],
  ["GET", "/packages"],
  ["GET", "/packages/pkg-00000000"],
  ["POST", "/packages"],
  ["PUT", "/packages/pkg-00000000"],
  ["DELETE", "/packages/pkg-00000000"],
  ["POST", "/packages/assemble"],
  ["POST", "/packages/sync"],
  ["POST", "/sessions"],
  ["GET", "/sessions"],
  ["GET", "/sessions/00000000-0000-4000-8000-000000000000"],
  ["POST", "/sessions/00000000-0000-4000-8000-000000000000/messages"],
  ["POST", "/sessions/00000000-0000-4000-8000-000000000000/close"],
  ["GET", "/products"],
  ["GET", "/products/prod-53e78a97"],
  ["POST", "/pricing"],
  ["POST", "/proposals"],
  ["POST", "/deals"],
  ["POST", "/discovery"],
  ["POST", "/proposals/prop-00000000/counter"],
  ["GET", "/proposals/prop-00000000/negotiation"],
  ["GET", "/approvals"],
  ["GET", "/approvals/00000000-0000-4000-8000-000000000000"],
  ["POST", "/approvals/00000000-0000-4000-8000-000000000000/decide"],
  ["POST", "/approvals/00000000-0000-4000-8000-000000000000/resume"],
  ["GET", "/events"],
  ["GET", "/events/00000000-0000-4000-8000-000000000000"],
  ["GET", "/a2a/seller/.well-known/agent-card.json"],
  ["POST", "/a2a/seller/jsonrpc"],
];

const businessPath = /^\/api\/v1\/(?:quotes|deals|orders|change-requests)(?:\/|$)/;

const isUnknown = async (method: string, path: string): Promise<boolean> => {
  const body = method === "POST" || method === "PUT" ? { body: {} } : {};
  const { status, text } = await seller.ask(method, path, body);
  return status === 405 || text.includes("There is nothing at this path");
};

describe("the seller's endpoints", () => {
  test("one process answers every path that the document lists", async () => {
    covers("seller.service.one-application");
    const unknown = [];
    for (const [method, path] of listed) if (await isUnknown(method, path)) unknown.push(`${method} ${path}`);
    expect(unknown).toStrictEqual([]);
    expect(await isUnknown("GET", "/nothing")).toBe(true);
    expect(await isUnknown("PUT", "/products")).toBe(true);
  });

  test("quotes, deals, orders and change requests live under /api/v1, and nowhere without it", async () => {
    covers("seller.versioning.api-v1");
    const business = listed.filter(([, path]) => businessPath.test(path));
    expect(business).toHaveLength(16);
    for (const [method, path] of business) {
      expect(await isUnknown(method, path), `${method} ${path}`).toBe(false);
      // POST /deals is another endpoint: it books from an accepted proposal.
      if (path !== "/api/v1/deals") expect(await isUnknown(method, path.slice("/api/v1".length)), path).toBe(true);
    }
  });
});
