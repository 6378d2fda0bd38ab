import type { AuditRecord, ChainHead } from "../../storage/store.ts";
import type { AuditPorts } from "./ports.ts";

type Trail = Pick<AuditPorts["audit"], "heads" | "back">;

/** The store reads a chain back from any number: a block is read so, and turned. */
const blockSize = 100;

async function* chainForward(trail: Trail, { chain, seq: last }: ChainHead, behind: number) {
  for (let first = behind + 1; first <= last; first += blockSize) {
    const block: AuditRecord[] = [];
    for await (const record of trail.back(new Map([[chain, Math.min(first + blockSize, last + 1)]]))) {
      if (record.seq < first) break;
      block.push(record);
    }
    yield* block.reverse();
  }
}

/** The oldest first; where there are several chains, by time. Of each chain the records behind its number, or all. */
export async function* auditForward(
  trail: Trail,
  behind: ReadonlyMap<string, number>,
): AsyncGenerator<AuditRecord, void, undefined> {
  // Read at once: the caller moves the places on while it reads.
  const starts = new Map(behind);
  const walks = (await trail.heads()).map((head) => chainForward(trail, head, starts.get(head.chain) ?? 0));
  const next = new Map<(typeof walks)[number], AuditRecord>();
  const advance = async (walk: (typeof walks)[number]): Promise<void> => {
    const { value, done } = await walk.next();
    if (done === true) next.delete(walk);
    else next.set(walk, value);
  };
  await Promise.all(walks.map(advance));
  for (;;) {
    const [oldest] = [...next].sort(([, one], [, other]) => (one.at < other.at ? -1 : 1));
    if (oldest === undefined) return;
    yield oldest[1];
    await advance(oldest[0]);
  }
}

const recordAt = async (trail: Trail, chain: string, seq: number): Promise<AuditRecord | null> => {
  for await (const record of trail.back(new Map([[chain, seq + 1]]))) return record;
  return null;
};

/** By bisection: the numbers of a chain grow with its times. */
const placeBefore = async (trail: Trail, { chain, seq }: ChainHead, timeMs: number): Promise<number> => {
  let [low, high] = [0, seq];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const record = await recordAt(trail, chain, middle);
    if (record === null || Date.parse(record.at) < timeMs) low = middle;
    else high = middle - 1;
  }
  return low;
};

/** Of each chain the number of its last record before a time; null: from its beginning. */
export const placesAt = async (trail: Trail, timeMs: number | null): Promise<Map<string, number>> => {
  const heads = timeMs === null ? [] : await trail.heads();
  return new Map(
    await Promise.all(heads.map(async (head) => [head.chain, await placeBefore(trail, head, timeMs ?? 0)] as const)),
  );
};
