import { type Before, type Case, listOf, type Members, type Message, type Want } from "./case.ts";
import { openBuyerSide } from "./buyer-side.ts";
import { type Course, filledWith, type Turned } from "./course.ts";
import { idsOf } from "./facts.ts";
import { judge, type Verdict } from "./judge.ts";
import { nextPick } from "./picks.ts";
import { isMenu, joined, readReply, type Reply, type Shown, toNumber, wordsIn } from "./reply.ts";
import { openSeller } from "./seller-side.ts";
import type { Effect, Seen } from "./side.ts";
import { quotesIn } from "./words.ts";

export interface PlayedTurn {
  readonly said: string;
  readonly problems: readonly string[];
  readonly unwanted: number;
  readonly unasked: number;
  readonly dropped: readonly string[];
  readonly picks: readonly string[];
  readonly effects: readonly Effect[];
  readonly text: string;
  readonly datas: readonly Members[];
  readonly options: readonly string[];
  readonly isMenu: boolean;
  readonly words: number;
  readonly ms: number;
}

export interface Played {
  readonly one: Case;
  readonly turns: readonly PlayedTurn[];
  readonly isRight: boolean;
  readonly hasPicked: boolean;
  /** Why the situation was not reached. */
  readonly situation: readonly string[];
}

const mostPicks = 4;

const together = (first: Seen, next: Seen): Seen => ({
  ...next,
  effects: [...first.effects, ...next.effects],
  bids: first.bids + next.bids,
  quotes: [...first.quotes, ...next.quotes],
});

const followsOffer = (want: Want): boolean =>
  (want.commits ?? []).some((one) => "accepted" in one || "rejected" in one);

const mayBid = /^(?:counter|accepted|rejected|pending)$/;

/** Offers that the message made, and that nobody asked it to make. */
const unaskedIn = (want: Want, bids: number): number => {
  if (want.bids !== undefined) return Math.max(0, bids - want.bids);
  const isAsked =
    [...listOf(want.outcome), ...(want.outcomes ?? [])].some((one) => mayBid.test(one)) || followsOffer(want);
  return isAsked || (want.commits ?? []).some((one) => "agreed" in one) ? 0 : bids;
};

interface Talk {
  readonly course: Course;
  readonly contexts: Map<string, string>;
}

const spoken = async ({ course, contexts }: Talk, message: Message, data?: Members) => {
  const { context = course.one.context ?? "main", tier = course.one.tier ?? "agency" } = message;
  const answered = await course.side.say({
    ...(data === undefined ? { text: message.text } : { data }),
    contextId: contexts.get(context),
    tier,
  });
  contexts.set(context, answered.contextId);
  return answered;
};

interface Said {
  readonly turn: PlayedTurn;
  readonly turned: Turned;
  readonly verdict: Verdict;
}

const sayTurn = async (talk: Talk, message: Message, want: Want, isBidNeeded: boolean): Promise<Said> => {
  const { course } = talk;
  course.side.advance(message.hours ?? 0);
  course.names = { ...course.names, ...course.side.names() };
  const said = filledWith(message.text, course.names);
  const first = await spoken(talk, { ...message, text: said });
  let parts = first.parts;
  let reply = readReply(parts);
  const atOnce = reply;
  let seen = await course.side.look();
  const unasked = unaskedIn(want, seen.bids);
  let offered = "";
  const picks: Shown[] = [];
  const judged = () => judge({ course, want, said, reply, seen, offered, ms: first.ms });
  let verdict = judged();
  while (picks.length < mostPicks) {
    const lacking = {
      commits: verdict.missed,
      bids: (want.bids ?? 0) - seen.bids,
      isQuoteMissing: verdict.isQuoteMissing,
      isWrong: verdict.problems.length > 0,
      isBidNeeded: isBidNeeded && want.bids === undefined && seen.bids === 0,
    };
    const open = reply.options.filter(({ option }) => !picks.some((one) => one.option === option));
    const pick = nextPick(course, want, open, lacking);
    if (pick === undefined) break;
    picks.push(pick);
    offered = [offered, reply.text, ...reply.options.map(({ label }) => label)].join("\n");
    const next = await spoken(talk, message, { option: pick.option, digest: pick.digest });
    parts = joined(parts, next.parts);
    reply = readReply(parts);
    seen = together(seen, await course.side.look());
    verdict = judged();
  }
  const bids = [
    ...(unasked > 0 ? [`UNASKED ${unasked} offers`] : []),
    ...(seen.bids < (want.bids ?? 0) ? [`${seen.bids} offers, want ${String(want.bids)}`] : []),
  ];
  const turned = {
    said,
    text: reply.text,
    effects: seen.effects,
    quotes: quotesIn({ course, reply, made: seen.quotes }),
    want,
    ids: idsOf(reply),
  };
  const turn = {
    said,
    problems: [...verdict.problems, ...bids],
    unwanted: verdict.unwanted.length,
    unasked,
    dropped: verdict.dropped,
    picks: picks.map(({ label }) => label),
    effects: seen.effects,
    text: reply.text,
    datas: reply.datas,
    options: reply.options.map(({ n: _n, ...one }: Shown & { n?: number }) => `${one.operation}: ${one.label}`),
    isMenu: isMenu(atOnce),
    words: wordsIn(atOnce.text),
    ms: first.ms,
  };
  return { turn, turned, verdict };
};

