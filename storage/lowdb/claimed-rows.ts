import { HashIndex } from "./hash-index.ts";
import type { GoneRow, WrittenRow } from "./record.ts";

/** A row as commits under way will leave it; version 0: not there. */
export type ClaimedRow = WrittenRow | GoneRow;

/** Two to the power of it: what little is under way stays in the processor's cache. */
const fewShards = 4;

type Name = Pick<ClaimedRow, "kind" | "id">;

/**
 * The rows that commits under way write or remove, by kind and id. They come and go with every commit. A map makes
 * itself a new table every hundred or so of them, and the one before, if it is old, keeps alive what was in it until
 * the whole heap is collected; this one forgets a row where it stood.
 */
export class ClaimedRows {
  readonly #rows: (ClaimedRow | null)[] = [];
  readonly #free: number[] = [];
  readonly #places = new HashIndex<Name>((place, { kind, id }) => {
    const row = this.#rows[place];
    return row?.id === id && row.kind === kind;
  }, fewShards);

  /** Finds a row by its name and the hash of its id. */
  find(name: Name, hash: number): ClaimedRow | null {
    const place = this.#places.find(hash, name);
    return place === -1 ? null : (this.#rows[place] as ClaimedRow);
  }

  /** Puts a row in its place, that of what was claimed of it before, or behind the others. */
  put(row: ClaimedRow): void {
    if (row.place === -1) {
      row.place = this.#free.pop() ?? this.#rows.length;
      this.#places.add(row.hash, row.place);
    }
    this.#rows[row.place] = row;
  }

  /** Forgets a row, unless it was claimed again since. */
  forget(row: ClaimedRow): void {
    const { place } = row;
    if (this.#rows[place] !== row) return;
    this.#places.remove(row.hash, place);
    this.#rows[place] = null;
    this.#free.push(place);
  }
}
