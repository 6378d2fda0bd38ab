import { randomUUID } from "node:crypto";
import type { Contract, Outcome } from "../../../protocol/seam/operation.ts";
import { operationsInstead, wayOn } from "../../../tools/calls/ways-on.ts";
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

const keyCodes: readonly string[] = ["invalid_api_key", "api_key_revoked", "api_key_expired"];

/** Where the key is right and not enough; without one the person who is signed in may do all. */
const roleCodes: readonly string[] = ["operator_required", "senior_review_required"];

export const keyCure =
  "Keys of a seller begin with ask_, those of a buyer agent with abk_; on its machine parley key create makes one.";

const hostKeyCure = `Leave PARLEY_KEY unset to act as the operator of this machine. ${keyCure}`;

const hostRoleCure = "The command acts as the holder of PARLEY_KEY: unset it to act as the operator of this machine.";

const endedSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** A refusal in sentences, for a person. */
export const refusalSentence = (outcome: Undone): string => {
  const { refusal } = outcome.kind === "refused" ? outcome : { refusal: null };
  const sentences = (refusal?.issues ?? []).map(({ loc, msg }) => `${loc.at(-1)}: ${msg}`);
  if (sentences.length > 0) return sentences.join("\n");
  const message = String(bodyOf(outcome)["message"]);
  const code = refusal?.code ?? "";
  if (keyCodes.includes(code)) return `${endedSentence(message)} ${hostKeyCure}`;
  return roleCodes.includes(code) ? `${endedSentence(message)} ${hostRoleCure}` : message;
};

/** The sentence with the operations that help, of an agent that has `contracts`. */
const cureSentence = (outcome: Undone, contracts: readonly Contract[]): string => {
  const said = refusalSentence(outcome);
  if (outcome.kind === "bug") return said;
  const { code } = outcome.refusal;
  const operation = operationsInstead(code).find((name) => contracts.some((contract) => contract.name === name));
  const [way] = [...keyCodes, ...roleCodes].includes(code) ? [] : wayOn(code, operation);
  return way === undefined ? said : `${endedSentence(said)} ${way}`;
};

/** A refusal goes to stderr: as its body for programs, else in sentences. The command then exits with 1. */
export const outputOf = async (host: AgentHost, call: HostCall, isForProgram = true): Promise<unknown> => {
  const outcome = await host.run(call);
  if (outcome.kind === "done") return outcome.output;
  if (!isForProgram) throw new StartFailure(cureSentence(outcome, host.contracts));
  process.stderr.write(`${JSON.stringify(bodyOf(outcome))}\n`);
  throw new ExitWith(1);
};

export const answerFor = async (host: AgentHost, call: HostCall): Promise<unknown> => {
  const outcome = await host.run(call);
  if (outcome.kind === "done") return outcome.output;
  throw new StartFailure(refusalSentence(outcome));
};
