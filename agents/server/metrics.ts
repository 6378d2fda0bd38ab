import type { DoorRoute } from "../../protocol/door/door.ts";
import { callerOf } from "../../protocol/door/door-call.ts";
import { Refused } from "../../protocol/neutral/refusals.ts";
import { accessRefusal } from "../../protocol/seam/run/gates.ts";
import { scopeOf } from "../../protocol/seam/scopes.ts";
import type { ChainHead, Store } from "../../storage/store.ts";

const shown = { group: "oversight", effect: "read", access: "operator" } as const;

const headers = { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" };

const line = ({ chain, seq, hash }: ChainHead, timeMs: number): string =>
  `parley_audit_records{chain="${chain}",hash="${hash}"} ${seq} ${timeMs}`;

/** Whoever collects it keeps the end of each audit chain away from the store, where a cut can be held against it. */
export const metricsRoute = (store: Pick<Store, "auditHeads">): DoorRoute => ({
  method: "GET",
  path: "/metrics",
  handle: async (request) => {
    const refusal = accessRefusal(shown, await callerOf(request));
    if (refusal?.code === "insufficient_scope") request.admission.lacks(scopeOf(shown));
    if (refusal !== null) throw new Refused(refusal);
    const heads = await store.auditHeads();
    const about = "# HELP parley_audit_records Records of an audit chain, with the hash of the last.";
    const lines = [about, "# TYPE parley_audit_records gauge", ...heads.map((head) => line(head, Date.now()))];
    return { status: 200, headers, body: `${lines.join("\n")}\n` };
  },
});
