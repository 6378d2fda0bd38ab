import { z } from "zod";
import { type Served, serve } from "../../agents/server/serve.ts";
import { a2aRoutes } from "../../protocol/a2a/routes.ts";
import { defaultBodyLimits } from "../../protocol/neutral/json-input.ts";
import { rpcRoutes } from "../../protocol/jsonrpc/operations.ts";
import { defineContract, defineOperation, type Operation } from "../../protocol/seam/operation.ts";
import { createRunner } from "../../protocol/seam/run/run.ts";
import { refuse } from "../../protocol/neutral/refusals.ts";
import { mcpRoutes } from "../../tools/http.ts";
import { createMemoryStore } from "../rest/memory-store.ts";

const number = z.number();

/** JSON-RPC 2.0, section 7; in the order in which calls ended. */
export interface Arithmetic extends Served {
  readonly called: { readonly name: string; readonly input: unknown }[];
}

type Formula = (input: Readonly<Record<string, number>>) => unknown;

const methodOf = (
  called: Arithmetic["called"],
  name: string,
  members: Readonly<Record<string, z.ZodType>>,
  formula: Formula,
): Operation => {
  const contract = defineContract({
    name,
    group: "arithmetic",
    summary: `The method ${name} of the examples of JSON-RPC 2.0.`,
    effect: "read",
    access: "public",
    input: z.strictObject(members),
    output: z.unknown(),
    refusals: {},
    rest: { method: "POST", path: `/${name}` },
  });
  return defineOperation(contract, async (_context, input) => {
    called.push({ name, input });
    return { output: formula(input as Readonly<Record<string, number>>) };
  });
};

const operationsOf = (called: Arithmetic["called"]): readonly Operation[] => [
  methodOf(
    called,
    "subtract",
    { minuend: number, subtrahend: number },
    ({ minuend = 0, subtrahend = 0 }) => minuend - subtrahend,
  ),
  methodOf(called, "sum", { a: number, b: number, c: number }, ({ a = 0, b = 0, c = 0 }) => a + b + c),
  methodOf(called, "update", { a: number, b: number, c: number, d: number, e: number }, () => null),
  methodOf(called, "notify_hello", { greeting: number }, () => null),
  methodOf(called, "notify_sum", { a: number, b: number, c: number }, () => null),
  methodOf(called, "get_data", {}, () => ["hello", 5]),
  methodOf(called, "fail", {}, () => {
    throw new Error("the secret inside");
  }),
];

export const serveArithmetic = async (): Promise<Arithmetic> => {
  const called: Arithmetic["called"] = [];
  const nothing = (): void => undefined;
  const log = { info: nothing, warn: nothing, error: nothing };
  const clock = { nowMs: () => 1_790_000_000_000 };
  const runner = createRunner({
    operations: operationsOf(called),
    store: createMemoryStore(),
    ports: {},
    callers: { find: async () => refuse("invalid_api_key") },
    trust: { ofAgent: async () => ({ ceiling: "public", blocked: false }) },
    limiter: { take: async () => null },
    clock,
    log,
  });
  const limits = defaultBodyLimits;
  const url = "http://127.0.0.1";
  const facts = { name: "Arithmetic", description: "Counts.", version: "1.0.0", documentationUrl: url, skills: [] };
  const card = {
    ...facts,
    rpcUrl: url,
    httpUrl: url,
    legacyHttpUrl: url,
    provider: () => ({ organization: "Test", url }),
    pushNotifications: false,
  };
  const info = { name: "arithmetic", title: "Arithmetic", version: "1.0.0" };
  const sessions = { most: 10, idleMs: 60_000 };
  const mcp = mcpRoutes({ runner, info, instructions: "", limits, sessions, nowMs: clock.nowMs, allowedHosts: null });
  const a2a = a2aRoutes({ runner, card, agentType: "seller", limits, clock, mostTasks: 10 });
  const about = { name: "seller", title: "Arithmetic", version: "1.0.0", description: "Counts." } as const;
  const agent = { ...about, runner, errorShape: "wrapped", pages: [], stop: async () => undefined } as const;
  const doors = [...rpcRoutes(runner, limits), ...a2a.routes, ...mcp.routes];
  const served = await serve(agent, { host: "127.0.0.1", port: 0, log, doors });
  const close = async (): Promise<void> => {
    await mcp.close();
    await served.close();
  };
  return { ...served, called, close };
};
