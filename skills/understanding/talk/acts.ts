import type { Act } from "../reading/choice/acts.ts";
import { askFirst, endFirst } from "./commit-talk.ts";
import { cancelTerms, changeDeal, withdrawProposal } from "./change-talk.ts";
import { activate, readDeal } from "./deal-talk.ts";
import { compare, list, rank } from "./compare-talk.ts";
import { quoteBoth } from "./both-talk.ts";
import { explained } from "./glossary-talk.ts";
import { drop } from "./drop-talk.ts";
import { aboutProduct } from "./product-talk.ts";
import { availability, describe, formats, mediaKit, notSold, packages, targeting } from "./inventory-talk.ts";
import { inOwnCurrency } from "./currency-talk.ts";
import { misread, openQuestion, openTerms } from "./open-talk.ts";
import { handOver } from "./hand-over-talk.ts";
import { offer, propose, readNegotiation, readProposal } from "./offer-talk.ts";
import { plan } from "./plan-talk.ts";
import { orPriceList } from "./price-list-talk.ts";
import { discounts, price, quote, rateCard, readQuote, steps, withheld } from "./price-talk.ts";
import { mySpend, summary } from "./portfolio-talk.ts";
import { myChanges, myDeals, myNegotiations, myProposals, myQuotes } from "./records-talk.ts";
import { correctedAct, misunderstood, policy, stillAsked, wait } from "./aside-talk.ts";
import { reach, unclear } from "./unclear-talk.ts";
import type { Spoken, Talk } from "./speech.ts";
import { hasOffer } from "../terms.ts";

type Answers = Promise<readonly Spoken[] | Spoken> | Spoken;

const help =
  "I can show what is on sale, tell prices and availability, issue quotes, negotiate and book deals. " +
  "For example: price of CTV for 5M impressions in March. Ask for a person when you need one.";

const stays = "What stands open stays open until it expires; nothing changes by itself.";

const said = (outcome: Spoken["outcome"], text: string): Spoken => ({ skill: null, outcome, result: null, text });

/** None of these commits: that takes a plain order or consent. */
export const acts: Readonly<Record<Act, (talk: Talk) => Answers>> = {
  price: orPriceList("pricing", price),
  quote: async (talk) => (await quoteBoth(talk)) ?? quote(talk),
  "read quote": readQuote,
  list: orPriceList("discovery", list),
  describe: orPriceList("discovery", describe),
  formats: orPriceList("discovery", formats),
  rank,
  compare,
  "about product": aboutProduct,
  "deal types": explained,
  "open terms": inOwnCurrency(openTerms),
  "open question": openQuestion,
  availability,
  propose,
  "read proposal": readProposal,
  offer,
  "read negotiation": readNegotiation,
  accept: (talk) => askFirst(talk, "negotiation"),
  reject: endFirst,
  book: (talk) => askFirst(talk, "deals"),
  "read deal": readDeal,
  activate,
  "my spend": mySpend,
  "my changes": myChanges,
  "cancel terms": cancelTerms,
  policy,
  reach,
  unclear: orPriceList("discovery", unclear),
  wait,
  correct: (talk) => {
    const act = correctedAct(talk);
    return act === null ? misunderstood(talk) : acts[act](talk);
  },
  "my deals": myDeals,
  "my quotes": myQuotes,
  "my proposals": myProposals,
  "my negotiations": myNegotiations,
  summary,
  cancel: drop,
  withdraw: withdrawProposal,
  "change deal": changeDeal,
  steps,
  plan,
  targeting,
  packages,
  "media kit": mediaKit,
  "rate card": orPriceList("pricing", rateCard),
  discounts,
  "not sold": notSold,
  "hand over": handOver,
  greet: () => said("answer", `Hello. ${help}`),
  thanks: (talk) =>
    stillAsked(talk) ?? said("answer", `You are welcome. ${hasOffer(talk.memory.terms) ? stays : help}`),
  withhold: (talk) => withheld(talk, `I cannot tell that. ${help}`),
  elsewhere: () => said("refuse", `I keep no accounts and no line items: deals are booked from quotes. ${help}`),
  unknown: (talk) => misread(talk, help),
};
