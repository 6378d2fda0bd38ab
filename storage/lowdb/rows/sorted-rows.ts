import type { Row } from "./record.ts";

type Key = Pick<Row, "n" | "dueAtMs">;

type Compare = (one: Key, other: Key) => number;

const byCreation: Compare = (one, other) => one.n - other.n;

/** Deadline order, creation order among equals; both rows have a deadline. */
export const byDeadline: Compare = (one, other) => (one.dueAtMs ?? 0) - (other.dueAtMs ?? 0) || one.n - other.n;

/** A walk in creation order, or backwards, that begins after a row (exclusive) and skips `offset` rows. */
export interface Walk {
  readonly order: "newest" | "oldest";
  readonly after: number | undefined;
  readonly offset: number;
}

const chunkRows = 512;

/** Rows in order, in chunks of which none is empty: one array would move half a million entries for each insert. */
export class SortedRows {
  readonly #chunks: Row[][] = [];
  readonly #compare: Compare;
  #size = 0;

  constructor(compare: Compare = byCreation) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds a row, which must not be in here yet. */
  insert(row: Row): void {
    this.#size += 1;
    const last = this.#chunks.at(-1);
    // Most rows come in order.
    if (last === undefined || this.#compare(last.at(-1) as Row, row) < 0) {
      if (last === undefined || last.length === chunkRows) this.#chunks.push([row]);
      else last.push(row);
      return;
    }
    const at = this.#chunkFor(row);
    const chunk = this.#chunks[at] as Row[];
    chunk.splice(this.#indexFor(chunk, row), 0, row);
    if (chunk.length > chunkRows) this.#chunks.splice(at + 1, 0, chunk.splice(chunkRows >>> 1));
  }

  /** Removes a row; what it is sorted by must not have changed since it was inserted. */
  delete(row: Row): void {
    const at = this.#chunkFor(row);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return;
    const index = this.#indexFor(chunk, row);
    if (chunk[index] !== row) return;
    this.#size -= 1;
    chunk.splice(index, 1);
    if (chunk.length === 0) this.#chunks.splice(at, 1);
  }

  has(row: Row): boolean {
    const chunk = this.#chunks[this.#chunkFor(row)];
    return chunk?.[this.#indexFor(chunk, row)] === row;
  }

  /** The rows must not change between two steps of the walk. */
  *walk({ order, after, offset }: Walk): Generator<Row> {
    const step = order === "oldest" ? 1 : -1;
    let { at, index } = this.#startOf(order, after);
    for (let skip = offset; at >= 0 && at < this.#chunks.length; at += step) {
      const chunk = this.#chunks[at] as Row[];
      if (index === null) index = step === 1 ? 0 : chunk.length - 1;
      const left = step === 1 ? chunk.length - index : index + 1;
      const skipped = Math.min(skip, left);
      skip -= skipped;
      for (index += skipped * step; index >= 0 && index < chunk.length; index += step) yield chunk[index] as Row;
      index = null;
    }
  }

  /** Where a walk begins; `index` null is the near end of the chunk. */
  #startOf(order: Walk["order"], after: number | undefined): { at: number; index: number | null } {
    if (after === undefined) return { at: order === "oldest" ? 0 : this.#chunks.length - 1, index: null };
    const place = { n: order === "oldest" ? after + 1 : after, dueAtMs: null };
    const at = this.#chunkFor(place);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return { at: order === "oldest" ? at : at - 1, index: null };
    const index = this.#indexFor(chunk, place);
    if (order === "oldest") return { at, index };
    return index === 0 ? { at: at - 1, index: null } : { at, index: index - 1 };
  }

  /** The first chunk whose last row does not stand before the key. */
  #chunkFor(key: Key): number {
    let [low, high] = [0, this.#chunks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare((this.#chunks[middle] as Row[]).at(-1) as Row, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #indexFor(chunk: readonly Row[], key: Key): number {
    let [low, high] = [0, chunk.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(chunk[middle] as Row, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
