import { randomInt } from "node:crypto";

/** True when the value stands for the key. It is asked only where the hashes are equal. */
type IsOf<K> = (value: number, key: K) => boolean;

const shardBits = 12;
const firstPlaces = 8;

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

const shardOf = (hash: number): number => hash >>> (32 - shardBits);

const nextPlace = (words: Int32Array, at: number): number => (at + 2) & (words.length - 1);

const homeOf = (words: Int32Array, hash: number): number => (hash << 1) & (words.length - 1);

const put = (words: Int32Array, hash: number, value: number): void => {
  let at = homeOf(words, hash);
  while (words[at + 1] !== 0) at = nextPlace(words, at);
  words[at] = hash;
  words[at + 1] = value + 1;
};

const placeOf = (words: Int32Array, hash: number, value: number): number => {
  let at = homeOf(words, hash);
  for (; words[at] !== hash || words[at + 1] !== value + 1; at = nextPlace(words, at)) {
    if (words[at + 1] === 0) throw new Error(`the index has no value ${value}`);
  }
  return at;
};

const larger = (words: Int32Array): Int32Array => {
  const grown = new Int32Array(words.length * 2);
  for (let at = 0; at < words.length; at += 2) {
    const entry = words[at + 1] as number;
    if (entry !== 0) put(grown, words[at] as number, entry - 1);
  }
  return grown;
};

const noWords = new Int32Array(2);

/**
 * Integers from 0 to 2^31 - 2 by the hash of what they stand for, several by one hash if need be. They lie outside the
 * heap, so that millions of them cost the collector nothing, and in shards, so that none has to move many to grow. A
 * place takes two words: a hash, and a value plus one, zero where the place is free.
 */
export class HashIndex<K> {
  readonly #isOf: IsOf<K>;
  readonly #shards: Int32Array[] = new Array<Int32Array>(1 << shardBits).fill(noWords);
  readonly #counts = new Uint32Array(1 << shardBits);

  constructor(isOf: IsOf<K>) {
    this.#isOf = isOf;
  }

  /** The value that stands for the key; -1: none. */
  find(hash: number, key: K): number {
    const words = this.#wordsOf(hash);
    for (let at = homeOf(words, hash); words[at + 1] !== 0; at = nextPlace(words, at)) {
      if (words[at] !== hash) continue;
      const value = (words[at + 1] as number) - 1;
      if (this.#isOf(value, key)) return value;
    }
    return -1;
  }

  /** All values that stand for the key. */
  findAll(hash: number, key: K): number[] {
    const words = this.#wordsOf(hash);
    const found: number[] = [];
    for (let at = homeOf(words, hash); words[at + 1] !== 0; at = nextPlace(words, at)) {
      const value = (words[at + 1] as number) - 1;
      if (words[at] === hash && this.#isOf(value, key)) found.push(value);
    }
    return found;
  }

  /** How many values are there by one hash. */
  count(hash: number): number {
    const words = this.#wordsOf(hash);
    let count = 0;
    for (let at = homeOf(words, hash); words[at + 1] !== 0; at = nextPlace(words, at)) {
      if (words[at] === hash) count += 1;
    }
    return count;
  }

  /** Adds a value that is not there yet. */
  add(hash: number, value: number): void {
    const shard = shardOf(hash);
    const count = (this.#counts[shard] as number) + 1;
    this.#counts[shard] = count;
    let words = this.#shards[shard] as Int32Array;
    if (count * 4 > words.length) {
      words = words === noWords ? new Int32Array(firstPlaces * 2) : larger(words);
      this.#shards[shard] = words;
    }
    put(words, hash, value);
  }

  /** Takes a value out that is there. Those behind it that had stepped aside move up. */
  remove(hash: number, value: number): void {
    const words = this.#wordsOf(hash);
    const last = words.length - 1;
    let free = placeOf(words, hash, value);
    for (let at = nextPlace(words, free); words[at + 1] !== 0; at = nextPlace(words, at)) {
      const aside = (at - homeOf(words, words[at] as number)) & last;
      if (aside < ((at - free) & last)) continue;
      words[free] = words[at] as number;
      words[free + 1] = words[at + 1] as number;
      free = at;
    }
    words[free + 1] = 0;
    const shard = shardOf(hash);
    this.#counts[shard] = (this.#counts[shard] as number) - 1;
  }

  #wordsOf(hash: number): Int32Array {
    return this.#shards[shardOf(hash)] as Int32Array;
  }
}
