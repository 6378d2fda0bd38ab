import { highestCpm, moneyIn } from "../../../../understanding/reading/figures/money.ts";
import { volumesIn } from "../../../../understanding/reading/figures/volumes.ts";
import { blanked, matchesOf, type Span, spansOf } from "../../../../understanding/reading/spans.ts";
import { mentionsIn, namesOf } from "../words/mentions.ts";
import { channelWords } from "../words/vocabulary.ts";

/** A price of some channels; a brief holds one price for all of its channels. */
export interface ChannelPrice {
  readonly channels: readonly string[];
  readonly value: number;
  readonly kind: "max_cpm" | "target_cpm";
  readonly words: string;
}

/** Money of a channel; the objectives decide how a budget is split. */
export interface ChannelShare {
  readonly channels: readonly string[];
  /** Null for a share that is no sum. */
  readonly sum: number | null;
  readonly words: string;
}

export interface PerChannel {
  readonly prices: readonly ChannelPrice[];
  readonly shares: readonly ChannelShare[];
  /** "Forget the display cap": of what no brief holds, nothing is taken away. */
  readonly isWithdrawn: boolean;
  /** The text without what was read of it. */
  readonly left: string;
}

const channel = `(?:${channelWords.map(([, { source }]) => source).join("|")})`;
const list = `${channel}(?:\\s*(?:,|and|or|&|\\+|/|und|y|et)\\s*(?:the\\s+)?${channel})*`;
const looseList = `${channel}(?:\\s*(?:,|and|or|&|\\+|/|und|y|et|to)?\\s*(?:the\\s+)?${channel})*`;
const price =
  "(?<![\\d.,$-])(?:\\$\\s?)?(?<price>\\d{1,3}(?:[.,]\\d{1,2})?)(?:\\s?(?:usd|dollars?|\\$))?" +
  "(?![\\d.,]*\\d|\\s?(?:k\\b|%|percent|grand|thousand|mio|million|imp|-?s(?:ec\\w*)?\\b|days?|weeks?|months?|/|:|" +
  "-\\s?\\d|(?:\\w+ )?20\\d\\d))";
const most =
  "(?:not|n't|never) (?:be |go |cost |get )?(?:above|over|beyond|higher than|more than)|max(?:imum)?\\.?|" +
  "cap(?:ped)?|limit(?:ed)?|ceiling|under|below|up to|at most|not?\\s+(?:more|higher|above|" +
  "over)(?: than)?|" +
  "(?:not |n't )?exceed";
const filler = "cpms?|tkps?|prices?|at|with|an?|of|is|be|should|must|to|the|costs?|usd";
const between = `(?:[ \\t:=(-]*(?:${most}|${filler})\\b\\.?)*[ \\t:=(-]*`;
const unit = "(?:\\s*\\(?(?:cpm|tkp|max(?:imum)?|tops|or less|cap|limit|ceiling|price)\\b\\)?)*";
const holds = "(?:\\s+(?:is|are|was|holds?|goes|applies|counts|only|just|meant|valid|stays?))*";

const priced: readonly RegExp[] = [
  // "Max CPM for CTV $30".
  new RegExp(
    `(?:\\b(?:${most})\\s+)?\\b(?:cpms?|tkps?|price|cap|limit|ceiling|max(?:imum)?)(?:\\s+(?:cpm|price|cap|` +
      "limit))?\\s+" +
      `(?:for|on|of|in)\\s+(?:the\\s+)?(?<list>${list})${between}${price}${unit}`,
    "gi",
  ),
  // "CTV max 30 CPM", "display: $8".
  new RegExp(`(?<list>${list})${between}${price}${unit}`, "gi"),
  // "The $25 cap is only for CTV", "30 CPM on CTV".
  new RegExp(
    "(?:\\b(?:cpms?|tkps?|" +
      `price)\\s+(?:[\\w']+\\s+){0,5}?)?(?:\\b(?:${most})\\s+)?${price}${unit}${holds}\\s+(?:for|on|` +
      `in)\\s+(?:the\\s+)?(?<list>${list})(?:\\s+(?:only|alone)\\b)?`,
    "gi",
  ),
  // "For display I don't want to pay more than 8".
  new RegExp(
    `\\b(?:for|on|in)\\s+(?:the\\s+)?(?<list>${list})\\s+(?:[\\w']+\\s+){0,8}?(?:${most}|more than|higher than|` +
      "over|above)" +
      `\\s+${price}${unit}`,
    "gi",
  ),
];
const isLimit = new RegExp(`\\b(?:${most}|tops|or less|more than|higher than|over|above|below|under)(?!\\w)`, "i");
const isOfPrice = /\b(?:cpms?|tkps?|price|cap|limit|ceiling|max(?:imum)?|pay|above|over|exceed|higher)\b/i;

