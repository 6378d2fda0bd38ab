import { z } from "zod";
import type { RouteDescription } from "../../door/door.ts";

const json = (schema: z.ZodType) => ({ type: "application/json", schema });

const part = z.looseObject({ kind: z.string().optional() });

const request = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number()]),
  method: z.string().describe("message/send, and what A2A 0.3 and 1.0 have beside it."),
  params: z.looseObject({
    message: z
      .looseObject({
        messageId: z.string(),
        role: z.string().describe("user"),
        parts: z.array(part).describe("`{kind: text, text}` or `{kind: data, data}`."),
      })
      .optional(),
    contextId: z.string().optional().describe("Continues a conversation."),
  }),
});

const answer = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    id: z.union([z.string(), z.number(), z.null()]),
    result: z.unknown().optional().describe("A task, a message, or the flat `{taskId, contextId, parts, status}`."),
    error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
  })
  .describe("A JSON-RPC 2.0 response: `result` or `error`.");

const unread = { meaning: "The body could not be read: a JSON-RPC error.", body: json(answer) };

export const rpcDescription: RouteDescription = {
  name: "a2a",
  group: "a2a",
  summary:
    "The conversational interface: A2A over JSON-RPC 2.0. Free text, or an operation of this list in a data part.",
  access: "public",
  headers: {
    "A2A-Version": "0.3 or 1.0; left out: 1.0 where the method has its name, else 0.3.",
  },
  input: request,
  answers: {
    200: {
      meaning: "The JSON-RPC response, also where it is an error.",
      body: json(answer),
      headers: ["Retry-After", "Idempotency-Replayed"],
    },
    400: unread,
    401: {
      meaning: "The credential is refused: a JSON-RPC error.",
      body: json(answer),
      headers: ["WWW-Authenticate"],
    },
    413: unread,
  },
};

export const cardDescription = (name: string): RouteDescription => ({
  name,
  group: "agent-card",
  summary: "The A2A card of the agent: the 0.3 form, or the 1.0 form where A2A-Version says so.",
  access: "public",
  headers: { "A2A-Version": "1.0 for the card of A2A 1.0.", "If-None-Match": "An `ETag` that was read." },
  answers: {
    200: {
      meaning: "The card.",
      body: json(
        z.looseObject({ name: z.string(), version: z.string(), skills: z.array(z.looseObject({ id: z.string() })) }),
      ),
      headers: ["ETag"],
    },
    304: { meaning: "The card is still the one that `If-None-Match` names.", headers: ["ETag"] },
  },
});
