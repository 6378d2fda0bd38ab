import { taskKind } from "../../../protocol/a2a/tasks/task-row.ts";
import { pushConfigKind } from "../../../protocol/a2a/push/record.ts";
import { eventKind } from "../../../protocol/seam/events.ts";
import { idempotencyKind } from "../../../protocol/seam/run/idempotency.ts";
import { accountKind } from "../../../skills/seller/accounts/record.ts";
import { apiKeyKind, type ApiKeyRow, operatorLabelKind } from "../../../skills/seller/api-keys/record.ts";
import { creativeKind } from "../../../skills/seller/creatives/record.ts";
import { handoverKind } from "../../../skills/seller/handovers/record.ts";
import { negotiationKind } from "../../../skills/seller/negotiation/record.ts";
import { type DayCountsRow, dayCountsKind, inEachGroup } from "../../../skills/seller/oversight/day-counts.ts";
import { planKind } from "../../../skills/seller/plans/record.ts";
import { proposalKind } from "../../../skills/seller/proposals/record.ts";
import { agentAddressKind, agentKind, trustVerificationKind } from "../../../skills/seller/registry/record.ts";
import { sessionKind, sessionMessageKind } from "../../../skills/seller/sessions/record.ts";
import { exchangeKind } from "../../../skills/seller/talk/exchanges.ts";
import { conversationKind } from "../../../skills/seller/talk/memory.ts";
import { deliveryKind, webhookKind } from "../../../skills/seller/webhooks/record.ts";
import { deskKind } from "../../../skills/talk/gate/record.ts";
import { put, type StoredRow } from "../../../storage/store.ts";
import { consoleCodeKind, consoleSessionKind } from "../../console/session-row.ts";
import { about, type ForgetRule, isOwn, mentioning, ofMember, ofOwner, removing } from "../../host/forget-rules.ts";
import type { ForgetRules } from "../../host/forgetting.ts";
import { findBuyer } from "./buyers.ts";
import { salesRules } from "./sales.ts";

/** A session that nobody proved to own may say whose it is. */
const sessions = removing(sessionKind.name, (row, of) => {
  const { claimed } = row.body as { readonly claimed?: Readonly<Record<string, string>> };
  return isOwn(row, of) || Object.values(claimed ?? {}).includes(of.subject.value);
});

const offers = removing("offers", ({ body }, { subject }) => subject.parties.has((body as { party: string }).party));

/** Counts of a day stay, under the pseudonym. */
const dayCounts: ForgetRule = {
  kind: dayCountsKind.name,
  fate: (row, { subject, pseudonym }) => {
    const { body, id, version } = row as StoredRow<DayCountsRow>;
    const isTheirs = (name: string): boolean => subject.owners.has(name);
    if (!Object.values(body.counts).some((group) => Object.keys(group).some(isTheirs))) return null;
    const counts = inEachGroup((group) => {
      const sums = new Map<string, number>();
      for (const [name, count] of Object.entries(body.counts[group] ?? {})) {
        const kept = isTheirs(name) ? pseudonym : name;
        sums.set(kept, (sums.get(kept) ?? 0) + count);
      }
      return Object.fromEntries(sums);
    });
    return { replaced: [put(dayCountsKind, id, version, { ...body, counts })] };
  },
};

const keys = removing(apiKeyKind.name, (row, { subject }) => subject.keyIds.has((row.body as ApiKeyRow).key_id));

const keyIds = ({ subject }: Parameters<ForgetRule["fate"]>[1]): ReadonlySet<string> => subject.keyIds;

/** What becomes of each kind of rows that may name a buyer; docs/data.md says why. */
export const sellerForgetRules: ForgetRules = {
  find: findBuyer,
  rules: [
    ...salesRules,
    ...ofOwner(proposalKind.name, negotiationKind.name, planKind.name, handoverKind.name, creativeKind.name),
    ...ofOwner(accountKind.name),
    offers,
    sessions,
    ofMember(sessionMessageKind.name, "session_id", ({ ids }) => ids),
    ...ofOwner(conversationKind.name, exchangeKind.name, deskKind.name),
    mentioning(trustVerificationKind.name),
    ...ofOwner(taskKind.name, pushConfigKind.name, "a2a_push_delivery"),
    mentioning(eventKind.name),
    ...ofOwner(webhookKind.name),
    ofMember(deliveryKind.name, "event_id", ({ ids }) => ids),
    dayCounts,
    ofMember(consoleSessionKind.name, "key_id", keyIds),
    ofMember(consoleCodeKind.name, "key_id", keyIds),
    about(idempotencyKind.name),
    ofMember(operatorLabelKind.name, "key_id", keyIds),
    ofMember(agentAddressKind.name, "agent_id", ({ subject }) => subject.agentIds),
  ],
  last: [ofMember(agentKind.name, "agent_id", ({ subject }) => subject.agentIds), keys],
};
