import { anyOf } from "../../../understanding/reading/any-of.ts";
import { offered, type Said, type Talk } from "../talk.ts";
import { chosenOf, measureWords, type Wanted, wantedIn, withPlaces } from "./meant/choice.ts";
import type { Which } from "./meant/which.ts";
import { type Job, statusWords, titled, unfilledOf, type WaitingLine, waitingLines, without } from "./wording.ts";

const idsOf = (lines: readonly WaitingLine[]) => lines.map(({ recommendationId }) => recommendationId);

const approval = ({ job_id }: Job, chosen: readonly WaitingLine[], text = "", isRestKept = true): Said =>
  offered(
    { operation: "approve_booking", input: { job_id, recommendation_ids: idsOf(chosen), keep_rest: isRestKept } },
    { text },
  );

/** One yes for both, where nothing is left to wait; else the others are dropped by another. */
export const approveAndDrop = (
  job: Job,
  chosen: readonly WaitingLine[],
  dropped: readonly WaitingLine[],
  note = "",
): Said => {
  if (without(waitingLines(job), [...chosen, ...dropped]).length === 0) return approval(job, chosen, note, false);
  const next = `To drop line ${placesOf(dropped)} too, say "drop ${placesOf(dropped)}" next.`;
  return approval(job, chosen, [note, next].filter((words) => words !== "").join("\n"));
};

/** The lines that the words name, beside what leaves them open. */
const sayFor = (text: string, lines: readonly WaitingLine[]): string => {
  const numbers = new Set(
    withPlaces(text, lines)
      .replace(/\b(?:drop|remove|reject|cancel|not|without|never)\b[^.,;!?]*/gi, " ")
      .match(/(?<![\d.,$-])\b\d{1,2}\b(?![\d%.,]|k\b)/g)
      ?.map(Number),
  );
  const named = lines.filter(({ place }) => numbers.has(place));
  const exact = named.length === 0 ? 'for example "approve all" or "approve 1"' : `"approve ${placesOf(named)}"`;
  return `To book, say ${exact} and nothing else. Nothing is booked.`;
};

const placesOf = (lines: readonly WaitingLine[]): string => lines.map(({ place }) => place).join(" and ");

const noneWaits = (job: Job): Said => ({
  outcome: "answer",
  text: `No line waits for approval, so nothing is booked.\n${statusWords(job)}`,
  understood: { job_id: job.job_id },
});

/** A sentence beside the choice that may hold more than a courtesy or a reason. */
const isMore = anyOf(
  /[?\d"]|n't\b/i,
  /\b(?:not|never|no|if|unless|when|once|until|but|only|says?|said|wants?|told|wrote|later|tomorrow|instead)\b/i,
);

/** "Legal is fine. Please book the native one." */
const inOneSentence = (said: string): Wanted | null => {
  const sentences = said.split(/(?<=[.!;\n])\s+/).filter((one) => one.trim() !== "");
  const [only, other] = sentences.filter((one) => wantedIn(one) !== null);
  if (only === undefined || other !== undefined || sentences.length === 1) return null;
  return sentences.some((one) => one !== only && isMore.test(one)) ? null : wantedIn(only);
};

/** "Buy it" where a single line waits. */
const readWanted = (text: string, lines: readonly WaitingLine[]): Wanted | null => {
  const said = withPlaces(text, lines);
  const wanted = wantedIn(said) ?? inOneSentence(said);
  return wanted ?? (lines.length === 1 ? wantedIn(`${said.replace(/[.!\s]+$/, "")} all`) : null);
};

export const approve = (talk: Talk, { job, text }: Which): Said => {
  const lines = waitingLines(job);
  if (lines.length === 0) return noneWaits(job);
  const wanted = readWanted(text, lines);
  if (wanted === null) {
    const head = `I am not sure which lines of ${titled(job)} you mean. ${sayFor(text, lines)}`;
    return { outcome: "clarify", text: `${head}\n${lines.map((line) => line.words).join("\n")}`, notUsed: [talk.text] };
  }
  const chosen = chosenOf(wanted, lines);
  if ("problem" in chosen) return { outcome: "clarify", text: `${chosen.problem} Nothing is booked.` };
  if (chosen.lines.length === 0) return { outcome: "clarify", text: "That leaves no line. Nothing is booked." };
  const note = measureWords(wanted).trim();
  return approval(job, chosen.lines, note === "" ? "" : `Chosen by your words ${note}.`);
};

/** Also where the lines that it names do not wait, or none is left. */
export const isChoice = (text: string, lines: readonly WaitingLine[]): boolean => readWanted(text, lines) !== null;

/** The lines that a choice in words means, or null where it means none. */
export const linesMeant = (text: string, lines: readonly WaitingLine[]): readonly WaitingLine[] | null => {
  const wanted = readWanted(text, lines);
  const chosen = wanted === null ? null : chosenOf(wanted, lines);
  return chosen === null || "problem" in chosen || chosen.lines.length === 0 ? null : chosen.lines;
};

/** All that waits is dropped without more; of several lines one is dropped only with a new search for its money. */
export const dropLines = (job: Job, lines: readonly WaitingLine[]): Said => {
  const { job_id } = job;
  return offered(
    lines.length === waitingLines(job).length
      ? { operation: "approve_booking", input: { job_id, recommendation_ids: [], keep_rest: false } }
      : { operation: "replan_booking", input: { job_id, reject: idsOf(lines) } },
  );
};

/** A second campaign beside the first, for the money that found no line. */
export const movedBrief = (job: Job, channels: readonly string[]) => {
  const budget = unfilledOf(job).reduce((sum, one) => sum + Math.round(one.budget * 100), 0) / 100;
  if (budget === 0 || channels.length === 0) return null;
  const name = `${job.campaign_name.slice(0, 80)} (${channels.join(", ")})`.slice(0, 100);
  return { ...job.brief, name, budget, channels: [...channels] };
};
