import { z } from "zod";
import { isoTime } from "../../protocol/neutral/iso-time.ts";
import { fromOthers } from "../../protocol/seam/untrusted.ts";
import { costMicros, fromMicros } from "../../machines/money.ts";
import { type Caller, isOperator } from "../../protocol/seam/caller.ts";

/** A sentence each. */
export interface Words {
  readonly status_text: string;
  readonly next_step: string;
}

export const wordsOutput = {
  status_text: z.string().nullish().describe("Where it stands, in one sentence."),
  next_step: z.string().nullish().describe("Who does what until when, with the operation's name."),
};

export const costOutput = {
  total_cost: z.number().nullish().describe("Volume times price in units of the currency; null without a volume."),
  ...wordsOutput,
};

export const dealSummaryOutput = {
  deal_summary: z
    .looseObject({
      deal_id: z.string(),
      status: z.string(),
      awaiting_approval: z.boolean(),
      cancelled: z.boolean(),
      product_name: z.string(),
      buyer: z.string(),
      buyer_name: fromOthers(z.string().nullable()),
      flight_start: z.string(),
      flight_end: z.string(),
      impressions: z.int().nullable(),
      value: z.number().nullable().describe("Volume times price in units of the currency."),
      currency: z.string(),
    })
    .optional()
    .describe("Operators only, in reads: what its deal is now."),
};

/** Which operation does it is told only to those who may call it; null: to nobody. */
export const byOperator = (caller: Caller | null, text: string): string =>
  caller !== null && isOperator(caller) ? text : "";

/** In units; null without a volume. */
export const totalCost = (priceMicros: number, impressions: number | null): number | null => {
  const cost = impressions === null ? null : costMicros(priceMicros, impressions);
  return cost === null ? null : fromMicros(cost);
};

/** To the second. */
export const timeText = (atMs: number): string => `${isoTime(atMs).slice(0, 19)}Z`;

/** A record of a sandbox says so where it says what is booked. */
export const inSandbox = (words: Words, isSandbox: boolean): Words =>
  isSandbox
    ? { ...words, status_text: `${words.status_text} This is a sandbox: nothing is bought, delivered or charged.` }
    : words;

/** `: Sold out.` or a full stop. */
export const because = (reason: string | null | undefined): string =>
  reason == null || reason.trim() === "" ? "." : `: ${reason.trim().replace(/\.$/, "")}.`;
