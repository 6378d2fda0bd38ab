import { textOf } from "../../../talk/reader/entity.ts";
import type { Term } from "../brief/form.ts";
import { type Line, pickIn } from "./lines.ts";
import { leadingOrder } from "./of-campaign.ts";
import { isPolite, type Read, real, request, topOf } from "./parts.ts";
import type { ListedAmount, MarketAsked, Request, Situation } from "./request.ts";
import { channelsIn, plainOf, type Text } from "./text.ts";
import { isIn, says } from "./words.ts";

const general: ReadonlySet<string> = new Set(["market", "sellers", "cancellable"]);

const ownWords = "this that it its mine my our deal deals line lines";
/** In a conversation without a campaign "our new line" sells shoes, and is no line that waits. */
const recordWords = "deal deals campaign campaigns booked bought";
const inGeneral =
  /\b(?:roughly|usually|generally|in general|normally|typically|ballpark|going rate|at the moment|right now)\b/;
const tells = "tell show list know give send see ask asks";

/** Behind a list of what the sellers have they mean that list. */
const ofList =
  "product products list table everything minimum minimums smallest least cheapest dearest more rest missing price " +
  "prices cpm cpms seller sellers rates";
const ofOther = "campaign campaigns brief budget booked booking line lines deal deals my our status plan";

const buys = "cost costs get gets buy buys pay";

const isThird = (text: Text, read: Read): boolean => says(plainOf(text, read), "asks wonders");

/** "What would 2M CTV impressions cost?", "what does 10k get me on display?": null where no sum is asked for. */
const amountIn = (text: Text, read: Read): ListedAmount | null => {
  const words = plainOf(text, read);
  const { lines, except } = pickIn(text, read);
  const isOfLines = [...lines, ...except].some(({ by }) => by !== "channel" && by !== "price");
  if (!(read.isQuestion || isThird(text, read)) || isOfLines || read.campaign !== null) return null;
  // "8,000 with all of it in video": of the sum.
  // "How much of the 9,999.99 would I get back?" is no purchase.
  if (says(words.replaceAll("of it", ""), ownWords) || says(words, "back refund refunded")) return null;
  const isOther = (term: Term): boolean =>
    !isIn(term.kind, "share budget channels place unsold unclear days") && !(term.kind === "audience" && term.isGuess);
  if (real(read.terms).some(isOther)) return null;
  const amounts = [...new Set(text.scan.owners.slice(read.from, read.to))].filter(
    (one) => one !== undefined && isIn(one.kind, "money volume"),
  );
  const [amount, other] = amounts;
  if (amount === undefined || other !== undefined || !("value" in amount) || typeof amount.value !== "number")
    return null;
  if ("currency" in amount && amount.currency !== null && amount.currency !== "USD") return null;
  const behind = text.words.slice(amount.from, amount.to + 3).join(" ");
  const isOfImpressions = amount.kind !== "money" && says(behind, "impressions imps views");
  if (!says(words, buys) && !(isOfImpressions && says(words, "price much"))) return null;
  const isVolume = isOfImpressions || (amount.kind !== "money" && says(words, "cost costs"));
  return { value: amount.value, isVolume };
};

const sellerWords = "seller sellers publisher publishers";

/** "Which sellers": and not what they have. */
const isOfSellers = ({ words }: Text, { from, to }: Read): boolean =>
  words
    .slice(from, to)
    .some((word, at) => isIn(word, sellerWords) && isIn(words[from + at - 1] ?? "", "which what many"));

const askedIn = (text: Text, read: Read): MarketAsked => {
  const { lines } = pickIn(text, read);
  const isLimit = (line: Line): line is Extract<Line, { by: "limit" }> => line.by === "limit";
  return {
    channels: [...new Set(channelsIn(text, read).flatMap(({ inventoryType }) => inventoryType ?? []))],
    unsold: text.scan.owners
      .slice(read.from, read.to)
      .flatMap((owner, at) =>
        owner?.kind === "unsold" && owner.from === read.from + at ? [textOf(text.scan, owner)] : [],
      ),
    isRanked: lines.some(({ by }) => by === "extreme"),
    limits: lines.filter(isLimit).filter(({ measure }) => measure === "cpm"),
    amount: amountIn(text, read),
    isOfSellers: isOfSellers(text, read),
    isAimed: real(read.terms).some(({ kind }) => isIn(kind, "audience ages place")),
  };
};

/** What a next question may leave out. */
export const topicOf = ({ input }: Pick<Request, "input">): string =>
  ["market", ...((input["channels"] as readonly string[] | undefined) ?? [])].join(" ");

