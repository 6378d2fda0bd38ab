import type { Draft } from "../../../talk/gate/record.ts";
import type { BriefInput, Term } from "../brief/form.ts";
import { shownBrief } from "../brief/shown.ts";
import { chosenOf, type Pick } from "../reader/lines.ts";
import type { Request } from "../reader/request.ts";
import { isIn, says } from "../reader/words.ts";
import { answered, kindOf, offered, type Said, type Talk } from "../talk.ts";
import { cancelDeal, cancelExample, cannotChange, notPaused } from "./deals.ts";
import { describedDeals } from "./described.ts";
import {
  bookedLines,
  type BookedLine,
  bookedWords,
  capital,
  exampleOf,
  isCancelled,
  type Job,
  nextWords,
  type LineRow,
  rowsOf,
  placeWords,
  statusWords,
  titled,
  totalOf,
  unfilledOf,
  usd,
  waitingLines,
  without,
} from "./job.ts";

const idsOf = (lines: readonly LineRow[]) => lines.map(({ recommendationId }) => recommendationId);

const ofStatus = (job: Job): Partial<Said> => ({ understood: { job_id: job.job_id } });

const noneWaits = (job: Job): Said =>
  answered(`No line waits for approval, so this books nothing.\n${statusWords(job)}`, ofStatus(job));

const listed = (lines: readonly LineRow[]): readonly string[] => lines.map(({ words }) => words);

/** By the words alone; "it" is the one line that waits. */
const meant = (job: Job, pick: Pick, shown: readonly number[] = []) => {
  const lines = waitingLines(job);
  const isEmpty = pick.lines.length === 0 && pick.except.length === 0;
  if (isEmpty) return lines.length === 1 ? { lines } : null;
  return chosenOf(pick, lines, shown);
};

interface Limit {
  readonly value: number;
  readonly measure: "cost" | "cpm";
}

const limitOf = (request: Request): Limit | null => (request.input["limit"] as Limit | undefined) ?? null;

/** Of each line whether it is within the limit that the words set. */
const limitWords = (limit: Limit | null, lines: readonly LineRow[]): readonly string[] =>
  limit === null
    ? []
    : lines.map((line) => {
        const unit = limit.measure === "cpm" ? " CPM" : "";
        const side = line[limit.measure] > limit.value ? "above" : "within";
        return `${placeWords(line)} is at ${usd(line[limit.measure])}${unit}, ${side} your ${usd(limit.value)}${unit}.`;
      });

/** A sum is a limit of all together, a price one of each line. */
const withinLimit = (limit: Limit | null, lines: readonly LineRow[]): readonly LineRow[] => {
  const isOfEach = limit?.measure === "cpm" || lines.length === 1;
  return limit === null || !isOfEach ? lines : lines.filter((line) => line[limit.measure] <= limit.value);
};

const totalWords = (limit: Limit | null, lines: readonly LineRow[]): readonly string[] => {
  if (limit?.measure !== "cost" || lines.length < 2) return limitWords(limit, lines);
  const total = lines.reduce((sum, { cost }) => sum + cost, 0);
  const side = total <= limit.value ? "within" : "above";
  return [`The total is ${totalOf(lines)}, ${side} your limit of ${usd(limit.value)}.`];
};

/** What is dropped in the same message. */
const dropsOf = (request: Request, job: Job): readonly LineRow[] => {
  const pick = request.input["drop"] as Pick | undefined;
  const found = pick === undefined ? null : meant(job, pick);
  return found === null || "problem" in found ? [] : found.lines;
};

