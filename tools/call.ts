import { isMembers } from "../protocol/neutral/json-input.ts";
import type { Call, Contract, Outcome } from "../protocol/seam/operation.ts";
import { bugBody, refusalBody } from "../protocol/neutral/refusal-body.ts";
import type { Runner } from "../protocol/seam/run.ts";
import type { ToolCatalog } from "./catalog.ts";
import type { ToolSelection } from "./listing.ts";

/**
 * The answer of one tool call as MCP carries it: JSON as text for every client, and structured for those that read
 * it.
 */
export interface ToolAnswer {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: { readonly [key: string]: unknown };
  readonly isError?: true;
  readonly [extra: string]: unknown;
}

/**
 * Existing clients read `detail` (wire contract 9): the list of defects, else the sentence. The body is text alone:
 * clients hold what is structured against the tool's output schema, which no refusal fits.
 */
const failed = (body: Readonly<Record<string, unknown>>): ToolAnswer => ({
  content: [{ type: "text", text: JSON.stringify({ detail: body["message"], ...body }) }],
  isError: true,
});

/** Encodes an outcome. A refusal is an `isError` result whose text is the refusal's body, never a protocol error. */
export const toolAnswer = (outcome: Outcome): ToolAnswer => {
  if (outcome.kind === "bug") return failed(bugBody(outcome.requestId));
  if (outcome.kind === "refused") return failed({ ...refusalBody(outcome.refusal), status: outcome.status });
  const output = outcome.output;
  const text = JSON.stringify(output);
  const meta = outcome.meta.replayed ? { _meta: { "parley/idempotency-replayed": true } } : {};
  return {
    content: [{ type: "text", text }],
    ...(isMembers(output) ? { structuredContent: output } : {}),
    ...meta,
  };
};

/** Who stands behind one MCP request, and a look at its outcome for the transport's own headers. */
export interface ToolCaller extends Pick<
  Call,
  "admission" | "requestId" | "traceparent" | "idempotencyKey" | "ifMatch" | "dryRun" | "agents"
> {
  readonly seen?: (outcome: Outcome) => void;
  readonly selection?: ToolSelection;
}

/** The input members that a client's argument names stand for (decision 65); our own name wins when both are sent. */
const namedArguments = (contract: Contract, sent: unknown): unknown => {
  const aliases = contract.tool?.argumentAliases;
  if (aliases === undefined || typeof sent !== "object" || sent === null) return sent ?? {};
  const given = sent as Readonly<Record<string, unknown>>;
  const named: Record<string, unknown> = { ...given };
  for (const [alias, member] of Object.entries(aliases)) {
    if (named[member] === undefined && given[alias] !== undefined) named[member] = given[alias];
  }
  return named;
};

/**
 * Calls the tool of a name with what was sent as its arguments. A name that no tool has is run too: the gates of
 * credential and rate come before the refusal that there is no such operation.
 */
export const callTool = (
  { runner, catalog }: { readonly runner: Pick<Runner, "run">; readonly catalog: ToolCatalog },
  name: unknown,
  sent: unknown,
  { seen: _seen, selection: _selection, ...from }: ToolCaller,
): Promise<Outcome> => {
  const contract = typeof name === "string" ? catalog.byName.get(name) : undefined;
  return runner.run({
    operation: contract?.name ?? "",
    door: "mcp",
    input: () => (contract === undefined ? {} : namedArguments(contract, sent)),
    ...from,
  });
};

export const isUnknownTool = (outcome: Outcome): boolean =>
  outcome.kind === "refused" && outcome.refusal.code === "unknown_operation";
