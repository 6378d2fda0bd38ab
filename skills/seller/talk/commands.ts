import { patternsOf } from "../../talk/reader/patterns.ts";
import de from "./phrases/de.json" with { type: "json" };
import en from "./phrases/en.json" with { type: "json" };
import es from "./phrases/es.json" with { type: "json" };
import fr from "./phrases/fr.json" with { type: "json" };
import pt from "./phrases/pt.json" with { type: "json" };
import { accept, book, decline, validity } from "./answers/bookings.ts";
import { activation, dealMeant } from "./answers/deals.ts";
import { deliveredSoFar, spendWithDelivery, statusWithDelivery } from "./answers/delivery.ts";
import { cancelDeals, cancelTerms, changeDeals, withdraw } from "./answers/changes.ts";
import { formats, listWithCarriers } from "./answers/creatives.ts";
import * as discovery from "./answers/discovery.ts";
import * as ranking from "./answers/ranking.ts";
import { offer, propose } from "./answers/offers.ts";
import { plan } from "./answers/plan.ts";
import { policy } from "./answers/policies.ts";
import { discounts, price, priceList, rateCard } from "./answers/pricing.ts";
import { quote } from "./answers/quotes.ts";
import { noted } from "./answers/notes.ts";
import * as records from "./answers/records.ts";
import * as talking from "./answers/talking.ts";
import { type Request, says } from "./requests.ts";
import { hasTerms } from "./said.ts";
import { isOfDeal } from "./drafts.ts";
import { dealTopics, focusOf, openTopics, soleOf } from "./memory.ts";
import { clarify, type Spoken, type Talk } from "./spoken.ts";

type Answer = Promise<readonly Spoken[] | Spoken> | Spoken | readonly Spoken[];

interface Command {
  readonly answer: (talk: Talk) => Answer;
  /** Every word of it is named that was not used: it quotes, books or plans by them. */
  readonly needsAll?: true;
  /** It leaves the terms in force as they are. */
  readonly isAside?: true;
}

/** "OK, do the 1.5M": the change that was shown with that volume. */
const shownAgain = ({ open, request: { said } }: Talk): readonly Spoken[] | null => {
  const volume = soleOf(said.volumes);
  // "So $6,000 in total (833,333 impressions), and the end on 14 May" says more than that.
  const isMore = said.budget !== null || Object.keys(said.flight).length > 0 || said.products.length > 0;
  const same = open.find(({ operation, input }) => operation === "change_deal" && input["impressions"] === volume);
  return same === undefined || volume === null || isMore
    ? null
    : [clarify("deals", "", { drafts: [same], asks: "Shall I request it?" })];
};

/** "$50k for CTV and display" is one sum for both. */
const sharesSum = (request: Request): boolean => {
  const { budget, volumes, products, entities } = request.said;
  const isOne = budget !== null && entities.filter(({ kind }) => kind === "money").length === 1;
  return isOne && volumes.length === 0 && products.length > 1 && !says(request, "each apiece either or per");
};

const quoteOrChange = async (talk: Talk): Promise<readonly Spoken[]> => shownAgain(talk) ?? quote(talk);

const planned = (talk: Talk): Answer => plan({ ...talk, request: { ...talk.request, command: "plan" } });

/** Of a sum that is for several products, what it buys of each. */
const orPlanned =
  (answer: (talk: Talk) => Answer) =>
  (talk: Talk): Answer =>
    sharesSum(talk.request) ? planned(talk) : answer(talk);

/** "Private auction on ROS, what's the floor price?": what bids have to exceed. */
const orFloor =
  (answer: (talk: Talk) => Answer) =>
  async (talk: Talk): Promise<readonly Spoken[]> =>
    (await talking.bidFloor(talk)) ?? [await answer(talk)].flat();

