/** Slots of one block. */
const blockSlots = 32;

interface Block {
  readonly amounts: Float64Array;
  /** How many of the amounts are not zero. */
  used: number;
}

/** Folds amounts from one index to another, both included. */
type Fold = (folded: number, amounts: Float64Array, from: number, to: number) => number;

const largest: Fold = (folded, amounts, from, to) => {
  let most = folded;
  for (let index = from; index <= to; index += 1) most = Math.max(most, amounts[index] as number);
  return most;
};

const sum: Fold = (folded, amounts, from, to) => {
  let total = folded;
  for (let index = from; index <= to; index += 1) total += amounts[index] as number;
  return total;
};

const addIn = (block: Block, amount: number, from: number, to: number): void => {
  const { amounts } = block;
  for (let index = from; index <= to; index += 1) {
    const before = amounts[index] as number;
    const after = Math.max(0, before + amount);
    amounts[index] = after;
    if (before !== 0) block.used -= 1;
    if (after !== 0) block.used += 1;
  }
};

const placeOf = (slot: number): number => Math.floor(slot / blockSlots);

/**
 * Integer amounts by slot, zero where none was set and never below. They lie in blocks and a span is worked on block by
 * block, because a reservation is of all days of a flight.
 */
export class Slots implements Iterable<readonly [slot: number, amount: number]> {
  readonly #blocks = new Map<number, Block>();

  constructor(amounts: Iterable<readonly [slot: number, amount: number]> = []) {
    for (const [slot, amount] of amounts) this.set(slot, amount);
  }

  /** Whether every amount is zero. */
  get isEmpty(): boolean {
    return this.#blocks.size === 0;
  }

  get(slot: number): number {
    return this.sum(slot, slot);
  }

  set(slot: number, amount: number): void {
    this.add(slot, slot, amount - this.get(slot));
  }

  /** Adds to each slot of a span, both ends included; one that would go below zero is zero. */
  add(fromSlot: number, toSlot: number, amount: number): void {
    const last = placeOf(toSlot);
    for (let place = placeOf(fromSlot); place <= last; place += 1) {
      const block = this.#blocks.get(place) ?? { amounts: new Float64Array(blockSlots), used: 0 };
      const first = place * blockSlots;
      addIn(block, amount, Math.max(fromSlot - first, 0), Math.min(toSlot - first, blockSlots - 1));
      if (block.used === 0) this.#blocks.delete(place);
      else this.#blocks.set(place, block);
    }
  }

  /** The largest amount of a span. */
  largest(fromSlot: number, toSlot: number): number {
    return this.#fold(fromSlot, toSlot, largest);
  }

  /** The sum of the amounts of a span. */
  sum(fromSlot: number, toSlot: number): number {
    return this.#fold(fromSlot, toSlot, sum);
  }

  *[Symbol.iterator](): Generator<readonly [slot: number, amount: number]> {
    for (const [place, { amounts }] of this.#blocks) {
      for (const [index, amount] of amounts.entries()) if (amount !== 0) yield [place * blockSlots + index, amount];
    }
  }

  /** Walks the blocks of the span or those in use, whichever are fewer. */
  #fold(fromSlot: number, toSlot: number, fold: Fold): number {
    const [from, to] = [placeOf(fromSlot), placeOf(toSlot)];
    let folded = 0;
    const take = (place: number, { amounts }: Block): void => {
      const first = place * blockSlots;
      folded = fold(folded, amounts, Math.max(fromSlot - first, 0), Math.min(toSlot - first, blockSlots - 1));
    };
    if (this.#blocks.size < to - from) {
      for (const [place, block] of this.#blocks) if (place >= from && place <= to) take(place, block);
    } else {
      for (let place = from; place <= to; place += 1) {
        const block = this.#blocks.get(place);
        if (block !== undefined) take(place, block);
      }
    }
    return folded;
  }
}
