import { randomUUID } from "node:crypto";
import { isoTime } from "../../protocol/neutral/iso-time.ts";
import type { AuditEntry } from "../../storage/store.ts";

export const auditEntry = (nowMs: number, operation: string, door: string, principal: string): AuditEntry => ({
  at: isoTime(nowMs),
  request_id: randomUUID(),
  operation,
  door,
  principal,
});
