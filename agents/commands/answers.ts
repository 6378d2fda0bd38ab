import { randomUUID } from "node:crypto";
import type { Outcome } from "../../protocol/seam/operation.ts";
import { bugBody, refusalBody } from "../../protocol/neutral/refusal-body.ts";
import type { HostCall } from "../host/control-socket.ts";
import type { AgentHost } from "../host/host.ts";
import { ExitWith } from "./context.ts";

/** A command's call with the usual blanks filled in. */
export const hostCall = (operation: string, input: unknown, more: Partial<HostCall> = {}): HostCall => ({
  operation,
  input,
  requestId: randomUUID(),
  key: null,
  idempotencyKey: null,
  dryRun: false,
  ...more,
});

/** The output of a call; a refusal goes to stderr as its body, and the command ends with 1. */
export const outputOf = async (host: AgentHost, call: HostCall): Promise<unknown> => {
  const outcome: Outcome = await host.run(call);
  if (outcome.kind === "done") return outcome.output;
  const body =
    outcome.kind === "bug" ? bugBody(outcome.requestId) : { ...refusalBody(outcome.refusal), status: outcome.status };
  process.stderr.write(`${JSON.stringify(body)}\n`);
  throw new ExitWith(1);
};
