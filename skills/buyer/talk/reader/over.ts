import { isConditional } from "../../../talk/reader/cut.ts";
import type { Term } from "../brief/form.ts";
import type { Campaign } from "./campaign.ts";
import { pickIn } from "./lines.ts";
import { leadingOrder } from "./of-campaign.ts";
import { figuresIn, isDoubt, type Read, real, request } from "./parts.ts";
import type { CampaignFigure, Over, Request, Scope, Situation } from "./request.ts";
import { channelsIn, plainOf, type Text } from "./text.ts";
import { isIn, says, saysPhrase } from "./words.ts";

export const figuresTopic = (scope: Scope, figures: readonly CampaignFigure[]): string =>
  `figures ${scope === "all" ? scope : scope.join(",")} ${figures.join(",")}`;

/** What the last reply told over several campaigns, which "and in total?" goes on with. */
const toldIn = ({
  memory: { topic },
}: Situation): { readonly scope: Scope; readonly figures: readonly CampaignFigure[] } | null => {
  const [kind, scope = "", figures = ""] = topic?.split(" ") ?? [];
  if (kind !== "figures") return null;
  return {
    scope: scope === "all" ? "all" : scope.split(","),
    figures: figures.split(",").filter((name) => name !== "") as readonly CampaignFigure[],
  };
};

const order: readonly CampaignFigure[] = [
  "client",
  "state",
  "budget",
  "dates",
  "booked",
  "waiting",
  "left",
  "impressions",
  "average",
  "sellers",
  "channels",
  "spent",
];
const sortedFigures = (named: readonly CampaignFigure[]): readonly CampaignFigure[] =>
  order.filter((figure) => named.includes(figure));

const ofAll = new RegExp(
  String.raw`\b(?:all|every|each|across|over|both|together|whole)\b.{0,20}\b(?:campaigns?|jobs?)\b|` +
    String.raw`\b(?:which|what|my) (?:campaigns|jobs)\b|\b(?:per|by) (?:campaign|seller)\b|` +
    String.raw`\b(?:campaigns|jobs) (?:together|altogether|combined|in total|in all)\b|\btable (?:of )?campaigns?\b`,
);
const goesOn = /^(?:(?:and|so|ok|then|now|,) )*(?:in total|in all|altogether|together|overall)\b/;

const repeats =
  /^(?:(?:and|so|ok|then|now|please|,) )*(?:the )?same (?:numbers|figures|again)\b|\b(?:numbers|figures) again\b/;

const scopeOf = (text: Text, read: Read, situation: Situation, figures: number): Scope | null => {
  const { campaign } = read;
  const words = plainOf(text, read);
  const told = toldIn(situation);
  const isMany = situation.jobs.length > 1;
  if (campaign?.by === "several") return campaign.ids;
  const [newest] = situation.jobs;
  if (newest !== undefined && ofAll.test(words)) return isMany ? "all" : [newest.job_id];
  if (campaign !== null) return campaign.by === "id" && campaign.ids.length === 1 ? campaign.ids : null;
  if (told !== null && (goesOn.test(words) || repeats.test(words) || figures > 0)) return told.scope;
  if (situation.job !== null) return [situation.job.job_id];
  return isMany && figures > 0 && (read.isQuestion || asksFigures.test(words)) ? "all" : null;
};

/** Where more than this is asked of one campaign, its figures are told in a line instead of one answer each. */
const leastOfOne = 2;

const asksFigures =
  /^(?:(?:please|then|also|and|ok|now) )*(?:show|list|tell|give|send|totals?)\b|\b(?:what|which|who|how much|when)\b/;
const comparing = /\b(?:cheaper|dearer|pricier|compare|comparison|versus|vs|side by side|than|difference between)\b/;
const oneNumber = /\b(?:one|a single|only the|just the) (?:number|figure|sum|total)\b/;

const ofOwn = "campaign campaigns job jobs budget budgets booked booking committed spent";

/** "What did we spend on display?", "the average CPM of the CTV lines", "how much of this is CTV?" */
const ofMoney =
  /\b(?:spen[dt]|spending|average|avg|blended|waiting|waits|how much (?:of|goes|money|did|do|have|is (?:in|on)))\b/;

const perOne =
  "per line,each line,every line,line by line,per deal,each deal,every deal," +
  "per seller,by seller,per publisher,by publisher";

const ofHere = "you you're here up connected only other others names companies";

/** "Which sellers do we have, and what do they offer at which CPM?", "a list with seller, price and minimum". */
const isOfSellers = (text: Text, read: Read, { memory }: Situation): boolean => {
  const isListed = read.matches.some(({ name, score }) => name === "market" && score >= 3.6);
  const isNext = memory.topic?.startsWith("market") === true;
  return (isNext || isListed) && read.campaign === null && !says(plainOf(text, read), ofOwn);
};

