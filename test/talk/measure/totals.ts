import { type Case, casesOf } from "./case.ts";
import { play, type Played } from "./play.ts";

export interface Totals {
  readonly author: string;
  readonly conversations: number;
  /** In percent. */
  readonly atOnce: number;
  readonly withPick: number;
  readonly unwanted: number;
  readonly unasked: number;
  readonly dropped: number;
  readonly menus: number;
  readonly words: number;
  readonly p50: number;
  readonly p99: number;
}

const percent = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole);

const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
};

const failedToPlay = (one: Case, error: unknown): Played => ({
  one,
  turns: [],
  isRight: false,
  hasPicked: false,
  situation: [error instanceof Error ? error.message : String(error)],
});

export const playAll = async (
  author: string,
  isWanted: (one: Case) => boolean = () => true,
): Promise<readonly Played[]> => {
  const all: Played[] = [];
  for (const one of casesOf(author).filter(isWanted))
    all.push(await play(one).catch((error: unknown) => failedToPlay(one, error)));
  return all;
};

export const totalsOf = (author: string, all: readonly Played[]): Totals => {
  const turns = all.flatMap((one) => one.turns);
  const sum = (of: (turn: (typeof turns)[number]) => number): number =>
    turns.reduce((whole, turn) => whole + of(turn), 0);
  const times = turns.map(({ ms }) => ms);
  return {
    author,
    conversations: all.length,
    atOnce: percent(all.filter(({ isRight, hasPicked }) => isRight && !hasPicked).length, all.length),
    withPick: percent(all.filter(({ isRight }) => isRight).length, all.length),
    unwanted: sum(({ unwanted }) => unwanted),
    unasked: sum(({ unasked }) => unasked),
    dropped: sum(({ dropped }) => dropped.length),
    menus: percent(
      sum(({ isMenu }) => (isMenu ? 1 : 0)),
      turns.length,
    ),
    words: sum(({ words }) => words) / Math.max(1, turns.length),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  };
};
