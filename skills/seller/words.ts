import { z } from "zod";
import { costMicros, fromMicros } from "../../machines/money.ts";

/** Where a record stands and who moves it next: a sentence each. */
export interface Words {
  readonly status_text: string;
  readonly next_step: string;
}

/** Members that every record with a life shows. */
export const wordsOutput = {
  status_text: z.string().nullish().describe("Where it stands, in one sentence."),
  next_step: z.string().nullish().describe("Who does what until when, with the operation's name."),
};

/** The same for records that cost something. */
export const costOutput = {
  total_cost: z.number().nullish().describe("Volume times price in units of the currency; null without a volume."),
  ...wordsOutput,
};

/** What a volume costs at a price, in units; null without a volume. */
export const totalCost = (priceMicros: number, impressions: number | null): number | null => {
  const cost = impressions === null ? null : costMicros(priceMicros, impressions);
  return cost === null ? null : fromMicros(cost);
};

/** A time as sentences name it, to the second. */
export const timeText = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, 19)}Z`;

/** A reason as the end of a sentence: `: Sold out.` or a full stop. */
export const because = (reason: string | null | undefined): string =>
  reason == null || reason.trim() === "" ? "." : `: ${reason.trim().replace(/\.$/, "")}.`;