/** What the next turns know of this one. */
const remember = (course: Course, { turned, verdict }: Said, reply: Reply): void => {
  for (const effect of verdict.credited) course.credited.add(effect);
  course.turns.push(turned);
  course.numbers.push(
    ...reply.numbers,
    ...reply.leaves.map(([, value]) => toNumber(value)).filter((one) => !Number.isNaN(one)),
  );
  const named = Object.entries(turned.want.understood ?? {}).map(
    ([slot, value]) => [slot.replace(/^\?/, ""), value] as const,
  );
  const gone = turned.want.absent ?? [];
  const known = Object.entries({ ...course.known, ...Object.fromEntries(named) });
  course.known = Object.fromEntries(known.filter(([slot]) => !gone.includes(slot)));
};

const prepare = async (talk: Talk, before: Before): Promise<readonly string[]> => {
  const { course } = talk;
  if (typeof before === "object" && "quote" in before) {
    const { quote: who, input, book = false } = before;
    const tier = who.startsWith("other") ? "other" : (course.one.tier ?? "agency");
    const { quoteId, dealId } = await course.side.quote(tier, input, book);
    course.names = {
      ...course.names,
      [`${who}.quote_id`]: quoteId,
      ...(dealId === null ? {} : { [`${who}.deal_id`]: dealId }),
    };
    await course.side.look();
    return [];
  }
  const message: Message & Want = typeof before === "string" ? { text: before } : before;
  const said = await sayTurn(talk, message, message, false);
  const { missed } = said.verdict;
  for (const effect of said.turned.effects) course.credited.add(effect);
  course.numbers.push(...readReply([{ text: said.turn.text }, ...said.turn.datas.map((data) => ({ data }))]).numbers);
  course.earlier.push(said.turned);
  const lacks = [
    ...missed.map((one) => JSON.stringify(one)),
    ...said.turn.problems.filter((one) => /^\d+ offers|^UNASKED|^UNWANTED/.test(one)),
  ];
  return lacks.map((what) => `${message.text}: ${what}\n     ${said.turn.text}`);
};

export const play = async (one: Case): Promise<Played> => {
  const side = await (one.agent === "seller" ? openSeller : openBuyerSide)(one);
  const course: Course = { one, side, turns: [], earlier: [], credited: new Set(), numbers: [], known: {}, names: {} };
  const talk: Talk = { course, contexts: new Map() };
  try {
    await side.look();
    const situation: string[] = [];
    for (const before of one.situation ?? []) situation.push(...(await prepare(talk, before)));
    const turns: PlayedTurn[] = [];
    for (const [at, say] of one.say.entries()) {
      const want = one.want[at] ?? {};
      const isBidNeeded = one.want.slice(at + 1).some(followsOffer) && (want.commits ?? []).length === 0;
      const said = await sayTurn(talk, typeof say === "string" ? { text: say } : say, want, isBidNeeded);
      remember(course, said, readReply([{ text: said.turn.text }, ...said.turn.datas.map((data) => ({ data }))]));
      turns.push(said.turn);
    }
    const isRight = situation.length === 0 && turns.every(({ problems }) => problems.length === 0);
    return { one, turns, isRight, hasPicked: turns.some(({ picks }) => picks.length > 0), situation };
  } finally {
    await side.close();
  }
};
