import { authors } from "../talk/measure/case.ts";
import { failureBlock, headRow, totalsRow } from "../talk/measure/report.ts";
import { playAll, totalsOf } from "../talk/measure/totals.ts";
import { talkSettings } from "./settings.ts";

/** What talk understands and commits, by the authors of its conversations; no peer is started. */
export const run = async (): Promise<void> => {
  const { author, only, showsFailed } = talkSettings;
  const names = [...authors().keys()].filter((name) => author === undefined || author.split(",").includes(name));
  const rows: string[] = [];
  for (const name of names) {
    const all = await playAll(name, ({ id }) => only === undefined || only.split(",").includes(id));
    const failed = all.filter(({ isRight }) => !isRight);
    if (showsFailed) process.stdout.write(failed.map((one) => `\n${failureBlock(one)}`).join(""));
    const row = totalsRow(totalsOf(name, all));
    if (showsFailed) rows.push(row);
    else process.stdout.write(`${rows.length === 0 ? `${headRow()}\n` : ""}${row}\n`);
    if (!showsFailed) rows.push(row);
  }
  if (showsFailed) process.stdout.write(`${[headRow(), ...rows].join("\n")}\n`);
};
