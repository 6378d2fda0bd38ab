import { type Applied, applied, type BriefInput, type Term } from "./brief/form.ts";
import { answerOf, type Asked, generalQuestions, standingQuestions } from "./brief/questions.ts";
import { newBrief, shownBrief } from "./brief/shown.ts";
import { notGivenUp, stillOpen } from "./brief/still-open.ts";
import { changedWords } from "./brief/wording.ts";
import { meaningsIn } from "./glossary.ts";
import { feeWords, says } from "./reader/words.ts";
import type { Campaign } from "./reader/campaign.ts";
import { again, isPlannedAgain, plannedAgain, copiedTerms } from "./replies/again.ts";
import { describedDeals } from "./replies/described.ts";
import { early } from "./replies/early.ts";
import { market, nothingAsked } from "./replies/market.ts";
import { noPick, type Pick } from "./reader/lines.ts";
import type { Command } from "./reader/parts.ts";
import type { Over, Request } from "./reader/request.ts";
import { approve, cancelShown, changeOf, drop, inPartOf, moveMoney, rowsIn } from "./replies/orders.ts";
import { compare, ranked, whyDearer } from "./replies/compare.ts";
import { cannotChange, delivery, paceTold, paused } from "./replies/deals.ts";
import * as facts from "./replies/facts.ts";
import { averageWords, leftWords, thresholdWords } from "./replies/figures.ts";
import { bookedLines, exampleOf, type Job, type LineRow, rowsOf, waitingLines } from "./replies/job.ts";
import { helpWords, meantMenu, noAnswer, noEvidence, notAnswered } from "./replies/menu.ts";
import * as lookups from "./replies/lookups.ts";
import { figuresOver, reported } from "./replies/portfolio.ts";
import { type AskedState, leftAsIs, lineStates } from "./replies/state.ts";
import { statement } from "./replies/statement.ts";
import { answered, kindOf, type Said, type Talk } from "./talk.ts";
import { jobOf, whichJob } from "./which.ts";

type Run = (talk: Talk, request: Request) => Said | Promise<Said>;

const pickOf = ({ input }: Request): Pick => (input["pick"] as Pick | undefined) ?? noPick;
const campaignOf = ({ input }: Request): Campaign | null => (input["campaign"] as Campaign | null | undefined) ?? null;
const termsOf = ({ input }: Request): readonly Term[] => (input["terms"] as readonly Term[] | undefined) ?? [];
const channelsOf = (request: Request): readonly string[] =>
  pickOf(request).lines.flatMap((line) => (line.by === "channel" ? [line.value] : []));

/** They end in an option: of a campaign that was named, or that the conversation is about. */
const ordering: ReadonlySet<string> = new Set([
  "approve",
  "lines",
  "drop",
  "cancel",
  "undo",
  "change",
  "swap",
  "move",
  "again",
  "stays",
]);

/** Of a campaign, which the words name or the conversation is about. */
const ofJob =
  (run: (talk: Talk, job: Job, request: Request) => Said | Promise<Said>, isMove = false): Run =>
  async (talk, request) => {
    const which = await whichJob(talk, campaignOf(request), {
      channels: channelsOf(request),
      isLookup: !ordering.has(request.command),
    });
    if ("failed" in which) return which.failed;
    const { job } = which;
    const said = facts.withSellers(job, request, await withSpent(talk, job, request, await run(talk, job, request)));
    const own = talk.memory.job;
    // Words without a name go on meaning the campaign that was started here.
    const isMoved = isMove || own === null || !own.isOwn || request.input["isMove"] === true;
    const lines = [...new Set(pickOf(request).lines.flatMap((line) => (line.by === "place" ? [line.value] : [])))];
    const note = isMoved || own.id === job.job_id || said.draft !== undefined ? "" : await ownWords(talk, own.id);
    const text = note === "" ? said.text : `${said.text}\n${note}`;
    const moved = isMoved
      ? { job: { id: job.job_id, isOwn: own?.isOwn === true || isMove || request.input["isMove"] === true } }
      : {};
    return { about: [job.job_id], lines, ...said, text, ...(said.job === undefined ? moved : {}) };
  };

