import type { Act } from "../reading/choice/acts.ts";
import { toldAs } from "./open-talk.ts";
import type { Spoken, Talk } from "./speech.ts";

/** With what stands, so that nobody takes the answer for a change of it. */
const aside = async (talk: Talk, text: string): Promise<readonly Spoken[]> => {
  const told = await toldAs(talk, `${text} What stands: `);
  return told.length > 0 ? told : [{ skill: null, outcome: "clarify", result: null, text }];
};

export const reach = (talk: Talk): Promise<readonly Spoken[]> =>
  aside(
    talk,
    "I sell by impressions and have no figures for people, households or frequency; a person can give an estimate, " +
      "if you ask for one.",
  );

const readings: Partial<Record<Act, string>> = {
  list: "what is on sale",
  describe: "a description of a product",
  formats: "formats and specifications",
  rank: "the cheapest or dearest product",
  compare: "a comparison",
  "deal types": "the deal types explained",
  "about product": "a detail of the product",
  packages: "packages",
  "media kit": "the media kit",
  "rate card": "the rate card",
  availability: "availability",
  targeting: "targeting options",
  reach: "reach figures",
  price: "a price",
  quote: "a quote",
  steps: "prices by volume",
  discounts: "your discounts",
  plan: "a media plan for a budget",
  propose: "to propose your own terms",
  offer: "to make an offer",
  accept: "to accept the offer",
  reject: "to turn the offer down",
  book: "to book",
  withdraw: "to withdraw a proposal",
  "read quote": "the state of a quote",
  "read proposal": "the state of a proposal",
  "read negotiation": "the state of a negotiation",
  "open terms": "the terms of what is open",
  "my deals": "your deals",
  "my spend": "what all your deals come to",
  "my changes": "changes that wait",
  activate: "how a deal is activated",
  "my quotes": "your quotes",
  "my proposals": "your proposals",
  "my negotiations": "your negotiations",
  "read deal": "the state of a deal",
  cancel: "to cancel a deal",
  "cancel terms": "the conditions of a cancellation",
  "change deal": "to change a deal",
  summary: "a summary",
  policy: "terms and conditions",
  "hand over": "a person",
};

/** One question that names what the message most likely asks for. */
export const unclear = (talk: Talk): Promise<readonly Spoken[]> => {
  const named = talk.likely.flatMap((act) => readings[act] ?? []).slice(0, 2);
  const which = named.length === 0 ? "Please say it in other words." : `Do you want ${named.join(", or ")}?`;
  return aside(talk, `I am not sure what you mean. ${which} Nothing changes by this message.`);
};