/** "Please don't book a second one": what is shown of a deal may stay. */
const refusesBooking = /(?:\bnot|\bnever|n't|\bdont) (?:\w+ )?(?:book|order|buy|reserve)\b/i;

/** Beside a shown cancellation or change, "keep it" means the deal. */
const orKept =
  (answer: (talk: Talk) => Answer) =>
  (talk: Talk): Answer => {
    return talk.open.some(isOfDeal) &&
      /\b(?:keep|leave|stays?|(?:don't|do not)(?! need)|not cancel|no)\b/i.test(talk.request.text) &&
      !refusesBooking.test(talk.request.text)
      ? withdraw(talk)
      : answer(talk);
  };

/** "How much is left?": of a budget that was named, else of what is on sale. */
const leftOrAvailable = (talk: Talk): Answer => {
  const { said } = talk.request;
  const isBudget =
    says(talk.request, "left remaining remains") &&
    said.products.length === 0 &&
    !hasTerms(said) &&
    talk.memory.budget !== null;
  return isBudget ? records.spend(talk) : discovery.availability(talk);
};

/** One of the caller's deals is meant, or several, or one that there is not. */
const meansDeal = async (talk: Talk): Promise<boolean> => {
  const meant = await dealMeant(talk);
  return typeof meant === "string" || talk.memory.asked === null || meant.reason === "several";
};

/** Of a booked deal it is a change request; else the sale is priced or quoted with the new terms. */
const change = async (talk: Talk): Promise<readonly Spoken[]> => {
  const again = shownAgain(talk);
  if (again !== null) return again;
  const { ids, products } = talk.request.said;
  const focus = focusOf(talk.memory);
  const isBooked = focus?.terms["deal_id"] != null || ids["deal_id"] !== undefined;
  const ofDeal =
    /\bdeals?\b|\bbookings?\b|\border\b/i.test(talk.request.text) ||
    products.some(({ ids: own }) => dealTopics(talk.memory).some(({ product }) => own.includes(product)));
  // "Move the CTV one": what is only asked about has nothing to move.
  const isMoved =
    /\b(?:move|extend|postpone|reschedule|delay|prolong|shorten)\b/i.test(talk.request.text) &&
    !openTopics(talk.memory).some(({ product }) => talk.ids.includes(product));
  const hasTopic = dealTopics(talk.memory).length > 0;
  if (isBooked || (ofDeal && hasTopic) || ((ofDeal || isMoved) && (await meansDeal(talk)))) return changeDeals(talk);
  // What is negotiated keeps its terms; others are offered as a quote of their own.
  if (
    focus?.terms["negotiation_id"] != null &&
    soleOf(talk.ids) === focus.product &&
    typeof talk.terms["impressions"] === "number"
  )
    return price(talk);
  if (openTopics(talk.memory).length > 0 || talk.memory.asked === "quote") return quote(talk);
  if (talk.ids.length === 0) return changeDeals(talk);
  return talk.memory.asked === "price" ? price(talk) : quote(talk);
};

/** "Please send a proposal", with a budget and no price of the buyer's: ours is asked for. */
const proposeOrPlan = (talk: Talk): Answer => {
  const hasPrice = talk.request.said.price !== null || talk.terms["target_cpm"] !== undefined;
  if (hasPrice || typeof talk.terms["budget"] !== "number" || talk.ids.length === 0) return propose(talk);
  return talk.ids.length === 1 ? quote(talk) : planned(talk);
};

const compare = async (talk: Talk): Promise<Spoken | readonly Spoken[]> => {
  const { products, volumes } = talk.request.said;
  // "CTV: 500k against 5M".
  if (products.length === 1 && volumes.length > 1) return price(talk);
  if (products.length > 0) return ranking.compare(talk);
  const own = ranking.comparePlans(talk) ?? ranking.compareFormer(talk) ?? (await records.compareOpen(talk));
  return own ?? ranking.compare(talk);
};

/** "Show me everything you sell with prices"; under a limit the list has them itself. */
const listOrPrices = (talk: Talk): Answer =>
  says(talk.request, "prices pricing costs rates") && discovery.limitOf(talk) === null
    ? priceList(talk)
    : listWithCarriers(talk);

/** One row a request: what answers it. Its words stand in `phrases/<language>.json`, under the same name. */
export const commands: Readonly<Record<string, Command>> = {
  list: { answer: listOrPrices, isAside: true },
  describe: { answer: discovery.describe },
  formats: { answer: formats },
  targeting: { answer: discovery.targeting, isAside: true },
  availability: { answer: leftOrAvailable },
  price: { answer: orFloor(price) },
  quote: { answer: orPlanned(quoteOrChange), needsAll: true },
  compare: { answer: compare, isAside: true },
  rank: { answer: ranking.rank, isAside: true },
  advice: { answer: ranking.advice, isAside: true },
  minimum: { answer: ranking.minimum, isAside: true },
  plan: { answer: plan, needsAll: true },
  offer: { answer: offer, needsAll: true },
  propose: { answer: proposeOrPlan, needsAll: true },
  book: { answer: orPlanned(book), needsAll: true },
  accept: { answer: accept, needsAll: true },
  decline: { answer: orKept(decline) },
  validity: { answer: orKept(validity), isAside: true },
  deals: { answer: records.deals, isAside: true },
  quotes: { answer: records.quotes, isAside: true },
  proposals: { answer: records.proposals, isAside: true },
  negotiations: { answer: records.negotiations, isAside: true },
  changes: { answer: records.changes, isAside: true },
  spend: { answer: spendWithDelivery, isAside: true },
  summary: { answer: records.summary, isAside: true },
  status: { answer: statusWithDelivery, isAside: true },
  delivery: { answer: deliveredSoFar, isAside: true },
  activation: { answer: activation, isAside: true },
  change: { answer: change, needsAll: true },
  cancel: { answer: cancelDeals },
  cancel_terms: { answer: cancelTerms, isAside: true },
  withdraw: { answer: withdraw, isAside: true },
  packages: { answer: discovery.packages, isAside: true },
  media_kit: { answer: discovery.mediaKit, isAside: true },
  rate_card: { answer: rateCard },
  discounts: { answer: discounts },
  deal_types: { answer: talking.explained, isAside: true },
  policy: { answer: policy, isAside: true },
  hand_over: { answer: talking.handOver, isAside: true },
  noted: { answer: noted, isAside: true },
  answered: { answer: talking.answered, isAside: true },
  decision: { answer: records.decision, isAside: true },
  greet: { answer: talking.greet, isAside: true },
  thanks: { answer: talking.thanks, isAside: true },
  withhold: { answer: orFloor(talking.withhold), isAside: true },
  wait: { answer: orKept(talking.wait), isAside: true },
  unanswered: { answer: talking.unanswered, isAside: true },
  unknown: { answer: talking.menu, isAside: true },
};

const languages = [en, de, es, fr, pt] as readonly Readonly<Record<string, readonly string[]>>[];

export const sellerPatterns = patternsOf(
  Object.fromEntries(Object.keys(commands).map((name) => [name, languages.flatMap((phrases) => phrases[name] ?? [])])),
);
