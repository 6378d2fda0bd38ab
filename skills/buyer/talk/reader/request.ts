import type { Memory } from "../record.ts";
import type { Job, JobSummary } from "../replies/job.ts";

/** What a reader knows beside the message. */
export interface Situation {
  readonly nowMs: number;
  readonly memory: Memory;
  /** All of the caller's campaigns, the newest first. */
  readonly jobs: readonly JobSummary[];
  /** The one that words without a name mean. */
  readonly job: Job | null;
  /** What is open, as it was shown. */
  readonly shown: readonly { readonly label: string; readonly terms: string }[];
  /** What the last reply asked about, by its operation. */
  readonly asked: string | null;
}

/** One thing that is asked for: a command of `commands.ts`, and what its words say. */
export interface Request {
  readonly command: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The words that each member was read from. */
  readonly evidence: Readonly<Record<string, string>>;
  /** The part of the message, as it was written. */
  readonly said: string;
  readonly isQuestion: boolean;
  /** A condition, a negation, a wish: nothing of it is asked about with a yes. */
  readonly isDoubt: boolean;
}

export interface Reading {
  readonly requests: readonly Request[];
  /** Runs of words that nobody used, as they were written. */
  readonly unread: readonly string[];
  readonly isForeign: boolean;
  /** Who read it: "grammar", or a model. */
  readonly by: string;
}

/** The grammar of this folder is one; a model behind the same interface answers in requests too. */
export interface Reader {
  /** `attempt`: the same object for each attempt of one message; null: an exact yes, which no model is asked about. */
  read(message: string, situation: Situation, attempt: object | null): Promise<Reading> | Reading;
}

export type CampaignFigure =
  | "client"
  | "state"
  | "budget"
  | "dates"
  | "booked"
  | "waiting"
  | "left"
  | "impressions"
  | "average"
  | "spent"
  | "channels"
  | "sellers";

/** Ids of campaigns. */
export type Scope = "all" | readonly string[];

export interface Over {
  readonly scope: Scope;
  /** None: those that a comparison shows. */
  readonly figures: readonly CampaignFigure[];
  /** Only deals that run then. */
  readonly span: { readonly start: string; readonly end: string } | null;
  /** Whose prices are compared, or what they come to is asked. */
  readonly channels: readonly string[];
  /** Only the sums. */
  readonly isTotal: boolean;
  /** With the deals, where "booked" of one campaign is asked. */
  readonly isListed: boolean;
  /** With the deals of each campaign. */
  readonly isOfDeals: boolean;
  /** Whose price per thousand is asked for. */
  readonly rank: "highest" | "lowest" | null;
  /** In USD, over all campaigns: what is left of it is asked. */
  readonly limit: number | null;
}

/** Impressions or a budget in USD, of which a question asks what they come to. */
export interface ListedAmount {
  readonly value: number;
  readonly isVolume: boolean;
}

/** What is asked of all that the sellers list. */
export interface MarketAsked {
  readonly channels: readonly string[];
  /** What is no channel here: "radio". */
  readonly unsold: readonly string[];
  /** Which channel is the cheapest, or the dearest. */
  readonly isRanked: boolean;
  /** Of prices per thousand. */
  readonly limits: readonly { readonly value: number; readonly isAbove: boolean }[];
  readonly amount: ListedAmount | null;
  /** "Which sellers and kinds of media can you get at?" */
  readonly isOfSellers: boolean;
  /** "To reach home gardeners in the US": whom or where, which no list tells. */
  readonly isAimed: boolean;
}
