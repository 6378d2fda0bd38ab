import { randomBytes, randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { BodyLimits } from "../protocol/neutral/json-input.ts";
import { serveStdio as serveSdk } from "@modelcontextprotocol/server/stdio";
import { hostAdmission } from "../protocol/seam/admission.ts";
import { type Caller, hostCaller } from "../protocol/seam/caller.ts";
import type { Outcome } from "../protocol/seam/operation.ts";
import type { Runner } from "../protocol/seam/run/run.ts";
import { toolCatalog } from "./catalog.ts";
import type { ToolLists, ToolSelection } from "./listing.ts";
import type { ToolCaller } from "./calls/call.ts";
import { createMcpServer } from "./server.ts";
import { operationsSurface } from "./surface/operations.ts";
import type { PromptKind } from "./surface/prompts.ts";
import { requestStates } from "./wire/questions.ts";
import { StdioTransport } from "./wire/stdio-transport.ts";

export interface McpStdioOptions {
  readonly runner: Pick<Runner, "run" | "contracts">;
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  readonly instructions: string;
  readonly lists?: ToolLists | null;
  readonly prompts?: readonly PromptKind[];
  readonly confirmAbove?: number | null;
  readonly selection?: ToolSelection;
  /** Lists only what this caller may call. */
  readonly caller?: Caller;
  readonly limits: BodyLimits;
  readonly input: Readable;
  readonly output: Writable;
}

/** A call starts a step after it is read, and its answer is written a step after it ends. */
const answered = async (running: ReadonlySet<Promise<Outcome>>): Promise<void> => {
  await setImmediate();
  await Promise.allSettled(running);
  await setImmediate();
};

/**
 * Serves until the input ends and its calls are answered, or the output closes: a server closed under its calls
 * swallows their answers. The output carries protocol messages alone. Whoever started the process is trusted as the
 * host; a runner may act for a key's holder instead.
 */
export const serveStdio = async (options: McpStdioOptions): Promise<void> => {
  const running = new Set<Promise<Outcome>>();
  const run: Runner["run"] = (call) => {
    const outcome = options.runner.run(call);
    running.add(outcome);
    const forget = (): boolean => running.delete(outcome);
    outcome.then(forget, forget);
    return outcome;
  };
  const { contracts } = options.runner;
  const isReadOnly = options.selection?.readOnly === true;
  const operations = operationsSurface({
    runner: { run },
    catalog: toolCatalog(isReadOnly ? contracts.filter(({ effect }) => effect === "read") : contracts),
    lists: options.lists ?? null,
    prompts: options.prompts ?? [],
    asking: { confirmAbove: options.confirmAbove ?? null },
  });
  const callerOf = (): ToolCaller => ({
    admission: { ...hostAdmission, who: () => Promise.resolve(options.caller ?? hostCaller) },
    requestId: randomUUID(),
    ...(options.selection === undefined ? {} : { selection: options.selection }),
  });
  const { info, instructions } = options;
  // One process asks and takes the answers, for one caller.
  const states = requestStates(randomBytes(32), () => "stdio");
  const parts = { surfaces: [operations], info, instructions, callerOf, states };
  const unread = new Promise<void>((resolve) => options.output.once("error", () => resolve()));
  const ended = new Promise<void>((resolve) => {
    options.input.once("end", resolve);
    options.input.once("close", resolve);
    void unread.then(resolve);
  });
  const transport = new StdioTransport(options.input, options.output, options.limits);
  // The first message that is no `server/discover` selects the revision of the connection.
  const server = serveSdk(({ era }) => createMcpServer(parts, era), { transport });
  await ended;
  await Promise.race([answered(running), unread]);
  await server.close();
};
