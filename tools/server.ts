import {
  type CallToolResult,
  type ElicitRequestFormParams,
  type LoggingLevel,
  ProtocolErrorCode,
  type RequestStateCodec,
  Server,
  type ServerContext,
  type ServerOptions,
} from "@modelcontextprotocol/server";
import type { ToolCaller } from "./calls/call.ts";
import { type Answers, answersOf } from "./surface/answers.ts";
import { type McpSurface, type Members, protocolError, type Question, type Request } from "./surface/surface.ts";
import type { ResourceUpdates } from "./surface/updates.ts";
import { carriedIn } from "./wire/message.ts";
import { askingAnew, type AskState, orQuestions } from "./wire/questions.ts";

export interface McpParts {
  readonly surfaces: readonly McpSurface[];
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  readonly instructions: string;
  readonly callerOf: (context: ServerContext) => ToolCaller;
  /** Left out: resources have no subscriptions. */
  readonly updates?: ResourceUpdates | undefined;
  /** Of what a client keeps between two rounds of one call; a session's server asks within the call. */
  readonly states: RequestStateCodec<AskState>;
}

/** `modern`: revision 2026-07-28, where a request is a whole. `legacy`: up to 2025-11-25, with sessions. */
export type Era = "legacy" | "modern";

/** A person may be away. */
const longestWaitMs = 600_000;

/** Asks the client while the call waits. */
const askingWithin = (server: Server, { mcpReq }: ServerContext): Pick<Request, "ask" | "canAsk"> => {
  const options = { signal: mcpReq.signal, relatedRequestId: mcpReq.id, timeout: longestWaitMs };
  const askOne = async ({ method, params }: Question): Promise<Members> => {
    if (method !== "elicitation/create") return (await mcpReq.send({ method, params } as never, options)) as Members;
    try {
      return await mcpReq.elicitInput({ mode: "form", ...params } as ElicitRequestFormParams, options);
    } catch {
      // No answer, or one that does not fit the form, is none.
      return { action: "cancel" };
    }
  };
  return {
    canAsk: (method) => {
      const { elicitation, sampling, roots } = server.getClientCapabilities() ?? {};
      if (method === "elicitation/create") return elicitation?.form !== undefined;
      return method === "roots/list" ? roots !== undefined : sampling !== undefined;
    },
    ask: async (questions) => {
      const answers: Record<string, Members> = {};
      for (const [key, question] of Object.entries(questions)) answers[key] = await askOne(question);
      return answers;
    },
  };
};

const requestOf = (server: Server, era: Era, from: ToolCaller, context: ServerContext): Request => {
  const { mcpReq, http } = context;
  const progressToken = mcpReq._meta?.progressToken;
  return {
    from: { ...from, signal: mcpReq.signal },
    ...(era === "modern" ? askingAnew(context, { ...server.getClientCapabilities() }) : askingWithin(server, context)),
    log: (level, data) => mcpReq.log(level, data, "tools"),
    ...(progressToken === undefined
      ? {}
      : {
          progress: (progress, more) =>
            mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, ...more } }),
        }),
    ...(http?.closeSSE === undefined ? {} : { closeStream: http.closeSSE }),
  };
};

type RequestOf = (context: ServerContext) => Request;

const mostSubscriptions = 200;

const serveSubscriptions = (server: Server, updates: ResourceUpdates, answers: Answers, of: RequestOf): void => {
  const held = new Map<string, () => void>();
  const end = (uri: string): void => {
    held.get(uri)?.();
    held.delete(uri);
  };
  server.onclose = () => {
    for (const uri of [...held.keys()]) end(uri);
  };
  server.setRequestHandler("resources/subscribe", async ({ params: { uri } }, context) => {
    await answers.subscribable(uri, of(context));
    if (held.size >= mostSubscriptions && !held.has(uri)) {
      throw protocolError(ProtocolErrorCode.InvalidParams, `A session has at most ${mostSubscriptions} subscriptions.`);
    }
    end(uri);
    held.set(uri, await updates.subscribe(uri, (changed) => void server.sendResourceUpdated({ uri: changed })));
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", async ({ params: { uri } }) => {
    end(uri);
    return {};
  });
};

const levels: readonly LoggingLevel[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

/** A session's log is silent until the client sets a level; it is sent beside the call, whose answer is one body. */
const serveLog = (server: Server): Request["log"] => {
  let least: number | null = null;
  server.setRequestHandler("logging/setLevel", async ({ params: { level } }) => {
    least = levels.indexOf(level);
    return {};
  });
  return async (level, data) => {
    if (least === null || levels.indexOf(level) < least) return;
    void server.sendLoggingMessage({ level, logger: "tools", data });
  };
};

const levelOf = ({ isError, content: [first] }: CallToolResult): LoggingLevel => {
  if (isError !== true) return "info";
  return first?.type === "text" && first.text.includes('"internal_error"') ? "error" : "warning";
};

const serve = (server: Server, answers: Answers, era: Era, { states }: McpParts, of: RequestOf): void => {
  server.setRequestHandler("tools/list", (_request, context) => answers.tools(of(context)) as never);
  server.setRequestHandler("resources/list", (_request, context) => answers.resources(of(context)) as never);
  server.setRequestHandler("resources/templates/list", (_request, context) => answers.templates(of(context)) as never);
  server.setRequestHandler("prompts/list", (_request, context) => answers.prompts(of(context)) as never);
  server.setRequestHandler("completion/complete", ({ params }, context) => answers.complete(params, of(context)));
  server.setRequestHandler(
    "resources/read",
    ({ params: { uri } }, context) => orQuestions(() => answers.read(uri, of(context)), context, states) as never,
  );
  server.setRequestHandler(
    "prompts/get",
    ({ params: { name, arguments: args = {} } }, context) =>
      orQuestions(() => answers.prompt(name, args, of(context)), context, states) as never,
  );
  const logged = era === "legacy" ? serveLog(server) : null;
  server.setRequestHandler("tools/call", ({ params }, context) => {
    const request = of(context);
    const { name, args } = carriedIn(params.arguments);
    const called = async () => {
      const answer = await answers.call(name, args, request);
      const said = { tool: name, failed: answer.isError === true };
      await (logged ?? request.log)(levelOf(answer), said);
      return answer;
    };
    return orQuestions(called, context, states) as never;
  });
};

/** An assistant may keep its own list this long. */
const listHint = { ttlMs: 300_000, cacheScope: "private" } as const;

const cacheHints: ServerOptions["cacheHints"] = {
  "tools/list": listHint,
  "prompts/list": listHint,
  "resources/list": listHint,
  "resources/templates/list": listHint,
  "server/discover": listHint,
};

/** Of a session, of one request of revision 2026-07-28 over HTTP, or of a connection over stdio. */
export const createMcpServer = (parts: McpParts, era: Era): Server => {
  const answers = answersOf(parts.surfaces);
  const subscribe = parts.updates === undefined ? {} : { subscribe: true };
  const server = new Server(parts.info, {
    capabilities: { tools: {}, resources: subscribe, prompts: {}, completions: {}, logging: {} },
    instructions: parts.instructions,
    requestState: { verify: parts.states.verify },
    cacheHints,
  });
  const of: RequestOf = (context) => requestOf(server, era, parts.callerOf(context), context);
  serve(server, answers, era, parts, of);
  if (era === "legacy" && parts.updates !== undefined) serveSubscriptions(server, parts.updates, answers, of);
  return server;
};
