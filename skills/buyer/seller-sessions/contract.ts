import { z } from "zod";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { sellerRefusals, sellerUrlInput } from "../seller-refusal.ts";

const session = z.looseObject({
  session_id: z.string().nullable(),
  seller_url: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  status: z.enum(["active", "expired"]),
});

export const openSellerSession = defineContract({
  name: "open_seller_session",
  group: "seller-sessions",
  summary:
    "Returns the session with a seller: the active one, else a new one. There is one for each seller, for seven days " +
    "or as long as the seller says.",
  effect: "write",
  access: "operator",
  input: z.object({
    seller_url: sellerUrlInput,
    replaces: z.string().max(255).nullish().describe("A session that the seller no longer knows: a new one is opened."),
  }),
  output: z.looseObject({ ...session.shape, reused: z.boolean() }),
  refusals: { identity_required: 409, ...sellerRefusals },
  rest: { method: "POST", path: "/sellers/sessions" },
  tool: {
    title: "Open a session with a seller",
    readOnly: false,
    destructive: false,
    idempotent: true,
    openWorld: true,
  },
});

export const sendSellerMessage = defineContract({
  name: "send_seller_message",
  group: "seller-sessions",
  summary:
    "Says something to a seller in the session with it and returns the answer. Opens a session where there is none, " +
    "and a new one, once, where the seller no longer knows it. What the seller does then, it does for this buyer.",
  effect: "write",
  access: "operator",
  input: z.object({
    seller_url: sellerUrlInput,
    message: z
      .union([z.string().min(1).max(20_000), z.record(z.string().max(64), z.unknown())])
      .describe("What is said: a text, or an object that is sent as it is."),
  }),
  output: z.looseObject({
    seller_url: z.string(),
    session_id: z.string().nullable(),
    text: fromOthers(z.string().nullable()),
    answer: fromOthers(z.record(z.string(), z.unknown()).nullable()),
    renewed: z.boolean().describe("The seller had forgotten the session, and a new one was opened."),
  }),
  refusals: { identity_required: 409, ...sellerRefusals },
  rest: { method: "POST", path: "/sellers/sessions/messages" },
  tool: { title: "Say something to a seller", readOnly: false, destructive: false, idempotent: false, openWorld: true },
});

export const closeSellerSession = defineContract({
  name: "close_seller_session",
  group: "seller-sessions",
  summary:
    "Ends the session with a seller: closes it there, as far as the seller can be reached, and forgets it here in " +
    "any case.",
  effect: "write",
  access: "operator",
  input: z.object({ seller_url: sellerUrlInput }),
  output: z.looseObject({
    seller_url: z.string(),
    session_id: z.string().nullable(),
    closed: z.boolean().describe("False where there was no session."),
    seller_informed: z.boolean(),
  }),
  refusals: {},
  rest: { method: "POST", path: "/sellers/sessions/close" },
  tool: { title: "Close a session", readOnly: false, destructive: true, idempotent: true, openWorld: true },
});

export const listSellerSessions = defineContract({
  name: "list_seller_sessions",
  group: "seller-sessions",
  summary: "Lists the sessions with sellers, newest first, one for each. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({
    limit: z.int().min(1).max(500).default(50).describe("Sessions on a page, 1 to 500."),
    offset: z.int().min(0).max(10_000_000).default(0).describe("Sessions to leave out from the start."),
  }),
  output: z.looseObject({ sessions: z.array(session), count: z.int(), total: z.int() }),
  refusals: {},
  rest: { method: "GET", path: "/sellers/sessions" },
  tool: { title: "List sessions", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});
