import { knownChannels, tableChannels } from "../../../../../machines/booking/weights.ts";
import { explained } from "../../glossary.ts";
import { usd } from "../../jobs/wording.ts";
import type { BriefInput } from "../input.ts";
import { missingWords, splitWords, termWords } from "../wording.ts";
import { exclusionsIn } from "../words/plain-words.ts";
import { mentionsIn, namesOf } from "../words/mentions.ts";
import { channelWords, objectiveWords } from "../words/vocabulary.ts";
import { placesIn } from "../../../../understanding/reading/places.ts";

type Answer = (brief: BriefInput, asked: string) => string;

const beforeApproval = "nothing is booked before you approve its lines with their prices";

const limitOf: Answer = ({ kpis }) =>
  kpis?.max_cpm == null
    ? 'No price limit is set: say for example "max 25 CPM".'
    : `Yes: no line above ${usd(kpis.max_cpm)} CPM, with fees, is proposed.`;

const impressionsOf: Answer = ({ budget, kpis }) => {
  const price = kpis?.max_cpm ?? kpis?.target_cpm;
  if (price == null || budget === undefined) return "The sellers' prices decide that; they are asked after the start.";
  const count = Math.floor((budget / price) * 1000).toLocaleString("en-US");
  return `At ${usd(price)} CPM the budget buys ${count} impressions; the sellers' prices decide.`;
};

const channelsOf = (names: readonly string[]): Answer => {
  return (brief) => {
    const { channels } = brief;
    if (channels == null) return `You named no channels, so the objectives choose them: ${splitWords(brief)}.`;
    const inBrief = names.filter((name) => channels.includes(name));
    const absent = names.filter((name) => !channels.includes(name));
    const are = (list: readonly string[]): string => `${list.join(", ")} ${list.length > 1 ? "are" : "is"}`;
    return [
      ...(inBrief.length === 0 ? [] : [`${are(inBrief)} among the channels of the brief.`]),
      ...(absent.length === 0 ? [] : [`${are(absent)} not among the channels of the brief.`]),
    ].join(" ");
  };
};

