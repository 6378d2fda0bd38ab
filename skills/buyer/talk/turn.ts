import type { Draft } from "../../talk/gate/record.ts";
import { commands, isCommand } from "./commands.ts";
import type { Campaign } from "./reader/campaign.ts";
import { namesOrder } from "./reader/of-campaign.ts";
import { chosenOf, noPick, type Pick } from "./reader/lines.ts";
import { waitingLines } from "./replies/job.ts";
import { withoutMenus } from "./replies/menu.ts";
import type { Reading, Request, Situation } from "./reader/request.ts";
import { jobOf } from "./which.ts";
import { noClicks } from "./replies/facts.ts";
import { says } from "./reader/words.ts";
import { kindOf, offered, type Said, type Talk } from "./talk.ts";

/** What an answer leaves, for the next part of the same message. */
export const after = async (talk: Talk, said: Said): Promise<Talk> => {
  const {
    brief = talk.memory.brief,
    doubts = talk.memory.doubts,
    left = talk.memory.left,
    job = talk.memory.job,
  } = said;
  const memory = { ...talk.memory, brief, doubts, left, job };
  const { job: own } = talk.situation;
  const read = job === null || job.id === own?.job_id ? null : await jobOf(talk, job.id);
  const kept = read === null ? own : "failed" in read ? null : read.output;
  return { ...talk, memory, situation: { ...talk.situation, memory, job: kept } };
};

const acts: ReadonlySet<Said["outcome"]> = new Set(["started", "booked", "cancelled"]);

/** Of one campaign only the first deed of its kind is shown. */
const isSameDeed = (one: Draft, other: Draft): boolean =>
  kindOf(one) === kindOf(other) && one.input["job_id"] === other.input["job_id"];

const leastRepeated = 40;

/** No line twice, and no heading of lines that stand above already. */
const toldOnce = (all: readonly Said[]): readonly string[] => {
  const kept: string[] = [];
  const isTold = (line: string): boolean =>
    kept.includes(line) ||
    (line.length > leastRepeated && kept.some((one) => one.includes(line.replace("- ", "").replace(/\.$/, ""))));
  for (const { text } of all) {
    const lines = text.split("\n").filter((line) => line !== "");
    const told = lines.map(isTold);
    lines.forEach((line, at) => {
      const isEmptied = line.endsWith(":") && told[at + 1] === true;
      if (!isEmptied && !isTold(line)) kept.push(line);
    });
  }
  return kept;
};

/** In order. Of two drafts the first is asked about first; of two of one brief the last has the changes of both. */
export const joined = (given: readonly Said[]): Said => {
  const all = withoutMenus(given);
  const [first, ...rest] = all;
  if (first === undefined) return { outcome: "clarify", text: "" };
  if (rest.length === 0) return first;
  const drafts = all.filter(({ draft }) => draft !== undefined);
  const [opening] = drafts;
  const one =
    opening?.draft !== undefined && kindOf(opening.draft) === "start"
      ? drafts.findLast(({ draft }) => draft !== undefined && kindOf(draft) === "start")
      : opening;
  const others = drafts
    .flatMap(({ draft, others: more = [], isUnasked }) =>
      isUnasked === true ? more : [...(draft === undefined ? [] : [draft]), ...more],
    )
    .filter((draft, at, list) => list.findIndex((other) => isSameDeed(other, draft)) === at)
    .filter((draft) => one?.draft !== undefined && !isSameDeed(draft, one.draft))
    // A start stands beside what ends something; beside a booking its brief only stays open.
    .filter((draft) => kindOf(draft) !== "start" || (one?.draft !== undefined && kindOf(one.draft) !== "book"));
  const done = all.find(({ outcome }) => acts.has(outcome));
  const lead = done ?? one ?? all.findLast(({ brief }) => brief !== undefined) ?? first;
  const brief = all.findLast(({ standing, isAnswer }) => standing !== undefined && isAnswer !== true) ?? lead;
  return {
    ...Object.assign({}, ...all.map(({ draft: _draft, ...said }) => said)),
    ...lead,
    text: toldOnce(all).join("\n"),
    standing: brief.standing ?? all.findLast(({ standing }) => standing !== undefined)?.standing ?? [],
    isAnswer: brief.isAnswer === true,
    notUsed: [...new Set(all.flatMap(({ notUsed = [] }) => notUsed))],
    about: [...new Set(all.flatMap(({ about = [] }) => about))],
    ...(one === undefined ? {} : { draft: one.draft, others }),
    ...(all.some(
      ({ isUnasked, draft }) =>
        isUnasked === true &&
        // What one part says of a deed that it holds back is so for the same deed of another part.
        (one?.draft === undefined || draft === undefined || isSameDeed(draft, one.draft)),
    )
      ? { isUnasked: true }
      : {}),
    isBeside: all.every(({ isBeside }) => isBeside === true),
  };
};

