import type { z } from "zod";
import { channelOf, defaultObjectiveRows, rowOf } from "../../../machines/booking/weights.ts";
import { campaignBrief } from "./contract.ts";
import type { Warning } from "./record.ts";
import { microsPerCent } from "../../../machines/money.ts";

type BriefInput = z.output<typeof campaignBrief>;

const mostUnknown = 20;
const longestName = 100;
const usedKpis = new Set(["target_cpm", "target_cpm_usd", "max_cpm", "max_cpm_usd"]);
const unusedMembers = (brief: BriefInput): Warning[] => {
  const unknown = Object.keys(brief).filter((name) => !Object.hasOwn(campaignBrief.shape, name));
  const kpis = Object.keys(brief.kpis ?? {}).filter((name) => !usedKpis.has(name));
  return [
    ...unknown.map((name) => ({ field: name, message: "is not part of a brief and is not used" })),
    ...kpis.map((name) => ({ field: `kpis.${name}`, message: "is kept but not used; target_cpm and max_cpm decide" })),
  ]
    .slice(0, mostUnknown)
    .map(({ field, message }) => ({ field: field.slice(0, longestName), message }));
};

const renamedChannels = (brief: BriefInput): Warning[] =>
  (brief.channels ?? []).flatMap((name) => {
    const trimmed = name.trim().toLowerCase();
    const channel = channelOf(name);
    return channel === trimmed ? [] : [{ field: "channels", message: `${trimmed} is bought as ${channel}` }];
  });

const unknownObjectives = (brief: BriefInput): Warning[] => {
  const general = defaultObjectiveRows.at(-1);
  return (brief.objectives ?? [])
    .filter((objective) => objective.trim() !== "" && rowOf(defaultObjectiveRows, objective) === general)
    .map((objective) => ({
      field: "objectives",
      message: `${JSON.stringify(objective)} is not known; the budget is split as for a general campaign`,
    }));
};

const pastDates = ({ start_date: first, end_date: last }: BriefInput, nowMs: number): Warning[] => {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  if (last !== undefined && last < today)
    return [{ field: "end_date", message: "the whole campaign lies in the past" }];
  if (first === undefined || first >= today) return [];
  return [{ field: "start_date", message: `the days before ${today} are over and have no inventory` }];
};

const trimmedBudget = ({ budget = 0 }: BriefInput): Warning[] => {
  const micros = Math.round(budget * 1_000_000);
  const spendable = Math.floor(micros / microsPerCent) * microsPerCent;
  if (micros === spendable) return [];
  return [{ field: "budget", message: `whole cents are spent: at most ${(spendable / 1_000_000).toFixed(2)}` }];
};

/** Known before any seller is asked. */
export const briefWarnings = (brief: BriefInput, nowMs: number): readonly Warning[] => [
  ...unusedMembers(brief),
  ...renamedChannels(brief),
  ...unknownObjectives(brief),
  ...pastDates(brief, nowMs),
  ...trimmedBudget(brief),
];
