import type { CardSkill } from "../../protocol/a2a/card/card.ts";
import type { Contract } from "../../protocol/seam/operation.ts";

/** Phrases shown of one intent: a card with all of them would be longer than all else in it. */
const mostShown = 6;

const isWhole = (phrase: string): boolean => !/[@#]/.test(phrase);

interface CardIntent {
  readonly skill: string | null;
  readonly phrases: readonly string[];
}

/** Adds phrases that the understanding knows, so that what the card shows is what is read. */
export const withPhrases = (skills: readonly CardSkill[], intents: readonly CardIntent[]): readonly CardSkill[] =>
  skills.map((skill) => {
    const known = intents
      .filter((intent) => intent.skill === skill.id)
      .flatMap(({ phrases }) => phrases.filter(isWhole).slice(0, mostShown));
    return { ...skill, examples: [...new Set([...skill.examples, ...known])] };
  });

export const intentsOf = (contracts: readonly Contract[]): readonly CardIntent[] =>
  contracts.flatMap(({ intent }) => (intent === undefined ? [] : [intent]));

/** The five skills of the seller's cards (seller spec, Agent card). */
export const sellerSkills: readonly CardSkill[] = [
  {
    id: "discovery",
    name: "Inventory Discovery",
    description: "Finds products, packages, formats and availability in the seller's live catalog.",
    tags: ["inventory", "search", "media-kit"],
    examples: ["What CTV inventory do you have?", "Is product prod-53e78a97 available for 5M impressions in March?"],
  },
  {
    id: "pricing",
    name: "Tiered Pricing",
    description: "Prices products for the caller's verified tier and volume, and issues quotes that hold their price.",
    tags: ["pricing", "cpm", "negotiation"],
    examples: ["What is the price of CTV Premium Streaming for 5M impressions?", "Quote 2M impressions of pre-roll."],
  },
  {
    id: "proposals",
    name: "Proposal Evaluation",
    description: "Evaluates a buyer's own terms and accepts, counters or rejects them.",
    tags: ["proposals", "evaluation", "counter-offers"],
    examples: ["I would like to submit a proposal."],
  },
  {
    id: "negotiation",
    name: "Multi-Round Negotiation",
    description: "Moves the price of what was quoted or proposed, in rounds, within the limits of the caller's tier.",
    tags: ["negotiation", "deals"],
    examples: ["Would you take 28 dollars?"],
  },
  {
    id: "deals",
    name: "Deal Execution",
    description: "Books deals from quotes at the quoted price and hands out their OpenRTB activation.",
    tags: ["deals", "openrtb", "execution"],
    examples: ["Book quote qt-0123456789ab.", "What is the status of my deal?"],
  },
];

export const buyerSkills: readonly CardSkill[] = [
  {
    id: "bookings",
    name: "Campaign Booking",
    description: "Turns a campaign brief into booked deals across sellers, within its budget. Needs an operator key.",
    tags: ["campaign", "booking", "media-buying"],
    examples: ['{"operation": "list_bookings", "input": {"status": "awaiting_approval"}}'],
  },
];
