type Amount = readonly [slot: number, amount: number];

/** Integer amounts by slot, zero where none was set and never below. */
export class Slots implements Iterable<Amount> {
  readonly #amounts: Map<number, number>;

  constructor(amounts: Iterable<Amount> = []) {
    this.#amounts = new Map(amounts);
  }

  get isEmpty(): boolean {
    return this.#amounts.size === 0;
  }

  get(slot: number): number {
    return this.#amounts.get(slot) ?? 0;
  }

  set(slot: number, amount: number): void {
    if (amount > 0) this.#amounts.set(slot, amount);
    else this.#amounts.delete(slot);
  }

  /** Adds to each slot of a span, both ends included; one that would go below zero is zero. */
  add(fromSlot: number, toSlot: number, amount: number): void {
    for (let slot = fromSlot; slot <= toSlot; slot += 1) this.set(slot, this.get(slot) + amount);
  }

  largest(fromSlot: number, toSlot: number): number {
    let most = 0;
    for (const [, amount] of this.within(fromSlot, toSlot)) most = Math.max(most, amount);
    return most;
  }

  [Symbol.iterator](): Iterator<Amount> {
    return this.#amounts[Symbol.iterator]();
  }

  /** Those with an amount; a span may be of any length. */
  *within(fromSlot: number, toSlot: number): Generator<Amount> {
    if (this.#amounts.size < toSlot - fromSlot) {
      for (const entry of this.#amounts) if (entry[0] >= fromSlot && entry[0] <= toSlot) yield entry;
    } else {
      for (let slot = fromSlot; slot <= toSlot; slot += 1) {
        const amount = this.get(slot);
        if (amount > 0) yield [slot, amount];
      }
    }
  }
}
