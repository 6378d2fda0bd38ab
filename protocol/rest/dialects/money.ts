import { z } from "zod";
import { fromMicros, toMicros } from "../../../machines/money.ts";
import { Refused } from "../../neutral/refusals.ts";
import { readBy, schemaRefusal } from "../../neutral/validation.ts";

/** An amount in whole micros of a currency (wire contract 0.1): 1,000,000 are one unit, and no fraction is taken. */
export const money = z.strictObject({
  amount_micros: z.int().describe("Whole micros: 1000000 are one unit of the currency."),
  currency: z.string().regex(/^[A-Z]{3}$/, "An ISO 4217 code in capitals, for example USD."),
});

export type Money = z.infer<typeof money>;

export type Members = Readonly<Record<string, unknown>>;

/** The members of a JSON object; those of anything else are none. */
export const membersOf = (value: unknown): Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};

/** A figure of the flat form as Money; null stays null. An amount that no Money can hold is a bug of ours. */
export const asMoney = (units: unknown, currency: unknown): Money | null => {
  if (typeof units !== "number") return null;
  const micros = toMicros(units);
  if (micros === null) throw new RangeError(`Not an amount of money: ${units}.`);
  return { amount_micros: micros, currency: String(currency) };
};

/** Money as the flat form's figure; anything else, null too, is left as it is. */
export const asUnits = (value: unknown): unknown => {
  const read = money.safeParse(value);
  return read.success ? fromMicros(read.data.amount_micros) : value;
};

/** The currency of Money, where a value is Money. */
export const currencyOf = (value: unknown): string | undefined => {
  const { currency } = membersOf(value);
  return typeof currency === "string" ? currency : undefined;
};

/** The body in the form of a schema, with the members that the schema does not know; throws the schema refusal. */
export const readBody = (schema: z.ZodType, body: unknown): Members => {
  const read = readBy(schema, body);
  if (!read.success) throw new Refused(schemaRefusal(read.error));
  return membersOf(body);
};

/** `dry_run` of an answer stands beside the envelope, as it stands beside the flat members. */
export const dryMark = (output: Members): Members => (output["dry_run"] === true ? { dry_run: true } : {});
