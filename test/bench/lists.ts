import { spawnSync } from "node:child_process";
import type { Contract } from "../../protocol/seam/operation.ts";
import type { Listed } from "./rows/listed.ts";
import { filtersOf, listed, lists, listsLeftOut } from "./rows/list-rows.ts";
import type { ListSide } from "./seller-side.ts";
import { manyRows, wanted } from "./settings.ts";

const fewRows = 1_000;
const pageRows = 50;
/** The accepted ratio of a page out of many rows to one out of few. */
const target = 2;

type Input = Readonly<Record<string, unknown>>;

interface Asked {
  readonly who: "host" | "call";
  readonly input: Input;
}

/**
 * None, each, each pair, all but one, all. With six filters each pair meets in 29 of the 64 combinations; with four or
 * fewer these are all.
 */
const combinations = (members: readonly string[]): readonly (readonly string[])[] =>
  members
    .reduce<readonly (readonly string[])[]>(
      (found, member) => [...found, ...found.map((subset) => [...subset, member])],
      [[]],
    )
    .filter(({ length }) => length <= 2 || length >= members.length - 1);

const filterings = (rows: Listed, members: readonly string[]): readonly Input[] => {
  const valued = (subset: readonly string[], which: "common" | "rare"): Input =>
    Object.fromEntries(subset.map((member) => [member, rows.filters[member]?.[which]]));
  const both = combinations(members).flatMap((subset) => [valued(subset, "common"), valued(subset, "rare")]);
  return both.slice(1).map((input) => ({ ...rows.fixed, ...input, limit: pageRows }));
};

const answered = async (side: ListSide, name: string, { who, input }: Asked): Promise<Input | null> =>
  side[who](name, input).catch(() => null);

/** Null: not for this caller. */
const pagesOf = async (side: ListSide, name: string, asked: Asked): Promise<readonly Asked[] | null> => {
  const first = await answered(side, name, asked);
  if (first === null) return null;
  const total = Number(first["total"]);
  if (total <= pageRows) return [asked];
  const at = (offset: number): Asked => ({ ...asked, input: { ...asked.input, offset } });
  const middle = at(total >> 1);
  const found = await answered(side, name, middle);
  // Some filters take a cursor alone.
  const cursor = (found ?? first)["next_cursor"];
  const behind = cursor == null ? [] : [{ ...asked, input: { ...asked.input, cursor } }];
  return [asked, ...(found === null ? [] : [middle, at(total - pageRows)]), ...behind];
};

const callsARound = 20;

/** A ratio above the target is measured again: garbage collection may have hit few rounds. */
const [fewestRounds, mostRounds] = [7, 50];

/** Processor time, as the machine may be shared. */
const time = async (side: ListSide, name: string, { who, input }: Asked): Promise<number> => {
  const started = process.cpuUsage();
  for (let call = 0; call < callsARound; call += 1) await side[who](name, input);
  const { user, system } = process.cpuUsage(started);
  return (user + system) / callsARound;
};

interface Ratio {
  readonly asked: Asked;
  readonly few: number;
  readonly many: number;
}

/** The round that was disturbed least counts. */
const compared = async (few: readonly [ListSide, Asked], many: readonly [ListSide, Asked], name: string) => {
  let [fewMicros, manyMicros] = [Infinity, Infinity];
  const isAbove = (): boolean => manyMicros > target * fewMicros;
  for (let round = 0; round < fewestRounds || (isAbove() && round < mostRounds); round += 1) {
    fewMicros = Math.min(fewMicros, await time(...([few[0], name, few[1]] as const)));
    manyMicros = Math.min(manyMicros, await time(...([many[0], name, many[1]] as const)));
  }
  return { asked: many[1], few: fewMicros, many: manyMicros };
};

const ratiosOf = async (contract: Contract, rows: Listed): Promise<readonly Ratio[]> => {
  const { name } = contract;
  const few = await rows.open(fewRows);
  const many = await rows.open(manyRows);
  const ratios: Ratio[] = [];
  const members = filtersOf(contract).filter((member) => !(member in rows.fixed));
  for (const input of filterings(rows, members)) {
    for (const who of ["host", "call"] as const) {
      const fewPages = await pagesOf(few, name, { who, input });
      const manyPages = await pagesOf(many, name, { who, input });
      if (fewPages === null || manyPages === null) continue;
      for (const [place, page] of manyPages.entries()) {
        const other = fewPages[place] ?? fewPages[0];
        if (other !== undefined) ratios.push(await compared([few, other], [many, page], name));
      }
    }
  }
  await Promise.all([few.agent.stop(), many.agent.stop()]);
  return ratios;
};

const report = (name: string, ratios: readonly Ratio[]): void => {
  const sorted = [...ratios].sort((left, right) => right.many / right.few - left.many / left.few);
  const [worst] = sorted;
  if (worst === undefined) throw new Error(`${name}: no request was answered`);
  const ratio = worst.many / worst.few;
  const verdict = ratio <= target ? `<= ${target}` : `ABOVE ${target}`;
  const figures = `${Math.round(worst.few)} us, ${Math.round(worst.many)} us`;
  process.stdout.write(
    `${name.padEnd(26)} ${ratio.toFixed(2)} ${verdict} of ${ratios.length} requests: ${figures} ` +
      `${JSON.stringify(worst.asked)}\n`,
  );
};

export const run = async (): Promise<void> => {
  const left = listsLeftOut();
  if (left.length > 0) throw new Error(left.join("; "));
  for (const { name, contract } of lists) {
    const rows = listed[name];
    if (rows === undefined) continue;
    if (wanted.includes(`lists/${name}`)) report(name, await ratiosOf(contract, rows));
    else if (wanted.length === 0 || wanted.includes("lists")) {
      const flags = ["--enable-source-maps", "--max-old-space-size=8000"];
      const args = [...flags, process.argv[1] ?? "", `lists/${name}`, "--rows", String(manyRows)];
      const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
      if (status !== 0) throw new Error(`${name}: the process ended with ${status}`);
    }
  }
};
