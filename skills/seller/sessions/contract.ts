import { z } from "zod";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { pageInput, pageOutput } from "../../../protocol/seam/paging.ts";
import { agentUrl } from "../pricing/contract.ts";
import { idText } from "../free-form.ts";
import { converse } from "../talk/contract.ts";

/** Kept with the session, proves nothing. */
const claimedIdentity = {
  seat_id: idText,
  agency_id: idText,
  advertiser_id: idText,
  name: idText,
  dsp_platform: idText,
};

const sessionId = z.string().min(1).max(128).describe("Id from create_session.");

const message = z.looseObject({
  role: z.enum(["user", "assistant"]),
  content: fromOthers(z.string()),
  timestamp: z.string(),
  message_type: z.string().nullish(),
});

const summary = {
  session_id: z.string(),
  status: z.string(),
  buyer_pricing_key: z.string(),
  buyer_name: fromOthers(z.string().nullish().describe("Operators only, in reads.")),
  created_at: z.string(),
};

export const createSession = defineContract({
  name: "create_session",
  group: "sessions",
  summary:
    "Opens a session: a conversation in plain English that lives for seven days, however much is said. Only its " +
    "buyer can read and continue it; one opened without a key belongs to whoever holds its id.",
  effect: "write",
  access: "public",
  input: z.object({
    ...claimedIdentity,
    buyer_identity: z.object(claimedIdentity).nullish().describe("The same members, in one object."),
    agent_url: agentUrl,
  }),
  output: z.looseObject({ ...summary, expires_at: z.string() }),
  refusals: {},
  rest: { method: "POST", path: "/sessions" },
  tool: { title: "Open a session", readOnly: false, destructive: false, idempotent: false, openWorld: false },
});

export const listSessions = defineContract({
  name: "list_sessions",
  group: "sessions",
  summary: "Lists your sessions, newest first; an operator sees all. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({
    ...pageInput,
    buyer_key: z.string().min(1).max(300).nullish().describe("Only this buyer's, for example agency:agency-2."),
    status: z.enum(["active", "expired", "closed"]).nullish().describe("Only sessions in this status."),
  }),
  output: z.looseObject({
    ...pageOutput,
    sessions: z.array(
      z.looseObject({ ...summary, message_count: z.int(), negotiation_stage: z.string(), updated_at: z.string() }),
    ),
  }),
  refusals: {},
  rest: { method: "GET", path: "/sessions" },
  tool: { title: "List sessions", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});

export const getSession = defineContract({
  name: "get_session",
  group: "sessions",
  summary: "Returns a session with all that was said in it and what it came to. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({ session_id: sessionId }),
  output: z.looseObject({
    ...summary,
    negotiation: z.looseObject({ stage: z.string() }),
    messages: z.array(message),
    linked_flow_ids: z.array(z.string()),
    updated_at: z.string(),
    expires_at: z.string(),
  }),
  refusals: { session_not_found: 404 },
  rest: { method: "GET", path: "/sessions/:session_id" },
  tool: { title: "Get a session", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});

export const sendSessionMessage = defineContract({
  name: "send_session_message",
  group: "sessions",
  summary:
    "Says something in a session, in plain English, and answers it: the seller does what the text asks for, for you " +
    "and at your tier, or asks back.",
  effect: "write",
  access: "public",
  input: z
    .object({
      session_id: sessionId,
      message: z.string().min(1).max(20_000).nullish().describe("What you say."),
      type: z
        .string()
        .max(64)
        .nullish()
        .describe("The kind of message; where content has no words, what it asks for, such as pricing."),
      content: z
        .union([z.string().min(1).max(20_000), z.record(z.string().max(64), z.unknown())])
        .nullish()
        .describe(
          "What you say: a text, or an object with text or message, its other members as known values. " +
            "{option, digest} takes an option that an answer has shown.",
        ),
      agent_url: agentUrl,
    })
    .superRefine((input, at) => {
      const issue = (text: string) => at.addIssue({ code: "custom", path: ["content"], message: text });
      if (input.message == null && input.content == null) issue("Say something: send content, or message.");
      if (input.message != null && input.content != null) issue("Send content or message, not both.");
    }),
  output: z.looseObject({
    session_id: z.string(),
    text: z.string(),
    type: z.string(),
    message_count: z.int(),
    negotiation_stage: z.string(),
    answers: converse.output.shape.answers,
  }),
  refusals: { session_not_found: 404, session_full: 409 },
  rest: { method: "POST", path: "/sessions/:session_id/messages" },
  tool: {
    title: "Say something in a session",
    readOnly: false,
    destructive: false,
    idempotent: false,
    openWorld: false,
  },
});

export const closeSession = defineContract({
  name: "close_session",
  group: "sessions",
  summary: "Closes a session; it can still be read, but nothing more can be said in it. Cannot be undone.",
  effect: "write",
  access: "public",
  input: z.object({ session_id: sessionId }),
  output: z.looseObject({ session_id: z.string(), status: z.string() }),
  refusals: { revision_mismatch: 412, session_not_found: 404 },
  rest: { method: "POST", path: "/sessions/:session_id/close" },
  tool: { title: "Close a session", readOnly: false, destructive: true, idempotent: true, openWorld: false },
});
