import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type AgentCard, TaskState } from "@a2a-js/sdk";
import { AgentEvent, type AgentExecutor, DefaultRequestHandler, InMemoryTaskStore } from "@a2a-js/sdk/server";
import { jsonRpcHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import { createRequire } from "node:module";
import type { Agent } from "../../agents/server/agent.ts";
import { agentCard, type CardFacts } from "../../protocol/a2a/card/card.ts";
import { a2aRoutes } from "../../protocol/a2a/routes.ts";
import { defaultBodyLimits } from "../../protocol/neutral/json-input.ts";
import type { BenchCase, BenchServer, Info, LoadRequest } from "./cases.ts";
import { reportCases } from "./report.ts";
import { startSeller } from "./seller-side.ts";
import { quoteBody } from "./seller-rest.ts";

const facts: CardFacts = {
  name: "Seller",
  description: "A seller under load.",
  version: "0.1.0",
  rpcUrl: "http://127.0.0.1:8000/a2a/seller/jsonrpc",
  httpUrl: "http://127.0.0.1:8000/a2a/seller/v1",
  legacyHttpUrl: "http://127.0.0.1:8000/a2a/seller/v0.3",
  documentationUrl: "http://127.0.0.1:8000/docs",
  provider: () => ({ organization: "Bench", url: "http://127.0.0.1:8000" }),
  skills: [],
  pushNotifications: false,
};

const doorsOf = ({ runner }: Agent) =>
  a2aRoutes({
    runner,
    card: facts,
    agentType: "seller",
    limits: defaultBodyLimits,
    clock: { nowMs: () => Date.now() },
    mostTasks: 5000,
  }).routes;

/** Submitted, working, completed, as the SDK's samples do. */
const threeEvents: AgentExecutor = {
  execute: async (request, bus) => {
    const { taskId, contextId } = request;
    const status = (state: TaskState) => ({ state, message: undefined, timestamp: new Date().toISOString() });
    const submitted = status(TaskState.TASK_STATE_SUBMITTED);
    const history = [request.userMessage];
    bus.publish(
      AgentEvent.task({ id: taskId, contextId, status: submitted, artifacts: [], history, metadata: undefined }),
    );
    for (const state of [TaskState.TASK_STATE_WORKING, TaskState.TASK_STATE_COMPLETED]) {
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status: status(state), metadata: undefined }));
    }
    bus.finished();
  },
  cancelTask: async () => undefined,
};

interface ExpressApp {
  use(path: string, handler: unknown): void;
}

/** Express comes with the MCP SDK and has no types here. */
const startExpress = async (info: Info): Promise<BenchServer> => {
  const express = createRequire(import.meta.url)("express") as () => ExpressApp;
  const app = express();
  const card: AgentCard = agentCard(facts);
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), threeEvents);
  const userBuilder = UserBuilder.noAuthentication;
  app.use("/a2a/seller/jsonrpc", jsonRpcHandler({ requestHandler, userBuilder, legacyCompat: { enabled: true } }));
  const server = createServer(app as unknown as RequestListener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, info };
};

type Form = "flat" | "0.3" | "1.0";

interface Part {
  readonly kind: "data" | "text";
  readonly data?: unknown;
  readonly text?: string;
}

const dataPart = (): Part => ({ kind: "data", data: { operation: "request_quote", input: quoteBody } });
/** Another text each time: no reading of the one before is of use. */
const textPart = (number: number): Part => ({
  kind: "text",
  text: `What does CTV Premium Streaming cost for ${100_000 + (number % 100_000)} impressions in May 2027?`,
});

const envelope = (form: Form, number: number, part: Part): unknown => {
  const messageId = `${process.pid}-${number}`;
  const shared = { jsonrpc: "2.0", id: number };
  if (form === "1.0") {
    const { kind: _kind, ...content } = part;
    const parts = [content];
    return { ...shared, method: "SendMessage", params: { message: { messageId, role: "ROLE_USER", parts } } };
  }
  const message = { messageId, role: "user", parts: [part], ...(form === "0.3" ? { kind: "message" } : {}) };
  const configuration = form === "0.3" ? { configuration: { blocking: true } } : {};
  return { ...shared, method: "message/send", params: { message, ...configuration } };
};

const loadOf = (form: Form, partOf: (number: number) => Part): BenchCase["load"] => {
  // Of all loads: a message that was sent before is answered from what is stored.
  let number = 0;
  return (info, side) => {
    // The SDK knows no flat form.
    const sent: Form = side === "bound" && form === "flat" ? "0.3" : form;
    const request: LoadRequest = {
      method: "POST",
      path: "/a2a/seller/jsonrpc",
      headers: {
        "content-type": "application/json",
        "x-api-key": String(info["key"]),
        ...(form === "1.0" ? { "a2a-version": "1.0" } : {}),
      },
      setupRequest: (made) => {
        number += 1;
        return { ...made, body: JSON.stringify(envelope(sent, number, partOf(number))) };
      },
    };
    return [request];
  };
};

const caseOf = (name: string, form: Form, target: number, partOf: (number: number) => Part = dataPart): BenchCase => ({
  name,
  perJob: 1,
  target,
  sut: (options) => startSeller(options, async () => ({}), doorsOf),
  bound: ({ peer }) => startExpress(peer ?? {}),
  load: loadOf(form, partOf),
  isGood: (body) => !body.includes('"error"') && !body.includes("failed"),
});

export const cases: readonly BenchCase[] = [
  caseOf("flat-against-sample", "flat", 0.7),
  caseOf("0.3-against-sample", "0.3", 0.7),
  caseOf("1.0-against-sample", "1.0", 0.7),
  caseOf("text-0.3-against-sample", "0.3", 0.5, textPart),
  caseOf("text-1.0-against-sample", "1.0", 0.5, textPart),
];

export const run = (): Promise<void> =>
  reportCases("a2a", cases, [
    ["", {}],
    [" + 2 ms a flush", { flushDelayMs: 2 }],
  ]);
