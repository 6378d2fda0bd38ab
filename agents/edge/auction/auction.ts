import { parseJson, readRequestBody } from "../http/body.ts";
import type { EdgeContext, EdgeHandler } from "../context.ts";
import type { Eid } from "../identity/eids.ts";
import { openSession } from "../identity/session.ts";
import type { EcSession } from "../identity/session.ts";
import { toHex } from "../identity/hex.ts";
import { jsonAnswer, refuse } from "../http/refusals.ts";
import { auctionBodySchema, readSlots } from "./ad-units.ts";
import { auctionAnswer } from "./auction-answer.ts";
import { eidsHeader, gatherEids } from "./auction-eids.ts";
import { runAuction } from "./run-auction.ts";
import type { DemandDefects, Params } from "./slot.ts";

const mostBytes = 262_144;

export const noDefects = (): DemandDefects => ({
  malformed_envelope_count: 0,
  malformed_direct_demand_count: 0,
  unroutable_bidder_count: 0,
});

export const createUuid = (random: (bytes: number) => Uint8Array): string => {
  const bytes = random(16).slice();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
};

const isContextValue = (value: unknown): boolean =>
  typeof value === "string" ||
  (typeof value === "number" && Number.isFinite(value)) ||
  (Array.isArray(value) && value.every((item) => typeof item === "string"));

const pageContextOf = (config: Params | null | undefined, allowed: readonly string[]): Params =>
  Object.fromEntries(
    Object.entries(config ?? {}).filter(([key, value]) => allowed.includes(key) && isContextValue(value)),
  );

const identityHeaders = (session: EcSession, eids: readonly Eid[]): Record<string, string> => {
  const header = eidsHeader(eids);
  return {
    ...(session.consent.isEcAllowed ? { "x-ts-ec-consent": "ok" } : {}),
    ...(header === null ? {} : { "x-ts-eids": header.text }),
    ...(header?.isCut === true ? { "x-ts-eids-truncated": "true" } : {}),
  };
};

const tooLarge = (): Response =>
  new Response(`Request body exceeds ${mostBytes} byte limit`, {
    status: 413,
    headers: { "content-type": "text/plain; charset=utf-8" },
  });

const readRequest = (bytes: Uint8Array, defects: DemandDefects) => {
  const parsed = auctionBodySchema.safeParse(parseJson(bytes));
  if (!parsed.success) return { refusal: refuse("bad_request", "Failed to parse auction request body") };
  const slots = readSlots(parsed.data.adUnits, defects);
  if (slots === null) return { refusal: refuse("bad_request", "Invalid banner size; expected [width, height]") };
  return { slots, body: parsed.data };
};

const answerAuction = async (bytes: Uint8Array, request: Parameters<EdgeHandler>[0], context: EdgeContext) => {
  const defects = noDefects();
  const read = readRequest(bytes, defects);
  if (read.refusal !== undefined) return read.refusal;
  const { auction } = context.config;
  const session = openSession(request, context);
  const eids = await gatherEids(read.body.eids, session, context);
  const result = await runAuction(
    {
      id: createUuid((count) => context.env.random(count)),
      source: "auction_api",
      slots: read.slots,
      session,
      eids,
      pageContext: pageContextOf(read.body.config, auction.allowed_context_keys),
      timeoutMs: auction.timeout_ms,
      defects,
    },
    request,
    context,
  );
  if (result.failure !== null) return refuse(result.failure);
  return jsonAnswer(200, await auctionAnswer(result, context), identityHeaders(session, eids));
};

export const handleAuction: EdgeHandler = async (request, context) => {
  const body = await readRequestBody(request, mostBytes);
  if (body.ok) return answerAuction(body.bytes, request, context);
  return body.fault === "too_large" ? tooLarge() : refuse("bad_request", "Failed to parse auction request body");
};
