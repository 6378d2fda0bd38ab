import { noStore } from "../http/cache-policy.ts";
import { z } from "zod";
import { parseJson, readRequestBody } from "../http/body.ts";
import type { EdgeContext, EdgeHandler } from "../context.ts";
import type { EdgeRequest } from "../platform.ts";
import { edgeRefusals, jsonAnswer, plainText, refuse } from "../http/refusals.ts";
import { deactivateKey, rotateKeys, type KeyRefusal } from "./key-changes.ts";

const maxBytes = 4_096;

const rotateSchema = z.object({ kid: z.string().optional() });
const deactivateSchema = z.object({ kid: z.string(), delete: z.boolean().default(false) });

const readInput = async <T>(request: EdgeRequest, schema: z.ZodType<T>, hint: string): Promise<T | Response> => {
  const body = await readRequestBody(request, maxBytes);
  if (!body.ok) return refuse(body.fault === "too_large" ? "request_too_large" : "bad_request", "the body broke off");
  const parsed = schema.safeParse(body.bytes.length === 0 ? {} : parseJson(body.bytes));
  return parsed.success ? parsed.data : refuse("bad_request", hint);
};

/** A failing store must not say more than that; its own words go to the log. */
const guarded = async <T>(context: EdgeContext, work: Promise<T | KeyRefusal>): Promise<T | KeyRefusal> => {
  try {
    return await work;
  } catch (error) {
    context.env.log({ level: "error", event: "key_change_failed", cause: String(error) });
    return { ok: false, code: "store_unavailable", reason: "the key store could not be written; nothing was changed" };
  }
};

export const handleRotateKeys: EdgeHandler = async (request, context) => {
  const input = await readInput(request, rotateSchema, 'send no body, or JSON as {"kid":"name"}');
  if (input instanceof Response) return input;
  const result = await guarded(context, rotateKeys(context, input.kid));
  if (!result.ok) {
    const empty = { new_kid: "", previous_kid: null, active_kids: [], jwk: {} };
    const body = { success: false, message: "Key rotation failed", ...empty, error: result.reason };
    return jsonAnswer(edgeRefusals[result.code].status, body, noStore);
  }
  const { newKid, previousKid } = result;
  context.env.log({ level: "info", event: "signing_key_rotated", kid: newKid, previous_kid: previousKid });
  const body = {
    success: true,
    message: "Key rotated successfully",
    new_kid: newKid,
    previous_kid: previousKid,
    active_kids: result.activeKids,
    jwk: result.jwk,
  };
  return jsonAnswer(200, body, noStore);
};

export const handleDeactivateKey: EdgeHandler = async (request, context) => {
  const input = await readInput(request, deactivateSchema, 'send JSON as {"kid":"name","delete":false}');
  if (input instanceof Response) return input;
  const { kid, delete: isDeletion } = input;
  const result = await guarded(context, deactivateKey(context, kid, isDeletion));
  if (!result.ok) {
    const message = isDeletion ? "Key deletion failed" : "Key deactivation failed";
    const rest = { deactivated_kid: kid, deleted: false, remaining_active_kids: [], error: result.reason };
    return jsonAnswer(edgeRefusals[result.code].status, { success: false, message, ...rest }, noStore);
  }
  context.env.log({ level: "info", event: "signing_key_deactivated", kid, deleted: isDeletion });
  const body = {
    success: true,
    message: isDeletion ? "Key deleted successfully" : "Key deactivated successfully",
    deactivated_kid: kid,
    deleted: isDeletion,
    remaining_active_kids: result.remaining,
  };
  return jsonAnswer(200, body, noStore);
};

export const declineKeys: EdgeHandler = async (_, context) =>
  plainText(
    501,
    `Key management is not supported ${context.env.traits.place}.\nUse the production adapter (runtime A).`,
  );
