import { jobOf } from "../jobs/meant/which.ts";
import type { Talk } from "../talk.ts";
import type { BriefInput, ReadBrief } from "./input.ts";
import { sameAudience } from "./reading/terms.ts";

/** "Same audience": that of the campaign before, where this conversation knows one. */
export const withSameAudience = async (talk: Talk, read: ReadBrief): Promise<ReadBrief> => {
  const { job } = talk.memory;
  const notUsed = read.notUsed.filter((words) => words.search(sameAudience) < 0);
  if (job === null || notUsed.length === read.notUsed.length) return read;
  const fetched = await jobOf(talk, job.id);
  const audience = "failed" in fetched ? undefined : (fetched.output.brief as BriefInput).target_audience;
  return audience === undefined ? read : { ...read, notUsed, brief: { ...read.brief, target_audience: audience } };
};
