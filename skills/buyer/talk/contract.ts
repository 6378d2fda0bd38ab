import { z } from "zod";
import { defineContract } from "../../../protocol/seam/operation.ts";

const ownDoors = "Text has doors of its own: A2A messages.";
const contextId = z.string().max(255);

export const converse = defineContract({
  name: "converse",
  group: "talk",
  summary:
    "Reads a message in plain words: a campaign brief and its corrections, the status of a job, a comparison of its " +
    "lines and sellers, an approval or a cancellation. What would write is shown as an option with its terms, and " +
    "done only by a pick of it: its number, a data part, or the plain yes that follows.",
  effect: "write",
  access: "operator",
  input: z.object({
    text: z.string(),
    context_id: contextId.nullish(),
    slots: z.record(z.string().max(64), z.unknown()).default({}),
  }),
  output: z.looseObject({
    text: z.string(),
    answers: z.array(
      z.looseObject({
        skill: z.literal("campaigns").nullable(),
        understood: z.record(z.string(), z.unknown()),
        outcome: z.enum(["answer", "clarify", "refuse", "started", "booked", "cancelled"]),
        result: z.unknown(),
        not_used: z.array(z.string()),
        reason: z.string().optional().describe("Why it was not done, as a code."),
        read_by: z.string().optional().describe("Who read the words: grammar, or a model."),
      }),
    ),
  }),
  refusals: {},
  intent: {
    skill: "bookings",
    phrases: [
      "Spend 50k on display and CTV in March 2027 for sports fans, brand awareness, max 25 CPM",
      "make it 60k",
      "no, only CTV",
      "start a week later",
      "status",
      "compare",
      "approve all but the most expensive",
      "approve 1 and 3",
      "cancel",
    ],
  },
  closedDoors: { rest: ownDoors, mcp: ownDoors, rpc: ownDoors },
});