const ofMoney: ReadonlySet<string> = new Set(["status", "booked", "cost", "left"]);

/** "Spent so far" may mean what is booked or what the sellers delivered: both are told. */
const withSpent = async (talk: Talk, job: Job, { command, said: words }: Request, said: Said): Promise<Said> => {
  const isAsked =
    ofMoney.has(command) &&
    says(words.toLowerCase().replaceAll(",", " "), "spent spend") &&
    bookedLines(job).length > 0;
  return isAsked ? { ...said, text: `${said.text}\n${await reported(talk, [job])}` } : said;
};

const ownWords = async (talk: Talk, id: string): Promise<string> => {
  const own = await jobOf(talk, id);
  return "failed" in own ? "" : `Words without a name still mean campaign "${own.output.campaign_name}".`;
};

/** "What is the state of deal DEMO-1?" */
const dealRows = (job: Job, request: Request): readonly LineRow[] => {
  const campaign = campaignOf(request);
  const id = campaign?.by === "deal" ? campaign.id.toLowerCase() : null;
  return rowsOf(job).filter(({ booked }) => booked?.deal_id?.toLowerCase() === id);
};

const told = (words: (job: Job, said: string) => readonly string[]): Run =>
  ofJob((_talk, job, { said }) => answered(words(job, said), { understood: { job_id: job.job_id } }));

const looked = (say: (job: Job, said: string) => Said): Run => ofJob((_talk, job, { said }) => say(job, said));

const changed = (talk: Talk, before: BriefInput, request: Request): Said => {
  const terms = termsOf(request);
  const { brief, notes: all } = applied(before, terms);
  const { notes, left } = notGivenUp(talk, request.said, all);
  const head = brief === before ? [] : [changedWords(before, brief)];
  return shownBrief(brief, talk.context.nowMs, { notes, left, stillOpen: stillOpen(talk, terms), head });
};

const startsBrief = async (talk: Talk, request: Request): Promise<Said> => {
  const terms = termsOf(request);
  const { job, brief: open, left } = talk.memory;
  const like = request.input["like"] as Campaign | null | undefined;
  const which = like == null ? null : await whichJob(talk, like);
  if (which !== null && "failed" in which) return which.failed;
  const isSame = terms.some(({ kind }) => kind === "same audience");
  const read = isSame && job !== null ? await jobOf(talk, job.id) : null;
  const audience = read === null || "failed" in read ? undefined : (read.output.brief as BriefInput).target_audience;
  const before = { ...(which === null ? {} : copiedTerms(which.job)), ...(audience && { target_audience: audience }) };
  const done: Applied = applied(before, terms);
  const unknown = terms.flatMap((term) =>
    term.kind === "same audience" && audience === undefined ? [{ kind: "unclear" as const, words: term.words }] : [],
  );
  const said = newBrief({ ...done, notes: [...done.notes, ...unknown] }, talk.context.nowMs, open, left);
  return request.input["isHeld"] === true ? { ...said, isUnasked: true } : said;
};

const shownAgain = (talk: Talk, head: readonly string[] = []): Said => {
  const { brief, doubts, left } = talk.memory;
  return brief === null
    ? {
        outcome: "clarify",
        text: "No brief is open. Send me one: budget, days, channels, audience.",
        reason: "no_brief",
      }
    : shownBrief(brief, talk.context.nowMs, { stillOpen: doubts, left, head });
};

/** Beside campaigns something is done already, and stays. */
const nothingDone = ({ memory: { job }, situation: { jobs } }: Talk): string =>
  `Nothing${job === null && jobs.length === 0 ? "" : " more"} is started, booked or cancelled.`;

