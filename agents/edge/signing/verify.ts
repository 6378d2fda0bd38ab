import { z } from "zod";
import { parseJson, readRequestBody } from "../http/body.ts";
import type { EdgeContext, EdgeHandler } from "../context.ts";
import { jsonAnswer, refuse } from "../http/refusals.ts";
import { fromBase64, fromBase64Url } from "./encoding.ts";
import { isKid, parseJwk, verifyBytes } from "./keys.ts";

const maxBytes = 4_096;
const inputSchema = z.object({ payload: z.string(), signature: z.string(), kid: z.string() });

interface Verdict {
  readonly verified: boolean;
  readonly message: string;
  readonly error?: string;
}

const valid: Verdict = { verified: true, message: "Signature verified successfully" };
const wrong: Verdict = { verified: false, message: "Signature verification failed", error: "Invalid signature" };
const verificationError: Verdict = {
  verified: false,
  message: "Verification error",
  error: "internal verification error",
};

const judge = async (input: z.output<typeof inputSchema>, context: EdgeContext): Promise<Verdict> => {
  const storeId = context.config.request_signing?.config_store_id;
  if (storeId === undefined || !isKid(input.kid)) return verificationError;
  const jwk = parseJwk(await context.configStore.get(storeId, input.kid), input.kid);
  const payload = fromBase64(input.payload);
  const signature = fromBase64Url(input.signature) ?? fromBase64(input.signature);
  if (jwk === null || payload === null || signature?.length !== 64) return verificationError;
  return (await verifyBytes(jwk, signature, payload)) ? valid : wrong;
};

export const handleVerifySignature: EdgeHandler = async (request, context) => {
  const body = await readRequestBody(request, maxBytes);
  if (!body.ok) return refuse(body.fault === "too_large" ? "request_too_large" : "bad_request", "the body broke off");
  const input = inputSchema.safeParse(parseJson(body.bytes));
  if (!input.success) {
    return refuse("bad_request", "send JSON with the strings payload (standard base64), signature and kid");
  }
  const { verified, message, error } = await judge(input.data, context).catch((): Verdict => verificationError);
  return jsonAnswer(200, { verified, kid: input.data.kid, message, ...(error === undefined ? {} : { error }) });
};
