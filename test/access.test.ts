import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { create } from "../protocol/seam/changes.ts";
import type { Contract } from "../protocol/seam/operation.ts";
import { agentKind } from "../skills/seller/registry/record.ts";
import { sellerOperations } from "../agents/seller/operations.ts";
import { type DoorName, type OpenDoors, openDoors } from "./doors/doors.ts";
import { covers } from "./requirements.ts";
import { agentRow } from "./skills/agent-row.ts";
import { openWorld, type Reply, type World } from "./skills/world.ts";

const blockedUrl = "https://blocked.example";
const contracts = sellerOperations.map(({ contract }) => contract);
const doorNames: readonly DoorName[] = ["rest", "mcp", "a2a", "rpc"];
const tiers = ["key without identity", "seat", "agency", "advertiser"];

let world: World;
let doors: OpenDoors;
const secrets = { revoked: "", expired: "", blocked: "" };

const made = async (input: unknown): Promise<{ api_key: string; key_id: string }> =>
  (await world.send({ caller: "operator", operation: "create_api_key", input })).body as never;

beforeAll(async () => {
  world = await openWorld();
  doors = await openDoors(world.runner, world.nowMs);
  secrets.blocked = (await made({ seat_id: "seat-b", agent_url: blockedUrl })).api_key;
  const blocked = agentRow("agent-00000001", blockedUrl, "blocked");
  await world.store.commit({ changes: [create(agentKind, blocked.agent_id, blocked)], audit: null });
  const revoked = await made({ seat_id: "seat-r" });
  await world.send({ caller: "operator", operation: "revoke_api_key", input: { key_id: revoked.key_id } });
  secrets.revoked = revoked.api_key;
  secrets.expired = (await made({ seat_id: "seat-e", expires_in_days: 1 })).api_key;
  world.advance(25 * 3_600_000);
});

afterAll(async () => {
  await doors.close();
  await world.close();
});

/** Every operation's schema rejects it, so that a call past every gate changes nothing. */
const emptyInput = (contract: Contract): Readonly<Record<string, unknown>> => {
  const path = contract.rest?.path.match(/:([a-z_]+)/g) ?? [];
  return Object.fromEntries(path.map((name) => [name.slice(1), "none-such"]));
};

const ask = (door: DoorName, contract: Contract, secret: string | null, more: object = {}): Promise<Reply> => {
  const input = { ...emptyInput(contract), ...more };
  return doors.send(door, { caller: "", operation: contract.name, input, dryRun: contract.effect !== "read" }, secret);
};

const gateCodes = new Set([
  "authentication_required",
  "invalid_api_key",
  "api_key_revoked",
  "api_key_expired",
  "agent_blocked",
  "operator_required",
  "senior_review_required",
]);

const gateOf = (reply: Reply): string => (reply.code !== null && gateCodes.has(reply.code) ? reply.code : "passed");

const open = (contract: Contract, door: DoorName): boolean => contract.closedDoors?.[door] === undefined;

/** Any other key, there or not, needs an operator (decisions 8 and 9). */
const ownKeyOnly = new Set(["get_api_key", "revoke_api_key"]);

const expected: Readonly<Record<Contract["access"], { anonymous: string; buyer: string; operator: string }>> = {
  public: { anonymous: "passed", buyer: "passed", operator: "passed" },
  key: { anonymous: "authentication_required", buyer: "passed", operator: "passed" },
  operator: { anonymous: "authentication_required", buyer: "operator_required", operator: "passed" },
  senior: { anonymous: "authentication_required", buyer: "operator_required", operator: "senior_review_required" },
};

describe.each(doorNames)("access through %s", (door) => {
  test.each(contracts.filter((one) => open(one, door)).map((contract) => [contract.name, contract] as const))(
    "%s admits exactly whom its contract admits",
    async (_, contract) => {
      const rule = expected[contract.access];
      expect(gateOf(await ask(door, contract, null)), "anonymous").toBe(rule.anonymous);
      for (const tier of tiers) {
        const buyer = ownKeyOnly.has(contract.name) ? "operator_required" : rule.buyer;
        expect(gateOf(await ask(door, contract, world.secretOf(tier))), tier).toBe(buyer);
      }
      const edge = ["report_delivery", "list_deals"].includes(contract.name) ? rule.operator : "operator_required";
      const narrowed = contract.name === "list_deals" ? { status: ["active"] } : {};
      expect(gateOf(await ask(door, contract, world.secretOf("edge"), narrowed)), "edge").toBe(edge);
      expect(gateOf(await ask(door, contract, world.secretOf("operator"))), "operator").toBe(rule.operator);
      expect(gateOf(await ask(door, contract, world.secretOf("senior"))), "senior").toBe("passed");
    },
  );

  test.each(contracts.filter((one) => open(one, door)).map((contract) => [contract.name, contract] as const))(
    "%s refuses a revoked, an expired, an unknown and a blocked key, whatever it is open to",
    async (_, contract) => {
      covers("seller.api-keys.revoked-401", "seller.auth.ceiling.blocked", "seller.auth.expired-401");
      covers("seller.auth.invalid-401");
      expect(gateOf(await ask(door, contract, secrets.revoked))).toBe("api_key_revoked");
      expect(gateOf(await ask(door, contract, secrets.expired))).toBe("api_key_expired");
      expect(gateOf(await ask(door, contract, "ask_live_unknown"))).toBe("invalid_api_key");
      expect(gateOf(await ask(door, contract, secrets.blocked))).toBe("agent_blocked");
    },
  );

  test("an operation that takes an agent_url refuses a blocked agent however its address is written", async () => {
    const written = [blockedUrl, `${blockedUrl}/`, "HTTPS://BLOCKED.example", "https://blocked.example:443"];
    const input = { product_id: "prod-15ba2543", deal_type: "PD" };
    for (const agent_url of written) {
      const request = { caller: "", operation: "request_quote", input: { ...input, agent_url }, dryRun: true };
      expect((await doors.send(door, request, null)).code, agent_url).toBe("agent_blocked");
    }
  });
});
