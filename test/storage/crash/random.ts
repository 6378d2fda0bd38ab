export interface Random {
  below(below: number): number;
}

/** xorshift32, stirred so that neighbouring seeds differ at once. */
export const seededRandom = (seed: number): Random => {
  let state = (Math.imul(seed + 1, 0x9e3779b1) ^ 0x5bd1e995) | 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  for (let i = 0; i < 8; i += 1) next();
  return { below: (below) => Math.floor((next() / 2 ** 32) * below) };
};

/** `PARLEY_SEED`, else from the clock; printed either way. */
export const runSeed = (what: string): number => {
  const seed = Number(process.env["PARLEY_SEED"] ?? Date.now() % 1_000_000_000);
  process.stdout.write(`${what}: PARLEY_SEED=${seed}\n`);
  return seed;
};