const channelsIn = (words: string): readonly string[] => namesOf(mentionsIn(words, channelWords));

const pricesIn = (text: string) => {
  const found: (ChannelPrice & Span)[] = [];
  let left = text;
  for (const pattern of priced) {
    const spans = matchesOf(left, pattern).flatMap((match) => {
      const words = match[0].trim();
      const value = Number((match.groups?.["price"] ?? "").replace(",", "."));
      const isMeant = isOfPrice.test(words) || (/\$/.test(words) && isOfPrice.test(text));
      if (!isMeant || !(value > 0 && value < highestCpm)) return [];
      const kind = isLimit.test(words) || !/\btarget\b/i.test(text) ? ("max_cpm" as const) : ("target_cpm" as const);
      const span = { start: match.index, end: match.index + match[0].length };
      return [{ channels: channelsIn(match.groups?.["list"] ?? ""), value, kind, words, ...span }];
    });
    found.push(...spans);
    left = blanked(left, spans);
  }
  return { found, left };
};

const percent = "\\d{1,3}(?:[.,]\\d)?\\s?(?:%|percent\\b|pct\\b|prozent\\b|por ciento\\b|pour cent\\b)";
const part =
  "(?:a |one )?(?:half|third|quarter|fifth|tenth)|two thirds|three quarters|most|(?:the )?(?:rest|remainder|" +
  "remaining|" +
  "majority)|" +
  "(?:an )?equal (?:share|part)s?|equally|evenly";
const ofIt = "(?:\\s+(?:of (?:it|that|this|them|(?:the |our )?(?:budget|money|spend|total)))\\b)?";
const toChannel = "(?:[\\w']+\\s+){0,5}?";
const least = "(?:\\b(?:max(?:imum)?\\.?|min(?:imum)?\\.?|at (?:most|least)|up to|about|around|only)\\s+)?";
const noMore = "(?!\\s*(?:more|less|fewer|higher|lower|off|discount|view|compl|vtr|ctr|cheaper))";
const shared: readonly RegExp[] = [
  new RegExp(
    "(?:\\bsplit\\s+(?:it\\s+|the budget\\s+|" +
      "that\\s+)?)?\\b\\d{1,3}\\s?[/:]\\s?\\d{1,3}(?:\\s?[/:]\\s?\\d{1,3})*\\b(?!\\s?[/:.])(?:\\s+(?:split|ratio|" +
      "share))?" +
      `(?:\\s+(?:for|on|between|across|in|to|with))?(?:\\s+(?<list>${looseList}))?`,
    "gi",
  ),
  new RegExp(`(?<list>${list})\\s*[:=(-]?\\s*(?:gets?\\s+|with\\s+|at\\s+)?${least}${percent}\\)?${noMore}`, "gi"),
  new RegExp(
    `${least}(?<![\\d.,])${percent}${noMore}${ofIt}\\s+(?:for |on |in |into |to )?${toChannel}(?<list>${list})`,
    "gi",
  ),
  new RegExp(
    `${least}(?<![\\d.,])${percent}${ofIt}\\s+(?:may|can|could|should|must|to)\\s+(?:be|go)\\b[^,.;\\n]*`,
    "gi",
  ),
  new RegExp(
    `\\b(?:split (?:it |the budget |that )?)?(?:${part})${ofIt}\\s+(?:(?:goes|go|should go|may go|is|be|spent|` +
      "used)\\s+)*" +
      `(?:(?:for|on|in|into|to|between|across|over)\\s+)?(?:the\\s+)?(?<list>${list})`,
    "gi",
  ),
  new RegExp(`(?<list>${list})\\s+(?:gets?|takes?|has)\\s+(?:${part})${ofIt}`, "gi"),
  /\bsplit\s+(?:it |the budget |that |everything )?(?:evenly|equally|in half|50:50|fifty fifty)\b/gi,
];
const sumsToHundred = (words: string): boolean => {
  const figures = /^(?:split\D*)?\d{1,3}(?:\s?[/:]\s?\d{1,3})+/.exec(words)?.[0].match(/\d+/g);
  return figures == null || figures.reduce((sum, one) => sum + Number(one), 0) === 100;
};

