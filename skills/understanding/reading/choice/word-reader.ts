/** `@` stands for a product and `#` for a figure, so that all products and figures are read alike. */
export interface Reading<Name extends string> {
  readonly name: Name;
  /** From 0 to 1, among all names. */
  readonly share: number;
  /** How many of the words any phrase has, from 0 to 1. */
  readonly known: number;
  readonly words: number;
}

const endings = /(?:ings?|ed|es|s|ly)$/;
const stem = (word: string): string => (word.length > 4 ? word.replace(endings, "") : word);

const wordsIn = (text: string): readonly string[] => (text.match(/[\p{L}\d']+|[@#]/gu) ?? []).map(stem);

/** Words, their pairs and the first word; each once. */
const featuresOf = (text: string): ReadonlySet<string> => {
  const words = wordsIn(text);
  const pairs = words.map((word, place) => `${words[place - 1] ?? "^"} ${word}`);
  return new Set([...words, ...pairs]);
};

interface Example {
  readonly features: readonly number[];
  readonly label: number;
}

const rounds = 12;
const rate = 0.5;
const shrink = 1e-4;

const sharesOf = (scores: readonly number[]): readonly number[] => {
  const most = Math.max(...scores);
  const raised = scores.map((score) => Math.exp(score - most));
  const sum = raised.reduce((total, one) => total + one, 0);
  return raised.map((one) => one / sum);
};

const scoresOf = (weights: readonly Float64Array[], features: readonly number[]): readonly number[] =>
  weights.map(
    (own) => features.reduce((sum, feature) => sum + (own[feature] ?? 0), 0) / Math.sqrt(features.length + 1),
  );

/** One step down the gradient of the multinomial logistic loss. */
const learnFrom = (weights: readonly Float64Array[], { features, label }: Example, step: number): void => {
  const shares = sharesOf(scoresOf(weights, features));
  const scale = 1 / Math.sqrt(features.length + 1);
  for (const [name, own] of weights.entries()) {
    const error = (shares[name] ?? 0) - (name === label ? 1 : 0);
    for (const feature of features) own[feature] = (own[feature] ?? 0) * (1 - step * shrink) - step * error * scale;
  }
};

export interface WordReader<Name extends string> {
  read(text: string): Reading<Name> | null;
  /** Whether any phrase has the word. */
  knows(word: string): boolean;
}

/** A linear classifier, trained on the phrases in their order, so that it is the same at every start. */
export const createWordReader = <Name extends string>(
  phrases: ReadonlyMap<Name, readonly string[]>,
): WordReader<Name> => {
  const names = [...phrases.keys()];
  const places = new Map<string, number>();
  const known = names.flatMap((_, label) =>
    (phrases.get(names[label] as Name) ?? []).map((text) => ({ label, features: [...featuresOf(text)] })),
  );
  for (const { features } of known) for (const one of features) if (!places.has(one)) places.set(one, places.size);
  const placed = (features: Iterable<string>): readonly number[] =>
    [...features].map((one) => places.get(one)).filter((place) => place !== undefined);
  const examples = known.map(({ features, label }): Example => ({ features: placed(features), label }));
  const weights = names.map(() => new Float64Array(places.size));
  for (let round = 0; round < rounds; round += 1)
    for (let at = 0; at < examples.length; at += 1) {
      const example = examples[(at * 7919 + round * 31) % examples.length];
      if (example !== undefined) learnFrom(weights, example, (rate * 4) / (1 + round / 8));
    }
  const read = (text: string): Reading<Name> | null => {
    const features = placed(featuresOf(text));
    if (features.length === 0) return null;
    const shares = sharesOf(scoresOf(weights, features));
    const share = Math.max(...shares);
    const name = names[shares.indexOf(share)];
    const words = wordsIn(text).filter((word) => word !== "@" && word !== "#");
    if (words.length === 0) return null;
    const known = words.filter((word) => places.has(word)).length / words.length;
    return name === undefined ? null : { name, share, known, words: words.length };
  };
  return { read, knows: (word) => places.has(stem(word)) };
};
