import type { Call, Outcome } from "../operation.ts";
import type { Clock, Log } from "../ports.ts";

type Run = (call: Call) => Promise<Outcome>;

const endOf = (outcome: Outcome): { readonly outcome: string; readonly status: number } => {
  if (outcome.kind === "refused") return { outcome: outcome.refusal.code, status: outcome.status };
  return outcome.kind === "bug" ? { outcome: "internal_error", status: 500 } : { outcome: "done", status: 200 };
};

/**
 * Debug line per call. An unknown operation is null: its name is the caller's own text. Nothing the caller sent is
 * logged.
 */
export const withCallLog = (run: Run, isOperation: (name: string) => boolean, log: Log, clock: Clock): Run => {
  const { debug } = log;
  if (debug === undefined) return run;
  return async (call) => {
    const startMs = clock.nowMs();
    const outcome = await run(call);
    const operation = isOperation(call.operation) ? call.operation : null;
    const about = { request_id: call.requestId, operation, door: call.door };
    debug({ ...about, ...endOf(outcome), duration_ms: clock.nowMs() - startMs }, "call");
    return outcome;
  };
};