/** The first one that fits answers. */
const answers: readonly (readonly [asked: RegExp, answer: Answer])[] = [
  [
    new RegExp(
      "\\bfees?\\b|\\bcommissions?\\b|\\bmark-?ups?\\b|\\bgross\\b|\\bnet\\b|\\b(?:everything|" +
        "all)\\b.*\\binclu\\w+|\\binclu\\w+\\b.*\\b(?:everything|all)\\b",
      "i",
    ),
    () =>
      "I take no fee. The budget is for the sellers' prices; where middlemen or technology take a fee beside a " +
      "price, its line shows it before you approve.",
  ],
  [
    new RegExp(
      "\\b(?:pay|charged?|invoic\\w*|billed|take (?:my|the) money|free|gone|lose|for nothing|oblig\\w+|binding|" +
        "commit\\w*)\\b|\\bcosts? (?:me |us )?(?:anything|something|to (?:ask|start|try))\\b|\\bwithout (?:paying|" +
        "pay)\\b|\\btake (?:already )?(?:my|our|money)\\b",
      "i",
    ),
    () => `Starting costs nothing: sellers are only asked for prices, and ${beforeApproval}.`,
  ],
  [
    new RegExp(
      "\\b(?:more than|over|above|exceed\\w*|overspen\\w*)\\b.*\\bbudget\\b|\\bbudget\\b.*\\b(?:exceed\\w*|fixed|" +
        "maximum|limit|most)\\b",
      "i",
    ),
    ({ budget }) =>
      budget === undefined ? "No budget is named yet." : `Never more than the budget of ${usd(budget)} is booked.`,
  ],
  [
    new RegExp(
      "\\b(?:limit|cap|ceiling|max(?:imum)?|cpm|price)\\b.*\\b(?:observed|respected|kept|followed|applied|" +
        "considered|enforced|holds?|held|strict|stay|sticks?|stand|above|over|exceed\\w*|higher)\\b|\\b(?:respect|" +
        "observe|keep|hold|apply)\\b.*\\b(?:limit|cap|ceiling|cpm)\\b",
      "i",
    ),
    limitOf,
  ],
  [/\bhow many (?:impressions?|views|contacts|people)\b|\bimpressions?\b.*\b(?:get|buy|expect)\b/i, impressionsOf],
  [
    new RegExp(
      "\\b(?:split|spread|divided?|distribut\\w+|allocat\\w+|shared?)\\b|\\bhow much\\b.*\\b(?:goes|go|for|on|" +
        "into|to)\\b.*\\b(?:ctv|tv|display|video|audio|native|mobile|channel|there|each|which)\\b|\\b(?:share|" +
        "part) of\\b",
      "i",
    ),
    (brief) => `The budget is split by the objectives: ${splitWords(brief)}.`,
  ],
  [
    /\b(?:change|correct|adjust|edit)\w*.*\b(?:later|still|afterwards|after)\b|\b(?:stop|cancel|undo|end|withdraw)\b/i,
    () =>
      "Until the start everything can be changed. After it you approve or drop lines, or cancel the campaign; a " +
      "booked " +
      "deal is cancelled where its seller agrees.",
  ],
  [
    new RegExp("\\bmissing\\b|\\bcomplete\\b|\\bneed (?:more|else|from me)\\b|\\bleft\\b", "i"),
    (brief) => missingWords(brief).join(" ") || "Nothing is missing: the brief can be started.",
  ],
  [
    new RegExp(
      "\\b(?:does|would|will) (?:that|this|it) (?:work|fit|do)\\b|\\bis (?:that|this|it) (?:all )?(?:ok|okay|" +
        "possible|fine)\\b",
      "i",
    ),
    () => "The brief can be started as it stands; what it buys is seen from the sellers' prices.",
  ],
  [
    new RegExp(
      "\\b(?:enough|realistic|too (?:low|high|little|much)|reasonable|sufficient|help|recommend|suggest|better|" +
        "think|advise|usual|normal|good price|expensive)\\b",
      "i",
    ),
    () => `Only the sellers' prices tell. They are asked after the start, and ${beforeApproval}.`,
  ],
  [
    new RegExp(
      "\\bhow long\\b|\\bwhen (?:will|do|can|shall) (?:i|we|you) (?:get|have|see|hear|know)\\b|\\bhow (?:fast|" +
        "soon|quickly)\\b",
      "i",
    ),
    () => 'The sellers are asked at once after the start; say "status" then to see what has come back.',
  ],
  [
    new RegExp(
      "\\b(?:which|what|who|how many)\\b.*\\b(?:sellers?|publishers?|sites?)\\b|\\b(?:contact|ask)(?:ed|" +
        "ing)?\\b.*\\bsellers?\\b",
      "i",
    ),
    () =>
      "All sellers that are set up here are asked, after the start and not before; each line then names its " +
      "seller.",
  ],
  [
    new RegExp(
      "\\bhappens?\\b|\\bnext\\b|\\bafter (?:that|the start|i)\\b|\\bhow (?:does|will|do|can) (?:it|this|that|i|" +
        "we) (?:work|go on|approve|book|proceed|continue)\\b|\\bwhat (?:will|do) you do\\b|\\bmean by start\\b|" +
        "\\bi (?:must|have to|need to|should) (?:to )?do\\b",
      "i",
    ),
    () =>
      "On your yes the sellers are asked for prices. Then you see the lines, and approve or drop them: " +
      `${beforeApproval}.`,
  ],
  [
    /\b(?:booked|bought|started?|running|live|ready)\b/i,
    () => "The brief is not started, and nothing of it is booked.",
  ],
  [
    /\b(?:which|what)\b.*\bchannels?\b.*\b(?:there|available|possible|have|offer|can|exist|sell)\b|\bother channels\b/i,
    () => `The channels are ${knownChannels.slice(tableChannels.length).join(", ")}, ctv, mobile_app.`,
  ],
  [
    /\b(?:which|what)\b.*\b(?:objectives?|goals?)\b.*\b(?:there|available|possible|have|offer|can|exist)\b/i,
    () => `Objectives are for example ${objectiveWords.map(([name]) => name).join(", ")}.`,
  ],
  [
    /\b(?:how much|what)\b.*\b(?:costs?|total|price|pay|expensive)\b|\bcosts?\b/i,
    ({ budget }) =>
      `${budget === undefined ? "No budget is named yet" : `At most ${usd(budget)}`}: the prices come from the ` +
      `sellers after the start, and ${beforeApproval}.`,
  ],
  [
    /\bwhat (?:can|do|could) you do\b|\b(?:can|could) you help\b|\bwhat are you\b|\bright place\b|\byou can do for\b/i,
    () =>
      "I plan and buy ads: say the budget, the days, whom to reach and what it is for, and I ask sellers for prices.",
  ],
  [/\b(?:dollars?|euros?|currency|currencies|usd)\b/i, () => "Budgets and prices are in USD."],
];

const cannotChoose =
  "No: a brief cannot leave out or choose sites, apps, topics, places, days or hours, and sellers are not asked " +
  "for it.";
const placing = new RegExp(
  "\\b(?:exclu\\w+|avoid\\w*|block\\w*|left out|gambling|alcohol|betting|politic\\w*|brand safe\\w*|competitors?|" +
    "devices?|desktop)\\b",
  "i",
);

const askedMember = new RegExp(
  "\\b(budget|days|dates?|flight|start|end|channels?|audience|target|name|advertiser|client|objectives?|goals?|" +
    "cpm|limit|price)\\b",
  "i",
);

const ofMember = (brief: BriefInput, asked: string): string | null => {
  const [, member] = askedMember.exec(asked) ?? [];
  return member === undefined ? null : termWords(brief, member.toLowerCase());
};

const inThis = /\s+in (?:this|the|my|your) [a-z]+(?=\W*$)/i;

/** Those that run are no matter of an open brief. */
const ofOthers = /\b(?:campaigns|jobs)\b/i;

/** "What is the split?", "will the limit hold?": of an open brief. Null where it is no question about one. */
export const answerOf = (brief: BriefInput, asked: string): string | null => {
  const term = explained(asked.replace(inThis, ""));
  if (term !== null) return term;
  if (ofOthers.test(asked)) return null;
  if (placing.test(asked) || exclusionsIn(asked).length > 0) return cannotChoose;
  const found = answers.find(([pattern]) => pattern.test(asked));
  if (found !== undefined) return found[1](brief, asked);
  const channels = namesOf(mentionsIn(asked, channelWords));
  if (channels.length > 0) return channelsOf(channels)(brief, asked);
  if (placesIn(asked, () => false).length > 0) return cannotChoose;
  return ofMember(brief, asked);
};
