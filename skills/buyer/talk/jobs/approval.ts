import { anyOf } from "../../../understanding/reading/any-of.ts";
import type { Offer } from "../../../../machines/conversation/machine.ts";
import { called, offered, type Said, type Talk } from "../talk.ts";
import { chosenOf, measureWords, type Wanted, wantedIn, withPlaces } from "./meant/choice.ts";
import { jobOf, type Which } from "./meant/which.ts";
import {
  approvalWords,
  bookedLines,
  count,
  type Job,
  linesCounted,
  standingWords,
  statusWords,
  titled,
  totalOf,
  unfilledOf,
  usd,
  type WaitingLine,
  waitingLines,
  without,
} from "./wording.ts";

const idsOf = (lines: readonly WaitingLine[]) => lines.map(({ recommendationId }) => recommendationId);

/** The note is beside what is shown, so that a later yes compares the terms alone. */
const approval = (job: Job, chosen: readonly WaitingLine[], note = "", dropped: readonly WaitingLine[] = []): Said => {
  const change = { recommendation_ids: idsOf(chosen), ...(dropped.length === 0 ? {} : { drop_ids: idsOf(dropped) }) };
  const said = offered({ kind: "approval", id: job.job_id, change }, approvalWords(job, chosen, dropped));
  return note === "" ? said : { ...said, text: `${note}\n${said.text}` };
};

/** One proposal, and one yes for both. */
export const approveAndDrop = (
  job: Job,
  chosen: readonly WaitingLine[],
  dropped: readonly WaitingLine[],
  note = "",
): Said => approval(job, chosen, note, dropped);

const linesIn = (job: Job, ids: unknown): readonly WaitingLine[] =>
  waitingLines(job).filter(({ recommendationId }) => Array.isArray(ids) && ids.includes(recommendationId));

const plainChoice = new RegExp(
  "^(?:(?:but|and|please|pls|kindly|only|just|book|take|approve|accept|buy|order|the|these|those|lines?|numbers?|" +
    "ones?|all|both|two|three|four|\\d{1,2})\\b[\\s,.!&#]*)+$",
  "i",
);

const confirmedTotal = new RegExp(
  "(?:^|[.!,;]|\\band)\\s*(?:i|we) (?:hereby )?confirm (?:the |a )?total (?:price |cost |amount )?of " +
    "(?:usd |[$])?(\\d[\\d,]*(?:\\.\\d{2})?)(?: usd| dollars)?\\s*[.!]*\\s*$",
  "i",
);
const sizes = ["two", "three", "four", "five", "six"];
const sized = new RegExp(`\\b(these|those|the) (${sizes.join("|")}|[2-6]) (?=(?:lines|deals|offers)\\b)`, "gi");

/** Without the total and the number of lines, as far as both are those that were shown. */
export const withoutShown = async (talk: Talk, offer: Offer | undefined): Promise<string> => {
  const said = confirmedTotal.exec(talk.text);
  if (offer?.kind !== "approval" || (said === null && talk.text.search(sized) < 0)) return talk.text;
  const found = await jobOf(talk, offer.id);
  const lines = "failed" in found ? [] : linesIn(found.output, offer.change?.["recommendation_ids"]);
  const isTotal = said !== null && usd(Number(said[1]?.replaceAll(",", ""))) === totalOf(lines);
  const text = isTotal ? talk.text.replace(confirmedTotal, ".") : talk.text;
  return text.replace(sized, (words, these: string, size: string) =>
    lines.length === (sizes.includes(size.toLowerCase()) ? sizes.indexOf(size.toLowerCase()) + 2 : Number(size))
      ? `${these} `
      : words,
  );
};

