import type { Call, Outcome } from "../operation.ts";
import { inSpan } from "../../neutral/trace.ts";
import type { Log } from "../ports.ts";
import type { AgentWatch } from "../watch.ts";

type Run = (call: Call) => Promise<Outcome>;

const endOf = (outcome: Outcome): { readonly outcome: string; readonly status: number } => {
  if (outcome.kind === "refused") return { outcome: outcome.refusal.code, status: outcome.status };
  return outcome.kind === "bug" ? { outcome: "internal_error", status: 500 } : { outcome: "done", status: 200 };
};

/**
 * Counts each call, makes it a span, notes its end for the line of its request, and writes a debug line. An unknown
 * operation is null: its name is the caller's own text. Nothing the caller sent is logged.
 */
export const withCallLog =
  (run: Run, isOperation: (name: string) => boolean, { log, watch }: { log: Log; watch: AgentWatch }): Run =>
  async (call) => {
    const startMs = performance.now();
    const operation = isOperation(call.operation) ? call.operation : null;
    const outcome = await inSpan(operation ?? "unknown operation", async ({ set, fail, traceparent }) => {
      const made = await run(traceparent === null ? call : { ...call, traceparent });
      set("parley.door", call.door);
      set("parley.outcome", endOf(made).outcome);
      if (made.kind === "bug") fail("internal_error");
      return made;
    });
    const seconds = (performance.now() - startMs) / 1000;
    const end = endOf(outcome);
    watch.called({ operation, door: call.door, outcome, seconds });
    call.admission.answered({ operation, outcome: end.outcome });
    log.debug?.(
      { request_id: call.requestId, operation, door: call.door, ...end, duration_ms: Math.round(seconds * 1000) },
      "call",
    );
    return outcome;
  };
