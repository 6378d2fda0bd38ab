import type { Queried } from "../../protocol/door/door-call.ts";
import { markUntrusted, untrustedPlan, wordsOfRefusals } from "../../protocol/seam/untrusted.ts";
import { isMembers } from "../../protocol/neutral/json-input.ts";
import type { Members } from "../../protocol/neutral/members.ts";
import { bugBody } from "../../protocol/neutral/refusal-body.ts";
import { isRefusal, Refused } from "../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../protocol/neutral/validation.ts";
import type { Call, Contract, Outcome } from "../../protocol/seam/operation.ts";
import { refusedOutcome } from "../../protocol/seam/run/gates.ts";
import type { Runner } from "../../protocol/seam/run/run.ts";
import { entryOf, type ToolCatalog } from "../catalog.ts";
import { type ToolLists, type ToolSelection, type ToolView, toolView } from "../listing.ts";
import { argumentRefusal, namedArguments, unknownArguments, unknownText } from "./arguments.ts";
import { failureBody } from "./failure.ts";
import { fieldsOf, onlyFields, readFields, shortRows } from "./fields.ts";
import { unlistedTools } from "./unlisted.ts";
import { brief, briefDryRun, cutToPage, idNames, itemsThatFit, nextStepLast, withoutNulls } from "./shown.ts";

/** JSON as text for every client, and structured. */
export interface ToolAnswer {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly structuredContent?: { readonly [key: string]: unknown };
  readonly isError?: true;
  readonly [extra: string]: unknown;
}

/** Text alone: clients check structured content against the output schema, which no refusal fits. */
const failedCall = (body: Readonly<Record<string, unknown>>): ToolAnswer => ({
  content: [{ type: "text", text: JSON.stringify(body) }],
  isError: true,
});

/** Its outcome may set the transport's headers. */
export interface ToolCaller extends Pick<
  Call,
  "admission" | "requestId" | "traceparent" | "idempotencyKey" | "ifMatch" | "signal" | "progress"
> {
  /** Of the address, over HTTP. */
  readonly queried?: Queried;
  readonly seen?: (outcome: Outcome) => void;
  readonly selection?: ToolSelection;
}

export interface ToolParts {
  readonly runner: Pick<Runner, "run">;
  readonly catalog: ToolCatalog;
}

export interface CallParts extends ToolParts {
  /** Null: every tool is shown. */
  readonly lists: ToolLists | null;
}

/** Null: the credential was refused. */
const viewOf = async ({ lists }: CallParts, { admission, selection }: ToolCaller): Promise<ToolView | null> => {
  const caller = await admission.who();
  return isRefusal(caller) ? null : toolView(lists, caller, selection);
};

const contractOf = ({ catalog }: Pick<ToolParts, "catalog">, name: unknown): Contract | undefined =>
  typeof name === "string" ? catalog.byName.get(name) : undefined;

/**
 * What others wrote is marked here, whichever door shows it: an answer, a resource, a question to a person.
 * An unknown name is run too: credential and rate limit are refused first.
 */
export const runTool = async (
  parts: ToolParts,
  name: unknown,
  sent: unknown,
  { seen: _seen, selection: _selection, queried, ...from }: ToolCaller,
): Promise<Outcome> => {
  const contract = contractOf(parts, name);
  const outcome = await parts.runner.run({
    operation: contract?.name ?? "",
    door: "mcp",
    input: () => {
      if (contract === undefined) return { input: {} };
      const refused = argumentRefusal(contract, sent);
      if (refused !== null) throw new Refused(refused);
      return { input: namedArguments(contract, sent), ...queried };
    },
    ...from,
  });
  if (contract === undefined || outcome.kind === "bug") return outcome;
  if (outcome.kind === "refused") {
    const extras = markUntrusted(outcome.refusal.extras, wordsOfRefusals) as Members;
    return { ...outcome, refusal: { ...outcome.refusal, extras } };
  }
  return { ...outcome, output: markUntrusted(outcome.output, untrustedPlan(contract.output)) };
};

const takesLimit = ({ effect, input }: Contract): boolean =>
  effect === "read" && "limit" in ((input as { shape?: object }).shape ?? {});

type Done = Extract<Outcome, { kind: "done" }>;

