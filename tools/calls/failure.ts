import { isMembers } from "../../protocol/neutral/json-input.ts";
import type { Refusal, SchemaIssue } from "../../protocol/neutral/refusals.ts";
import { refusalBody } from "../../protocol/neutral/refusal-body.ts";
import type { Contract, Outcome } from "../../protocol/seam/operation.ts";
import type { ToolCatalog } from "../catalog.ts";
import type { ToolView } from "../listing.ts";
import { type UnknownArgument, unknownText } from "./arguments.ts";
import { operationsInstead, wayOn } from "./ways-on.ts";

const pathOf = ({ loc }: SchemaIssue): string => loc.slice(1).join(".");

const endedSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

const issueText = (issue: SchemaIssue): string => {
  const path = pathOf(issue);
  return endedSentence(path === "" ? issue.msg : `${path}: ${issue.msg}`);
};

const mostTexts = 8;

const cureOf = (
  { code, issues = [], message }: Refusal,
  tool: string | undefined,
  unknown: readonly UnknownArgument[],
): string => {
  const [more] = wayOn(code, tool);
  const plain = more === undefined ? [message] : [endedSentence(message), more];
  const texts = issues.length === 0 ? plain : issues.slice(0, mostTexts).map(issueText);
  return [...texts, ...unknown.map(unknownText)].join(" ");
};

export interface FailedTool {
  readonly catalog: ToolCatalog;
  /** Null: the credential was refused. */
  readonly view: ToolView | null;
  readonly contract: Contract | null;
}

/** Rather one that the caller was shown. */
const instead = ({ catalog, view }: FailedTool, { code }: Refusal): string | undefined => {
  const found = operationsInstead(code).flatMap((name) => catalog.byName.get(name) ?? []);
  if (view === null) return found[0]?.name;
  return (found.find(view.lists) ?? found.find(view.mayCall))?.name;
};

/** A caller looks for the name that it sent, not for the one that this is an alias of. */
const namedAsSent = (refusal: Refusal, contract: Contract | null, sent: unknown): Refusal => {
  const aliases = Object.entries(contract?.tool?.argumentAliases ?? {});
  if (refusal.issues === undefined || !isMembers(sent) || aliases.length === 0) return refusal;
  const issues = refusal.issues.map(({ loc: [source = "body", member, ...rest], ...issue }): SchemaIssue => {
    const used = aliases.find(([alias, name]) => name === member && sent[name] == null && sent[alias] != null)?.[0];
    return { ...issue, loc: [source, ...(member === undefined ? [] : [used ?? member]), ...rest] };
  });
  return { ...refusal, issues };
};

interface Failed {
  readonly outcome: Extract<Outcome, { kind: "refused" }>;
  readonly sent: unknown;
  readonly unknown: readonly UnknownArgument[];
}

/** Existing clients read `detail`: defects, else the sentence. */
export const failureBody = (of: FailedTool, { outcome, sent, unknown }: Failed): Readonly<Record<string, unknown>> => {
  const { status } = outcome;
  const refusal = namedAsSent(outcome.refusal, of.contract, sent);
  const field = refusal.issues?.map(pathOf).find((path) => path !== "");
  const tool = refusal.issues === undefined ? instead(of, refusal) : of.contract?.name;
  return {
    detail: refusal.message,
    ...refusalBody(refusal),
    ...(field === undefined ? {} : { field }),
    ...(unknown.length === 0 ? {} : { unknown_arguments: unknown.map(({ name }) => name) }),
    cure: cureOf(refusal, tool, unknown),
    ...(tool === undefined ? {} : { next_tool: tool }),
    status,
  };
};
