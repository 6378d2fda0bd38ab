import { meaningsIn } from "../glossary.ts";
import { notPaused } from "../replies/deals.ts";
import { usd } from "../replies/job.ts";
import { objectiveNames } from "../reader/words.ts";
import { allChannels, type BriefInput } from "./form.ts";
import { missingWords, splitWords, termWords } from "./wording.ts";

/** A question about an open brief, as it was read. */
export interface Asked {
  /** A name of `words/questions.json`; null where none of its phrases stand there. */
  readonly about: string | null;
  readonly channels: readonly string[];
  /** It speaks of places, sites or days, which sellers are not asked for. */
  readonly isPlacing: boolean;
}

type Answer = (brief: BriefInput, asked: Asked) => string;

const beforeApproval = "nothing is booked before you approve its lines with their prices";

const channelsOf: Answer = (brief, { channels: names }) => {
  const { channels } = brief;
  if (channels == null) return `You named no channels, so the objectives choose them: ${splitWords(brief)}.`;
  const inBrief = names.filter((name) => channels.includes(name));
  const absent = names.filter((name) => !channels.includes(name));
  const are = (list: readonly string[]): string => `${list.join(", ")} ${list.length > 1 ? "are" : "is"}`;
  return [
    ...(inBrief.length === 0 ? [] : [`${are(inBrief)} among the channels of the brief.`]),
    ...(absent.length === 0 ? [] : [`${are(absent)} not among the channels of the brief.`]),
    ...names.flatMap((name) => meaningsIn(name.split("_"))).slice(0, inBrief.length + absent.length > 1 ? 2 : 0),
  ].join(" ");
};

export const noCreatives =
  "I make, take and pass on no creatives: they are set up in your DSP, in the line that targets the deal's id. " +
  "Sizes, formats and when they are due only the seller tells.";

export const targetingWords =
  "Places are not used: sellers are not asked for them, so no product, line or campaign is limited to a region. An " +
  "audience is said in a brief in your own words, and there is no list to choose from: the words are compared with " +
  "what sellers declare of their products, and no line is limited to them.";

const cannotChoose =
  "No: a brief cannot leave out or choose sites, apps, places, days or hours: sellers are not asked for it.";

const noLimits =
  "None of these can be set, on a line or in a brief: a frequency cap, hours, devices, places, sites, apps, topics, " +
  "distance from competitors, brand safety, viewability. Sellers are not asked for it, so no line is limited to it: " +
  "a line has its product, days, impressions and price. What a product keeps to by itself only its seller tells.";

