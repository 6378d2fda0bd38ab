import type { KnownCaller } from "../../audit/ports.ts";
import { listAuditWith } from "../../audit/skill.ts";
import { operatorKeyKind } from "../operator-keys/record.ts";
import type { BuyerContext } from "../ports.ts";

/** Keys and access tokens of a buyer are its operators'; the legacy key of the environment has no row. */
const credential = /^(key|token):(.+)$/;

const callerOf = async (context: BuyerContext, principal: string): Promise<KnownCaller | null> => {
  const [, kind, id] = credential.exec(principal) ?? [];
  if (id === undefined) return null;
  const key = kind === "key" ? await context.load(operatorKeyKind, id) : null;
  return { role: key?.body.role ?? "operator", name: key?.body.label ?? null };
};

export const listAudit = listAuditWith(callerOf);

export { verifyAudit } from "../../audit/skill.ts";
