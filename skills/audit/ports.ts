import type { Role } from "../../protocol/seam/caller.ts";
import type { Store } from "../../storage/store.ts";

/** On a fault, the first record that does not fit. */
export type AuditCheck =
  | { readonly ok: true; readonly records: number; readonly chains: number }
  | { readonly ok: false; readonly chain: string; readonly seq: number; readonly reason: string };

export interface AuditPorts {
  readonly audit: {
    readonly heads: Store["auditHeads"];
    readonly back: Store["auditTrailBack"];
    readonly verify: () => Promise<AuditCheck>;
  };
}

/** What an agent knows of a caller that the trail names. */
export interface KnownCaller {
  readonly role: Role;
  readonly name: string | null;
}