/** `shown`: numbers of the lines that were spoken of last; of one, "that one" means it. */
export const approve = (job: Job, pick: Pick, request: Request, shown: readonly number[] = []): Said => {
  const lines = waitingLines(job);
  // "Who is supposed to approve those?" wants nothing booked.
  const isOrdered = request.command === "approve" && !says(request.said.toLowerCase(), "who who's which what when why");
  if (lines.length === 0) return isOrdered ? noneWaits(job) : answered(statusWords(job), ofStatus(job));
  const [last, other] = lines.filter(({ place }) => shown.includes(place));
  const dropped = dropsOf(request, job);
  const spoken = dropped.length > 0 ? dropped.map(({ place }) => place) : shown;
  const found = meant(job, pick, spoken) ?? (last !== undefined && other === undefined ? { lines: [last] } : null);
  const unclear = (text: string): Said => ({
    outcome: "clarify",
    text: [text, ...listed(lines), 'To book, say for example "approve all" or "approve 1". Nothing is booked.'].join(
      "\n",
    ),
    notUsed: [request.said],
    reason: "which_lines",
  });
  if (found === null || "problem" in found || found.lines.length === 0)
    return unclear(
      found !== null && "problem" in found ? found.problem : `I am not sure which lines of ${titled(job)} you mean.`,
    );
  const limit = limitOf(request);
  // "Approve both, drop 2": what is named to be dropped is none of all.
  const isOfAll = pick.lines.length > 0 && pick.lines.every(({ by }) => by === "all");
  const left = isOfAll ? without(found.lines, dropped) : [];
  const chosen = withinLimit(limit, left.length > 0 ? left : found.lines);
  if (chosen.length === 0)
    return answered([...limitWords(limit, found.lines), "Nothing is booked."], {
      isUnasked: true,
      reason: "over_limit",
    });
  const drops = without(dropped, chosen);
  const isWhole = drops.length > 0 && without(lines, [...chosen, ...drops]).length === 0;
  const beyond = request.input["beyond"] as string | undefined;
  const why = beyond === undefined ? "" : `, and this is no part of it: "${beyond}"`;
  const doubt = request.isDoubt ? [`Nothing is booked${why}. For just what is shown here, say "approve it".`] : [];
  // What is left of a message's own drops is shown, and a yes alone takes none of it.
  const isRest = drops.length > 0 && pick.lines.some(({ by }) => by === "rest");
  const text = [...totalWords(limit, found.lines), ...doubt].join("\n");
  const others = drops.length === 0 || isWhole ? [] : [dropOf(job, drops)];
  const input = { job_id: job.job_id, recommendation_ids: idsOf(chosen), keep_rest: !isWhole };
  return offered(
    { operation: "approve_booking", input },
    { text, others, isUnasked: request.isDoubt || isRest, ...(request.isDoubt ? { reason: "doubt" } : {}) },
  );
};

/** All that waits is dropped without more; of several lines one is dropped only with a new search for its money. */
const dropOf = (job: Job, lines: readonly LineRow[], isSearch = false): Draft =>
  !isSearch && lines.length === waitingLines(job).length
    ? { operation: "approve_booking", input: { job_id: job.job_id, recommendation_ids: [], keep_rest: false } }
    : { operation: "replan_booking", input: { job_id: job.job_id, reject: idsOf(lines) } };

const dropLines = (job: Job, lines: readonly LineRow[], isUnasked = false, isSearch = false): Said =>
  offered(dropOf(job, lines, isSearch), { isUnasked });

/** The lines of all states, or of those that `isMeant`, that the words choose; none where they name none. */
export const rowsIn = (job: Job, pick: Pick, isMeant: (row: LineRow) => boolean = () => true): readonly LineRow[] => {
  if (pick.lines.length + pick.except.length === 0) return [];
  const found = chosenOf(pick, rowsOf(job).filter(isMeant));
  return "problem" in found ? [] : found.lines;
};

/** Booked deals that are named; "all" of them are asked about one by one. */
const dealsIn = (job: Job, pick: Pick): readonly BookedLine[] => {
  const booked = bookedLines(job);
  const lines = pick.lines.filter(({ by }) => by !== "all");
  return rowsIn(job, { ...pick, lines }, (row) => row.booked !== null && booked.includes(row.booked)).flatMap((row) =>
    row.booked === null ? [] : [row.booked],
  );
};

const isNarrow = ({ lines }: Pick): boolean => lines.some(({ by }) => by === "place" || by === "name");

