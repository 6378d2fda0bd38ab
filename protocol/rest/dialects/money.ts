import { z } from "zod";
import { fromMicros, toMicros } from "../../../machines/money.ts";
import { Refused } from "../../neutral/refusals.ts";
import { readBy, schemaRefusal } from "../../neutral/validation.ts";
import { membersOf, type Members } from "../../neutral/members.ts";

/** Whole micros: 1,000,000 are one unit. */
export const money = z.strictObject({
  amount_micros: z.int().describe("Whole micros: 1000000 are one unit of the currency."),
  currency: z.string().regex(/^[A-Z]{3}$/, "An ISO 4217 code in capitals, for example USD."),
});

export type Money = z.infer<typeof money>;

/** Null stays null. Throws on an amount that Money cannot hold. */
export const asMoney = (units: unknown, currency: unknown): Money | null => {
  if (typeof units !== "number") return null;
  const micros = toMicros(units);
  if (micros === null) throw new RangeError(`Not an amount of money: ${units}.`);
  return { amount_micros: micros, currency: String(currency) };
};

/** Other values pass unchanged. */
export const asUnits = (value: unknown): unknown => {
  const read = money.safeParse(value);
  return read.success ? fromMicros(read.data.amount_micros) : value;
};

export const currencyOf = (value: unknown): string | undefined => {
  const { currency } = membersOf(value);
  return typeof currency === "string" ? currency : undefined;
};

/** Unknown members are kept. */
export const readBody = (schema: z.ZodType, body: unknown): Members => {
  const read = readBy(schema, body);
  if (!read.success) throw new Refused(schemaRefusal(read.error));
  return membersOf(body);
};

/** What stands beside the envelope, too. */
export const marks = (output: Members): Members => ({
  ...(output["dry_run"] === true ? { dry_run: true } : {}),
  ...(output["sandbox"] === true ? { sandbox: true } : {}),
});
