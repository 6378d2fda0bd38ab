import { trustSetTo } from "../../../machines/trust/machine.ts";
import { dateOfSlot, slotOfDate, slotOfTime } from "../../../machines/inventory/dates.ts";
import { type RefusalCode, refusalTable } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { defineOperation } from "../../../protocol/seam/operation.ts";
import type { KnownCaller } from "../../audit/ports.ts";
import { listAuditWith } from "../../audit/skill.ts";
import { apiKeyKind } from "../api-keys/record.ts";
import { buyerOfKey } from "../buyers/view.ts";
import type { SellerContext } from "../context.ts";
import { buyerNameIn } from "../portfolio/buyer-names.ts";
import { normalisedUrl } from "../registry/agent-url.ts";
import { agentAtUrl } from "../registry/by-url.ts";
import { agentEvent } from "../registry/events.ts";
import type { AgentRow } from "../registry/record.ts";
import * as contract from "./contract.ts";
import { drawn } from "./machines.ts";
import { countsIn, sumOfCounts } from "./day-counts.ts";

export const blockAgent = defineOperation(contract.blockAgent, async (context: SellerContext, input) => {
  const url = normalisedUrl(input.agent_url);
  if (url === null) return fieldRefusal("agent_url", "An http or https URL.");
  const { before, isKnown, write } = await agentAtUrl(context, url);
  const life = trustSetTo({ value: before.trust_status, context: {} }, "blocked", context.nowMs);
  const notes = input.notes == null || input.notes === "" ? before.notes : input.notes;
  const row: AgentRow = { ...before, trust_status: life.value, notes };
  const isNew = before.trust_status !== row.trust_status;
  return {
    output: {
      agent_id: row.agent_id,
      agent_url: url,
      trust_status: "blocked" as const,
      is_blocked: true as const,
      was_known: isKnown,
      notes: row.notes,
    },
    changes: write(row),
    events: isNew ? [agentEvent("agent.trust_changed", row, { previous_status: before.trust_status })] : [],
  };
});

const keyPrefix = "key:";

/** The label of an operator's key, or the buyer that a key is of. */
const callerOf = async (context: SellerContext, principal: string): Promise<KnownCaller | null> => {
  const found = principal.startsWith(keyPrefix)
    ? await context.load(apiKeyKind, principal.slice(keyPrefix.length))
    : null;
  if (found === null) return null;
  const { body: key } = found;
  return { role: key.role, name: key.label ?? buyerNameIn(buyerOfKey(key), key) };
};

export const listAudit = listAuditWith(callerOf);

export { verifyAudit } from "../../audit/skill.ts";

const usualDays = 7;
const mostDays = 91;
const mostNames = 200;

const isCode = (name: string): name is RefusalCode => Object.hasOwn(refusalTable, name);

export const listRefusals = defineOperation(contract.listRefusals, async (context: SellerContext, input) => {
  const { since, by } = input;
  const toSlot = slotOfTime(context.nowMs);
  const fromSlot = since == null || since === "" ? toSlot - usualDays + 1 : slotOfDate(since);
  if (fromSlot === null) return fieldRefusal("since", "Send a day as YYYY-MM-DD.");
  if (fromSlot > toSlot) return fieldRefusal("since", "since lies in the future.");
  if (toSlot - fromSlot >= mostDays) return fieldRefusal("since", "since lies more than 90 days ago.");
  const counts = (await countsIn(context, { fromSlot, toSlot }))[by];
  const sorted = Object.entries(counts).sort(([one, many], [other, more]) => more - many || one.localeCompare(other));
  return {
    output: {
      since: dateOfSlot(fromSlot) ?? "",
      until: dateOfSlot(toSlot) ?? "",
      by,
      total: sumOfCounts(counts),
      refusals: sorted.slice(0, mostNames).map(([name, count]) => ({
        name,
        count,
        ...(by === "code" && isCode(name) && { meaning: refusalTable[name].message }),
      })),
    },
  };
});

export const describeMachine = defineOperation(contract.describeMachine, async (_context: SellerContext, { kind }) => ({
  output: { kind, ...drawn(kind) },
}));
