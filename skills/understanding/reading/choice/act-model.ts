import type { Heard } from "../slots.ts";
import { featuresOf, type Features, placeCount } from "./features.ts";
import type { After } from "./sounds.ts";

/** A weight takes four bits: fewer lose what was learnt, more are only longer. */
const most = 7;
const byteSpan = 16;

export interface Weights {
  readonly names: readonly string[];
  /** What one step of a weight is worth. */
  readonly step: number;
  /** Two steps a byte, row by place of the signs, column by name; in base64. */
  readonly rows: string;
}

/** From the spread of the weights: a few large ones must not cost all others their steps. */
const stepOf = (weights: Float32Array): number => {
  const set = weights.filter((weight) => weight !== 0);
  const square = set.reduce((sum, weight) => sum + weight * weight, 0);
  return (Math.sqrt(square / Math.max(1, set.length)) * 3) / most;
};

export const packed = (weights: Float32Array, names: readonly string[]): Weights => {
  const step = Number(stepOf(weights).toPrecision(6));
  const steps = Array.from(weights, (weight) => Math.max(-most, Math.min(most, Math.round(weight / step))) + most);
  const bytes = new Uint8Array(Math.ceil(steps.length / 2));
  for (const [at, value] of steps.entries()) {
    const byte = at >> 1;
    bytes[byte] = (bytes[byte] ?? 0) + (at % 2 === 0 ? value : value * byteSpan);
  }
  return { names, step, rows: Buffer.from(bytes).toString("base64") };
};

const unpacked = ({ names, rows }: Weights): Int8Array => {
  const bytes = Buffer.from(rows, "base64");
  const steps = new Int8Array(placeCount * names.length);
  for (let at = 0; at < steps.length; at += 1) {
    const byte = bytes[at >> 1] ?? 0;
    steps[at] = (at % 2 === 0 ? byte % byteSpan : Math.floor(byte / byteSpan)) - most;
  }
  return steps;
};

export interface Guess<Name extends string> {
  readonly name: Name;
  /** From 0 to 1, among all names. */
  readonly share: number;
}

const sharesOf = (scores: Float64Array): readonly number[] => {
  const best = Math.max(...scores);
  const raised = Array.from(scores, (score) => Math.exp(score - best));
  const sum = raised.reduce((total, one) => total + one, 0);
  return raised.map((one) => one / sum);
};

const scoresOf = (steps: Int8Array, width: number, { places, values }: Features): Float64Array => {
  const scores = new Float64Array(width);
  for (let at = 0; at < places.length; at += 1) {
    const row = (places[at] ?? 0) * width;
    const value = values[at] ?? 0;
    for (let name = 0; name < width; name += 1) scores[name] = (scores[name] ?? 0) + value * (steps[row + name] ?? 0);
  }
  return scores;
};

/** All names, the likeliest first. */
export type Guesses<Name extends string> = (heard: Heard, after: After) => readonly Guess<Name>[];

export const guesserFrom = <Name extends string>(weights: Weights): ((signs: Features) => readonly Guess<Name>[]) => {
  const names = weights.names as readonly Name[];
  const steps = unpacked(weights);
  return (signs) => {
    const scores = scoresOf(steps, names.length, signs).map((score) => score * weights.step);
    const shares = sharesOf(scores);
    return names
      .map((name, at) => ({ name, share: shares[at] ?? 0 }))
      .toSorted((one, other) => other.share - one.share);
  };
};

export const guesserOf = <Name extends string>(weights: Weights): Guesses<Name> => {
  const guess = guesserFrom<Name>(weights);
  return (heard, after) => guess(featuresOf(heard, after));
};