const isOfOne = (requests: readonly Request[]): boolean =>
  new Set(requests.flatMap(({ input }) => (input["campaign"] == null ? [] : [JSON.stringify(input["campaign"])])))
    .size < 2;

/** An approval and a drop of one campaign in one message are one deed where nothing else waits. */
const paired = (requests: readonly Request[]): readonly Request[] => {
  const book = requests.find(({ command }) => command === "approve");
  const drops = requests.filter(({ command }) => command === "drop");
  if (book === undefined || drops.length === 0 || !isOfOne([book, ...drops])) return requests;
  const picks = drops.map(({ input }) => (input["pick"] as Pick | undefined) ?? noPick);
  const drop: Pick = { lines: picks.flatMap(({ lines }) => lines), except: picks.flatMap(({ except }) => except) };
  const one = { ...book, input: { ...book.input, drop } };
  return requests.flatMap((request) => (request === book ? [one] : drops.includes(request) ? [] : [request]));
};

const ofEachCampaign: ReadonlySet<string> = new Set([
  "cancel",
  "status",
  "booked",
  "statement",
  "delivery",
  "pace",
  "client",
]);

/** "Cancel both Alpine and Kestrel": one request for each that is named. */
const ofEach = (request: Request): readonly Request[] => {
  const campaign = request.input["campaign"] as Campaign | null | undefined;
  if (campaign?.by !== "several" || !ofEachCampaign.has(request.command)) return [request];
  return campaign.ids.map((id) => ({
    ...request,
    input: { ...request.input, campaign: { by: "id", ids: [id], isWhole: true, words: [] } },
  }));
};

/** They only tell of what there is: "show me the lines". */
const lookups: ReadonlySet<string> = new Set([
  "status",
  "compare",
  "booked",
  "campaigns",
  "statement",
  "sellers",
  "when",
  "cost",
  "left",
  "average",
  "delivery",
  "pace",
  "client",
]);

/** Asked beside figures that are known: "impressions delivered, clicks, money spent". */
const withClicks = (said: Said, { command, said: words }: Request): Said =>
  (lookups.has(command) || command === "figures") &&
  says(words.toLowerCase().replaceAll(",", " "), "click clicks cpc ctr")
    ? { ...said, text: `${said.text}\n${noClicks}` }
    : said;

const mostRequests = 8;

/** Runs what was read, one request after the other. */
export const answersTo = async (talk: Talk, reading: Reading): Promise<readonly Said[]> => {
  const said: Said[] = [];
  const unplaced: number[] = [];
  let now = talk;
  for (const request of paired(reading.requests.flatMap(ofEach)).slice(0, mostRequests)) {
    const one = isCommand(request.command)
      ? await commands[request.command](now, request)
      : offered({ operation: request.command, input: request.input });
    said.push(withClicks(one, request));
    now = await after(now, one);
    // "Which products do the sellers have, with CPM?": no campaign is asked for beside the answer.
    if (lookups.has(request.command) && one.reason === "which_campaign") unplaced.push(said.length - 1);
  }
  const isAnswered = said.some(({ outcome, reason }) => outcome === "answer" && reason === undefined);
  return isAnswered ? said.filter((_, at) => !unplaced.includes(at)) : said;
};

