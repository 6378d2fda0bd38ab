import { type Admission, hostAdmission } from "../../protocol/seam/admission.ts";
import type { Contract, Outcome } from "../../protocol/seam/operation.ts";
import type { Runner } from "../../protocol/seam/run.ts";
import { type AuditVerdict, verifyAuditTrail } from "../../storage/audit.ts";
import type { Store } from "../../storage/store.ts";
import { callThroughSocket, type ControlAnswer, type ControlRequest, type HostCall } from "./control-socket.ts";
import { StartFailure } from "../settings.ts";

/**
 * An agent as a command on its host reaches it: through the process that holds its folder, or, when nobody does,
 * through the store opened by the command itself (decision 67).
 */
export interface AgentHost {
  run(call: HostCall): Promise<Outcome>;
  verifyAudit(): Promise<AuditVerdict>;
  readonly contracts: readonly Contract[];
  close(): Promise<void>;
}

/** The admission of a command: of a key where one is given, else of the operator of the host. */
const admissionOf = (runner: Runner, key: string | null): Admission =>
  key === null ? hostAdmission : runner.admit({ apiKey: key, authorization: null, address: "host" });

/** Carries out a command's request in the process that has the store open. */
export const serveHostRequest = async (
  runner: Runner,
  store: Store,
  request: ControlRequest,
): Promise<ControlAnswer> => {
  if (request.ask === "audit") {
    // The heads first: the trail may grow while it is read, and must not be held against heads that it cannot have.
    const heads = await store.auditHeads();
    return { answer: "audit", verdict: await verifyAuditTrail(store.auditTrail(), heads) };
  }
  const { call } = request;
  const outcome = await runner.run({
    operation: call.operation,
    door: "host",
    admission: admissionOf(runner, call.key),
    requestId: call.requestId,
    input: () => call.input,
    idempotencyKey: call.idempotencyKey,
    dryRun: call.dryRun,
  });
  return { answer: "outcome", outcome };
};

type Ask = (request: ControlRequest) => Promise<ControlAnswer>;

/** Why nothing was answered: the store's own words, which name the cure. */
const unanswered = (answer: ControlAnswer): Error =>
  answer.answer === "failure"
    ? new StartFailure(answer.message)
    : new Error("The agent answered something else than was asked.");

/** An agent behind anything that carries out requests: the store of this process, or the socket of another. */
export const hostOver = (ask: Ask, contracts: readonly Contract[], close: () => Promise<void>): AgentHost => ({
  contracts,
  close,
  run: async (call) => {
    const answer = await ask({ ask: "run", call });
    if (answer.answer !== "outcome") throw unanswered(answer);
    return answer.outcome;
  },
  verifyAudit: async () => {
    const answer = await ask({ ask: "audit" });
    if (answer.answer !== "audit") throw unanswered(answer);
    return answer.verdict;
  },
});

/** The agent that another process serves from a folder. */
export const hostThroughSocket = (dir: string, contracts: readonly Contract[]): AgentHost =>
  hostOver(
    (request) => callThroughSocket(dir, request),
    contracts,
    () => Promise.resolve(),
  );
