import type {
  CallToolResult,
  GetPromptResult,
  LoggingLevel,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType as ResourceTemplate,
} from "@modelcontextprotocol/server";
import type { ToolCaller } from "../calls/call.ts";
import type { ToolEntry } from "../catalog.ts";

export type Members = Readonly<Record<string, unknown>>;

/** What a server asks its client for: a form that a person fills in, a model's answer, the client's roots. */
export interface Question {
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  readonly params: Members;
}

/** One request, whatever revision it is of: who asks, and the way back to the client. */
export interface Request {
  readonly from: ToolCaller;
  readonly canAsk: (method: Question["method"]) => boolean;
  /**
   * Answers by the questions' keys. Before 2026-07-28 the client is asked while the call waits; since then the call
   * ends with the questions and is made anew with the answers, so nothing may be done before an `ask`.
   */
  readonly ask: (questions: Readonly<Record<string, Question>>) => Promise<Readonly<Record<string, Members>>>;
  readonly log: (level: LoggingLevel, data: unknown) => Promise<void>;
  /** Left out: the client did not ask for it. */
  readonly progress?: (progress: number, more: { readonly total?: number; readonly message?: string }) => Promise<void>;
  /** Left out: the revision has no stream that can be resumed. */
  readonly closeStream?: () => void;
}

export interface Reference {
  /** A prompt's name, or a resource's URI template. */
  readonly name: string;
  readonly kind: "prompt" | "resource";
}

/** What a server offers. Null: it has no such thing, and the next surface is asked. */
export interface McpSurface {
  listTools(request: Request): Promise<readonly ToolEntry[]>;
  callTool(name: unknown, args: unknown, request: Request): Promise<CallToolResult | null>;
  /** The tool that a misspelled name means. */
  nearestTool?(name: unknown): string | null;
  listResources(request: Request): Promise<readonly Resource[]>;
  listTemplates(request: Request): Promise<readonly ResourceTemplate[]>;
  readResource(uri: string, request: Request): Promise<ReadResourceResult | null>;
  listPrompts(request: Request): Promise<readonly Prompt[]>;
  getPrompt(name: string, args: Readonly<Record<string, string>>, request: Request): Promise<GetPromptResult | null>;
  complete(of: Reference, argument: string, value: string, request: Request): Promise<readonly string[] | null>;
  /** The call may send messages before its answer. */
  speaks(tool: unknown): boolean;
}

/** A JSON-RPC error of our own words. */
export const protocolError = (code: number, message: string, data?: unknown): Error =>
  Object.assign(new Error(message), { code, ...(data === undefined ? {} : { data }) });