/** What was open is closed; it asks nothing. */
export const refused = async (talk: Talk): Promise<Said> => {
  const { brief } = talk.memory;
  if (brief !== null && (talk.asked === null || kindOf(talk.asked) === "start"))
    return answered(`${nothingDone(talk)} The brief is kept: say what to change, or "show the brief".`);
  return answered(nothingDone(talk));
};

const questioned: Run = (talk, request) => {
  const { brief, doubts, left } = talk.memory;
  if (brief === null) {
    const asked = request.input["asked"] as Asked;
    const isGeneral = generalQuestions.has(asked.about ?? "") || standingQuestions.has(asked.about ?? "");
    // "What would happen?" of what is booked is no question how a brief goes on.
    const isOfBooked = asked.about === "next" && talk.situation.job !== null;
    const told = isGeneral && !isOfBooked ? answerOf({}, asked) : null;
    return told === null ? meantMenu(talk, request) : answered(told, { isBeside: true });
  }
  const answer = answerOf(brief, request.input["asked"] as Asked);
  if (answer === null)
    return shownBrief(brief, talk.context.nowMs, {
      stillOpen: doubts,
      head: [noAnswer(request.said)],
      isAnswer: true,
    });
  const isUnset = answer.startsWith("No price limit");
  const isOfLeft = (request.input["asked"] as Asked).about === "kept";
  return {
    ...shownBrief(brief, talk.context.nowMs, {
      stillOpen: doubts,
      head: [answer],
      isAnswer: true,
      ...(isOfLeft ? { left } : {}),
    }),
    ...(isUnset || !request.isQuestion ? { isUnasked: true } : {}),
  };
};

const begun: Run = (talk, request) => {
  const terms = termsOf(request);
  const { brief } = talk.memory;
  if (brief !== null && terms.length > 0) return changed(talk, brief, request);
  const shown = shownAgain(talk, brief === null ? [] : ["Nothing is started yet."]);
  return request.isDoubt ? { ...shown, isUnasked: true } : shown;
};

const withoutDoubts: Run = (talk, request) => {
  const { brief, doubts } = talk.memory;
  if (brief === null) return refused(talk);
  const { channel_limits: limits, ...rest } = brief;
  const isSaid = says(request.said.toLowerCase(), "split shares aufteilung reparto repartition");
  const isWithoutIt = doubts.length === 0 && talk.asked !== null && says(request.said.toLowerCase(), "without");
  const isOfShares = limits != null && (isSaid || isWithoutIt);
  return shownBrief(isOfShares ? rest : brief, talk.context.nowMs, {
    left: [],
    head: doubts.map((words) => `Left as it is shown: "${words}".`),
  });
};

const threshold = (_talk: Talk, job: Job, request: Request): Said => {
  const limit = pickOf(request).lines.find((line) => line.by === "limit");
  return limit === undefined ? lookups.status(job) : answered(thresholdWords(job, limit));
};

const cancels = ofJob(cancelShown);

/** One row for each thing that may be asked for; its phrases stand in `words/phrases.json` under the same name. */
export const commands: Readonly<
  Record<
    | Command
    | "brief change"
    | "brief question"
    | "new brief"
    | "lines"
    | "asked to approve"
    | "no evidence"
    | "unanswered"
    | "figures"
    | "paused"
    | "creatives"
    | "stays"
    | "early"
    | "unknown",
    Run
  >