/** "Add video": channels that no line of the campaign has. */
const addedTo = (job: Job, { input, said }: Request): readonly string[] => {
  const terms = (input["terms"] as readonly Term[] | undefined) ?? [];
  const named = terms.flatMap((term) => (term.kind === "channels" ? [...term.add, ...(term.set ?? [])] : []));
  const isAdded = /\b(?:add|include|extend|also|plus|too|as well)\b/i.test(said);
  return isAdded ? named.filter((one) => !(job.recommendations ?? []).some(({ channel }) => channel === one)) : [];
};

/** "Pre-roll down to 8,000 and display up to 12,000": each line is measured by its own figure. */
const limitFor = (request: Request, { channel }: LineRow): Limit | null => {
  const shares = ((request.input["terms"] as readonly Term[] | undefined) ?? []).filter(
    (term) => term.kind === "share",
  );
  const own = shares.find((term) => term.channel === channel)?.amount;
  return own == null ? (shares.length > 0 ? null : limitOf(request)) : { value: own, measure: "cost" };
};

/** "Raise it from 8,000 to 10,000": no limit. */
const isRaise = /\b(?:raise|increase|extra|additional|instead|from)\b/i;

/** Other terms, or a limit of lines: the limit is told of each of them, and nothing is changed. */
export const changeOf = (job: Job, pick: Pick, request: Request): Said => {
  const described = describedDeals(job, request);
  return cannotChange(job, {
    deals: described.length > 0 ? described : dealsIn(job, pick),
    lines: isNarrow(pick) ? rowsIn(job, pick, ({ isWaiting }) => isWaiting) : [],
    channels: addedTo(job, request),
    words: [
      ...(says(request.said.toLowerCase(), "pause pausing paused") ? [notPaused] : []),
      ...(isRaise.test(request.said)
        ? []
        : rowsIn(job, pick).flatMap((row) => limitWords(limitFor(request, row), [row]))),
    ],
    isQuestion: request.isQuestion,
  });
};

export const drop = (talk: Talk, job: Job, pick: Pick, request: Request): Said => {
  const lines = waitingLines(job);
  // "Not the display": what is left out is what is dropped.
  const found = meant(job, pick.lines.length > 0 ? pick : { lines: pick.except, except: [] }, talk.memory.lines);
  const isOfDeals =
    found !== null && "problem" in found && [...dealsIn(job, pick), ...describedDeals(job, request)].length > 0;
  if (isOfDeals || (found === null && request.said.split(" ").length < 5)) return cancel(job, request);
  if (found === null || "problem" in found || found.lines.length === 0) {
    const why = found !== null && "problem" in found ? found.problem : `Which lines of ${titled(job)}?`;
    return {
      outcome: "clarify",
      text: [`${why} Nothing is dropped.`, ...listed(lines)].join("\n"),
      reason: "which_lines",
    };
  }
  const isSearch = /\b(?:else|another|instead|alternatives?|replacement|rather)\b/i.test(request.said);
  return dropLines(job, found.lines, request.isDoubt, isSearch);
};

const over = (job: Job): Said => {
  const booked = bookedLines(job);
  const more = { understood: { job_id: job.job_id }, reason: "over" };
  if (isCancelled(job))
    return answered(`${capital(titled(job))} is cancelled by you already; nothing of it is booked.`, more);
  if (booked.length === 0)
    return answered(`${capital(titled(job))} is over, and nothing of it is booked. ${nextWords(job)}`, more);
  const head = `${capital(titled(job))} is booked, and cannot be cancelled as a whole. Cancel each deal by itself:`;
  return answered([head, ...booked.map(bookedWords), cancelExample(booked)], more);
};

const behindDeal = "please now then too instead today again only it off first alone yes ok thanks here there";

