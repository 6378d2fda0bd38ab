import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { AuthInfo } from "@modelcontextprotocol/sdk/server/auth/types.js";
import {
  type CallToolResult,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  type LoggingLevel,
  LoggingLevelSchema,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { ToolCaller } from "./calls/call.ts";
import { resourceOf } from "./surface/resources.ts";
import { type Extra, type McpSurface, protocolError, type Request } from "./surface/surface.ts";
import type { ResourceUpdates } from "./surface/updates.ts";

export interface McpParts {
  readonly surfaces: readonly McpSurface[];
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  readonly instructions: string;
  readonly callerOf: (extra: { readonly authInfo?: AuthInfo }) => ToolCaller;
  /** Left out: resources have no subscriptions. */
  readonly updates?: ResourceUpdates | undefined;
}

/** Without tasks, a server ignores their metadata (MCP 2025-11-25, Tasks); the SDK reports it as a server bug. */
class TasklessServer extends Server {
  protected override assertTaskHandlerCapability(): void {
    return undefined;
  }
}

const firstOf = async <T>(
  surfaces: readonly McpSurface[],
  ask: (surface: McpSurface) => Promise<T | null>,
): Promise<T | null> => {
  for (const surface of surfaces) {
    const found = await ask(surface);
    if (found !== null) return found;
  }
  return null;
};

const allOf = async <T>(
  surfaces: readonly McpSurface[],
  ask: (surface: McpSurface) => Promise<readonly T[]>,
): Promise<T[]> => (await Promise.all(surfaces.map(ask))).flat();

type RequestOf = (extra: Extra) => Request;

const serveLists = (server: Server, surfaces: readonly McpSurface[], of: RequestOf): void => {
  server.setRequestHandler(ListToolsRequestSchema, async (_request, extra) => ({
    tools: (await allOf(surfaces, (surface) => surface.listTools(of(extra)))).map((entry) => ({ ...entry })),
  }));
  server.setRequestHandler(ListResourcesRequestSchema, async (_request, extra) => ({
    resources: await allOf(surfaces, (surface) => surface.listResources(of(extra))),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async (_request, extra) => ({
    resourceTemplates: await allOf(surfaces, (surface) => surface.listTemplates(of(extra))),
  }));
  server.setRequestHandler(ListPromptsRequestSchema, async (_request, extra) => ({
    prompts: await allOf(surfaces, (surface) => surface.listPrompts(of(extra))),
  }));
};

/** MCP, Resources: the code of a resource that does not exist. */
const resourceNotFound = -32002;

const unknownResource = (uri: string): Error =>
  protocolError(resourceNotFound, "There is no such resource. Call resources/templates/list for the forms.", { uri });

const serveReads = (server: Server, surfaces: readonly McpSurface[], of: RequestOf): void => {
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }, extra) => {
    const found = await firstOf(surfaces, (surface) => surface.readResource(uri, of(extra)));
    if (found === null) throw unknownResource(uri);
    return found;
  });
  server.setRequestHandler(GetPromptRequestSchema, async ({ params: { name, arguments: args = {} } }, extra) => {
    const found = await firstOf(surfaces, (surface) => surface.getPrompt(name, args, of(extra)));
    if (found === null)
      throw protocolError(ErrorCode.InvalidParams, "Unknown prompt. Call prompts/list for the names.");
    return found;
  });
  server.setRequestHandler(CompleteRequestSchema, async ({ params: { ref, argument } }, extra) => {
    const reference =
      ref.type === "ref/prompt"
        ? ({ kind: "prompt", name: ref.name } as const)
        : ({ kind: "resource", name: ref.uri } as const);
    const values = await firstOf(surfaces, (surface) =>
      surface.complete(reference, argument.name, argument.value, of(extra)),
    );
    if (values === null) throw protocolError(ErrorCode.InvalidParams, "There is no such argument to complete.");
    return { completion: { values: values.slice(0, 100), total: values.length, hasMore: values.length > 100 } };
  });
};

const mostSubscriptions = 200;

/** Readable resources alone: a subscription must not tell whether a foreign one exists. */
const serveSubscriptions = (server: Server, { surfaces, updates }: McpParts, of: RequestOf): void => {
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
    const found = await firstOf(surfaces, (surface) => surface.readResource(uri, of(extra)));
    if (found === null) throw unknownResource(uri);
    if (resourceOf(uri)?.id === null) {
      throw protocolError(ErrorCode.InvalidParams, "This resource sends no updates. Read it again when you need it.");
    }
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

const levelOf = ({ isError, content: [first] }: CallToolResult): LoggingLevel => {
  if (isError !== true) return "info";
  return first?.type === "text" && first.text.includes('"internal_error"') ? "error" : "warning";
};

/** Arguments reach `run` unparsed, so that every door refuses them in the same body. */
export const createMcpServer = (parts: McpParts): Server => {
  const { surfaces } = parts;
  const subscribe = parts.updates === undefined ? {} : { subscribe: true };
  const server = new TasklessServer(parts.info, {
    capabilities: { tools: {}, resources: subscribe, prompts: {}, completions: {}, logging: {} },
    instructions: parts.instructions,
  });
  const of: RequestOf = (extra) => ({ from: parts.callerOf(extra), extra, server });
  serveLists(server, surfaces, of);
  serveReads(server, surfaces, of);
  serveSubscriptions(server, parts, of);
  const log = serveLog(server);
  // The SDK's own handler parses call and answer again, and words a bad call differently.
  server.fallbackRequestHandler = async ({ method, params }, extra) => {
    if (method !== "tools/call") throw protocolError(ErrorCode.MethodNotFound, "Method not found");
    const { name, arguments: args } = params ?? {};
    const request = calling(of(extra), params?._meta?.progressToken);
    const answer = await firstOf(surfaces, (surface) => surface.callTool(name, args, request));
    if (answer === null) {
      throw protocolError(ErrorCode.InvalidParams, "Unknown tool. Call tools/list for the names.");
    }
    log(levelOf(answer), { tool: name, failed: answer.isError === true });
    return answer;
  };
  return server;
};

/** The call can be cancelled, and tells its progress to who asked for it. */
const calling = (request: Request, progressToken: string | number | undefined): Request => {
  const { signal, sendNotification } = request.extra;
  if (progressToken === undefined) return { ...request, from: { ...request.from, signal } };
  let progress = 0;
  const tell = (message: string): void => {
    progress += 1;
    void sendNotification({ method: "notifications/progress", params: { progressToken, progress, message } });
  };
  return { ...request, from: { ...request.from, signal, progress: tell } };
};