/** What tells terms is a brief; a question sets none, and "my Monday status: all campaigns" names no day. */
const termsTold = (read: Read, words: string): readonly Term[] => {
  const isGuess = (term: Term): boolean =>
    (term.kind === "loose day" || (term.kind === "audience" && term.isGuess)) && ofAll.test(words);
  return read.isQuestion || asksFigures.test(words) ? [] : real(read.terms).filter((term) => !isGuess(term));
};

/** "Which deals run in March?" */
const spanIn = (text: Text, read: Read, words: string): Over["span"] => {
  const period = text.scan.owners.slice(read.from, read.to).find((one) => one?.kind === "period");
  if (period?.kind !== "period" || period.start === null || period.end === null) return null;
  return says(words, "deal deals booked booking") ? { start: period.start, end: period.end } : null;
};

/** "My overall limit is 300,000, what is left of it?" */
const limitIn = (text: Text, read: Read): number | null => {
  const sums = text.scan.owners.slice(read.from, read.to).flatMap((one) => (one?.kind === "money" ? [one.value] : []));
  return new Set(sums).size === 1 ? (sums[0] ?? null) : null;
};

/** "How much is that per seller?", "each line with its state": asks for money too. */
const ofSeveral = (named: readonly CampaignFigure[], words: string): readonly CampaignFigure[] =>
  saysPhrase(words, perOne) ? [...named, "booked"] : named;

const asksOfOne = (read: Read, words: string, figures: readonly CampaignFigure[]): boolean => {
  // "Send my client the budget" asks for one figure.
  const told = figures.filter((one) => one !== "client" && (one !== "budget" || !figures.includes("left")));
  const isAsking = read.isQuestion || asksFigures.test(words) || figures.length > leastOfOne;
  return isAsking && told.length >= leastOfOne;
};

/** "What is booked over all campaigns after that?", "does anything wait for me?": no condition. */
const plainQuestion = /\bafter (?:that|this|it)$|\bwaits? (?:for|on) (?:me|us)\b/;

/** Budget, days and sums of several campaigns, or several of them of one; null where something else is asked. */
export const overIn = (text: Text, read: Read, situation: Situation): Over | null => {
  const words = plainOf(text, read);
  const { memory } = situation;
  const isOrder = leadingOrder(text, read) !== null && !read.isQuestion;
  // "Once more please, all campaigns" waits for nothing.
  const isRepeated = words.startsWith("once more");
  const isPlain = isRepeated || (read.isQuestion && plainQuestion.test(words));
  if (isOrder || isConditional(text.scan, read) || (!isPlain && isDoubt(text, read))) return null;
  // "Can a booked deal be moved to other dates or its budget raised?"
  const change = read.matches.find(({ name }) => name === "change");
  const isOfChange = read.isQuestion && (change?.score ?? 0) > (read.matches[0] === change ? 2.9 : 3.4);
  if (isOfChange || isOfSellers(text, read, situation)) return null;
  const terms = termsTold(read, words);
  if (terms.length > 1 || terms.some(({ kind }) => !["budget", "channels", "days"].includes(kind))) return null;
  const named = figuresIn(text, read);
  const scope = scopeOf(text, read, situation, named.length);
  if (scope === null || (memory.brief !== null && read.campaign === null && !ofAll.test(words))) return null;
  const isSeveral = scope === "all" || scope.length > 1;
  const span = spanIn(text, read, words);
  const channels = [...new Set(channelsIn(text, read).flatMap(({ inventoryType }) => inventoryType ?? []))];
  const isCompared = isSeveral && comparing.test(words);
  const isOfChannels =
    (read.isQuestion || asksFigures.test(words)) &&
    (named.includes("channels") ||
      (channels.length > 0 && ofMoney.test(words) && !says(words, "left still remaining")));
  const isMore = goesOn.test(words) || repeats.test(words);
  const told = named.length === 0 && isMore ? (toldIn(situation)?.figures ?? []) : [];
  const ofChannels: CampaignFigure[] = isOfChannels ? ["channels"] : [];
  // Of one campaign its lines have them, and "delivered impressions" are another thing.
  const ofEach = isSeveral ? ofSeveral(named, words) : named.filter((figure) => figure !== "impressions");
  const figures = sortedFigures([...told, ...ofEach, ...ofChannels]);
  // "How many sellers are set up with you?", behind a table with the sellers of campaigns.
  if (figures.join() === "sellers" && read.campaign === null && says(words, ofHere)) return null;
  // "Which are still waiting for the seller?": for its approval, and not for one here.
  if (!isSeveral && figures.join() === "waiting,sellers") return null;
  const isNarrow = pickIn(text, read).lines.some(({ by }) => !["all", "rest", "channel", "extreme"].includes(by));
  const isAsked = isSeveral ? figures.length > 0 || isCompared : isOfChannels || asksOfOne(read, words, figures);
  if (span === null && (!isAsked || isNarrow)) return null;
  return {
    scope,
    figures,
    span,
    channels: isCompared || isOfChannels ? channels : [],
    isTotal: oneNumber.test(words) || goesOn.test(words),
    isListed: /\b(?:what|which|deals?|lines?|ids?)\b/.test(words),
    isOfDeals: isSeveral && says(words, "deal deals line lines"),
    rank: says(words, "highest dearest") ? "highest" : says(words, "lowest cheapest") ? "lowest" : null,
    limit: scope === "all" && figures.includes("left") ? limitIn(text, read) : null,
  };
};

