import { authors, type Case } from "../talk/measure/case.ts";
import { failureBlock, headRow, totalsRow } from "../talk/measure/report.ts";
import { playAll, totalsOf } from "../talk/measure/totals.ts";
import { talkSettings } from "./settings.ts";

const isNamed = (name: string, wanted: string | undefined): boolean =>
  wanted === undefined || wanted.split(",").includes(name);

/** What talk understands and commits, by the authors of its conversations; no peer is started. */
export const run = async (): Promise<void> => {
  const { author, only, agent, showsFailed } = talkSettings;
  const isWanted = (one: Case): boolean => isNamed(one.id, only) && isNamed(one.agent, agent);
  const rows = [headRow()];
  for (const [name, { unseen }] of [...authors()].filter(([one]) => isNamed(one, author))) {
    const all = await playAll(name, isWanted);
    if (all.length === 0) continue;
    // What is unseen is read by nobody who did not ask for its author.
    const isRead = showsFailed && (unseen !== true || author !== undefined);
    for (const one of isRead ? all.filter(({ isRight }) => !isRight) : [])
      process.stdout.write(`${failureBlock(one)}\n`);
    rows.push(totalsRow(totalsOf(name, all)));
  }
  process.stdout.write(`${rows.join("\n")}\n`);
};
