import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { AuthInfo } from "@modelcontextprotocol/sdk/server/auth/types.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  type CallToolResult,
  CompleteRequestSchema,
  CreateMessageResultSchema,
  type ElicitRequestFormParams,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListRootsResultSchema,
  ListToolsRequestSchema,
  type LoggingLevel,
  LoggingLevelSchema,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { ToolCaller } from "./calls/call.ts";
import { type Answers, answersOf } from "./surface/answers.ts";
import { type McpSurface, type Members, protocolError, type Question, type Request } from "./surface/surface.ts";
import type { ResourceUpdates } from "./surface/updates.ts";

export interface McpParts {
  readonly surfaces: readonly McpSurface[];
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  readonly instructions: string;
  readonly callerOf: (extra: { readonly authInfo?: AuthInfo }) => ToolCaller;
  /** Left out: resources have no subscriptions. */
  readonly updates?: ResourceUpdates | undefined;
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Without tasks, a server ignores their metadata (MCP 2025-11-25, Tasks); the SDK reports it as a server bug. */
class TasklessServer extends Server {
  protected override assertTaskHandlerCapability(): void {
    return undefined;
  }
}

/** A person may be away. */
const longestWaitMs = 600_000;

const askedOf = (server: Server, { signal, requestId, sendRequest }: Extra) => {
  const options = { signal, relatedRequestId: requestId, timeout: longestWaitMs };
  return async ({ method, params }: Question): Promise<Members> => {
    if (method === "sampling/createMessage") {
      return sendRequest({ method, params } as ServerRequest, CreateMessageResultSchema, options);
    }
    if (method === "roots/list") return sendRequest({ method }, ListRootsResultSchema, options);
    try {
      return await server.elicitInput({ mode: "form", ...params } as ElicitRequestFormParams, options);
    } catch {
      // No answer, or one that does not fit the form, is none.
      return { action: "cancel" };
    }
  };
};

const canAskOf =
  (server: Server): Request["canAsk"] =>
  (method) => {
    const { elicitation, sampling, roots } = server.getClientCapabilities() ?? {};
    if (method === "elicitation/create") return elicitation?.form !== undefined;
    return method === "roots/list" ? roots !== undefined : sampling !== undefined;
  };

const requestOf = (server: Server, from: ToolCaller, extra: Extra): Request => {
  const { signal, sendNotification, closeSSEStream } = extra;
  const progressToken = extra._meta?.progressToken;
  const askOne = askedOf(server, extra);
  return {
    from: { ...from, signal },
    canAsk: canAskOf(server),
    ask: async (questions) => {
      const answers: Record<string, Members> = {};
      for (const [key, question] of Object.entries(questions)) answers[key] = await askOne(question);
      return answers;
    },
    log: (level, data) => sendNotification({ method: "notifications/message", params: { level, data } }),
    ...(progressToken === undefined
      ? {}
      : {
          progress: (progress, more) =>
            sendNotification({ method: "notifications/progress", params: { progressToken, progress, ...more } }),
        }),
    ...(closeSSEStream === undefined ? {} : { closeStream: closeSSEStream }),
  };
};

type RequestOf = (extra: Extra) => Request;

const serveReads = (server: Server, answers: Answers, of: RequestOf): void => {
  server.setRequestHandler(ListToolsRequestSchema, (_request, extra) => answers.tools(of(extra)));
  server.setRequestHandler(ListResourcesRequestSchema, (_request, extra) => answers.resources(of(extra)));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, (_request, extra) => answers.templates(of(extra)));
  server.setRequestHandler(ListPromptsRequestSchema, (_request, extra) => answers.prompts(of(extra)));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }, extra) => answers.read(params.uri, of(extra)));
  server.setRequestHandler(GetPromptRequestSchema, ({ params: { name, arguments: args = {} } }, extra) =>
    answers.prompt(name, args, of(extra)),
  );
  server.setRequestHandler(CompleteRequestSchema, ({ params }, extra) => answers.complete(params, of(extra)));
};

const mostSubscriptions = 200;

const serveSubscriptions = (
  server: Server,
  updates: ResourceUpdates | undefined,
  answers: Answers,
  of: RequestOf,
): void => {
  if (updates === undefined) return;
  const held = new Map<string, () => void>();
  const end = (uri: string): void => {
    held.get(uri)?.();
    held.delete(uri);
  };
  server.onclose = () => {
    for (const uri of [...held.keys()]) end(uri);
  };
  server.setRequestHandler(SubscribeRequestSchema, async ({ params: { uri } }, extra) => {
    await answers.subscribable(uri, of(extra));
    if (held.size >= mostSubscriptions && !held.has(uri)) {
      throw protocolError(ErrorCode.InvalidParams, `A session has at most ${mostSubscriptions} subscriptions.`);
    }
    end(uri);
    held.set(uri, await updates.subscribe(uri, (changed) => void server.sendResourceUpdated({ uri: changed })));
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, async ({ params: { uri } }) => {
    end(uri);
    return {};
  });
};

const levels = LoggingLevelSchema.options;

/** Silent until the client sets a level. */
const serveLog = (server: Server): ((level: LoggingLevel, data: Readonly<Record<string, unknown>>) => void) => {
  let least: number | null = null;
  server.setRequestHandler(SetLevelRequestSchema, async ({ params: { level } }) => {
    least = levels.indexOf(level);
    return {};
  });
  return (level, data) => {
    if (least === null || levels.indexOf(level) < least) return;
    void server.sendLoggingMessage({ level, logger: "tools", data });
  };
};

export const levelOf = ({ isError, content: [first] }: CallToolResult): LoggingLevel => {
  if (isError !== true) return "info";
  return first?.type === "text" && first.text.includes('"internal_error"') ? "error" : "warning";
};

/** Up to 2025-11-25. Arguments reach `run` unparsed, so that every door refuses them in the same body. */
export const createMcpServer = (parts: McpParts): Server => {
  const answers = answersOf(parts.surfaces);
  const subscribe = parts.updates === undefined ? {} : { subscribe: true };
  const server = new TasklessServer(parts.info, {
    capabilities: { tools: {}, resources: subscribe, prompts: {}, completions: {}, logging: {} },
    instructions: parts.instructions,
  });
  const of: RequestOf = (extra) => requestOf(server, parts.callerOf(extra), extra);
  serveReads(server, answers, of);
  serveSubscriptions(server, parts.updates, answers, of);
  const log = serveLog(server);
  // The SDK's own handler parses call and answer again, and words a bad call differently.
  server.fallbackRequestHandler = async ({ method, params }, extra) => {
    if (method !== "tools/call") throw protocolError(ErrorCode.MethodNotFound, "Method not found");
    const answer = await answers.call(params, of(extra));
    log(levelOf(answer), { tool: params?.["name"], failed: answer.isError === true });
    return answer;
  };
  return server;
};
