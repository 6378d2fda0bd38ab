import { randomUUID } from "node:crypto";
import type { Outcome } from "../../../protocol/seam/operation.ts";
import { bugBody, refusalBody } from "../../../protocol/neutral/refusal-body.ts";
import type { HostCall } from "../../host/control-socket.ts";
import type { AgentHost } from "../../host/host.ts";
import { StartFailure } from "../../../protocol/neutral/settings.ts";
import { ExitWith } from "../context.ts";

export const hostCall = (operation: string, input: unknown, more: Partial<HostCall> = {}): HostCall => ({
  operation,
  input,
  requestId: randomUUID(),
  key: null,
  idempotencyKey: null,
  dryRun: false,
  ...more,
});

type Undone = Exclude<Outcome, { readonly kind: "done" }>;

export const bodyOf = (outcome: Undone): Readonly<Record<string, unknown>> =>
  outcome.kind === "bug" ? bugBody(outcome.requestId) : { ...refusalBody(outcome.refusal), status: outcome.status };

/** A refusal goes to stderr as its body, for programs, and the command exits with 1. */
export const outputOf = async (host: AgentHost, call: HostCall): Promise<unknown> => {
  const outcome = await host.run(call);
  if (outcome.kind === "done") return outcome.output;
  process.stderr.write(`${JSON.stringify(bodyOf(outcome))}\n`);
  throw new ExitWith(1);
};

/** A refusal in sentences, for a person. */
export const refusalSentence = (outcome: Undone): string => {
  const issues = outcome.kind === "refused" ? (outcome.refusal.issues ?? []) : [];
  const sentences = issues.map(({ loc, msg }) => `${loc.at(-1)}: ${msg}`);
  return sentences.length === 0 ? String(bodyOf(outcome)["message"]) : sentences.join("\n");
};

export const answerFor = async (host: AgentHost, call: HostCall): Promise<unknown> => {
  const outcome = await host.run(call);
  if (outcome.kind === "done") return outcome.output;
  throw new StartFailure(refusalSentence(outcome));
};
