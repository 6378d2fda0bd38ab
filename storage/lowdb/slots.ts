/** Slots of one block. */
const blockSlots = 32;

interface Block {
  readonly amounts: Float64Array;
  /** How many of the amounts are not zero. */
  used: number;
}

/**
 * Integer amounts by slot, zero where none was set. They lie in blocks and the block used last is at hand, because a
 * reservation walks the days of a flight one by one.
 */
export class Slots implements Iterable<readonly [slot: number, amount: number]> {
  readonly #blocks = new Map<number, Block>();
  #place = Number.NaN;
  #block: Block | undefined;

  constructor(amounts: Iterable<readonly [slot: number, amount: number]> = []) {
    for (const [slot, amount] of amounts) this.set(slot, amount);
  }

  /** How many slots a walk looks at: those of every block that has an amount, so 0 where no slot has one. */
  get size(): number {
    return this.#blocks.size * blockSlots;
  }

  get(slot: number): number {
    const place = Math.floor(slot / blockSlots);
    return this.#at(place)?.amounts[slot - place * blockSlots] ?? 0;
  }

  set(slot: number, amount: number): void {
    const place = Math.floor(slot / blockSlots);
    const block = this.#at(place) ?? (amount === 0 ? undefined : this.#add(place));
    if (block === undefined) return;
    const index = slot - place * blockSlots;
    if (block.amounts[index] !== 0) block.used -= 1;
    if (amount !== 0) block.used += 1;
    block.amounts[index] = amount;
    if (block.used === 0) this.#remove(place);
  }

  *[Symbol.iterator](): Generator<readonly [slot: number, amount: number]> {
    for (const [place, { amounts }] of this.#blocks) {
      for (const [index, amount] of amounts.entries()) if (amount !== 0) yield [place * blockSlots + index, amount];
    }
  }

  #at(place: number): Block | undefined {
    if (place !== this.#place) {
      this.#place = place;
      this.#block = this.#blocks.get(place);
    }
    return this.#block;
  }

  #add(place: number): Block {
    const block: Block = { amounts: new Float64Array(blockSlots), used: 0 };
    this.#blocks.set(place, block);
    this.#place = place;
    this.#block = block;
    return block;
  }

  #remove(place: number): void {
    this.#blocks.delete(place);
    this.#place = place;
    this.#block = undefined;
  }
}