> = {
  "new brief": startsBrief,
  "brief change": (talk, request) =>
    talk.memory.brief === null ? startsBrief(talk, request) : changed(talk, talk.memory.brief, request),
  "brief question": questioned,
  brief: (talk, request) => (talk.memory.brief === null ? looked(lookups.briefOf)(talk, request) : shownAgain(talk)),
  missing: (talk) => shownAgain(talk),
  undo: async (talk, request) => {
    const { before } = talk.memory;
    return before === null || talk.memory.brief === null
      ? cancels(talk, request)
      : shownBrief(before, talk.context.nowMs, { head: ["As it was before:"] });
  },
  forget: (talk) =>
    talk.memory.brief === null
      ? answered("No brief is open. Nothing is changed.")
      : answered("The brief is forgotten, and nothing of it is started. Send a new one.", { brief: null }),
  without: withoutDoubts,
  start: begun,
  new: (talk, request) =>
    termsOf(request).length > 0
      ? startsBrief(talk, request)
      : answered("For a new campaign I need its budget, days, whom to reach and what it is for. Nothing is started."),
  status: ofJob((_talk, job, request) =>
    dealRows(job, request).length > 0
      ? lineStates(job, null, dealRows(job, request))
      : lookups.status(job, says(request.said.toLowerCase(), facts.sellerWords)),
  ),
  switch: ofJob((_talk, job) => lookups.status(job), true),
  lines: ofJob((_talk, job, request) => approve(job, pickOf(request), request)),
  waiting: ofJob((_talk, job, request) => {
    const rows = rowsIn(job, pickOf(request));
    return rows.some(({ isWaiting }) => !isWaiting) ? lineStates(job, "waiting", rows) : lookups.why(job);
  }),
  cost: ofJob((_talk, job, { said }) => lookups.totals(job, says(said.toLowerCase(), feeWords))),
  dropped: ofJob((_talk, job, request) =>
    lookups.dropped(
      job,
      rowsIn(job, pickOf(request), ({ isWaiting }) => isWaiting),
    ),
  ),
  split: looked(lookups.whyLittle),
  compare: ofJob((_talk, job, { said }) =>
    facts.asksSeller(said) ? answered(facts.sellersOfLines(job), { understood: { job_id: job.job_id } }) : compare(job),
  ),
  extremes: ofJob((_talk, job, request) => ranked(job, pickOf(request), request.said.toLowerCase())),
  dearer: ofJob((_talk, job, request) => whyDearer(job, rowsIn(job, pickOf(request)))),
  chosen: looked((job) => whyDearer(job, [], true)),
  when: looked(lookups.when),
  negotiated: ofJob(lookups.negotiated),
  person: () => answered(facts.person, { reason: "no_person", isBeside: true }),
  ask_seller: looked(lookups.notKnown),
  clicks: () => answered(facts.noClicks, { isBeside: true }),
  delivery: ofJob(delivery),
  pace: (talk, request) =>
    talk.situation.job === null && campaignOf(request) === null && talk.situation.jobs.length > 0
      ? answered(
          'A pace, and which line does best, I tell of one campaign: say "delivery" and its name. Nothing is ranked ' +
            "over all.",
          { isBeside: true },
        )
      : ofJob(paceTold)(talk, request),
  client: told(facts.client),
  creatives: told(facts.creatives),
  booked: looked(lookups.whatIsBooked),
  state: ofJob((_talk, job, request) =>
    lineStates(job, (request.input["state"] as AskedState | undefined) ?? null, [
      ...dealRows(job, request),
      ...rowsIn(job, pickOf(request)),
    ]),
  ),
  campaigns: lookups.listJobs,
  figures: (talk, { input }) => figuresOver(talk, input["over"] as Over),
  statement: told(statement),
  stays: ofJob((_talk, job, request) => leftAsIs(job, rowsIn(job, pickOf(request)))),
  payment: ({ situation: { jobs } }) =>
    answered(jobs.some(({ spent }) => (spent ?? 0) > 0) ? facts.billedWords : facts.generalWords, { isBeside: true }),
  cancellable: (talk, request) =>
    request.input["isBeside"] === true
      ? answered(facts.cancelFee, { isBeside: true })
      : request.input["isGeneral"] === true || talk.situation.job === null
        ? answered(facts.cancelRules, { isBeside: true })
        : told(facts.cancellable)(talk, request),
  market: async (talk, { input }) => {
    const asked = { ...nothingAsked, ...input };
    const said = await market(talk, asked);
    const sellers = asked.isOfSellers ? await facts.knownSellers(talk) : null;
    return sellers === null ? said : { ...said, text: `${sellers.text}\n${said.text}` };
  },
  early,
  sellers: (talk, request) => {
    const isOfLines = talk.situation.job !== null && facts.ofThose.test(request.said);
    const isGeneral = campaignOf(request) === null && !isOfLines;
    return isGeneral ? facts.knownSellers(talk) : told(facts.sellersOfLines)(talk, request);
  },
  expiry: told(facts.expiry),
  average: ofJob((_talk, job) =>
    answered(averageWords(job), { understood: { job_id: job.job_id }, topic: `figures ${job.job_id} average` }),
  ),
  left: told(leftWords),
  duration: told(facts.duration),
  threshold: ofJob(threshold),
  inpart: ofJob((_talk, job, request) =>
    waitingLines(job).length === 0 ? changeOf(job, pickOf(request), request) : inPartOf(job),
  ),
  approve: ofJob((talk, job, request) => {
    const { asked, memory } = talk;
    const pick = pickOf(request);
    const isBare = pick.lines.length + pick.except.length === 0;
    // "Yes, book it", after a question in between: what was shown is shown again, and asked about.
    const last = isBare
      ? talk.open.findLast((one) => kindOf(one) === "book" && one.input["job_id"] === job.job_id)
      : null;
    const shown = request.input["isOfAsked"] === true ? asked : (last ?? null);
    const ids = shown === null ? null : (shown.input["recommendation_ids"] as readonly string[]);
    const places = waitingLines(job).filter(({ recommendationId: id }) => ids?.includes(id) === true);
    const lines = places.map(({ place: value }) => ({ by: "place" as const, value }));
    return approve(job, lines.length === 0 ? pick : { ...pick, lines }, request, memory.lines);
  }),
  "asked to approve": ofJob((_talk, job) => {
    const lines = waitingLines(job);
    return lines.length === 0
      ? lookups.status(job)
      : answered(
          [
            "A question books nothing.",
            ...lines.map(({ words }) => words),
            `To book, say for example ${exampleOf("approve", job)}.`,
          ],
          { isUnasked: true },
        );
  }),
  drop: ofJob((talk, job, request) => drop(talk, job, pickOf(request), request)),
  cancel: cancels,
  change: ofJob((talk, job, request) =>
    isPlannedAgain(job, request, termsOf(request))
      ? plannedAgain(talk, job, termsOf(request))
      : changeOf(job, pickOf(request), request),
  ),
  paused: ofJob((_talk, job, request) => paused(job, describedDeals(job, request))),
  swap: ofJob((_talk, job, request) =>
    cannotChange(job, { deals: describedDeals(job, request), isQuestion: request.isQuestion }),
  ),
  exclude: ofJob((_talk, job, request) =>
    answered(request.isQuestion ? facts.notTargeted(job) : facts.notExcluded(job)),
  ),
  move: ofJob((talk, job, request) => moveMoney(talk, job, channelsOf(request))),
  again: ofJob((talk, job, request) => again(talk, job, termsOf(request))),
  glossary: (talk, request) => {
    const words = meaningsIn(request.input["words"] as readonly string[]);
    const all = words.length === 0 && talk.situation.job !== null ? facts.glossary(talk.situation.job) : words;
    if (all.length > 0) return answered(all, { isBeside: true });
    return questioned(talk, request);
  },
  "no evidence": noEvidence,
  keep: refused,
  thanks: async (talk) =>
    talk.asked !== null
      ? refused(talk)
      : answered("You are welcome. Nothing was changed by this message.", { isBeside: true }),
  greet: () => answered(helpWords),
  help: () => answered(helpWords, { isBeside: true }),
  unanswered: (_talk, { said }) => notAnswered(said),
  unknown: meantMenu,
};

export const isCommand = (name: string): name is keyof typeof commands => Object.hasOwn(commands, name);
