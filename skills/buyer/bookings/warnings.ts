import type { z } from "zod";
import { channelOf, defaultObjectiveRows, rowOf } from "../../../machines/booking/weights.ts";
import { audiencePlan } from "../../../protocol/audience-plan/schema.ts";
import { membersOf } from "../../../protocol/neutral/members.ts";
import { plannedAudience } from "./audience.ts";
import { limitMembers } from "./channel-limits.ts";
import { campaignBrief, flightMembers, negotiationMembers } from "./contract.ts";
import { isUnfound, openCellsOf } from "./flow/cells.ts";
import { allocationsOf } from "./flow/split.ts";
import { type BookingRow, type Brief, statusOf, type Warning } from "./record.ts";
import { microsPerCent } from "../../../machines/money.ts";

type BriefInput = z.output<typeof campaignBrief>;

const mostUnknown = 20;
const longestName = 100;
const usedKpis = ["target_cpm", "target_cpm_usd", "max_cpm", "max_cpm_usd"];
const otherChannels =
  "is not used: every flight is bought in all channels; send one brief for each channel that has days of its own";

/** What is meant by them is said otherwise. */
const ofFlights: Readonly<Record<string, string>> = {
  channel: otherChannels,
  channels: otherChannels,
  budget: "is not used: share says how the budget is divided over the flights",
};

const others = (given: unknown, used: readonly string[], at: string, message: string): readonly Warning[] =>
  Object.keys(membersOf(given))
    .filter((name) => !used.includes(name))
    .map((name) => ({ field: `${at}${name}`, message }));

const ofFlight = (flight: unknown, at: number): readonly Warning[] =>
  others(flight, flightMembers, "", "is not part of a flight and is not used").map(({ field, message }) => ({
    field: `flights[${at}].${field}`,
    message: (Object.hasOwn(ofFlights, field) ? ofFlights[field] : undefined) ?? message,
  }));

const usedOf = (schema: { readonly shape: object }): readonly string[] => Object.keys(schema.shape);

/** Free-form wishes are compared with products; beside a plan they have no use. */
const besidePlan = (audience: BriefInput["target_audience"] = {}): readonly Warning[] => {
  if (plannedAudience(audience) === null) return [];
  const used = Object.hasOwn(audience, "audience_plan") ? ["audience_plan"] : usedOf(audiencePlan);
  return others(audience, used, "target_audience.", "is not used beside an audience plan; say it in the plan");
};

const unusedMembers = (brief: BriefInput): readonly Warning[] => {
  const limits = Object.entries(brief.channel_limits ?? {});
  const found = [
    ...others(brief, usedOf(campaignBrief), "", "is not part of a brief and is not used"),
    ...others(brief.kpis, usedKpis, "kpis.", "is kept but not used; target_cpm and max_cpm decide"),
    ...others(brief.negotiation, negotiationMembers, "negotiation.", "is not part of a negotiation and is not used"),
    ...limits.flatMap(([name, limit]) =>
      others(limit, limitMembers, `channel_limits.${name}.`, `is not used; a limit has ${limitMembers.join(", ")}`),
    ),
    ...(brief.flights ?? []).flatMap(ofFlight),
    ...besidePlan(brief.target_audience),
  ];
  const told = found
    .slice(0, mostUnknown)
    .map(({ field, message }) => ({ field: field.slice(0, longestName), message }));
  const more = found.length - told.length;
  return more === 0 ? told : [...told, { field: "brief", message: `${more} more members are not used` }];
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

const pastDates = ({ start_date: first }: BriefInput, nowMs: number): Warning[] => {
  const today = new Date(nowMs).toISOString().slice(0, 10);
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

const usd = (cents: number): string => {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return `${(cents / 100).toLocaleString("en-US", digits)} USD`;
};

/** Money that no channel may take. */
export const limitWarnings = (brief: Brief): readonly Warning[] => {
  const given = allocationsOf(brief).reduce((sum, { budget_cents }) => sum + budget_cents, 0);
  const rest = brief.budget_cents - given;
  if (rest === 0) return [];
  const message = `${usd(rest)} of ${usd(brief.budget_cents)} stay unplanned: the limits let no channel take them`;
  return [{ field: "channel_limits", message }];
};

/** Impressions are whole, so that cents are always left. */
const leastTold = 100;

/** As the lines stand now; what has no line for a reason of the brief has its own warning beside this. */
export const unplannedWarnings = (job: BookingRow): readonly Warning[] => {
  if (!["awaiting_approval", "completed"].includes(statusOf(job))) return [];
  const open = openCellsOf(job);
  return job.allocations.flatMap(({ channel, budget_cents }) => {
    const cells = open.filter((cell) => cell.channel === channel);
    const free = cells.reduce((sum, cell) => sum + cell.budget_cents, 0);
    if (free < leastTold) return [];
    const where = `${usd(free)} of ${usd(budget_cents)} for ${channel}`;
    const message = cells.every((cell) => isUnfound(job, cell))
      ? `${where} are in no line: the last search found nothing for them`
      : `${where} are in no line; they can be planned again`;
    return [{ field: "budget", message }];
  });
};
