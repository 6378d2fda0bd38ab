import { isoTime } from "../../protocol/neutral/iso-time.ts";
import { isRefusal } from "../../protocol/neutral/refusals.ts";
import { type Context, defineOperation, type Operation } from "../../protocol/seam/operation.ts";
import { momentsBetween } from "../date-filter.ts";
import * as contract from "./contract.ts";
import { auditPage } from "./page.ts";
import type { AuditPorts, KnownCaller } from "./ports.ts";

/** `callerOf` says whose credential a record names; null: of nobody that the agent knows. */
export const listAuditWith = <P extends AuditPorts>(
  callerOf: (context: Context<P>, principal: string) => Promise<KnownCaller | null>,
): Operation<P> =>
  defineOperation(contract.listAudit, async (context: Context<P>, input) => {
    const times = momentsBetween({ from: "since", to: "until" }, input.since, input.until);
    if (isRefusal(times)) return times;
    const page = await auditPage(context.ports, (principal) => callerOf(context, principal), input, times);
    return isRefusal(page) ? page : { output: page };
  });

export const verifyAudit = defineOperation(contract.verifyAudit, async ({ ports, nowMs }: Context<AuditPorts>) => {
  const heads = (await ports.audit.heads()).map(({ chain, seq, hash }) => ({ chain, records: seq, hash }));
  const verdict = await ports.audit.verify();
  const checked = { checked_at: isoTime(nowMs), heads };
  if (verdict.ok) {
    const { records, chains } = verdict;
    return { output: { whole: true, records, chains, ...checked, first_broken: null } };
  }
  const { chain, seq, reason } = verdict;
  return { output: { whole: false, records: null, chains: null, ...checked, first_broken: { chain, seq, reason } } };
});
