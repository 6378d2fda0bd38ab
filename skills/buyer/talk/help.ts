import type { Guess } from "../../understanding/reading/choice/act-model.ts";
import type { Sound } from "./acts/sounds.ts";
import { shownAgain } from "./brief/shown.ts";
import { again } from "./consent.ts";
import { missingWords } from "./brief/wording.ts";
import { jobOf } from "./jobs/meant/which.ts";
import { bookedLines, capital, exampleOf, type Job, titled, waitingLines } from "./jobs/wording.ts";
import { kindOf, type Said, type Talk } from "./talk.ts";

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
  if (waitingLines(job).length > 0)
    return `About ${name} say for example "compare", "approve all" or ${exampleOf("drop", job)}.`;
  const [deal] = bookedLines(job);
  if (deal !== undefined) return `About ${name} say for example "status" or "cancel deal ${deal.deal_id}".`;
  if (job.status === "pending" || job.status === "running") return `About ${name} say "status" or "cancel".`;
  return `${capital(name)} has nothing open: send a new brief, or say "what jobs do I have?".`;
};

/** To whom has a campaign or a brief already nothing need be explained. */
export const greeted = async (talk: Talk): Promise<Said> => {
  const { brief, job: kept } = talk.memory;
  if (brief !== null) return shownAgain(talk, brief, "Hello. The brief so far:");
  const job = kept === null ? null : await jobOf(talk, kept.id);
  if (job === null || "failed" in job) return help(talk);
  return { outcome: "answer", text: `Hello. ${ofJob(job.output)}` };
};

/** How to ask for it in words that are surely understood. */
const asked: Readonly<Partial<Record<Sound, string>>> = {
  status: '"status" for what is found and booked',
  "why waiting": '"what next" for what is to be done',
  total: '"total" for the costs',
  split: '"how is the budget split"',
  compare: '"compare" for the lines side by side',
  extremes: '"which is the cheapest"',
  "why dearer": '"why is it so expensive"',
  when: '"when does it start"',
  negotiated: '"was the price negotiated"',
  delivery: '"delivery report"',
  booked: '"what is booked"',
  "is cancelled": '"is it cancelled"',
  jobs: '"what campaigns do I have"',
  approve: '"approve" and the number of a line',
  drop: '"drop" and the number of a line',
  cancel: '"cancel" and the name of the campaign or the deal',
  "new brief": '"new campaign" with its budget, days and audience',
  help: '"help"',
};

const leastAsked = 0.1;
const mostAsked = 2;

const likeliest = (guesses: readonly Guess<Sound>[]): string => {
  const words = guesses
    .slice(0, mostAsked)
    .filter(({ share }) => share >= leastAsked)
    .flatMap(({ name }) => asked[name] ?? []);
  return words.length === 0 ? "" : ` Did you mean ${words.join(", or ")}?`;
};

/** With the two likeliest things. */
export const lastResort = async (talk: Talk, guesses: readonly Guess<Sound>[]): Promise<Said> => {
  const { brief, job: kept } = talk.memory;
  const head = "I did not understand that, and nothing is changed.";
  const { asked: open } = talk;
  if (open !== null && kindOf(open) === "book") return { ...again(open, head), notUsed: [talk.text] };
  if (brief !== null) return { ...shownAgain(talk, brief, head), notUsed: [talk.text] };
  const job = kept === null ? null : await jobOf(talk, kept.id);
  const next =
    job === null || "failed" in job
      ? 'Send me a campaign brief (budget, days, channels, audience), or say "what jobs do I have?".'
      : ofJob(job.output);
  return { outcome: "clarify", text: `${head}${likeliest(guesses)} ${next}`, notUsed: [talk.text] };
};