/** The whole job until something of it is booked; then single deals, and the lines that still wait. */
const cancel = (job: Job, request: Request): Said => {
  const pick = (request.input["pick"] as Pick | undefined) ?? { lines: [], except: [] };
  const campaign = request.input["campaign"] as { readonly by: string; readonly id?: string } | null | undefined;
  const byId = (job.booked_lines ?? []).find(({ deal_id: id }) => id.toLowerCase() === campaign?.id?.toLowerCase());
  const booked = bookedLines(job);
  if (byId !== undefined && !booked.includes(byId))
    return answered(`There is nothing to cancel. ${byId.status_text}`, { understood: { job_id: job.job_id } });
  if (byId !== undefined) return cancelDeal(job, [byId], request.isDoubt);
  const waiting = waitingLines(job);
  const isNarrow = pick.lines.some(({ by }) => by !== "all");
  const lines = isNarrow && waiting.length > 0 ? meant(job, pick) : null;
  const described = describedDeals(job, request);
  const deals = described.length > 0 ? described : dealsIn(job, pick);
  const isOfDeal = /\bdeals?\b/i.test(request.said);
  const [, other] = /\bcancel deal (?:no\.? |number |id )?"?([a-z\d][\w-]*)"?[.!]?$/i.exec(request.said) ?? [];
  // "Cancel deal spring": a name that no deal has is none of the campaign.
  if (deals.length === 0 && other !== undefined && !isIn(other.toLowerCase(), behindDeal))
    return answered([`No deal of ${titled(job)} is called "${other}"; nothing is done.`, ...booked.map(bookedWords)], {
      reason: "no_deal",
      isUnasked: true,
    });
  if (deals.length > 0 && (lines === null || "problem" in lines || isOfDeal))
    return cancelDeal(job, deals, request.isDoubt);
  if (lines !== null && !("problem" in lines) && lines.lines.length > 0)
    return dropLines(job, lines.lines, request.isDoubt);
  if (isOfDeal && booked.length > 0) return cancelDeal(job, booked, request.isDoubt);
  if (job.status === "completed" || job.status === "failed") {
    const [only, other] = booked;
    return only !== undefined && other === undefined && !isCancelled(job)
      ? cancelDeal(job, [only], request.isDoubt)
      : over(job);
  }
  if (booked.length > 0 && waiting.length > 0) return dropLines(job, waiting, request.isDoubt);
  if (booked.length > 0) return over(job);
  return offered({ operation: "cancel_booking", input: { job_id: job.job_id } }, { isUnasked: request.isDoubt });
};

/** "Ask them to cancel it", after a question in between: the one cancellation that was shown. */
export const cancelShown = (talk: Talk, job: Job, request: Request): Said => {
  const { lines, except } = (request.input["pick"] as Pick | undefined) ?? { lines: [], except: [] };
  const isBare = lines.length + except.length === 0 && (request.input["campaign"] ?? null) === null;
  const isOther = /\b(?:campaign|deals?|all|everything)\b/i.test(request.said);
  const shown = talk.open.filter((one) => kindOf(one).startsWith("cancel") && one.input["job_id"] === job.job_id);
  const [only, other] = isBare && !isOther ? shown : [];
  return only === undefined || other !== undefined
    ? cancel(job, request)
    : offered({ operation: only.operation, input: only.input }, { isUnasked: request.isDoubt });
};

export const inPartOf = (job: Job): Said =>
  answered([
    `A line is booked whole, for its full sum. The lines of ${titled(job)} that wait:`,
    ...listed(waitingLines(job)),
    `Approve some of them (${exampleOf("approve", job)}), or cancel and send a smaller brief. Nothing is booked.`,
  ]);

/** A second campaign beside the first, for the money that found no line. */
export const moveMoney = (talk: Talk, job: Job, channels: readonly string[]): Said => {
  const unfilled = unfilledOf(job);
  const empty = new Set(unfilled.map(({ channel }) => channel));
  const filled = [...new Set((job.recommendations ?? []).map(({ channel }) => channel))];
  const named = channels.filter((channel) => !empty.has(channel));
  const to = named.length > 0 ? named : filled;
  const budget = unfilled.reduce((sum, one) => sum + Math.round(one.budget * 100), 0) / 100;
  const stays = `Money stays in its own channel: it cannot go to ${to.join(" or ")}.`;
  if (budget === 0 || to.length === 0) return cannotChange(job, { words: to.length === 0 ? [] : [stays] });
  const name = `${job.campaign_name.slice(0, 80)} (${to.join(", ")})`.slice(0, 100);
  const head = `The money that found no line can be planned as a second campaign beside ${titled(job)}:`;
  return shownBrief({ ...(job.brief as BriefInput), name, budget, channels: [...to] }, talk.context.nowMs, {
    head: [head],
  });
};