/** "Yes, but only number 3" where number 3 alone is asked about. */
export const isSameChoice = async (talk: Talk, text: string, offer: Offer): Promise<boolean> => {
  const found = offer.kind === "approval" ? await jobOf(talk, offer.id) : null;
  if (found === null || "failed" in found) return false;
  const rest = text.replace(/^\W*(?:(?:yes|yeah|yep|yup|sure)\b\W*)+(?:but\b)?/i, "");
  const lines = waitingLines(found.output);
  const wanted = rest === text ? null : wantedIn(withPlaces(rest, lines));
  const chosen = wanted === null || !plainChoice.test(withPlaces(rest, lines).trim()) ? null : chosenOf(wanted, lines);
  const meant = chosen === null || "problem" in chosen ? [] : chosen.lines;
  const offeredIds = offer.change?.["recommendation_ids"] as readonly string[];
  return meant.length === offeredIds.length && idsOf(meant).every((id) => offeredIds.includes(id));
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

/** What was approved must still read as it was shown. */
export const approvedAgain = async (talk: Talk, { id, change, digest }: Offer): Promise<Said | null> => {
  const found = await jobOf(talk, id);
  if ("failed" in found) return found.failed;
  const chosen = linesIn(found.output, change?.["recommendation_ids"]);
  const dropped = linesIn(found.output, change?.["drop_ids"]);
  const now = approval(found.output, chosen, "", dropped);
  if (now.offer?.digest === digest) return null;
  const changed = "The job has changed since, so nothing is booked.";
  return chosen.length === 0
    ? { outcome: "answer", text: `${changed}\n${statusWords(found.output)}` }
    : approval(found.output, chosen, changed, dropped);
};

/** The lines that an open offer names, shown anew. */
export const shownApproval = async (
  talk: Talk,
  offer: Offer,
  head = 'Only a plain yes books it: "yes" or "go ahead".',
): Promise<Said> => {
  const again = await approvedAgain(talk, offer);
  if (again !== null) return again;
  const found = await jobOf(talk, offer.id);
  if ("failed" in found) return found.failed;
  const { output: job } = found;
  const dropped = linesIn(job, offer.change?.["drop_ids"]);
  return approval(job, linesIn(job, offer.change?.["recommendation_ids"]), head, dropped);
};

interface Booked {
  readonly booked: number;
  readonly total_cost: number;
  readonly approved_count: number;
}

export const book = async (talk: Talk, offer: Offer): Promise<Said> => {
  const before = await jobOf(talk, offer.id);
  const dropped = "failed" in before ? [] : linesIn(before.output, offer.change?.["drop_ids"]);
  const approvedIds = offer.change?.["recommendation_ids"] as readonly string[];
  const waiting = "failed" in before ? 0 : waitingLines(before.output).length;
  const isRestDropped = dropped.length > 0 && dropped.length + approvedIds.length === waiting;
  const input = { job_id: offer.id, recommendation_ids: approvedIds, keep_rest: !isRestDropped };
  const booked = await called<Booked>(talk, "approve_booking", input);
  if ("failed" in booked) return booked.failed;
  const { booked: size, approved_count: asked, total_cost: cost } = booked.output;
  const isDropped =
    dropped.length === 0 ||
    isRestDropped ||
    !("failed" in (await called(talk, "replan_booking", { job_id: offer.id, reject: idsOf(dropped) })));
  const after = await jobOf(talk, offer.id);
  const ids = new Set(approvedIds);
  const deals = "failed" in after ? [] : bookedLines(after.output).filter((line) => ids.has(line.recommendation_id));
  const names = deals.map((line) => `- ${line.product_name}: deal ${line.deal_id}, ${standingWords(line)}`);
  const failures = "failed" in after ? [] : failedWords(after.output, ids);
  const left = "failed" in after ? 0 : waitingLines(after.output).length;
  const head = "failed" in after ? "" : ` for ${titled(after.output)}`;
  const text = [
    size === 0
      ? `Nothing is booked${head}.`
      : `Booked: ${size} of ${asked} approved ${asked === 1 ? "line" : "lines"}, ${usd(cost)} in total,${head}.`,
    ...names,
    ...failures,
    ...(dropped.length === 0
      ? []
      : [`Line ${placesOf(dropped)} ${isDropped ? "is dropped" : "could not be dropped"}.`]),
    ...(left === 0 ? [] : [`${linesCounted(left)} still ${left === 1 ? "waits" : "wait"} for your approval.`]),
  ].join("\n");
  return { outcome: size === 0 ? "refuse" : "booked", text, result: booked.output };
};

const failedWords = (job: Job, ids: ReadonlySet<string>): readonly string[] =>
  (job.recommendations ?? [])
    .filter((line) => ids.has(line.recommendation_id) && line.error !== null)
    .map((line) => `- ${line.product_name}: not booked, ${line.error}`);

const keptWords = (job: Job, dropped: readonly WaitingLine[]): string => {
  const booked = bookedLines(job).map((line) => `${line.product_name} (deal ${line.deal_id})`);
  const waiting = without(waitingLines(job), dropped);
  return [
    ...(booked.length === 0 ? [] : [`What is booked stays booked: ${booked.join(", ")}.`]),
    ...(waiting.length === 0
      ? []
      : [`Still waiting then: ${waiting.map(({ place, names }) => `${place}. ${names[0] ?? ""}`).join(", ")}.`]),
  ].join(" ");
};

/**
 * All that waits is dropped without more; of several lines one is dropped only with a new search for its money, for
 * a seller's other offers.
 */
export const dropLines = (job: Job, lines: readonly WaitingLine[]): Said => {
  const isAll = lines.length === waitingLines(job).length;
  const search = isAll
    ? "No line waits then, and nothing else is searched for."
    : `Its ${totalOf(lines)} are then offered anew in the same channel, and what is found waits for your approval.`;
  const text = [
    `Shall I drop ${lines.length === 1 ? "this line" : "these lines"} of ${titled(job)}?`,
    ...lines.map(({ words }) => words),
    [search, keptWords(job, lines)].filter((words) => words !== "").join(" "),
    "Only a plain yes as your next message drops it.",
  ].join("\n");
  const change = { recommendation_ids: idsOf(lines), is_all: isAll };
  return offered({ kind: "line drop", id: job.job_id, change }, text);
};

/** Null where none of the lines waits any more. */
export const shownDrop = (job: Job, ids: readonly string[], head: string): Said | null => {
  const lines = waitingLines(job).filter(({ recommendationId }) => ids.includes(recommendationId));
  if (lines.length === 0) return null;
  const said = dropLines(job, lines);
  return { ...said, text: `${head}\n${said.text}` };
};

export const droppedAgain = async (talk: Talk, { id, change, digest }: Offer): Promise<Said | null> => {
  const found = await jobOf(talk, id);
  if ("failed" in found) return found.failed;
  const ids = change?.["recommendation_ids"] as readonly string[];
  const lines = waitingLines(found.output).filter(({ recommendationId }) => ids.includes(recommendationId));
  if (lines.length > 0 && dropLines(found.output, lines).offer?.digest === digest) return null;
  const text = `The job has changed since, so nothing is dropped.\n${statusWords(found.output)}`;
  return { outcome: "answer", text };
};

export const drop = async (talk: Talk, { id, change }: Offer): Promise<Said> => {
  const ids = change?.["recommendation_ids"] as readonly string[];
  const isAll = change?.["is_all"] === true;
  const done = isAll
    ? await called(talk, "approve_booking", { job_id: id, recommendation_ids: [], keep_rest: false })
    : await called(talk, "replan_booking", { job_id: id, reject: ids });
  if ("failed" in done) return done.failed;
  const next = isAll
    ? "Nothing of the job waits any more."
    : 'Its money is offered anew: ask "status" in a moment for what is found.';
  const size = ids.length === 1 ? "1 line is" : `${count(ids.length)} lines are`;
  return { outcome: "cancelled", text: `${size} dropped; nothing was booked by this. ${next}`, result: done.output };
};

/** A second campaign beside the first, for the money that found no line. */
export const movedBrief = (job: Job, channels: readonly string[]) => {
  const budget = unfilledOf(job).reduce((sum, one) => sum + Math.round(one.budget * 100), 0) / 100;
  if (budget === 0 || channels.length === 0) return null;
  const name = `${job.campaign_name.slice(0, 80)} (${channels.join(", ")})`.slice(0, 100);
  return { ...job.brief, name, budget, channels: [...channels] };
};
