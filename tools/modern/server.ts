import {
  createRequestStateCodec,
  type LoggingLevel,
  type RequestStateCodec,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { ToolCaller } from "../calls/call.ts";
import { levelOf } from "../server.ts";
import { type Answers, answersOf } from "../surface/answers.ts";
import type { McpSurface, Members, Request } from "../surface/surface.ts";
import { askingOf, type AskState, orQuestions } from "./questions.ts";

export interface ModernParts {
  readonly surfaces: readonly McpSurface[];
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  readonly instructions: string;
  readonly callerOf: (context: ServerContext) => ToolCaller;
  readonly states: RequestStateCodec<AskState>;
  readonly subscribes: boolean;
}

/** Shared by all processes of an agent, so that any of them takes the answers; bound to who was asked. */
export const requestStates = (
  key: Uint8Array,
  principalOf: (context: ServerContext) => string,
): RequestStateCodec<AskState> =>
  createRequestStateCodec({ key, bind: (context) => `${context.mcpReq.method}\0${principalOf(context)}` });

const capabilitiesIn = (server: Server): Members => ({ ...server.getClientCapabilities() });

const requestOf = (server: Server, from: ToolCaller, context: ServerContext): Request => {
  const { mcpReq } = context;
  const progressToken = mcpReq._meta?.progressToken;
  return {
    from: { ...from, signal: mcpReq.signal },
    ...askingOf(context, capabilitiesIn(server)),
    log: (level, data) => mcpReq.log(level, data, "tools"),
    ...(progressToken === undefined
      ? {}
      : {
          progress: (progress, more) =>
            mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, ...more } }),
        }),
  };
};

/** An assistant may keep its own list this long. */
const listHint = { ttlMs: 300_000, cacheScope: "private" } as const;

const cacheHints = {
  "tools/list": listHint,
  "prompts/list": listHint,
  "resources/list": listHint,
  "resources/templates/list": listHint,
  "server/discover": listHint,
} as const;

const serve = (server: Server, answers: Answers, { callerOf, states }: ModernParts): void => {
  const of = (context: ServerContext): Request => requestOf(server, callerOf(context), context);
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
  server.setRequestHandler("tools/call", ({ params }, context) => {
    const request = of(context);
    const called = async () => {
      const answer = await answers.call(params, request);
      const level: LoggingLevel = levelOf(answer);
      await request.log(level, { tool: params.name, failed: answer.isError === true });
      return answer;
    };
    return orQuestions(called, context, states) as never;
  });
};

/** Of revision 2026-07-28: one for each request over HTTP, one for a connection over stdio. */
export const createModernServer = (parts: ModernParts): Server => {
  const subscribe = parts.subscribes ? { subscribe: true } : {};
  const server = new Server(parts.info, {
    capabilities: { tools: {}, resources: subscribe, prompts: {}, completions: {}, logging: {} },
    instructions: parts.instructions,
    requestState: { verify: parts.states.verify },
    cacheHints,
  });
  serve(server, answersOf(parts.surfaces), parts);
  return server;
};