const sharesIn = (text: string) => {
  const found: (ChannelShare & Span)[] = [];
  let left = text;
  for (const pattern of shared) {
    const spans = matchesOf(left, pattern).flatMap((match) => {
      const words = match[0].trim();
      const span = { start: match.index, end: match.index + match[0].length };
      return sumsToHundred(words)
        ? [{ channels: channelsIn(match.groups?.["list"] ?? words), sum: null, words, ...span }]
        : [];
    });
    found.push(...spans);
    left = blanked(left, spans);
  }
  return { found, left };
};

const behindSum = new RegExp(
  `^(?<of>${ofIt})\\s*(?:(?:usd|dollars?)\\s+)?(?:from\\s+${channel}\\s+)?(?:(?:for|on|in|into|to|` +
    "towards)\\s+)?(?:the\\s+)?" +
    `(?<list>${channel})(?!\\s*(?:and|&|\\+|/|,|or)\\s*(?:the\\s+)?${channel})`,
  "i",
);
const beforeSum = new RegExp(
  `(?<!(?:and|&|\\+|/|,)\\s*)(?<list>${channel})(?:\\s*[:=(-]\\s*|\\s+(?:gets?|with|for)?\\s*)$`,
  "i",
);
const isCounted = /^\s*(?:imp\w*|views?|people|users|households|contacts|clicks|cpm|tkp)\b/i;
const reach = 60;

/** Of two or more sums, each beside a channel; of one where it is called a part. */
const sumsIn = (text: string, isPart: (words: string) => boolean): readonly (ChannelShare & Span)[] => {
  const money = moneyIn(text).filter(({ isCpm, value }) => !isCpm && value >= 500);
  const bare = volumesIn(blanked(text, money)).filter(
    ({ end, value }) => value >= 500 && !isCounted.test(text.slice(end)),
  );
  const amounts = [...money, ...bare].toSorted((one, other) => one.start - other.start);
  const sums = amounts.flatMap(({ value, start, end }, place) => {
    const after = behindSum.exec(text.slice(end, Math.min(end + reach, amounts[place + 1]?.start ?? text.length)));
    const from = Math.max(start - reach, amounts[place - 1]?.end ?? 0);
    const before = after === null ? beforeSum.exec(text.slice(from, start)) : null;
    const match = after ?? before;
    if (match === null) return [];
    const span = after === null ? { start: from + match.index, end } : { start, end: end + match[0].length };
    const words = text.slice(span.start, span.end).trim();
    const isOf = (match.groups?.["of"] ?? "") !== "";
    return [{ channels: channelsIn(match.groups?.["list"] ?? ""), sum: value, words, isOf, ...span }];
  });
  return sums.length > 1 ? sums : sums.filter(({ isOf, words }) => isOf || isPart(words));
};

const given = "(?:cap|limit|ceiling|max(?:imum)?|price|cpm|split|share|part|money|budget)s?";
const withdrawn = new RegExp(
  `\\b(?:forget(?: about)?|drop|skip|without|no|ignore|remove|lift|scrap)\\s+(?:(?:the|any|that|a|my|our)\\s+)?` +
    `(?:split|shares?|allocation|${channel}\\s+(?:${given}\\s*)+|(?:${given}\\s+)+(?:for|on|` +
    `of)\\s+(?:the\\s+)?${channel})(?!\\s*(?:to|` +
    "of)\\s*[$\\d])",
  "gi",
);

/** What a message says of single channels, apart from naming them. `isPart`: one sum beside a channel is no budget. */
export const perChannelIn = (text: string, isPart: (words: string) => boolean = () => false): PerChannel => {
  const gone = spansOf(text, withdrawn);
  const prices = pricesIn(blanked(text, gone));
  const shares = sharesIn(prices.left);
  const sums = sumsIn(shares.left, isPart);
  return {
    prices: prices.found,
    shares: [...shares.found, ...sums],
    isWithdrawn: gone.length > 0,
    left: blanked(shares.left, sums),
  };
};

/** The one price of all channels of a brief, where each of them has it. */
export const sharedPrice = (
  prices: readonly ChannelPrice[],
  channels: readonly string[],
): { readonly max_cpm?: number; readonly target_cpm?: number } | null => {
  const [first] = prices;
  if (
    first === undefined ||
    channels.length === 0 ||
    prices.some(({ value, kind }) => value !== first.value || kind !== first.kind)
  )
    return null;
  const isOfAll = channels.every((name) => prices.some((one) => one.channels.includes(name)));
  return isOfAll ? { [first.kind]: first.value } : null;
};