/** Numbers of the lines that an option books or drops. */
export const placesOf = ({ situation: { job } }: Talk, { input }: Draft): readonly number[] => {
  const ids = lineIdsOf({ operation: "", input });
  const isAll = input["keep_rest"] === false;
  const lines = job === null || job.job_id !== input["job_id"] ? [] : waitingLines(job);
  return lines.flatMap(({ place, recommendationId: id }) => (isAll || ids.includes(id) ? [place] : []));
};

const lineIdsOf = ({ input }: Draft): readonly unknown[] =>
  [input["recommendation_ids"], input["reject"]].flatMap((list) =>
    Array.isArray(list) ? (list as readonly unknown[]) : [],
  );

const dropsAll = ({ input }: Draft): boolean =>
  input["keep_rest"] === false && lineIdsOf({ operation: "", input }).length === 0;

/** One books what another one drops: of the two only one can be done. */
export const areContrary = (drafts: readonly Draft[]): boolean =>
  drafts.some((one) =>
    drafts.some(
      (other) =>
        kindOf(one) === "book" &&
        kindOf(other) === "drop" &&
        one.input["job_id"] === other.input["job_id"] &&
        (dropsAll(other) || lineIdsOf(one).some((id) => lineIdsOf(other).includes(id))),
    ),
  );

/** What stands behind a yes to a start is read as if it were started. */
export const beside = ({ asked, situation }: Talk): Situation =>
  asked === null || kindOf(asked) !== "start"
    ? situation
    : { ...situation, asked: null, memory: { ...situation.memory, brief: null, isOfBrief: false } };

/** Of another campaign than the yes is for, or of one that there is not yet. */
const isOfAnother = ({ asked }: Talk, { command, input }: Request): boolean => {
  const campaign = input["campaign"] as Campaign | null | undefined;
  if (asked === null || kindOf(asked) === "start") return false;
  if (command === "new brief") return true;
  const ids = campaign?.by === "id" || campaign?.by === "several" ? campaign.ids : [];
  return ids.length > 0 && !ids.includes(String(asked.input["job_id"]));
};

const asksToShow = /^(?:(?:please|then|also|and|just|now) )*(?:show|list|tell|give|send)\b/i;

/**
 * What may stand beside a yes: a question, a wish to be shown something, or an order about other lines than those that
 * the yes is for.
 */
export const isBeside = (talk: Talk, request: Request, unread: readonly string[]): boolean => {
  const { asked, situation } = talk;
  const { command, said, input, isDoubt } = request;
  if (["unknown", "keep", "brief change", "asked to approve"].includes(command)) return false;
  // "Yes, ask the seller. And then start the new one": the open brief is shown, and started by no yes but its own.
  if ((command === "start" || command === "brief") && asked?.operation !== "create_booking")
    return situation.memory.brief !== null && !isDoubt && unread.length === 0;
  if (isOfAnother(talk, request) && !isDoubt) return true;
  if (command !== "drop" && command !== "approve") {
    const isShow = lookups.has(command) && asksToShow.test(said) && !isDoubt && unread.length === 0;
    return (request.isQuestion || isShow) && !namesOrder(said);
  }
  const kind = asked === null ? null : kindOf(asked);
  if (asked === null || isDoubt || kind === (command === "drop" ? "drop" : "book")) return false;
  const { job } = situation;
  const found = job === null ? null : chosenOf((input["pick"] as Pick | undefined) ?? noPick, waitingLines(job));
  const taken = placesOf(talk, asked);
  return (
    found !== null &&
    "lines" in found &&
    found.lines.length > 0 &&
    !found.lines.some(({ place }) => taken.includes(place))
  );
};

/** The last number that a line of their campaigns has. */
export const lastPlaceOf = async (talk: Talk, drafts: readonly Draft[]): Promise<number> => {
  const jobs = await Promise.all(drafts.map(({ input }) => jobOf(talk, String(input["job_id"]))));
  return Math.max(...jobs.map((job) => ("failed" in job ? 0 : (job.output.recommendations ?? []).length)));
};

const unasked: Request = {
  command: "unknown",
  input: {},
  evidence: {},
  said: "",
  isQuestion: false,
  isDoubt: false,
};

/** What asks nothing that is known gets the menu, never an empty reply. */
export const menuOf = async (talk: Talk): Promise<Said> => commands.unknown(talk, unasked);
