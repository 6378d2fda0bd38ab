import { z } from "zod";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { pageInput, pageOutput } from "../../../protocol/seam/paging.ts";
import { wordsOutput } from "../words.ts";
import { reads } from "../tool-hints.ts";

const recordId = (what: string) => z.string().min(1).max(128).nullish().describe(`The ${what} that it is about.`);

const handover = z.looseObject({
  handover_id: z.string(),
  status: z.enum(["open", "answered"]),
  words: fromOthers(z.string().describe("What the buyer said.")),
  asked_at: z.string(),
  product_id: z.string().nullable(),
  quote_id: z.string().nullable(),
  proposal_id: z.string().nullable(),
  negotiation_id: z.string().nullable(),
  deal_id: z.string().nullable(),
  session_id: z.string().nullable().describe("The session that asked; null: another conversation."),
  answer: z.string().nullable(),
  answered_at: z.string().nullable(),
  revision: z.int(),
  ...wordsOutput,
  buyer: z.string().optional().describe("Operators only: who asks, as in list_buyers."),
  buyer_name: fromOthers(z.string().nullish().describe("Operators only.")),
  conversation_id: z.string().nullish().describe("Operators only: the conversation that asked, for get_conversation."),
  answered_by: z.string().nullish().describe("Operators only."),
});

export const requestHandover = defineContract({
  name: "request_handover",
  group: "handovers",
  summary:
    "Asks for a person of the seller. A buyer has one request at a time: asked again while it is open, the words are " +
    "added. The answer comes with your next message in the conversation, in list_handovers, and as the event " +
    "handover.answered. Nothing is booked or changed.",
  effect: "write",
  access: "key",
  input: z.object({
    words: z.string().trim().min(1).max(2_000).describe("What you want to talk about."),
    context_id: z.string().min(1).max(255).nullish().describe("The conversation that the answer is for."),
    product_id: recordId("product"),
    quote_id: recordId("quote"),
    proposal_id: recordId("proposal"),
    negotiation_id: recordId("negotiation"),
    deal_id: recordId("deal"),
  }),
  output: handover,
  refusals: {},
  rest: { method: "POST", path: "/api/v1/handovers" },
  tool: { title: "Ask for a person", readOnly: false, destructive: false, idempotent: true, openWorld: false },
});

export const listHandovers = defineContract({
  name: "list_handovers",
  group: "handovers",
  summary:
    "Lists the buyers that asked for a person, newest first, with what they said and the answer. Operators see all, " +
    "a buyer its own. Changes nothing.",
  effect: "read",
  access: "key",
  input: z.object({
    open: z.boolean().default(false).describe("Only those without an answer."),
    ...pageInput,
  }),
  output: z.looseObject({ handovers: z.array(handover), ...pageOutput }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/handovers" },
  tool: { title: "List wishes for a person", ...reads },
});

export const answerHandover = defineContract({
  name: "answer_handover",
  group: "handovers",
  summary:
    "Answers a buyer that asked for a person; it reads the text with its next message. The text promises and books " +
    "nothing by itself. Operators only.",
  effect: "write",
  access: "operator",
  input: z.object({
    handover_id: z.string().min(1).max(128).describe("Id from list_handovers."),
    text: z.string().trim().min(1).max(4_000).describe("What the buyer reads."),
  }),
  output: handover,
  refusals: { revision_mismatch: 412, handover_not_found: 404, handover_answered: 409 },
  rest: { method: "POST", path: "/api/v1/handovers/:handover_id/answer" },
  tool: { title: "Answer a buyer", readOnly: false, destructive: true, idempotent: false, openWorld: false },
});
