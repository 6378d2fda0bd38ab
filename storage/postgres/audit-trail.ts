import { mergedBack } from "../audit.ts";
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

async function* chainBack(ask: Ask, statements: Statements, chain: string, below: number): AsyncGenerator<AuditRecord> {
  for (let before = below; ;) {
    const page = await ask<{ record: string; seq: number }>(statements.auditPageBack, [chain, before]);
    for (const { record } of page) yield JSON.parse(record) as AuditRecord;
    const last = page.at(-1);
    if (last === undefined) return;
    before = last.seq;
  }
}

/** Each commit takes its time before it takes its place, so that a chain's records may differ by a moment in order. */
export async function* readAuditTrailBack(
  ask: Ask,
  statements: Statements,
  before: ReadonlyMap<string, number> | null,
): AsyncGenerator<AuditRecord> {
  const heads = await readAuditHeads(ask, statements);
  const walks = heads.map(({ chain, seq }) => {
    const below = before === null ? seq + 1 : Math.min(seq + 1, before.get(chain) ?? 0);
    return chainBack(ask, statements, chain, below);
  });
  yield* mergedBack(walks);
}