const answers: Readonly<Record<string, Answer>> = {
  fees: () =>
    "I take no fee. The budget is for the sellers' prices; a line shows what middlemen or technology take beside " +
    "its price before you approve it.",
  free: () => `Starting costs nothing: sellers are only asked for prices, and ${beforeApproval}.`,
  "budget limit": ({ budget }) =>
    budget === undefined ? "No budget is named yet." : `Never more than the budget of ${usd(budget)} is booked.`,
  "price limit": ({ kpis }) =>
    kpis?.max_cpm == null
      ? 'No price limit is set: say for example "max 25 CPM".'
      : `Yes: no line above ${usd(kpis.max_cpm)} CPM, with fees, is proposed.`,
  impressions: ({ budget, kpis }) => {
    const price = kpis?.max_cpm ?? kpis?.target_cpm;
    if (price == null || budget === undefined)
      return "The sellers' prices decide that; they are asked after the start.";
    const count = Math.floor((budget / price) * 1000).toLocaleString("en-US");
    return `At ${usd(price)} CPM the budget buys ${count} impressions; the sellers' prices decide.`;
  },
  split: (brief) => `The budget is split by the objectives and your limits: ${splitWords(brief)}.`,
  later: () =>
    "Until the start everything can be changed. After it you approve or drop lines, or cancel the campaign; a booked " +
    "deal is cancelled where its seller agrees.",
  missing: (brief) => missingWords(brief).join(" ") || "Nothing is missing: the brief can be started.",
  kept: () => "Only what is shown of the brief is kept, and sellers are told nothing else.",
  fit: (brief) =>
    missingWords(brief).join(" ") ||
    "The brief can be started as it stands; what it buys is seen from the sellers' prices.",
  advice: () =>
    `Whether that is enough only the sellers' prices tell. They are asked after the start, and ${beforeApproval}.`,
  "how long": () =>
    'The sellers are asked at once after the start, and that takes minutes at most: say "status" then to see what ' +
    "has come back.",
  sellers: () =>
    "All sellers that are set up here are asked, after the start and not before; each line then names its seller.",
  next: () => `On your yes the sellers are asked for prices. Then you approve or drop lines: ${beforeApproval}.`,
  booked: () => "The brief is not started, and nothing of it is booked.",
  lines: ({ name }) =>
    `${name === undefined ? "The brief" : `"${name}"`} is not started, so there are no lines and no prices yet.`,
  channels: () => `The channels are ${allChannels.join(", ")}.`,
  objectives: () => `Objectives are for example ${objectiveNames.join(", ")}.`,
  cost: ({ budget }) =>
    `${budget === undefined ? "No total is known yet" : `At most ${usd(budget)}`}: the prices come from the sellers ` +
    `after the start, and ${beforeApproval}.`,
  who: () =>
    "I plan and buy ads: say the budget, the days, whom to reach and what it is for, and I ask sellers for prices.",
  currency: () => "Budgets and prices are in USD.",
  "not asked": () => cannotChoose,
  needs: () =>
    "A campaign needs a budget in USD, its dates (the first and the last day), whom to reach and what it is for; " +
    "channels, shares and a highest CPM if you have them.",
  silent: () =>
    "A seller that does not answer is left out, and the status names it; the offers of the others are shown as they " +
    "are.",
  alert: () => 'I send no messages by myself: ask "status", and I say which offers have come back since.',
  artwork: () => noCreatives,
  extra: () =>
    "More money needs a brief of its own (budget, days, whom to reach, what it is for): I then ask the sellers and " +
    'recommend lines. Their prices of now come with "what do the sellers have?".',
  targeting: () => targetingWords,
  hours: () => notPaused,
  limits: () => noLimits,
  reuse: () =>
    "Money of a line that is dropped stays unbooked, and that of a deal is free only once its seller has cancelled " +
    "it. I move no money between campaigns: spend it by a new brief with that budget.",
  activation: () =>
    "The sellers activate their deals, some after an approval of their own: nothing is left for you to do.",
  changes: () =>
    "Once a campaign is started I cannot change its days, volumes, prices, products or budget. The seller of a deal " +
    "can change it: ask it, with the deal's id. Or cancel a deal, where its seller agrees, and send a new brief.",
  "no dsp": () =>
    "Without a DSP a deal does not run: the creative and the deal's ID go into one. Who has none lets an agency or a " +
    "DSP's own service do it; whether the seller does it for you, ask the seller.",
  audit: () =>
    "Who approved what, and when, I do not tell here: every approval is kept in this agent's audit trail with its " +
    "time and the key that sent it. Operators read it in the console, under Audit.",
  approval: () =>
    "Nothing is booked without your yes: each line waits for your approval, whatever its price. So there is no limit " +
    "and no rule for approvals to set.",
  "all budgets": () =>
    "I keep no limit over several campaigns: each has the budget of its own brief, and nothing above that is booked.",
  files: () => "I make no files and send no mail: my answers are text to copy from.",
  least: () =>
    "I set no smallest budget. A seller may have a least volume for a product; a line below it is not proposed.",
};

/** Those whose answers hold without a brief. */
export const generalQuestions: ReadonlySet<string> = new Set([
  "fees",
  "free",
  "later",
  "how long",
  "next",
  "channels",
  "objectives",
  "who",
  "currency",
  "least",
  "impressions",
  "budget limit",
  "not asked",
]);

/** They are asked of no brief and of no campaign. */
export const standingQuestions: ReadonlySet<string> = new Set([
  "needs",
  "silent",
  "alert",
  "artwork",
  "targeting",
  "extra",
  "hours",
  "limits",
  "reuse",
  "billing",
  "files",
  "audit",
  "no dsp",
  "approval",
  "all budgets",
  "changes",
  "activation",
]);

/** Null where it is no question about the brief. */
export const answerOf = (brief: BriefInput, asked: Asked): string | null => {
  const { about, channels, isPlacing } = asked;
  const own = about === null || about === "why" ? undefined : answers[about];
  if (isPlacing && own !== answers["fees"]) return cannotChoose;
  if (own !== undefined && !(about === "booked" && channels.length > 0)) return own(brief, asked);
  if (channels.length > 0) return channelsOf(brief, asked);
  return about === null || about === "why" ? null : termWords(brief, about);
};
