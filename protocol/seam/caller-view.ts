import { isoTime } from "../neutral/iso-time.ts";
import { type Caller, roleOf } from "./caller.ts";

/** The parts of a stored key that its holder may see. */
interface KeyRow {
  readonly label: string | null;
  readonly life: { readonly context: { readonly expiresAtMs: number | null } };
}

/** Who a caller is to an agent, without what the agent says of itself. */
export const callerView = (caller: Caller, tier: string, key: KeyRow | null) => {
  const expiresAtMs = key?.life.context.expiresAtMs ?? null;
  return {
    principal: caller.principal,
    role: roleOf(caller),
    label: caller.kind === "host" ? "host" : (key?.label ?? null),
    key_id: caller.keyId,
    owner: caller.owner,
    tier,
    verified: caller.verified,
    expires_at: expiresAtMs === null ? null : isoTime(expiresAtMs),
  };
};
