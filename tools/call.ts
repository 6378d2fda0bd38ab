import { isMembers } from "../protocol/neutral/json-input.ts";
import type { Call, Contract, Outcome } from "../protocol/seam/operation.ts";
import { bugBody, refusalBody } from "../protocol/neutral/refusal-body.ts";
import type { Runner } from "../protocol/seam/run.ts";
import type { ToolCatalog } from "./catalog.ts";
import type { ToolSelection } from "./listing.ts";

/** JSON as text for every client, and structured. */
export interface ToolAnswer {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: { readonly [key: string]: unknown };
  readonly isError?: true;
  readonly [extra: string]: unknown;
}

/**
 * Existing clients read `detail`: defects, else the sentence. Text alone: clients check structured content against the
 * output schema, which no refusal fits.
 */
const failed = (body: Readonly<Record<string, unknown>>): ToolAnswer => ({
  content: [{ type: "text", text: JSON.stringify({ detail: body["message"], ...body }) }],
  isError: true,
});

/** A refusal is an `isError` result, never a protocol error. */
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

/** Its outcome may set the transport's headers. */
export interface ToolCaller extends Pick<
  Call,
  "admission" | "requestId" | "traceparent" | "idempotencyKey" | "ifMatch" | "dryRun" | "agents"
> {
  readonly seen?: (outcome: Outcome) => void;
  readonly selection?: ToolSelection;
}

/** Our own name wins over an alias. */
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

/** An unknown name is run too: credential and rate limit are refused first. */
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