/** Parts that ask figures of the same campaigns are one request. */
export const withOneOver = (requests: readonly Request[]): readonly Request[] => {
  const all = requests.filter(({ command }) => command === "figures");
  const [first] = all;
  if (first === undefined || all.length < 2) return requests;
  const overs = all.map(({ input }) => input["over"] as Over);
  const scope = overs.find((one) => one.scope === "all")?.scope ?? [...new Set(overs.flatMap((one) => one.scope))];
  const over: Over = {
    scope,
    figures: sortedFigures(overs.flatMap(({ figures }) => figures)),
    span: overs.find(({ span }) => span !== null)?.span ?? null,
    channels: overs.flatMap(({ channels }) => channels),
    isTotal: overs.some(({ isTotal }) => isTotal),
    isListed: overs.some(({ isListed }) => isListed),
    isOfDeals: overs.some(({ isOfDeals }) => isOfDeals),
    rank: overs.find(({ rank }) => rank !== null)?.rank ?? null,
    limit: overs.find(({ limit }) => limit !== null)?.limit ?? null,
  };
  const one = { ...first, input: { over }, said: all.map(({ said }) => said).join(" ") };
  return requests.flatMap((request) => (request === first ? [one] : all.includes(request) ? [] : [request]));
};

/** What "and per line?" goes on with; null of other requests. */
export const overTopic = ({ command, input }: Request): string | null => {
  const { scope, figures } = (input["over"] as Over | undefined) ?? { scope: [], figures: [] };
  return command === "figures" ? figuresTopic(scope, figures) : null;
};

export const overRequest = (text: Text, read: Read, over: Over): Request => request(text, read, "figures", { over });

/** "Our delivery is late. Please pause Autumn bulbs": the one campaign of a message is meant ahead of its name too. */
const onlyIn = (reads: readonly Read[]): Campaign | null => {
  const named = reads.flatMap(({ campaign }) => (campaign === null ? [] : [campaign]));
  const [first] = named;
  return first?.by === "id" && first.isWhole && first.ids.length === 1 && named.length === 1 ? first : null;
};

/** "Spring launch then. What is booked?": a part without terms speaks of the campaign that was named before it. */
export const withCampaign = (text: Text, reads: readonly Read[], { job, memory }: Situation): readonly Read[] => {
  let last = job === null && memory.brief === null ? onlyIn(reads) : null;
  return reads.map((read) => {
    if ((read.campaign?.by === "id" && read.campaign.ids.length === 1) || read.campaign?.by === "deal")
      last = read.campaign;
    // "Only 4,000 on its pre-roll, keep the display at 6,000".
    const isMeant =
      real(read.terms).every(
        (term) => isIn(term.kind, "share channels") || (term.kind === "audience" && term.isGuess),
      ) || says(plainOf(text, read), "it its them there line lines");
    return read.campaign === null && last !== null && isMeant ? { ...read, campaign: last } : read;
  });
};

/** "Alpine Spring: line 2 is too expensive, cut it to 10,000": other terms of what runs, and no brief. */
export const isOfRunning = (text: Text, reads: readonly Read[]): boolean =>
  reads.some(({ campaign }) => campaign?.by === "id" && campaign.isWhole) &&
  reads.some((read) => says(plainOf(text, read), "line lines deal deals")) &&
  !reads.some(({ terms }) => terms.some(({ kind }) => kind === "objectives" || kind === "name"));

/** "What is the state of deal DEMO-1, is it cancelled?": the second answer tells both. */
const isOfDeal = ({ command, input }: Request): boolean =>
  command === "status" && (input["campaign"] as Campaign | null | undefined)?.by === "deal";

/** A campaign that is only named ahead of something is no request of its own. */
export const withoutNamed = (requests: readonly Request[]): readonly Request[] =>
  requests.length < 2
    ? requests
    : requests.filter(
        (one) =>
          one.input["isNamed"] !== true && !(isOfDeal(one) && requests.some(({ command }) => command === "state")),
      );
