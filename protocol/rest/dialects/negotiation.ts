import { z } from "zod";
import { carriesKey } from "../../seam/run/idempotency.ts";
import type { OperationDialect } from "./dialect.ts";
import { asMoney, asUnits, currencyOf, money, readBody } from "./money.ts";
import { buyerIdentity, idempotencyKey } from "./terms.ts";
import { membersOf, type Members } from "../../neutral/members.ts";

const recordId = z.string().min(1).max(128).nullish();

const request = z.looseObject({
  idempotency_key: idempotencyKey,
  action: z.enum(["counter", "final_offer", "accept", "reject"]),
  negotiation_id: recordId,
  proposal_id: recordId,
  quote_id: recordId,
  round_number: z.int().min(1).nullish(),
  buyer_price: money.nullish(),
  buyer_identity: buyerIdentity.nullish(),
  rationale: z.string().max(4000).default(""),
});

const round = z.looseObject({
  round_number: z.int().min(1),
  buyer_price: money.nullable(),
  seller_price: money,
  action: z.string(),
  concession_pct: z.number(),
  cumulative_concession_pct: z.number(),
  rationale: z.string(),
  timestamp: z.string(),
});

const writeRound = (flat: unknown, currency: unknown): Members | null => {
  if (flat === null || flat === undefined) return null;
  const members = membersOf(flat);
  const { buyer_price: buyer, seller_price: seller } = members;
  return { ...members, buyer_price: asMoney(buyer, currency), seller_price: asMoney(seller, currency) };
};

const readRound = (enveloped: unknown): Members | null => {
  if (enveloped === null || enveloped === undefined) return null;
  const members = membersOf(enveloped);
  const { buyer_price: buyer, seller_price: seller } = members;
  return { ...members, buyer_price: asUnits(buyer), seller_price: asUnits(seller) };
};

const eachRound = (members: Members, to: (one: unknown) => Members | null): Members =>
  Array.isArray(members["rounds"]) ? { rounds: members["rounds"].map(to) } : {};

const readRequest = (body: unknown): Members => {
  const given = readBody(request, body);
  const { buyer_price: price } = given;
  return price == null ? given : { ...given, buyer_price: asUnits(price), currency: currencyOf(price) };
};

const writeAnswer = (output: unknown): Members => {
  const { currency, ...flat } = membersOf(output);
  return {
    ...flat,
    round: writeRound(flat["round"], currency),
    ...eachRound(flat, (one) => writeRound(one, currency)),
    agreed_price: asMoney(flat["agreed_price"], currency),
  };
};

const writeRequest = (input: unknown): Members => {
  const { currency, buyer_price: price, ...rest } = membersOf(input);
  return { ...rest, ...(price == null ? {} : { buyer_price: asMoney(price, currency ?? "USD") }) };
};

const readAnswer = (body: unknown): Members => {
  const members = membersOf(body);
  const currency = currencyOf(membersOf(members["round"])["seller_price"]);
  return {
    ...members,
    round: readRound(members["round"]),
    ...eachRound(members, readRound),
    agreed_price: asUnits(members["agreed_price"]) ?? null,
    ...(currency === undefined ? {} : { currency }),
  };
};

export const negotiationEnvelope: OperationDialect = {
  name: "envelope",
  input: request,
  output: z.looseObject({
    negotiation_id: z.string(),
    status: z.string(),
    round: round.nullable(),
    rounds_remaining: z.int().min(0),
  }),
  selects: carriesKey,
  readRequest,
  writeAnswer,
  writeRequest,
  readAnswer,
};
