import type { AuditRecord, ChainHead } from "../store.ts";
import type { Ask } from "./reader.ts";
import type { Statements } from "./statements.ts";

export const readAuditHeads = (ask: Ask, statements: Statements): Promise<readonly ChainHead[]> =>
  ask<ChainHead>(statements.auditHeads, []);

/** Each chain up to its head at the start of the walk. */
export async function* readAuditTrail(ask: Ask, statements: Statements): AsyncIterable<AuditRecord> {
  for (const head of await readAuditHeads(ask, statements)) {
    let seq = 0;
    for (;;) {
      const page = await ask<{ record: string; seq: number }>(statements.auditPage, [head.chain, seq, head.seq]);
      for (const { record } of page) yield JSON.parse(record) as AuditRecord;
      const last = page.at(-1);
      if (last === undefined) break;
      seq = last.seq;
    }
  }
}
