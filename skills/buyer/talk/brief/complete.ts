import type { BriefInput } from "./input.ts";

const requiredMembers = ["budget", "start_date", "end_date", "target_audience", "objectives"] as const;

export const missingIn = (brief: BriefInput): readonly string[] =>
  requiredMembers.filter((member) => brief[member] === undefined);

const mostTitled = 5;

/** A name that nobody gave changes with the brief. */
export const withName = (brief: BriefInput): BriefInput => {
  const { name, channels, start_date: start, end_date: end } = brief;
  const isList = channels != null && channels.length > 0 && channels.length <= mostTitled;
  const title = isList ? channels.join(" and ") : "Campaign";
  return { ...brief, name: name ?? `${title} ${start} to ${end}`.slice(0, 100) };
};
