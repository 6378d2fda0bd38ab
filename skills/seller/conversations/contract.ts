import { z } from "zod";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { pageInput, pageOutput } from "../../../protocol/seam/paging.ts";
import { reads } from "../tool-hints.ts";

const conversation = z.looseObject({
  conversation_id: z.string(),
  context_id: z.string().describe("As the buyer names it: a session, or a context of A2A."),
  buyer: z.string().describe("The owner, as in list_buyers."),
  buyer_name: fromOthers(z.string().nullable()),
  message_count: z.int().describe("The buyer's messages; each has an answer."),
  agreed_count: z.int().describe("How often the buyer agreed to what it was shown."),
  updated_at: z.string(),
});

const offer = z.looseObject({
  kind: z.string().describe("For example quote, counter, change or cancellation."),
  id: z.string(),
  digest: z.string().nullable().describe("Of the terms that were shown: that of the record while it is unchanged."),
  change: z.record(z.string(), z.unknown()).nullable().describe("What a change would set."),
});

export const listConversations = defineContract({
  name: "list_conversations",
  group: "conversations",
  summary:
    "Lists what buyers and their agents talk about in words, over A2A and in sessions, newest first; kept for seven " +
    "days. Next: get_conversation. Operators only; changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object(pageInput),
  output: z.looseObject({ conversations: z.array(conversation), ...pageOutput }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/conversations" },
  tool: { title: "List conversations", ...reads },
});

export const getConversation = defineContract({
  name: "get_conversation",
  group: "conversations",
  summary:
    "A conversation word for word, the oldest message first: what the buyer said, what it was answered and shown, " +
    "and what it agreed to, with the digest of the terms. Operators only; changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({
    conversation_id: z.string().min(1).max(128).describe("Id from list_conversations."),
    ...pageInput,
  }),
  output: z.looseObject({
    ...conversation.shape,
    exchanges: z.array(
      z.looseObject({
        said: fromOthers(z.string()),
        answered: z.string(),
        understood: z.array(z.looseObject({ skill: z.string().nullable(), outcome: z.string() })),
        shown: z.array(offer).describe("What the next message may agree to."),
        agreed: z.array(
          z.looseObject({
            ...offer.shape,
            by: z
              .string()
              .describe("yes: to the question; order: in words; id: by its id; option: by id and digest; number."),
            at: z.string(),
          }),
        ),
        at: z.string(),
      }),
    ),
    ...pageOutput,
  }),
  refusals: { not_found: 404 },
  rest: { method: "GET", path: "/api/v1/conversations/:conversation_id" },
  tool: { title: "One conversation", ...reads },
});