interface DoneCall {
  readonly parts: CallParts;
  readonly contract: Contract;
  readonly sent: unknown;
  readonly from: ToolCaller;
  readonly done: Done;
}

const compact = ({ contract, done: { output, meta } }: Pick<DoneCall, "contract" | "done">): unknown =>
  withoutNulls(output, meta.dryRun ? idNames(output) : contract.secretOutput);

const briefOf = (call: Pick<DoneCall, "contract" | "done">): unknown =>
  call.done.meta.dryRun ? briefDryRun(compact(call)) : brief(shortRows(compact(call), call.contract.tool?.rows));

/** A list that is too long is read again with the limit that fits, so that its cursor is right. */
const pageOf = async (call: DoneCall): Promise<unknown> => {
  const { parts, contract, sent, from } = call;
  const shown = briefOf(call);
  const fitting = takesLimit(contract) ? itemsThatFit(shown) : null;
  if (fitting === null) return cutToPage(shown);
  const again = await runTool(parts, contract.name, { ...(sent as object), limit: fitting }, from);
  return cutToPage(again.kind === "done" ? briefOf({ contract, done: again }) : shown);
};

const shownPage = async (call: DoneCall): Promise<unknown> => {
  const { parts, contract, sent, from } = call;
  const unknown = unknownArguments(contract, sent).map(unknownText);
  const shown = nextStepLast(await pageOf(call));
  if (!isMembers(shown)) return shown;
  const view = await viewOf(parts, from);
  return {
    ...shown,
    ...(unknown.length > 0 ? { ignored_arguments: unknown } : {}),
    ...(view === null ? {} : unlistedTools(parts.catalog, view, shown, contract)),
  };
};

/** What is done stays done, so unknown fields of a write are only named. */
const shownOutput = async (call: DoneCall): Promise<unknown> => {
  const { contract, sent, done } = call;
  const fields = fieldsOf(sent);
  if (fields === null) return shownPage(call);
  if (fields.includes("*")) return done.output;
  const schema = entryOf(contract).outputSchema;
  const read = readFields({ schema, output: done.output }, fields);
  if ("paths" in read) return onlyFields(compact(call), read.paths);
  if (contract.effect === "read") throw new Refused(fieldRefusal("fields", read.unknown));
  const shown = await shownPage(call);
  return isMembers(shown) ? { ...shown, ignored_fields: read.unknown } : shown;
};

const doneAnswer = (output: unknown, done: Done): ToolAnswer => ({
  content: [{ type: "text", text: JSON.stringify(output) }],
  ...(isMembers(output) ? { structuredContent: output } : {}),
  ...(done.meta.replayed ? { _meta: { "parley/idempotency-replayed": true } } : {}),
});

/** A refusal is an `isError` result, never a protocol error. */
export const refusedAnswer = (
  parts: Pick<ToolParts, "catalog">,
  name: unknown,
  sent: unknown,
  outcome: Extract<Outcome, { kind: "refused" }>,
  view: ToolView | null = null,
): ToolAnswer => {
  const { catalog } = parts;
  const contract = contractOf(parts, name) ?? null;
  const unknown = contract === null ? [] : unknownArguments(contract, sent);
  const body = failureBody({ catalog, view, contract }, { outcome, sent, unknown });
  return failedCall(view === null ? body : { ...body, ...unlistedTools(catalog, view, body, contract) });
};

export const isUnknownTool = (outcome: Outcome): boolean =>
  outcome.kind === "refused" && outcome.refusal.code === "unknown_operation";

/** Null: there is no such tool. */
export const callTool = async (
  parts: CallParts,
  name: unknown,
  sent: unknown,
  from: ToolCaller,
): Promise<ToolAnswer | null> => {
  const outcome = await runTool(parts, name, sent, from);
  from.seen?.(outcome);
  if (isUnknownTool(outcome)) return null;
  if (outcome.kind === "bug") {
    const body = bugBody(outcome.requestId);
    return failedCall({ detail: body["message"], ...body });
  }
  if (outcome.kind === "refused") return refusedAnswer(parts, name, sent, outcome, await viewOf(parts, from));
  const contract = contractOf(parts, name) as Contract;
  try {
    return doneAnswer(await shownOutput({ parts, contract, sent, from, done: outcome }), outcome);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return refusedAnswer(parts, name, sent, refusedOutcome(contract, error.refusal), await viewOf(parts, from));
  }
};
