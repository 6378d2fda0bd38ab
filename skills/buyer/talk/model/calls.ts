import { z } from "zod";
import { knownChannels } from "../../../../machines/booking/weights.ts";
import type { CallableContract } from "../../../talk/model/callable.ts";
import type { ModelCall } from "../../../talk/model/model-reader.ts";
import type { Term } from "../brief/form.ts";
import type { Campaign } from "../reader/campaign.ts";
import { type Line, noPick, type Pick } from "../reader/lines.ts";
import type { Command } from "../reader/parts.ts";
import type { Situation } from "../reader/request.ts";

const channel = z.enum(knownChannels);
const campaign = z.string().max(200).optional().describe("Name or id of the campaign, where the message has it.");
const ofCampaign = z.object({ campaign });
const ofLines = z.object({
  campaign,
  lines: z.array(z.number()).max(40).optional().describe("Numbers of the lines, as they were listed."),
  channels: z.array(channel).max(40).optional(),
  all: z.boolean().optional().describe("All lines that wait."),
});

/** A brief as a conversation says it: what is missing is asked for. */
const brief = z.object({
  name: z.string().max(100).optional().describe("Name of the campaign, where the message gives one."),
  budget: z.number().optional().describe("In USD."),
  start_date: z.string().optional().describe("YYYY-MM-DD."),
  end_date: z.string().optional().describe("YYYY-MM-DD."),
  channels: z.array(channel).max(10).optional(),
  target_audience: z.string().max(500).optional().describe("Who is to be reached, in words of the message."),
  objectives: z
    .array(z.enum(["brand_awareness", "reach", "consideration", "traffic", "conversions", "sales"]))
    .optional(),
  max_cpm: z.number().optional(),
  target_cpm: z.number().optional(),
});

interface Row {
  readonly command: Command | "brief change";
  readonly summary: string;
  readonly effect: "read" | "write";
  readonly input: z.ZodType;
}

const asking = (command: Command, summary: string, input: z.ZodType = ofCampaign): Row => ({
  command,
  summary,
  effect: "read",
  input,
});

const ordering = (command: Row["command"], summary: string, input: z.ZodType): Row => ({
  command,
  summary,
  effect: "write",
  input,
});

/** What a model may ask for, by names of operations or of questions; each is answered by a command of the grammar's. */
const rows: Readonly<Record<string, Row>> = {
  create_booking: ordering("brief change", "A campaign brief, a part of it, or a change of the open one.", brief),
  approve_booking: ordering("approve", "Book lines that wait for approval.", ofLines),
  replan_booking: ordering("drop", "Drop lines that wait.", ofLines),
  cancel_booking: ordering("cancel", "Cancel a campaign of which nothing is booked.", ofCampaign),
  cancel_booked_line: ordering("cancel", "Ask the seller to cancel a booked deal.", z.object({ deal_id: z.string() })),
  get_booking: asking("status", "How a campaign stands."),
  list_bookings: asking("campaigns", "All campaigns.", z.object({})),
  show_brief: asking("brief", "The brief that is open, or that of a campaign."),
  compare_lines: asking("compare", "The lines of a campaign beside each other."),
  list_deals: asking("booked", "What is booked, with deal ids."),
  get_costs: asking("cost", "What is spent, booked and left."),
  get_delivery: asking("delivery", "What was delivered so far."),
  get_negotiations: asking("negotiated", "What was bargained with sellers."),
  list_sellers: asking("sellers", "The sellers that are asked."),
  get_payment_terms: asking("payment", "Who is paid, and when."),
  get_cancellation_terms: asking("cancellable", "What can be cancelled, and how."),
  get_statement: asking("statement", "All sums of a campaign as a table."),
};

export const buyerCallables: readonly CallableContract[] = Object.entries(rows).map(
  ([name, { summary, effect, input }]) => ({ name, summary, effect, input, access: "key" }),
);

type Input = Readonly<Record<string, unknown>>;

const wordsAt = (input: Input, name: string): string | null => {
  const value = input[name];
  return typeof value === "string" && value !== "" ? value : null;
};

const figureAt = (input: Input, name: string): number | null => {
  const value = input[name];
  return typeof value === "number" ? value : null;
};

const listAt = (input: Input, name: string): readonly string[] => {
  const value = input[name];
  return Array.isArray(value) ? value.map(String) : [];
};

/** As the grammar gives them to the form. */
const briefTerms = (input: Input): readonly Term[] => {
  const [start, end] = [wordsAt(input, "start_date"), wordsAt(input, "end_date")];
  const [budget, audience, name] = [
    figureAt(input, "budget"),
    wordsAt(input, "target_audience"),
    wordsAt(input, "name"),
  ];
  const [channels, objectives] = [listAt(input, "channels"), listAt(input, "objectives")];
  return [
    ...(name === null ? [] : [{ kind: "name" as const, value: name }]),
    ...(budget === null ? [] : [{ kind: "budget" as const, value: budget }]),
    ...(start === null && end === null ? [] : [{ kind: "days" as const, start, end }]),
    ...(channels.length === 0 ? [] : [{ kind: "channels" as const, set: channels, add: [], drop: [], isOfAll: false }]),
    ...(audience === null
      ? []
      : [{ kind: "audience" as const, value: audience, isAdded: false, isListed: false, isGuess: false }]),
    ...(objectives.length === 0 ? [] : [{ kind: "objectives" as const, names: objectives, isAdded: false }]),
    ...(["max_cpm", "target_cpm"] as const).flatMap((kind) => {
      const value = figureAt(input, kind);
      return value === null ? [] : [{ kind, value }];
    }),
  ];
};

const linesPicked = (input: Input): Pick => {
  const places = Array.isArray(input["lines"]) ? (input["lines"] as readonly number[]) : [];
  const lines: readonly Line[] = [
    ...places.map((value) => ({ by: "place" as const, value })),
    ...listAt(input, "channels").map((value) => ({ by: "channel" as const, value })),
  ];
  return lines.length === 0 && input["all"] === true
    ? { lines: [{ by: "all", count: null }], except: [] }
    : { ...noPick, lines };
};

const campaignNamed = (input: Input, { jobs }: Situation): Campaign | null => {
  const deal = wordsAt(input, "deal_id");
  if (deal !== null) return { by: "deal", id: deal };
  const name = wordsAt(input, "campaign")?.toLowerCase();
  if (name === undefined) return null;
  const ids = jobs
    .filter(({ job_id: id, campaign_name: own }) => own.toLowerCase() === name || id.toLowerCase() === name)
    .map(({ job_id: id }) => id);
  return ids.length === 0 ? { by: "unknown", name } : { by: "id", ids, isWhole: true, words: [name] };
};

/** The command of the grammar's that answers it, with what it takes. */
export const commandOfCall = ({ operation, input }: ModelCall, situation: Situation) => ({
  command: rows[operation]?.command ?? ("unknown" as const),
  input: {
    terms: operation === "create_booking" ? briefTerms(input) : [],
    pick: linesPicked(input),
    campaign: campaignNamed(input, situation),
  },
});