/** It opens no brief: a pure question of what a figure comes to. */
export const isEstimate = (text: Text, read: Read): boolean => {
  const { amount, channels, unsold } = askedIn(text, read);
  return amount !== null && channels.length + unsold.length > 0;
};

/** What the last answer about the sellers' list is asked on with: "and CTV?", "show me all 13 products". */
const isNext = (text: Text, read: Read, { channels, unsold }: MarketAsked): boolean => {
  const words = plainOf(text, read);
  const isNamed = channels.length + unsold.length > 0;
  if (isNamed && read.to - read.from < 6 && isIn(words.split(" ")[0] ?? "", "and what how or")) return true;
  const isAsked = read.isQuestion || says(words, `${tells} need want`) || read.to - read.from < 8;
  const isKept = read.matches.some(({ name, score }) => name === "keep" && score >= 3);
  const isOrder = isKept || (leadingOrder(text, read) !== null && !(read.isQuestion && !isPolite(text, read)));
  return isAsked && !isOrder && says(words, ofList) && !says(words, ofOther) && read.campaign === null;
};

/** "What would the full 8,000 buy in each of the two?": of those of the brief, or of the lines. */
const withOwnChannels = (asked: MarketAsked, { memory: { brief }, job }: Situation): MarketAsked => {
  if (asked.amount === null || asked.channels.length + asked.unsold.length > 0) return asked;
  const ofLines = (job?.recommendations ?? []).flatMap(({ channel }) => channel ?? []);
  return { ...asked, channels: [...new Set(brief?.channels ?? ofLines)] };
};

/** What holds without a campaign: rules, sellers and what they list. */
export const ofMarket = (text: Text, read: Read, situation: Situation): Request | null => {
  const { job, memory } = situation;
  const { campaign } = read;
  const words = plainOf(text, read);
  const asked = withOwnChannels(askedIn(text, read), situation);
  const pick = pickIn(text, read);
  const market = request(text, read, "market", { ...asked });
  const [topic, ...before] = (memory.topic ?? "").split(" ");
  const isOfAll = memory.brief === null && read.matches.some(({ name, score }) => name === "market" && score >= 3.6);
  if (asked.amount !== null && (asked.channels.length + asked.unsold.length > 0 || isOfAll)) return market;
  if (topic === "market" && isNext(text, read, asked)) {
    // "All CTV and video, and the cheapest": the cheapest of those.
    const isOfAny = !asked.isRanked && asked.channels.length + asked.unsold.length + asked.limits.length === 0;
    const isOfProducts = says(words, "product products price prices cpm minimum");
    if (isOfAny && says(words, sellerWords) && (asked.isOfSellers || !isOfProducts))
      return { ...market, command: "sellers" };
    const isOfBefore = asked.isRanked && asked.channels.length + asked.unsold.length === 0;
    return isOfBefore ? { ...market, input: { ...asked, channels: before } } : market;
  }
  const top = topOf(read.matches, (name) => general.has(name));
  // "Which seller fits?", of an open brief.
  const isOfBrief = top?.name === "sellers" && top.score < 3.6 && memory.brief !== null;
  if (top === undefined || top.score < 3 || isOfBrief) return null;
  // "All products", "who sells video cheapest".
  const isOfAnyLine = says(words, "products inventory sells sell offers offer");
  const isOfLine = pick.lines.some(
    ({ by }) => by !== "channel" && by !== "limit" && !(isOfAnyLine && isIn(by, "all extreme")),
  );
  // "Products that I could use" speaks of no line.
  const said = words.replaceAll(" that i ", " ").replaceAll(" that we ", " ");
  const isOwn = campaign !== null || says(said, job === null ? recordWords : ownWords) || isOfLine;
  const hasLines = (job?.recommendations ?? []).some(({ channel }) => asked.channels.includes(channel));
  if (top.name === "cancellable") {
    const isOfDeal = campaign !== null || (job !== null && (says(words, "this that it the my our") || hasLines));
    return request(text, read, top.name, { campaign, pick, isGeneral: !isOfDeal });
  }
  // "Which sellers can I buy video from, at what CPM?"
  const isPriced = top.name === "sellers" && says(words, "cpm cpms price prices minimum rates");
  const isTold = read.isQuestion || says(words, `${tells} mean meant what what's`);
  const isGeneral = inGeneral.test(words) || (!isOwn && (!hasLines || says(words, "sellers publishers")));
  return isTold && isGeneral ? { ...market, command: isPriced ? "market" : top.name } : null;
};
