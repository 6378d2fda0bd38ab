import { type Admission, hostAdmission } from "../../protocol/seam/admission.ts";
import type { Contract, Outcome } from "../../protocol/seam/operation.ts";
import type { Runner } from "../../protocol/seam/run/run.ts";
import { verifyAuditTrail } from "../../storage/audit.ts";
import type { Store } from "../../storage/store.ts";
import { mintConsoleCode } from "../console/codes.ts";
import {
  type AuditReport,
  callThroughSocket,
  type ControlAnswer,
  type ControlRequest,
  type HostCall,
} from "./control-socket.ts";
import { StartFailure } from "../../protocol/neutral/settings.ts";
import type { AgentName } from "./store-location.ts";

/**
 * Reaches an agent through the process that serves its data directory or, without one, through the store.
 */
export interface AgentHost {
  run(call: HostCall): Promise<Outcome>;
  /** `expect`: the hash of a record that must be there. */
  verifyAudit(expect?: string): Promise<AuditReport>;
  /** Signs in to the console once, as the holder of the key. */
  consoleCode(keyId: string): Promise<string>;
  /** Where it is served; null: nobody serves it, or an older build that does not say. */
  address(): Promise<string | null>;
  readonly contracts: readonly Contract[];
  /** No other process can change its store meanwhile. */
  readonly isAlone: boolean;
  close(): Promise<void>;
}

/** What an agent answers wherever it is; its address is known to the server alone. */
type Asked = Exclude<ControlRequest, { readonly ask: "address" }>;

const admissionOf = (runner: Runner, key: string | null): Admission =>
  key === null ? hostAdmission : runner.admit({ apiKey: key, authorization: null, address: "host" });

export const serveHostRequest = async (runner: Runner, store: Store, request: Asked): Promise<ControlAnswer> => {
  if (request.ask === "audit") {
    // Heads first: the trail may grow while it is read.
    const heads = await store.auditHeads();
    return { answer: "audit", verdict: await verifyAuditTrail(store.auditTrail(), heads, request.expect), heads };
  }
  if (request.ask === "console-code") {
    return { answer: "console-code", code: await mintConsoleCode(store, request.keyId, Date.now()) };
  }
  const { call } = request;
  const outcome = await runner.run({
    operation: call.operation,
    door: "host",
    admission: admissionOf(runner, call.key),
    requestId: call.requestId,
    input: () => ({ input: call.input, dryRun: call.dryRun }),
    idempotencyKey: call.idempotencyKey,
  });
  return { answer: "outcome", outcome };
};

type Ask = (request: Asked) => Promise<ControlAnswer>;

const unanswered = (answer: ControlAnswer): Error =>
  answer.answer === "failure"
    ? new StartFailure(answer.message)
    : new Error("The agent answered something else than was asked.");

export const hostOver = (
  ask: Ask,
  contracts: readonly Contract[],
  close: () => Promise<void>,
  more: Partial<Pick<AgentHost, "address" | "isAlone">> = {},
): AgentHost => ({
  contracts,
  close,
  address: () => Promise.resolve(null),
  isAlone: false,
  ...more,
  run: async (call) => {
    const answer = await ask({ ask: "run", call });
    if (answer.answer !== "outcome") throw unanswered(answer);
    return answer.outcome;
  },
  verifyAudit: async (expect) => {
    const answer = await ask({ ask: "audit", ...(expect === undefined ? {} : { expect }) });
    if (answer.answer !== "audit") throw unanswered(answer);
    return answer;
  },
  consoleCode: async (keyId) => {
    const answer = await ask({ ask: "console-code", keyId });
    if (answer.answer !== "console-code") throw unanswered(answer);
    return answer.code;
  },
});

export const hostThroughSocket = (dir: string, agent: AgentName, contracts: readonly Contract[]): AgentHost =>
  hostOver(
    (request) => callThroughSocket(dir, { ...request, agent }),
    contracts,
    () => Promise.resolve(),
    {
      address: async () => {
        const answer = await callThroughSocket(dir, { ask: "address", agent }).catch(() => null);
        return answer?.answer === "address" ? answer.url : null;
      },
    },
  );
