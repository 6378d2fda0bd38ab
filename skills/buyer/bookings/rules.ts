import type { z } from "zod";
import { allocateBudget, type ChannelBudget } from "../../../machines/booking/allocation.ts";
import { dateOfSlot, slotOfDate, slotOfTime } from "../../../machines/inventory/dates.ts";
import { overFlight } from "../../../machines/inventory/flight.ts";
import { largestAmount, toMicros, microsPerCent } from "../../../machines/money.ts";
import { channelOf, channelsOf, isKnownChannel, knownChannels } from "../../../machines/booking/weights.ts";
import { planProblems } from "./audience.ts";
import { channelBounds, type GivenLimits, limitProblems, readLimits } from "./channel-limits.ts";
import type { campaignBrief } from "./contract.ts";
import type { Brief, BriefNegotiation, Flight } from "./record.ts";

type BriefInput = z.output<typeof campaignBrief>;

const microsPerUnit = 1_000_000;
const longestSpanDays = 731;

const dateProblems = (first: string, last: string, at: string, nowMs: number): string[] => {
  const from = slotOfDate(first);
  const to = slotOfDate(last);
  const problems: string[] = [];
  if (from === null) problems.push(`${at}start_date ${first} is not a day of the calendar`);
  if (to === null) problems.push(`${at}end_date ${last} is not a day of the calendar`);
  if (from !== null && to !== null && to < from) problems.push(`${at}end_date must not precede start_date`);
  const over = to === null ? null : overFlight({ toSlot: to }, nowMs);
  if (over !== null)
    problems.push(`${at}end_date ${last} is past: today is ${over.today} (UTC); send days from then on`);
  if (from !== null && to !== null && to - from >= longestSpanDays) {
    problems.push(`${at}end_date must be within ${longestSpanDays} days of start_date`);
  }
  return problems;
};

const missingProblems = (brief: BriefInput): string[] =>
  (["name", "objectives", "budget", "start_date", "end_date", "target_audience"] as const)
    .filter((member) => brief[member] === undefined)
    .map((member) => `${member} is required`);

const isNoPrice = (price: number | null | undefined): boolean =>
  price !== undefined && price !== null && !((toMicros(price) ?? 0) > 0);

const priceProblems = (brief: BriefInput): string[] =>
  [
    ...(["target_cpm", "target_cpm_usd", "max_cpm", "max_cpm_usd"] as const).map(
      (member) => [`kpis.${member}`, brief.kpis?.[member]] as const,
    ),
    ["negotiation.walk_away_cpm", brief.negotiation?.walk_away_cpm] as const,
  ]
    .filter(([, price]) => isNoPrice(price))
    .map(([member]) => `${member} must be greater than 0 with at most six decimals`);

/** An unknown channel would buy nothing, or something else; the message lists the known ones. */
const channelProblems = (brief: BriefInput): string[] =>
  (brief.channels ?? [])
    .filter((name) => name.trim() !== "" && !isKnownChannel(channelOf(name)))
    .map((name) => `channels: ${JSON.stringify(name)} is not one of ${knownChannels.join(", ")}`);

/** Fractions of a cent are not spent; below a micro they are a double's noise. */
const centsOf = (budget: number): number => Math.floor(Math.round(budget * microsPerUnit) / microsPerCent);

const budgetProblems = (budget: number): string[] => {
  if (budget <= 0) return ["budget must be greater than 0"];
  if (budget > largestAmount) return [`budget must be at most ${largestAmount}`];
  return centsOf(budget) < 1 ? ["budget must be at least 0.01"] : [];
};

/** A reference without a jurisdiction cannot be consented to, so an agentic one may not be global. */
const hasGlobalAgentic = (value: unknown, depth = 0): boolean => {
  if (typeof value !== "object" || value === null || depth > 8) return false;
  const members = value as Readonly<Record<string, unknown>>;
  const context = members["compliance_context"] as { jurisdiction?: unknown } | null | undefined;
  const jurisdiction = typeof context === "object" && context !== null ? context.jurisdiction : undefined;
  if (members["type"] === "agentic" && String(jurisdiction).toUpperCase() === "GLOBAL") return true;
  return Object.values(members).some((member) => hasGlobalAgentic(member, depth + 1));
};

/** Free-form members are written again with the job at each step. */
const longestFreeForm = 65_536;

const isTooLong = (value: unknown): boolean => JSON.stringify(value ?? null).length > longestFreeForm;

const flightProblems = (brief: BriefInput, nowMs: number): string[] => {
  const outer = [brief.start_date, brief.end_date] as const;
  return (brief.flights ?? []).flatMap((flight, index) => {
    const at = `flights[${index}].`;
    const problems = dateProblems(flight.start_date, flight.end_date, at, nowMs);
    const isOutside =
      outer[0] !== undefined && outer[1] !== undefined && (flight.start_date < outer[0] || flight.end_date > outer[1]);
    if (isOutside) problems.push(`flights[${index}] must lie between start_date and end_date`);
    if (flight.share !== undefined && !(flight.share >= 0.000001 && flight.share <= 1_000_000)) {
      problems.push(`${at}share must lie between 0.000001 and 1000000`);
    }
    return problems;
  });
};

