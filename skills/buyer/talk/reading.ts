import type { z } from "zod";
import { isConditional } from "../../understanding/reading/clauses.ts";
import { dateWords, periodIn } from "../../understanding/reading/periods.ts";
import { type Amount, limitIn, moneyIn, volumesIn } from "../../understanding/reading/quantities.ts";
import { blanked, type Span, spansOf } from "../../understanding/reading/spans.ts";
import type { campaignBrief } from "../bookings/contract.ts";

type BriefInput = z.input<typeof campaignBrief>;

export interface ReadBrief {
  readonly brief: BriefInput;
  /** Read of the message, the name aside. */
  readonly found: readonly string[];
  readonly missing: readonly string[];
  /** Nothing starts while one is open. */
  readonly unclear: readonly string[];
  readonly notUsed: readonly string[];
}

type Pattern = readonly [name: string, pattern: RegExp];

const objectiveWords: readonly Pattern[] = [
  ["brand_awareness", /\b(?:brand(?:ing)? )?awareness\b|\bbranding\b/gi],
  ["app_installs", /\b(?:app )?installs?\b/gi],
  ["video_views", /\bvideo views\b/gi],
  ["conversions", /\bconversions?\b/gi],
  ["sales", /\bsales\b/gi],
  ["leads", /\bleads\b|\blead generation\b/gi],
  ["traffic", /\b(?:website |web |site )?traffic\b|\bclicks\b/gi],
  ["consideration", /\bconsideration\b/gi],
  ["engagement", /\bengagement\b/gi],
  ["reach", /\b(?:maximi[sz]e |for |objectives?:? |goal:? )reach\b|\breach\b(?=\s*(?:[,.;]|$|and\b))/gi],
];

const channelWords: readonly Pattern[] = [
  ["linear_tv", /\blinear[ -]?tv\b/gi],
  ["ctv", /\b(?:ctv|connected[ -]tv|streaming(?: tv)?|tv)\b/gi],
  ["display", /\b(?:display|banners?)(?: ads)?\b/gi],
  ["native", /\bnative(?: ads)?\b/gi],
  ["dooh", /\b(?:dooh|digital out[ -]of[ -]home)\b/gi],
  ["audio", /\b(?:audio|podcasts?)\b/gi],
  ["mobile_app", /\b(?:mobile(?:[ _-]apps?)?|in-app)\b/gi],
  ["video", /\b(?:online )?video\b/gi],
];

const nameWords = /\b(?:called|named|name:|campaign name(?: is)?:?)\s+"?([^",.;\n]{1,100})"?/i;
/** A single blank, so that it does not reach over what was read before. */
const audienceEnds = [
  "in|on|from|at|with|max|maximum|under|below|until|during|between|and we|via|using",
  "if|unless|but|no|not|without|except|excluding",
].join("|");
const audienceWords = new RegExp(
  "\\b(?:for|target(?:ing)?|to reach|reaching|reach|aimed at|audience(?: is)?:?)" +
    "\\s((?:[a-z0-9][\\w'+&/-]*)(?:\\s[a-z0-9][\\w'+&/-]*){0,6}?)" +
    `(?=\\s*(?:[,.;!?\\n]|$)|\\s{2,}|\\s(?:${audienceEnds})\\b)`,
  "gi",
);
const agePattern = /\b\d{2}(?:-\d{2}\b|\+)/g;
const limitWords = new RegExp(
  "\\b(?:not? (?:more|higher) than|not (?:above|over)|at (?:the )?most|max(?:imum)?|up to|under|below|" +
    "less than|or less|limit)\\b",
  "gi",
);
const spendBefore = new RegExp(
  "\\b(?:spend|spending|invest|investing|put|use|allocate|have)\\s+" +
    "(?:(?:about|around|up to|at most|max|a total of)\\s+)?$",
  "i",
);
const plainWords = new Set(
  (
    "a an the of on in for and with to at by from is are be as our us me my i we we'd i'd you your it " +
    "this that please pls hi hello hey thanks thank dear spend spending invest investing put use allocate " +
    "want would like need have has run plan buy launch start new campaign brief budget total cpm price " +
    "ads ad advertising via using should objective objectives goal goals audience target targeting reach " +
    "reaching aimed during over across channels channel dates flight usd dollars about around"
  ).split(" "),
);
const negation = /\b(?:no|not|never|without|except|excluding|avoid|nothing|neither)\b|n't\b/i;

const readAll = (text: string, patterns: readonly Pattern[]): { names: string[]; spans: Span[]; left: string } => {
  let left = text;
  const names: string[] = [];
  const spans: Span[] = [];
  for (const [name, pattern] of patterns) {
    const found = spansOf(left, pattern);
    if (found.length > 0) names.push(name);
    spans.push(...found);
    left = blanked(left, found);
  }
  return { names, spans, left };
};

const spentIn = (text: string): readonly (Span & { readonly value: number })[] =>
  volumesIn(text).filter(
    ({ start, end }) => spendBefore.test(text.slice(0, start)) && !/^\s*imp/i.test(text.slice(end)),
  );

const quoted = (text: string, { start, end }: Span): string => text.slice(start, end).trim();

