import type { BenchCase, SideOptions } from "./cases.ts";
import { compare, type Verdict } from "./compare.ts";
import { isWanted, planOf } from "./settings.ts";

const two = (value: number): string => value.toFixed(2).padStart(6);

const line = (verdict: Verdict, name: string): string =>
  [
    name.padEnd(28),
    two(verdict.rateRatio),
    two(verdict.cpuRatio),
    `${two(verdict.controlRate)}/${two(verdict.controlCpu).trim()}`.padEnd(14),
    `${Math.round(verdict.sut.rate)}/s ${Math.round(verdict.sut.cpu)} us p99 ${verdict.sut.p99Ms} ms`.padEnd(32),
    `${Math.round(verdict.bound.rate)}/s ${Math.round(verdict.bound.cpu)} us`.padEnd(20),
    verdict.sut.failed + verdict.bound.failed > 0 ? `FAILED ${verdict.sut.failed}+${verdict.bound.failed}` : "",
    verdict.reached ? `>= ${verdict.target}` : `BELOW ${verdict.target}`,
  ].join(" ");

const heads = ["case".padEnd(28), "  rate", "   cpu", "control".padEnd(14), "system".padEnd(32), "bound"].join(" ");

export const reportCases = async (
  module: string,
  cases: readonly BenchCase[],
  variants: readonly (readonly [suffix: string, options: Partial<SideOptions>])[] = [["", {}]],
): Promise<void> => {
  process.stdout.write(`${heads}\n`);
  for (const one of cases) {
    for (const [suffix, options] of variants) {
      if (!isWanted(module, one.name)) continue;
      process.stdout.write(`${line(await compare(planOf(module), one, options), `${one.name}${suffix}`)}\n`);
    }
  }
};
