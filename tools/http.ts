import { randomBytes } from "node:crypto";
import type { DoorAnswer, DoorRequest, DoorResponse, DoorRoute } from "../protocol/door/door.ts";
import { isGiven, isMembers } from "../protocol/neutral/json-input.ts";
import { refusalHeaders } from "../protocol/jsonrpc/answers.ts";
import { fixedPage } from "../protocol/rest/pages/fixed-page.ts";
import { bugBody, refusalBody } from "../protocol/neutral/refusal-body.ts";
import { isRefusal, type Refusal, refuse, refusalTable } from "../protocol/neutral/refusals.ts";
import { queryOf } from "../protocol/neutral/query.ts";
import { fieldRefusal } from "../protocol/neutral/validation.ts";
import { isUnknownTool, runTool } from "./calls/call.ts";
import { nearestOf, unknownToolText } from "./calls/nearest.ts";
import { toolCatalog, type ToolEntry } from "./catalog.ts";
import type { McpParts } from "./server.ts";
import { queriedSelection, type ToolLists, toolsetsOf } from "./listing.ts";
import type { Store } from "../storage/store.ts";
import type { Adcp } from "../protocol/adcp/door.ts";
import { tasksSurface } from "./surface/tasks.ts";
import { operationsSurface } from "./surface/operations.ts";
import type { PromptKind } from "./surface/prompts.ts";
import type { McpSurface } from "./surface/surface.ts";
import { createResourceUpdates } from "./surface/updates.ts";
import { createEventLog } from "./wire/event-log.ts";
import { createSessionTable, type SessionLimits } from "./wire/sessions.ts";
import { callerIn, jsonAnswer } from "./wire/web.ts";
import { createModernHttp } from "./wire/per-request.ts";
import { requestStates } from "./wire/questions.ts";
import { type McpWire, readJson, refusedStreamable, serveStreamable, toolCallerOf } from "./wire/streamable.ts";

export interface McpHttpOptions
  extends Pick<McpParts, "info" | "instructions">, Omit<McpWire, "catalog" | "table" | "parts" | "events" | "modern"> {
  /** Null or left out: all. */
  readonly lists?: ToolLists | null;
  readonly prompts?: readonly PromptKind[];
  /** For subscriptions. */
  readonly store?: Pick<Store, "list" | "watch">;
  /** In units; null or left out: bookings are not confirmed. */
  readonly confirmAbove?: number | null;
  /** Served beside the operations: the fixtures of a conformance test. */
  readonly fixtures?: readonly McpSurface[];
  readonly sessions: SessionLimits;
  /** Default 50; 0: no limit. */
  readonly streamsPerCaller?: number;
  /** Left out: one of this process, so no other one can take the answers to its questions. */
  readonly stateKey?: Uint8Array;
}

export interface McpHttp {
  readonly routes: readonly DoorRoute[];
  /** Sessions that are open now. */
  sessions(): number;
  close(): Promise<void>;
}

const failedCall = (status: number, error: Readonly<Record<string, unknown>>): DoorResponse =>
  jsonAnswer(status, { success: false, result: null, error });

const refusedCall = (refusal: Refusal): DoorResponse => {
  const { status } = refusalTable[refusal.code];
  const answer = failedCall(status, refusalBody(refusal));
  return { ...answer, headers: { ...answer.headers, ...refusalHeaders(refusal) } };
};

const unnamed = fieldRefusal("name", "The name of a tool, as text; GET /mcp/tools lists them.");
const unknownTool = ({ catalog }: McpWire, name: string) => ({
  error: "unknown_operation",
  message: unknownToolText(nearestOf(name, catalog.byName.keys()), "GET /mcp/tools lists the names."),
});

/** Beside the arguments these would be ignored, and a dry run would act. */
const ofArguments = ["dry_run", "idempotency_key", "agent_url"];

const misplacedIn = (value: unknown): Refusal | null => {
  const found = isMembers(value) ? ofArguments.find((name) => isGiven(value[name])) : undefined;
  return found === undefined ? null : fieldRefusal(found, `Send ${found} within arguments, not beside them.`);
};

const plainCall = async (wire: McpWire, request: DoorRequest): Promise<DoorAnswer> => {
  const body = await readJson(request, wire.limits);
  const read = "unread" in body ? body.unread : (misplacedIn(body.value) ?? body);
  if (isRefusal(read)) return refusedCall(read);
  const { name, arguments: sent } = (read.value ?? {}) as { name?: unknown; arguments?: unknown };
  const from = toolCallerOf(request);
  const outcome = await runTool(wire, name, sent, from);
  from.seen?.(outcome);
  if (outcome.kind === "done") return jsonAnswer(200, { success: true, result: outcome.output, error: null });
  if (outcome.kind === "bug") return failedCall(500, bugBody(outcome.requestId));
  if (isUnknownTool(outcome)) {
    return typeof name === "string" ? failedCall(404, unknownTool(wire, name)) : refusedCall(unnamed);
  }
  return failedCall(outcome.status, refusalBody(outcome.refusal));
};