const pricesIn = (text: string, amounts: readonly Amount[]) => {
  const unclear: string[] = [];
  const kpis: { max_cpm?: number; target_cpm?: number } = {};
  const prices = amounts.filter(({ isCpm }) => isCpm);
  for (const amount of prices) {
    const limit = limitIn(text, [amount]);
    const name = limit === null ? "target_cpm" : "max_cpm";
    if (limit?.isMost === false || kpis[name] !== undefined) unclear.push(quoted(text, amount));
    kpis[name] = amount.value;
  }
  // Two prices are one of each kind only where one is called the target.
  const isMixed = Object.keys(kpis).length === 2 && !/\btarget (?:price|cpm|of|is|at)\b|\bcpm target\b/i.test(text);
  return { kpis, unclear: isMixed ? [...unclear, ...prices.map((amount) => quoted(text, amount))] : unclear };
};

/** Words that nothing took, neighbours together. */
const leftIn = (text: string): readonly string[] => {
  const groups: string[] = [];
  let endBefore = -1;
  for (const match of text.matchAll(/[\p{L}\p{N}$€£¥%][\p{L}\p{N}$€£¥%'_-]*(?:[.,]\d+)*/gu)) {
    const [word] = match;
    if (plainWords.has(word.toLowerCase())) continue;
    const isNext = endBefore >= 0 && /^[ \t]$/.test(text.slice(endBefore, match.index));
    if (isNext) groups.push(`${groups.pop() ?? ""} ${word}`);
    else groups.push(word);
    endBefore = match.index + word.length;
  }
  return groups;
};

/** They would change what the budget or a price means. */
const measures =
  /\b(?:per|each|every|daily|weekly|monthly|days?|weeks?|months?|half|third|split|share|fees?|net|only)\b/i;

const isBinding = (text: string): boolean =>
  measures.test(text) ||
  /[\d$€£¥%]/.test(text) ||
  negation.test(text) ||
  isConditional(text) ||
  new RegExp(dateWords.source, "i").test(text);

const defaultName = (channels: readonly string[], start: string, end: string): string =>
  `${channels.length === 0 ? "Campaign" : channels.join(" and ")} ${start} to ${end}`.slice(0, 100);

const money = (text: string) => {
  const amounts = moneyIn(text);
  const spent = spentIn(blanked(text, amounts));
  const { kpis, unclear } = pricesIn(text, amounts);
  const budgets = [...amounts.filter(({ isCpm }) => !isCpm), ...spent];
  const foreign = amounts.filter(({ currency }) => currency !== null && currency !== "USD");
  return {
    kpis,
    budget: budgets[0]?.value,
    unclear: [
      ...unclear,
      ...foreign.map((amount) => `${quoted(text, amount)} (budgets and prices are in USD)`),
      ...(budgets.length > 1 ? budgets.map((amount) => `${quoted(text, amount)} (which is the budget?)`) : []),
    ],
    spans: [...amounts, ...spent],
  };
};

/** The parts are read in turn, and what one has taken no later one sees. */
export const readBrief = (said: string, nowMs: number): ReadBrief => {
  const name = nameWords.exec(said);
  const afterName = name === null ? said : blanked(said, [{ start: name.index, end: name.index + name[0].length }]);
  const period = periodIn(afterName, nowMs);
  const afterDays = blanked(afterName, period?.spans ?? []);
  const { kpis, budget, unclear, spans } = money(afterDays);
  const objectives = readAll(blanked(afterDays, spans), objectiveWords);
  const audiences = [...objectives.left.matchAll(audienceWords)]
    .map((match) => ({ text: (match[1] ?? "").trim(), start: match.index, end: match.index + match[0].length }))
    .filter(({ text }) => readAll(text, channelWords).spans.length === 0 && !plainWords.has(text.toLowerCase()))
    .filter(({ text }) => !/\d/.test(text.replace(agePattern, "")) && !/\bcampaign$/i.test(text));
  const channels = readAll(blanked(objectives.left, audiences), channelWords);
  const left = leftIn(blanked(channels.left, spansOf(channels.left, limitWords)));
  const [start, end] = [period?.flight_start ?? undefined, period?.flight_end ?? undefined];
  const audience = audiences.map(({ text }) => text).join(", ");
  const brief: BriefInput = {
    name: name?.[1]?.trim() ?? defaultName(channels.names, start ?? "", end ?? ""),
    ...(objectives.names.length === 0 ? {} : { objectives: objectives.names }),
    ...(budget === undefined ? {} : { budget }),
    ...(start === undefined ? {} : { start_date: start }),
    ...(end === undefined ? {} : { end_date: end }),
    ...(audience === "" ? {} : { target_audience: { description: audience } }),
    ...(Object.keys(kpis).length === 0 ? {} : { kpis }),
    ...(channels.names.length === 0 ? {} : { channels: channels.names }),
  };
  const required = ["budget", "start_date", "end_date", "target_audience", "objectives"] as const;
  return {
    brief,
    found: Object.keys(brief).filter((member) => member !== "name"),
    missing: required.filter((member) => brief[member] === undefined),
    unclear: [...unclear, ...left.filter(isBinding), ...(isConditional(said) ? ["the condition"] : [])],
    notUsed: left.filter((words) => !isBinding(words)),
  };
};
