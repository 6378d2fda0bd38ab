import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { BenchCase, Info, Plan, SideOptions } from "./cases.ts";

interface Side {
  readonly child: ChildProcess;
  readonly kind: "sut" | "bound";
  readonly url: string;
  readonly info: Info;
}

interface Shot {
  readonly done: number;
  readonly failed: number;
  readonly seconds: number;
  readonly p99Ms: number;
}

interface Figure {
  readonly rate: number;
  readonly cpu: number;
  readonly p99Ms: number;
  readonly failed: number;
}

/** Ratios are medians over rounds, system to bound; above 1 is better. */
export interface Verdict {
  readonly case: string;
  readonly rateRatio: number;
  readonly cpuRatio: number;
  readonly controlRate: number;
  readonly controlCpu: number;
  readonly sut: Figure;
  readonly bound: Figure;
  readonly target: number;
  readonly reached: boolean;
}

const program = (): string => fileURLToPath(new URL("./child.js", import.meta.url));

const nextMessage = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`a bench process ended with ${code}`));
    child.once("exit", onExit);
    child.once("message", (message) => {
      child.off("exit", onExit);
      resolve(message as T);
    });
  });

const ask = <T>(child: ChildProcess, message: unknown): Promise<T> => {
  const answer = nextMessage<T>(child);
  child.send(message as string);
  return answer;
};

/** As `npm start` runs Node. */
const serverFlags = ["--max-semi-space-size=64"];
const profileFlags = ["--cpu-prof", "--cpu-prof-dir=/tmp/parley-prof"];

const startSide = async (plan: Plan, one: BenchCase, kind: "sut" | "bound", options: SideOptions): Promise<Side> => {
  const profile = process.env["PARLEY_BENCH_PROFILE"] === kind ? profileFlags : [];
  const execArgv = [...serverFlags, ...profile];
  const child = fork(program(), ["serve", plan.module, one.name, kind, JSON.stringify(options)], { execArgv });
  const { url, info } = await nextMessage<{ url: string; info: Info }>(child);
  return { child, kind, url, info };
};

const fire = async (plan: Plan, one: BenchCase, load: ChildProcess, side: Side, seconds: number): Promise<Figure> => {
  const before = await ask<{ cpuMicros: number }>(side.child, "cpu");
  const { url, info, kind } = side;
  const order = { url, info, side: kind, seconds, connections: plan.connections };
  const shot = await ask<Shot>(load, order);
  const after = await ask<{ cpuMicros: number }>(side.child, "cpu");
  const jobs = Math.max(1, shot.done / one.perJob);
  const cpu = (after.cpuMicros - before.cpuMicros) / jobs;
  return { rate: jobs / shot.seconds, cpu, p99Ms: shot.p99Ms, failed: shot.failed };
};

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
};

const middleFigure = (figures: readonly Figure[]): Figure => ({
  rate: median(figures.map((figure) => figure.rate)),
  cpu: median(figures.map((figure) => figure.cpu)),
  p99Ms: median(figures.map((figure) => figure.p99Ms)),
  failed: figures.reduce((sum, figure) => sum + figure.failed, 0),
});

const ratioOf = (left: readonly Figure[], right: readonly Figure[], pick: (figure: Figure) => number): number =>
  median(left.map((figure, round) => pick(figure) / pick(right[round] ?? figure)));

const rate = (figure: Figure): number => figure.rate;
const cpu = (figure: Figure): number => figure.cpu;

const mostWarmSeconds = 20;

const warmUp = async (plan: Plan, one: BenchCase, load: ChildProcess, side: Side): Promise<void> => {
  const seconds = Math.min(2, plan.seconds);
  let jobs = 0;
  for (let spent = 0; jobs < plan.warmJobs && spent < mostWarmSeconds; spent += seconds) {
    jobs += (await fire(plan, one, load, side, seconds)).rate * seconds;
  }
};

/** Another order each round, so that a busy minute hits all alike. */
const rounds = async (
  plan: Plan,
  one: BenchCase,
  load: ChildProcess,
  sides: readonly [Side, Side, Side],
): Promise<readonly [Figure[], Figure[], Figure[]]> => {
  const figures: [Figure[], Figure[], Figure[]] = [[], [], []];
  for (const side of sides) await warmUp(plan, one, load, side);
  for (let round = 0; round < plan.rounds; round += 1) {
    for (let step = 0; step < 3; step += 1) {
      const place = (round + step) % 3;
      const side = sides[place];
      if (side !== undefined) figures[place]?.push(await fire(plan, one, load, side, plan.seconds));
    }
  }
  return figures;
};

/** The control is the bound once more; each runs in a process of its own. */
export const compare = async (plan: Plan, one: BenchCase, more: Partial<SideOptions> = {}): Promise<Verdict> => {
  const options: SideOptions = { flushDelayMs: 0, stored: 0, peer: null, ...one.options, ...more };
  const started: ChildProcess[] = [];
  try {
    const sut = await startSide(plan, one, "sut", options);
    started.push(sut.child);
    const bound = await startSide(plan, one, "bound", { ...options, peer: sut.info });
    started.push(bound.child);
    const control = await startSide(plan, one, "bound", { ...options, peer: sut.info });
    started.push(control.child);
    const load = fork(program(), ["load", plan.module, one.name]);
    started.push(load);
    await nextMessage(load);
    const [ours, theirs, controls] = await rounds(plan, one, load, [sut, bound, control]);
    const rateRatio = ratioOf(ours, theirs, rate);
    const cpuRatio = 1 / ratioOf(ours, theirs, cpu);
    const failed = middleFigure([...ours, ...theirs]).failed;
    return {
      case: one.name,
      rateRatio,
      cpuRatio,
      controlRate: ratioOf(controls, theirs, rate),
      controlCpu: 1 / ratioOf(controls, theirs, cpu),
      sut: middleFigure(ours),
      bound: middleFigure(theirs),
      target: one.target,
      reached: failed === 0 && rateRatio >= one.target && cpuRatio >= one.target,
    };
  } finally {
    for (const child of started) child.disconnect();
  }
};