interface SplitTerms {
  readonly budget?: number | undefined;
  readonly objectives?: readonly string[] | undefined;
  readonly channels?: readonly string[] | null | undefined;
  readonly channel_limits?: GivenLimits | null | undefined;
}

/** How the budget of a brief that is not complete yet would be split; its limits hold. */
export const plannedSplit = (terms: SplitTerms): readonly ChannelBudget[] => {
  const { budget = 0, objectives = [], channels = null, channel_limits: limits } = terms;
  const budgetMicros = toMicros(budget) ?? 0;
  const budgetCents = Math.floor(budgetMicros / microsPerCent);
  const bounds = channelBounds({ channel_limits: limits ?? {}, budget_cents: budgetCents });
  return allocateBudget({ budgetMicros, objectives, channels, bounds });
};

export const briefProblems = (brief: BriefInput, nowMs: number): readonly string[] => {
  const problems = [...missingProblems(brief), ...priceProblems(brief), ...channelProblems(brief)];
  if (brief.name !== undefined && brief.name.trim() === "") problems.push("name must not be empty");
  const objectives = brief.objectives ?? ["given elsewhere"];
  if (objectives.filter((text) => text.trim() !== "").length === 0) problems.push("objectives must not be empty");
  if (brief.budget !== undefined) problems.push(...budgetProblems(brief.budget));
  if (brief.start_date !== undefined && brief.end_date !== undefined) {
    problems.push(...dateProblems(brief.start_date, brief.end_date, "", nowMs));
  }
  if (hasGlobalAgentic(brief.target_audience)) {
    problems.push("target_audience: an agentic reference may not be GLOBAL; send one reference per jurisdiction");
  } else problems.push(...planProblems(brief.target_audience ?? {}));
  const cents = brief.budget !== undefined && budgetProblems(brief.budget).length === 0 ? centsOf(brief.budget) : null;
  if (problems.length === 0) problems.push(...limitProblems(brief.channel_limits, brief.channels ?? null, cents));
  for (const member of ["target_audience", "kpis"] as const) {
    if (isTooLong(brief[member])) problems.push(`${member} must be at most ${longestFreeForm} characters of JSON`);
  }
  return [...problems, ...flightProblems(brief, nowMs)];
};

const aheadOf = <Dates extends { readonly start_date: string }>(dates: Dates, nowMs: number): Dates => {
  const today = dateOfSlot(slotOfTime(nowMs)) ?? "";
  return dates.start_date < today ? { ...dates, start_date: today } : dates;
};

const priceOf = (...prices: readonly (number | null | undefined)[]): number | null => {
  const given = prices.find((price) => price !== undefined && price !== null);
  return given === undefined || given === null ? null : toMicros(given);
};

const negotiationOf = ({ negotiation: given }: BriefInput): BriefNegotiation | null => {
  if (given?.enabled === false) return null;
  return {
    style: given?.strategy ?? "patient",
    walk_away_cpm_micros: priceOf(given?.walk_away_cpm),
    rounds: given?.rounds ?? null,
  };
};

/** Only for a brief without problems. A flight that began is bought from today on. */
export const readBrief = (brief: BriefInput, nowMs: number): Brief => {
  const startDate = brief.start_date ?? "";
  const endDate = brief.end_date ?? "";
  const dates = { start_date: startDate, end_date: endDate };
  const whole: Flight = { name: null, ...aheadOf(dates, nowMs), share: 1 };
  const flights = (brief.flights ?? []).map(({ name, share, start_date, end_date }) => ({
    ...aheadOf({ start_date, end_date }, nowMs),
    name: name ?? null,
    share: share ?? 1,
  }));
  return {
    name: brief.name ?? "",
    advertiser: brief.advertiser || null,
    objectives: brief.objectives ?? [],
    budget_cents: centsOf(brief.budget ?? 0),
    start_date: startDate,
    end_date: endDate,
    target_audience: brief.target_audience ?? {},
    kpis: brief.kpis ?? {},
    target_cpm_micros: priceOf(brief.kpis?.target_cpm, brief.kpis?.target_cpm_usd),
    max_cpm_micros: priceOf(brief.kpis?.max_cpm, brief.kpis?.max_cpm_usd),
    channels: channelsOf(brief.channels ?? []).length === 0 ? null : (brief.channels ?? null),
    channel_limits: readLimits(brief.channel_limits),
    negotiation: negotiationOf(brief),
    flights: flights.length === 0 ? [whole] : flights,
  };
};
