import { shownBrief } from "./brief/talk.ts";
import { missingWords } from "./brief/wording.ts";
import { shownApproval } from "./jobs/approval.ts";
import { jobOf } from "./jobs/which.ts";
import { bookedLines, type Job, titled, waitingLines } from "./jobs/wording.ts";
import { openOffer, type Said, type Talk } from "./talk.ts";

const whole = [
  "I read a campaign brief in words, for example: spend 50k on display and CTV in March 2027 for sports fans, brand",
  'awareness, max 25 CPM. Correct it with "make it 60k", "only CTV", "start a week later". Then: "status", "compare",',
  '"approve all", "approve all but the most expensive", "approve 1 and 3", "drop 2", "cancel", "cancel deal ...",',
  '"what jobs do I have?". Nothing is done without your plain yes to what was shown.',
].join(" ");

export const help = ({ memory }: Talk): Said => {
  const { brief } = memory;
  const open = brief === null ? [] : missingWords(brief);
  return { outcome: "answer", text: [whole, ...open].join("\n") };
};

const ofJob = (job: Job): string => {
  const name = titled(job);
  if (waitingLines(job).length > 0) return `About ${name} say for example "approve all" or "compare".`;
  const [deal] = bookedLines(job);
  if (deal !== undefined) return `About ${name} say for example "status" or "cancel deal ${deal.deal_id}".`;
  if (job.status === "pending" || job.status === "running") return `About ${name} say "status" or "cancel".`;
  return `${name} is over: send a new brief, or say "what jobs do I have?".`;
};

/** With the two likeliest things in this state. */
export const lastResort = async (talk: Talk): Promise<Said> => {
  const { brief, job: kept } = talk.memory;
  const head = "I did not understand that, and nothing is changed.";
  const offer = openOffer(talk);
  if (offer?.kind === "approval") return { ...(await shownApproval(talk, offer, head)), notUsed: [talk.text] };
  if (brief !== null) return { ...shownBrief(brief, talk.context.nowMs, undefined, head), notUsed: [talk.text] };
  const job = kept === null ? null : await jobOf(talk, kept.id);
  const next =
    job === null || "failed" in job
      ? 'Send me a campaign brief (budget, days, channels, audience), or say "what jobs do I have?".'
      : ofJob(job.output);
  return { outcome: "clarify", text: `${head} ${next}`, notUsed: [talk.text] };
};
