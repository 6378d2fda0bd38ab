import { randomInt } from "node:crypto";

/** True when the value stands for the key. It is asked only where the hashes are equal. */
type IsOf<K> = (value: number, key: K) => boolean;

const manyShards = 12;

/** A secret seed for `hashOf`. */
export const newSeed = (): number => randomInt(2 ** 31);

/** A hash of 32 bits. With a secret seed nobody can choose texts that fall on one place. */
export const hashOf = (text: string, seed: number): number => {
  let hash = seed;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
};

/** Where the place behind another one is; `last` is the last word of a shard. */
const nextPlace = (at: number, last: number): number => (at + 2) & last;

const homeOf = (hash: number, last: number): number => (hash << 1) & last;

/** Words of a shard at a level. */
const wordsAt = (level: number): number => 2 << level;

/**
 * Integers from 0 to 2^31 - 2 by the hash of what they stand for, several by one hash if need be. They lie outside the
 * heap, so that millions of them cost the collector nothing, and in shards, so that none has to move many to grow. A
 * place takes two words: a hash, and a value plus one, zero where the place is free; at least one of a shard is.
 *
 * All shards of a level lie in one array, and a shard that is half full moves to the next level, where it has twice the
 * places. So what a look-up needs beside the place itself is small and near: an array for each shard was two more
 * misses of the processor's cache, for which a look-up waited as long as for the place. Pages of a large array that no
 * shard has come to yet take no memory.
 */
export class HashIndex<K> {
  readonly #isOf: IsOf<K>;
  readonly #shift: number;
  readonly #levels: (Int32Array | null)[];
  readonly #shardsAt: number[];
  readonly #levelOf: Uint8Array;
  readonly #counts: Uint32Array;

  /** An index that holds few values at any time needs few shards: two to the power of `shardBits`, at least one bit. */
  constructor(isOf: IsOf<K>, shardBits = manyShards) {
    const shards = 1 << shardBits;
    this.#isOf = isOf;
    this.#shift = 32 - shardBits;
    this.#levels = [new Int32Array(shards * wordsAt(0))];
    this.#shardsAt = [shards];
    this.#levelOf = new Uint8Array(shards);
    this.#counts = new Uint32Array(shards);
  }

  /** The value that stands for the key; -1: none. */
  find(hash: number, key: K): number {
    const shard = hash >>> this.#shift;
    const size = this.#sizeOf(shard);
    const words = this.#wordsOf(shard);
    const start = shard * size;
    for (let at = homeOf(hash, size - 1); words[start + at + 1] !== 0; at = nextPlace(at, size - 1)) {
      if (words[start + at] !== hash) continue;
      const value = (words[start + at + 1] as number) - 1;
      if (this.#isOf(value, key)) return value;
    }
    return -1;
  }

  /** All values that stand for the key. */
  findAll(hash: number, key: K): number[] {
    const shard = hash >>> this.#shift;
    const size = this.#sizeOf(shard);
    const words = this.#wordsOf(shard);
    const start = shard * size;
    const found: number[] = [];
    for (let at = homeOf(hash, size - 1); words[start + at + 1] !== 0; at = nextPlace(at, size - 1)) {
      const value = (words[start + at + 1] as number) - 1;
      if (words[start + at] === hash && this.#isOf(value, key)) found.push(value);
    }
    return found;
  }

  /** How many values are there by one hash. */
  count(hash: number): number {
    const shard = hash >>> this.#shift;
    const size = this.#sizeOf(shard);
    const words = this.#wordsOf(shard);
    const start = shard * size;
    let count = 0;
    for (let at = homeOf(hash, size - 1); words[start + at + 1] !== 0; at = nextPlace(at, size - 1)) {
      if (words[start + at] === hash) count += 1;
    }
    return count;
  }

  /** Adds a value that is not there yet. */
  add(hash: number, value: number): void {
    const shard = hash >>> this.#shift;
    const count = (this.#counts[shard] as number) + 1;
    this.#counts[shard] = count;
    if (count * 4 > this.#sizeOf(shard)) this.#grow(shard);
    this.#put(shard, hash, value + 1);
  }

  /** Takes a value out that is there. Those behind it that had stepped aside move up. */
  remove(hash: number, value: number): void {
    const shard = hash >>> this.#shift;
    const words = this.#wordsOf(shard);
    const size = this.#sizeOf(shard);
    const start = shard * size;
    const last = size - 1;
    let free = this.#placeOf(shard, hash, value);
    for (let at = nextPlace(free, last); words[start + at + 1] !== 0; at = nextPlace(at, last)) {
      const aside = (at - homeOf(words[start + at] as number, last)) & last;
      if (aside < ((at - free) & last)) continue;
      words[start + free] = words[start + at] as number;
      words[start + free + 1] = words[start + at + 1] as number;
      free = at;
    }
    words[start + free + 1] = 0;
    this.#counts[shard] = (this.#counts[shard] as number) - 1;
  }

  #wordsOf(shard: number): Int32Array {
    return this.#levels[this.#levelOf[shard] as number] as Int32Array;
  }

  /** Words of a shard now. */
  #sizeOf(shard: number): number {
    return wordsAt(this.#levelOf[shard] as number);
  }

  #put(shard: number, hash: number, entry: number): void {
    const words = this.#wordsOf(shard);
    const size = this.#sizeOf(shard);
    const start = shard * size;
    let at = homeOf(hash, size - 1);
    while (words[start + at + 1] !== 0) at = nextPlace(at, size - 1);
    words[start + at] = hash;
    words[start + at + 1] = entry;
  }

  /** Where in its shard a value is. */
  #placeOf(shard: number, hash: number, value: number): number {
    const words = this.#wordsOf(shard);
    const size = this.#sizeOf(shard);
    const start = shard * size;
    let at = homeOf(hash, size - 1);
    while (words[start + at] !== hash || words[start + at + 1] !== value + 1) {
      if (words[start + at + 1] === 0) throw new Error(`the index has no value ${value}`);
      at = nextPlace(at, size - 1);
    }
    return at;
  }

  /** Moves a shard to the next level. The array of a level behind all shards is given up. */
  #grow(shard: number): void {
    const words = this.#wordsOf(shard);
    const level = this.#levelOf[shard] as number;
    const size = wordsAt(level);
    const start = shard * size;
    this.#levels[level + 1] ??= new Int32Array(this.#levelOf.length * wordsAt(level + 1));
    this.#levelOf[shard] = level + 1;
    for (let at = start; at < start + size; at += 2) {
      const entry = words[at + 1] as number;
      if (entry !== 0) this.#put(shard, words[at] as number, entry);
    }
    this.#shardsAt[level + 1] = (this.#shardsAt[level + 1] ?? 0) + 1;
    this.#shardsAt[level] = (this.#shardsAt[level] as number) - 1;
    for (let behind = 0; this.#shardsAt[behind] === 0; behind += 1) this.#levels[behind] = null;
  }
}
