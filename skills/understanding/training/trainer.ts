import type { Features } from "../reading/choice/features.ts";
import { placeCount } from "../reading/choice/features.ts";

export interface Lesson {
  readonly features: Features;
  readonly label: number;
}

const rounds = 16;
const rate = 0.12;
const shrink = 8e-4;

/** Row by place, column by label. */
const scoresInto = (scores: Float64Array, weights: Float32Array, { places, values }: Features): void => {
  scores.fill(0);
  const width = scores.length;
  for (let at = 0; at < places.length; at += 1) {
    const row = (places[at] ?? 0) * width;
    const value = values[at] ?? 0;
    for (let label = 0; label < width; label += 1)
      scores[label] = (scores[label] ?? 0) + value * (weights[row + label] ?? 0);
  }
};

const toShares = (scores: Float64Array): void => {
  const most = Math.max(...scores);
  let sum = 0;
  for (let label = 0; label < scores.length; label += 1) {
    const raised = Math.exp((scores[label] ?? 0) - most);
    scores[label] = raised;
    sum += raised;
  }
  for (let label = 0; label < scores.length; label += 1) scores[label] = (scores[label] ?? 0) / sum;
};

/** The same order on every machine, and no two neighbours of one file behind each other. */
const order = (count: number, round: number): readonly number[] => {
  const places = Array.from({ length: count }, (_, at) => at);
  let state = 12_345 + round;
  for (let at = count - 1; at > 0; at -= 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const other = (state >>> 8) % (at + 1);
    [places[at], places[other]] = [places[other] ?? 0, places[at] ?? 0];
  }
  return places;
};

/** What is nearly right teaches nothing worth its time. */
const leastError = 2e-3;

const labelsFrom = (errors: Float64Array): readonly number[] =>
  [...errors.keys()].filter((label) => Math.abs(errors[label] ?? 0) > leastError);

/** Multinomial logistic loss with a step of its own for each weight (AdaGrad). */
export const trained = (lessons: readonly Lesson[], labels: number): Float32Array => {
  const weights = new Float32Array(placeCount * labels);
  const squares = new Float32Array(placeCount * labels);
  const shares = new Float64Array(labels);
  for (let round = 0; round < rounds; round += 1)
    for (const at of order(lessons.length, round)) {
      const lesson = lessons[at];
      if (lesson === undefined) continue;
      const { places, values } = lesson.features;
      scoresInto(shares, weights, lesson.features);
      toShares(shares);
      shares[lesson.label] = (shares[lesson.label] ?? 0) - 1;
      const wrong = labelsFrom(shares);
      for (let sign = 0; sign < places.length; sign += 1) {
        const row = (places[sign] ?? 0) * labels;
        const value = values[sign] ?? 0;
        for (const label of wrong) {
          const cell = row + label;
          const slope = value * (shares[label] ?? 0) + shrink * (weights[cell] ?? 0);
          const square = (squares[cell] ?? 0) + slope * slope;
          squares[cell] = square;
          weights[cell] = (weights[cell] ?? 0) - (rate * slope) / Math.sqrt(square + 1e-6);
        }
      }
    }
  return weights;
};