type ListedTool = ToolEntry & { readonly toolset: string | undefined };

/** Every tool whole, with the tool set that shows it; `?toolset=deals,orders` those alone. */
const toolPage = ({ catalog }: McpWire, tools: () => readonly ListedTool[]): DoorRoute => {
  const page = fixedPage("/mcp/tools", "application/json", () => JSON.stringify({ tools: tools() }));
  const known = [...toolsetsOf(catalog), "all"];
  return {
    ...page,
    handle: async (request) => {
      const { toolsets } = queriedSelection(queryOf(request.node.request.url ?? ""));
      if (toolsets.length === 0) return page.handle(request);
      const unknown = toolsets.filter((name) => !known.includes(name));
      if (unknown.length > 0) {
        const msg = `No tool set ${unknown.join(", ").slice(0, 200)}. There are ${known.join(", ")}.`;
        const issues = [{ type: "value_error", loc: ["query", "toolset"], msg }];
        return refusedCall(refuse("validation_error", { issues }));
      }
      const wanted = tools().filter(({ toolset }) => toolsets.includes("all") || toolsets.includes(String(toolset)));
      return jsonAnswer(200, { tools: wanted });
    },
  };
};

/** Of all sessions. */
const eventBytes = 32_000_000;

const streamablePaths = ["/mcp/sse", "/mcp"];
/** The HTTP layer answers 405 to others. */
const streamableMethods = ["GET", "POST", "DELETE"] as const;

interface StreamableParts extends Omit<McpWire, "parts" | "modern" | "table" | "events"> {
  readonly mcp: Omit<McpParts, "states" | "callerOf">;
  readonly sessions: SessionLimits;
  readonly streamsPerCaller?: number;
  readonly stateKey?: Uint8Array;
}

/** Stateful Streamable HTTP at each of the paths, over the surfaces of `mcp`. */
const streamableRoutes = (paths: readonly string[], given: StreamableParts) => {
  const { mcp, sessions, streamsPerCaller = 50, stateKey = randomBytes(32) } = given;
  const table = createSessionTable(sessions);
  const states = requestStates(stateKey, (context) => callerIn(context).principal);
  const parts: McpParts = { ...mcp, states, callerOf: (context) => callerIn(context).from };
  const modern = createModernHttp(parts, streamsPerCaller);
  const wire: McpWire = { ...given, parts, modern, table, events: createEventLog(eventBytes) };
  const refused: DoorRoute["refused"] = (request, refusal) => refusedStreamable(wire, request, refusal);
  const streamable: DoorRoute["handle"] = (request) => serveStreamable(wire, request);
  const routes = paths.flatMap((path) =>
    streamableMethods.map((method): DoorRoute => ({ method, path, refused, handle: streamable })),
  );
  const close = async (): Promise<void> => {
    await Promise.all([table.closeAll(), modern.close()]);
  };
  return { wire, routes, close, sessions: () => table.size };
};

/** At `/mcp` and the paths of existing clients, with three plain JSON routes over the same tools. */
export const mcpRoutes = (options: McpHttpOptions): McpHttp => {
  const { runner, lists = null, prompts = [], store, confirmAbove = null, fixtures = [] } = options;
  const catalog = toolCatalog(runner.contracts);
  const operations = operationsSurface({ runner, catalog, lists, prompts, asking: { confirmAbove } });
  const updates = store === undefined ? undefined : createResourceUpdates(store);
  const { info, instructions } = options;
  const mcp = { surfaces: [operations, ...fixtures], updates, info, instructions };
  const { wire, routes, close, sessions } = streamableRoutes(streamablePaths, { ...options, catalog, mcp });
  const { name, title, version } = options.info;
  const tools = () => catalog.entries.map((entry) => ({ ...entry, toolset: catalog.byName.get(entry.name)?.group }));
  const about = () => ({ name, title, version, transport: "streamable-http", endpoint: "/mcp", tools: tools() });
  return {
    routes: [
      toolPage(wire, tools),
      fixedPage("/mcp/info", "application/json", () => JSON.stringify(about())),
      {
        method: "POST",
        path: "/mcp/call",
        refused: async (_request, refusal) => refusedCall(refusal),
        handle: (request) => plainCall(wire, request),
      },
      ...routes,
    ],
    sessions,
    close: async () => {
      await close();
      updates?.stop();
    },
  };
};

const noTools = { entries: [], byName: new Map() } as const;

/** AdCP's own list of tools, beside Parley's: some names mean something else there. */
export const adcpMcpRoutes = (adcp: Adcp, options: McpHttpOptions): McpHttp => {
  const { info, instructions, challenge: _challenge, ...more } = options;
  const mcp = { surfaces: [tasksSurface(adcp)], info, instructions };
  const needsKey = (tool: unknown): boolean => adcp.find(tool)?.isOpen !== true;
  return streamableRoutes(["/adcp/mcp"], { ...more, catalog: noTools, mcp, needsKey, isSessionless: true });
};
