import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Agent } from "../../../agents/server/agent.ts";
import { isServed } from "../../../agents/host/control-socket.ts";
import type { AgentFace, Composed } from "../../../agents/server/composed.ts";
import { launch, type Launched } from "../../../agents/server/launch.ts";
import { anonymousCaller } from "../../../protocol/seam/caller.ts";
import { defineContract, defineOperation } from "../../../protocol/seam/operation.ts";
import { createRunner } from "../../../protocol/seam/run/run.ts";
import { openLowdbStore } from "../../../storage/lowdb/driver.ts";
import type { Store } from "../../../storage/store.ts";

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

const waitLong = defineContract({
  name: "wait_long",
  group: "test",
  summary: "Waits for the agent's work.",
  effect: "read",
  access: "public",
  input: z.object({}),
  output: z.looseObject({ answered: z.boolean() }),
  refusals: {},
  rest: { method: "GET", path: "/wait" },
});

interface Gate {
  readonly entered: Promise<void>;
  readonly enter: () => void;
  readonly opened: Promise<void>;
  readonly open: () => void;
}

const gate = (): Gate => {
  let enter = (): void => undefined;
  let open = (): void => undefined;
  const entered = new Promise<void>((resolve) => (enter = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { entered, opened, enter: () => enter(), open: () => open() };
};

const face: AgentFace = {
  displayName: "Waiter",
  organization: () => "Test",
  publicUrl: "http://127.0.0.1",
  skills: [],
  protocols: [],
  prompts: [],
  instructions: "",
  cardExtra: () => ({}),
};

const agentOver = (store: Store, work: Gate, stopped: string[]): Agent => ({
  name: "seller",
  title: "Waiter",
  version: "0.0.0",
  description: "Waits.",
  runner: createRunner({
    operations: [
      defineOperation(waitLong, async () => {
        work.enter();
        await work.opened;
        return { output: { answered: true } };
      }),
    ],
    store,
    ports: {},
    callers: { find: () => Promise.resolve(anonymousCaller("203.0.113.1")) },
    trust: { ofAgent: () => Promise.resolve({ ceiling: "public" as const, blocked: false }) },
    limiter: { take: () => Promise.resolve(null) },
    clock: { nowMs: () => 0 },
    log: silent,
  }),
  errorShape: "wrapped",
  pages: [],
  stop: async () => {
    stopped.push("agent");
    work.open();
  },
});

const composed = (store: Store, work: Gate, stopped: string[]): Composed => ({
  agent: agentOver(store, work, stopped),
  face,
  due: () => null,
  keyKind: "api_key",
  a2a: {
    push: {
      isPermitted: () => Promise.resolve(false),
      queue: () => {
        throw new Error("nothing is configured here, so nothing is sent");
      },
    },
    approvals: null,
  },
});

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const newFolder = async (): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), "parley-stop-"));
  undo.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
};

const launchIn = (dir: string, port: number, compose: (store: Store) => Composed): Promise<Launched> => {
  const config = {
    bodyLimitBytes: 1_048_576,
    bodyDepth: 32,
    mcpMostSessions: 10,
    mcpAllowedOrigins: [],
    oauthIssuer: null,
    oauthJwksUrl: null,
    oauthAudiences: [],
    mcpConfirmAbove: null,
    mcpIdleSeconds: 60,
    trustProxy: false,
    headersTimeoutSeconds: 10,
    connectionsPerAddress: 1000,
    cardDefaultVersion: "both" as const,
    cardSigningKey: null,
    metricsPort: null,
    keyRotationDays: 0,
    eventStreamsPerCaller: 0,
    sandbox: "off" as const,
  };
  return launch({
    agent: "seller",
    host: "127.0.0.1",
    port,
    place: { driver: "lowdb", dir },
    log: silent,
    config,
    compose,
    composeSandbox: () => Promise.reject(new Error("no call asks for it")),
  });
};

describe("stop: a call that waits for the agent's work is answered", () => {
  test.each(["rest", "mcp"] as const)("through %s", async (door) => {
    const work = gate();
    const launched = await launchIn(await newFolder(), 0, (store) => composed(store, work, []));
    const client = new Client({ name: "stop", version: "0.0.0" });
    const transport = new StreamableHTTPClientTransport(new URL("/mcp", launched.url));
    if (door === "mcp") await client.connect(transport as Parameters<typeof client.connect>[0]);
    const asked = (
      door === "mcp"
        ? client.callTool({ name: "wait_long", arguments: {} }).then((answer) => answer.structuredContent)
        : fetch(new URL("/wait", launched.url)).then((answer) => answer.json())
    ) as Promise<unknown>;
    await work.entered;
    const closed = launched.close();
    expect(await asked).toEqual({ answered: true });
    await client.close();
    await closed;
  });
});

test("start: where the port is taken at the last moment, agent, socket and folder are let go", async () => {
  const stopped: string[] = [];
  const first = await launchIn(await newFolder(), 0, (store) => composed(store, gate(), stopped));
  const port = Number(new URL(first.url).port);
  await first.close();
  stopped.length = 0;
  const rival = createServer();
  undo.push(() => new Promise((resolve) => rival.close(resolve)));
  const dir = await newFolder();
  const failed = launchIn(dir, port, (store) => {
    rival.listen(port, "127.0.0.1");
    return composed(store, gate(), stopped);
  });
  await expect(failed).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken by `);
  expect(stopped).toEqual(["agent"]);
  expect(await isServed(dir)).toBe(false);
  const again = await openLowdbStore({ dir });
  await again.close();
});
