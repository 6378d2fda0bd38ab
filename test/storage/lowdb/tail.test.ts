import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gatedFiles } from "../crash/files.ts";
import { withStore } from "../crash/folders.ts";
import { deadFolder, mutate, mutationNames, picture, plant } from "../crash/mutations.ts";
import type { DeadFolder, Mutation } from "../crash/mutations.ts";
import { runSeed, seededRandom } from "../crash/random.ts";

const slowMs = 240_000;

let dead: DeadFolder;
beforeAll(async () => {
  dead = await deadFolder(30);
});
afterAll(() => dead.folder.remove());

const recordsBefore = (byte: number): number => dead.bytes.subarray(0, byte).filter((code) => code === 0x0a).length;

interface Start {
  readonly warnings: readonly string[];
  readonly picture: string | null;
  readonly error: string;
}

/** No flushes: reads are tested, and a thousand starts take a while. */
const files = gatedFiles(async (step, go) => {
  if (step.op !== "sync" && step.op !== "syncFolder") await go();
});

const start = async (bytes: Buffer): Promise<Start> => {
  const dir = await plant(dead, bytes);
  const warnings: string[] = [];
  const attempt = withStore({ dir, files, warn: (message) => warnings.push(message) }, picture);
  const outcome = await attempt.then(
    (seen) => ({ picture: seen, error: "" }),
    (thrown: Error) => ({
      picture: null,
      error: `${(thrown as Error & { code?: string }).code ?? "bug"}: ${thrown.message}`,
    }),
  );
  await rm(dir, { recursive: true });
  return { warnings, ...outcome };
};

/** A record that lacks its newline alone is whole. */
const wholeBefore = ({ from }: Mutation): string | undefined =>
  dead.pictures[recordsBefore(from) + (dead.bytes[from] === 0x0a ? 1 : 0)];

/** Either the last whole state or a later one, or a stop that names file and line. */
const expectSound = (mutation: Mutation, outcome: Start): void => {
  if (outcome.picture === null) {
    expect(outcome.error).toMatch(/^store_damaged: .*journal-\d{16}\.jsonl line \d+ \(byte \d+\): .*backup/);
    return;
  }
  const index = dead.pictures.indexOf(outcome.picture);
  expect(index).toBeGreaterThanOrEqual(recordsBefore(mutation.from));
  // Whole lines missing at the very end leave no trace; any other loss is warned of.
  const isCut = mutation.bytes.equals(dead.bytes.subarray(0, mutation.bytes.length));
  if (index < dead.pictures.length - 1 && !isCut) expect(outcome.warnings).toHaveLength(1);
};

describe("embedded store: a journal whose end is not what was written", () => {
  it("the untouched folder starts with everything and without a warning", async () => {
    expect(dead.pictures.length).toBe(71);
    expect(await start(dead.bytes)).toEqual({ warnings: [], picture: dead.pictures.at(-1), error: "" });
  });

  it(
    "400 mutations start with the last whole record or stop naming file and line, no balance is wrong",
    async () => {
      const seed = runSeed("journal mutations");
      const seen = new Set<string>();
      const tryOne = async (i: number): Promise<void> => {
        const name = mutationNames[i % mutationNames.length] ?? "";
        const mutation = mutate(name, dead.bytes, seededRandom(seed + i));
        const outcome = await start(mutation.bytes);
        try {
          expectSound(mutation, outcome);
          if (name === "truncated") expect(outcome.picture).toBe(wholeBefore(mutation));
        } catch (thrown) {
          throw new Error(`mutation ${i} (${name}) of seed ${seed}`, { cause: thrown });
        }
        seen.add(`${name} ${outcome.picture === null ? "stopped" : "started"}`);
      };
      for (let i = 0; i < 400; i += 8) await Promise.all(Array.from({ length: 8 }, (_, next) => tryOne(i + next)));
      expect([...seen]).toEqual(expect.arrayContaining(["truncated started", "torn started", "flipped stopped"]));
      expect([...seen]).not.toContain("truncated stopped");
    },
    slowMs,
  );

  it("a record that lacks only its newline is whole", async () => {
    const outcome = await start(dead.bytes.subarray(0, -1));
    expect(outcome).toEqual({ warnings: [], picture: dead.pictures.at(-1), error: "" });
  });

  it("a torn last line is dropped with a warning that names file, line and size", async () => {
    const outcome = await start(dead.bytes.subarray(0, -10));
    expect(outcome.picture).toBe(dead.pictures.at(-2));
    expect(outcome.warnings).toEqual([
      expect.stringMatching(/journal-\d{16}\.jsonl line 70 \(byte \d+\) was torn .* dropped \d+ bytes/),
    ]);
  });
});
