import { type CallToolResult, type CompleteRequestParams, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { unknownToolText } from "../calls/nearest.ts";
import { resourceOf } from "./resources.ts";
import { type McpSurface, protocolError, type Request } from "./surface.ts";

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

const unknownResource = (uri: string): Error =>
  protocolError(
    ProtocolErrorCode.InvalidParams,
    "There is no such resource. Call resources/templates/list for the forms.",
    { uri },
  );

const mostCompleted = 100;

/** The call can be cancelled, and tells its progress to who asked for it. */
const calling = (request: Request): Request => {
  const { progress } = request;
  if (progress === undefined) return request;
  let step = 0;
  const tell = (message: string): void => {
    step += 1;
    void progress(step, { message });
  };
  return { ...request, from: { ...request.from, progress: tell } };
};

/** The answer to each method, of whatever revision: a server of one adds its wire. */
export const answersOf = (surfaces: readonly McpSurface[]) => {
  const read = async (uri: string, request: Request) => {
    const found = await firstOf(surfaces, (surface) => surface.readResource(uri, request));
    if (found === null) throw unknownResource(uri);
    return found;
  };
  return {
    tools: async (request: Request) => ({
      tools: (await allOf(surfaces, (surface) => surface.listTools(request))).map((entry) => ({ ...entry })),
    }),
    resources: async (request: Request) => ({
      resources: await allOf(surfaces, (surface) => surface.listResources(request)),
    }),
    templates: async (request: Request) => ({
      resourceTemplates: await allOf(surfaces, (surface) => surface.listTemplates(request)),
    }),
    prompts: async (request: Request) => ({
      prompts: await allOf(surfaces, (surface) => surface.listPrompts(request)),
    }),
    read,
    /** Readable resources alone: a subscription must not tell whether a foreign one exists. */
    subscribable: async (uri: string, request: Request): Promise<void> => {
      await read(uri, request);
      if (resourceOf(uri)?.id !== null) return;
      throw protocolError(
        ProtocolErrorCode.InvalidParams,
        "This resource sends no updates. Read it again when you need it.",
      );
    },
    prompt: async (name: string, args: Readonly<Record<string, string>>, request: Request) => {
      const found = await firstOf(surfaces, (surface) => surface.getPrompt(name, args, request));
      if (found !== null) return found;
      throw protocolError(ProtocolErrorCode.InvalidParams, "Unknown prompt. Call prompts/list for the names.");
    },
    complete: async ({ ref, argument }: Pick<CompleteRequestParams, "ref" | "argument">, request: Request) => {
      const reference =
        ref.type === "ref/prompt"
          ? ({ kind: "prompt", name: ref.name } as const)
          : ({ kind: "resource", name: ref.uri } as const);
      const values = await firstOf(surfaces, (surface) =>
        surface.complete(reference, argument.name, argument.value, request),
      );
      if (values === null)
        throw protocolError(ProtocolErrorCode.InvalidParams, "There is no such argument to complete.");
      const shown = values.slice(0, mostCompleted);
      return { completion: { values: shown, total: values.length, hasMore: values.length > mostCompleted } };
    },
    call: async (name: unknown, args: unknown, request: Request): Promise<CallToolResult> => {
      const answer = await firstOf(surfaces, (surface) => surface.callTool(name, args, calling(request)));
      if (answer !== null) return answer;
      const nearest = surfaces.map((surface) => surface.nearestTool?.(name) ?? null).find((found) => found !== null);
      throw protocolError(
        ProtocolErrorCode.InvalidParams,
        unknownToolText(nearest ?? null, "Call tools/list for the names."),
      );
    },
  };
};

export type Answers = ReturnType<typeof answersOf>;
