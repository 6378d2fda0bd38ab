import { commands, isCommand } from "./commands.ts";
import { namesOrder } from "./reader/of-campaign.ts";
import { chosenOf, noPick, type Pick } from "./reader/lines.ts";
import { waitingLines } from "./replies/job.ts";
import type { Reading, Request } from "./reader/request.ts";
import { jobOf } from "./which.ts";
import { kindOf, offered, type Said, type Talk } from "./talk.ts";

/** What an answer leaves, for the next part of the same message. */
const after = async (talk: Talk, said: Said): Promise<Talk> => {
  const { brief = talk.memory.brief, doubts = talk.memory.doubts, job = talk.memory.job } = said;
  const memory = { ...talk.memory, brief, doubts, job };
  const { job: own } = talk.situation;
  const read = job === null || job.id === own?.job_id ? null : await jobOf(talk, job.id);
  const kept = read === null ? own : "failed" in read ? null : read.output;
  return { ...talk, memory, situation: { ...talk.situation, memory, job: kept } };
};

const acts: ReadonlySet<Said["outcome"]> = new Set(["started", "booked", "cancelled"]);

/** In order. Of two drafts the first is asked about first; of two of one brief the last has the changes of both. */
export const joined = (all: readonly Said[]): Said => {
  const [first, ...rest] = all;
  if (first === undefined) return { outcome: "clarify", text: "" };
  if (rest.length === 0) return first;
  const drafts = all.filter(({ draft }) => draft !== undefined);
  const [opening] = drafts;
  const one =
    opening?.draft !== undefined && kindOf(opening.draft) === "start"
      ? drafts.findLast(({ draft }) => draft !== undefined && kindOf(draft) === "start")
      : opening;
  const done = all.find(({ outcome }) => acts.has(outcome));
  const lead = done ?? one ?? all.findLast(({ brief }) => brief !== undefined) ?? first;
  const texts = [...new Set(all.flatMap(({ text }) => text.split("\n")).filter((text) => text !== ""))];
  const brief = all.findLast(({ standing, isAnswer }) => standing !== undefined && isAnswer !== true) ?? lead;
  return {
    ...Object.assign({}, ...all.map(({ draft: _draft, ...said }) => said)),
    ...lead,
    text: texts.join("\n"),
    standing: brief.standing ?? all.findLast(({ standing }) => standing !== undefined)?.standing ?? [],
    isAnswer: brief.isAnswer === true,
    notUsed: [...new Set(all.flatMap(({ notUsed = [] }) => notUsed))],
    about: [...new Set(all.flatMap(({ about = [] }) => about))],
    ...(one === undefined ? {} : { draft: one.draft }),
    ...(all.some(({ isUnasked, draft }) => isUnasked === true && (one === undefined || draft === undefined))
      ? { isUnasked: true }
      : {}),
    isBeside: all.every(({ isBeside }) => isBeside === true),
  };
};

/** An approval and a drop of one message are one deed where nothing else waits. */
const paired = (requests: readonly Request[]): readonly Request[] => {
  const book = requests.find(({ command }) => command === "approve");
  const drops = requests.filter(({ command }) => command === "drop");
  if (book === undefined || drops.length === 0) return requests;
  const picks = drops.map(({ input }) => (input["pick"] as Pick | undefined) ?? noPick);
  const drop: Pick = { lines: picks.flatMap(({ lines }) => lines), except: picks.flatMap(({ except }) => except) };
  const one = { ...book, input: { ...book.input, drop } };
  return requests.flatMap((request) => (request === book ? [one] : drops.includes(request) ? [] : [request]));
};

const mostRequests = 8;

/** Runs what was read, one request after the other. */
export const answersTo = async (talk: Talk, reading: Reading): Promise<readonly Said[]> => {
  const said: Said[] = [];
  let now = talk;
  for (const request of paired(reading.requests).slice(0, mostRequests)) {
    const one = isCommand(request.command)
      ? await commands[request.command](now, request)
      : offered({ operation: request.command, input: request.input });
    said.push(one);
    now = await after(now, one);
  }
  return said;
};

/** What may stand beside a yes: a question, or an order about other lines than those that the yes is for. */
export const isOfOthers = ({ asked, situation: { job } }: Talk, request: Request): boolean => {
  if (["unknown", "keep", "brief change", "asked to approve"].includes(request.command)) return false;
  if (request.command !== "drop" && request.command !== "approve")
    return request.isQuestion && !namesOrder(request.said);
  const kind = asked === null ? null : kindOf(asked);
  if (request.isDoubt || kind === (request.command === "drop" ? "drop" : "book")) return false;
  const { recommendation_ids: ids, reject } = asked?.input ?? {};
  const taken = [ids, reject].flatMap((list) => (Array.isArray(list) ? (list as readonly unknown[]) : []));
  const found =
    job === null ? null : chosenOf((request.input["pick"] as Pick | undefined) ?? noPick, waitingLines(job));
  return (
    found !== null &&
    "lines" in found &&
    found.lines.length > 0 &&
    !found.lines.some(({ recommendationId: id }) => taken.includes(id))
  );
};
