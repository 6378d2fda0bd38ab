import { z } from "zod";
import { dayFilter } from "../../../protocol/neutral/date-text.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";
import { requiredText } from "../../../protocol/neutral/validation.ts";
import { agentUrl } from "../pricing/contract.ts";

const productId = z.string().min(1).max(128);
const ownId = z.string().min(1).max(36).nullish();
const moment = z.string().min(1).max(40);

/** A volume or budget stands in the first of its `targetvalues`. */
const productTargeting = z.looseObject({
  name: z.string().max(64).nullish(),
  type: z.string().max(64).nullish(),
  datasource: z.string().max(255).nullish(),
  target: z.string().max(255),
  targetvalues: z.array(z.string().max(255)).max(100),
});

const left = {
  available_impressions: z.int().nullish().describe("What is left over the dates, whatever was asked for."),
  unlimited: z.boolean().optional().describe("The product has no cap: available_impressions is null."),
};

const past = {
  status_text: z.string().optional().describe("Where the flight has past days: what of it can be sold."),
  next_step: z.string().optional(),
};

const avail = z.looseObject({
  productid: z.string(),
  accountid: z.string(),
  availability: z.int().describe("Of what was asked for."),
  ...left,
  availsstatus: z.looseObject({ status: z.string(), reason: z.string().optional() }),
  currency: z.string(),
  price: z.number(),
  startdate: z.string(),
  enddate: z.string(),
});

const input = z
  .object({
    product_id: productId.nullish().describe("One product or package; needs no account."),
    start_date: dayFilter.describe("First day; today when left out."),
    end_date: dayFilter.describe("Last day, included; by default 30 days later."),
    productid: productId.nullish().describe("The same, with startdate and enddate."),
    productids: z.array(productId).min(1).max(100).nullish().describe("Products; for the OpenDirect form, which wins."),
    accountid: ownId.describe("Your account; required in the OpenDirect form."),
    advertiserbrandid: ownId.describe("Your brand; required in the OpenDirect form."),
    startdate: moment.nullish().describe("ISO 8601 date or time, UTC without an offset."),
    enddate: moment.nullish().describe("ISO 8601 date or time, not included."),
    requestedImpressions: z.int().min(0).max(1_000_000_000_000).nullish().describe("Impressions wanted."),
    budget: z
      .number()
      .min(0)
      .max(1_000_000_000_000)
      .nullish()
      .describe("Budget in units, where no impressions are given."),
    currency: z.string().min(1).max(3).nullish().describe("The product's own currency, or nothing."),
    targeting: z.unknown().optional().describe("Does not narrow the answer."),
    producttargeting: z.array(productTargeting).max(100).nullish(),
    availabilityfields: z.array(z.string().max(64)).max(100).nullish(),
    grouping: z.array(z.string().max(64)).max(100).nullish(),
    agent_url: agentUrl,
  })
  .superRefine((body, at) => {
    const issue = (name: string, message: string) => at.addIssue({ code: "custom", path: [name], message });
    const ownDates = body.startdate != null || body.enddate != null;
    const byDays = body.product_id != null || body.start_date != null || body.end_date != null;
    if (ownDates && (body.start_date != null || body.end_date != null)) {
      issue("start_date", "Send start_date and end_date, or startdate and enddate.");
    }
    if (body.productids == null && body.productid == null && body.product_id == null) {
      return issue("product_id", "Name a product.");
    }
    if (ownDates || !byDays) {
      if (body.startdate == null) issue("startdate", requiredText);
      if (body.enddate == null) issue("enddate", requiredText);
    }
    if (body.productids == null) return undefined;
    if (body.accountid == null) issue("accountid", "Required with productids.");
    if (body.advertiserbrandid == null) issue("advertiserbrandid", "Required with productids.");
    return undefined;
  });

export const checkAvails = defineContract({
  name: "check_avails",
  group: "avails",
  summary:
    "Tells how many impressions are left of one product (product_id, start_date, end_date), or of several in the " +
    "OpenDirect form, for a time, and what they cost you per thousand. Nothing is held: book to hold. Changes nothing.",
  effect: "read",
  access: "public",
  input,
  output: z.looseObject({
    product_id: z.string().optional().describe("Only where product_id was sent."),
    start_date: z.string().optional().describe("The days that were read."),
    end_date: z.string().optional(),
    ...past,
    ...left,
    requested_impressions: z.int().optional().describe("What was asked for, or what the budget buys."),
    is_enough: z.boolean().optional().describe("Whether so many are left."),
    cpm: z.number().optional().describe("Your price per thousand, in units of currency."),
    currency: z.string().optional(),
    total_cost: z.number().optional().describe("Of what was asked for, as far as it is left, in units of currency."),
    deal_types: z.array(z.string()).optional(),
    targeting: z.array(z.string()).optional().describe("What can be targeted."),
    productid: z.string().optional().describe("Only where productid was sent."),
    availableImpressions: z.int().optional().describe("Of what was asked for."),
    guaranteedImpressions: z.int().optional(),
    estimatedCpm: z.number().optional(),
    totalCost: z.number().optional(),
    availableTargeting: z.array(z.string()).optional(),
    avails: z.array(avail).optional(),
  }),
  refusals: { product_not_found: 404, unpriceable_product: 422, currency_mismatch: 422 },
  rest: { method: "POST", path: "/products/avails" },
  tool: {
    title: "Check availability",
    readOnly: true,
    destructive: false,
    idempotent: true,
    openWorld: false,
    programsOnly: [
      "productid",
      "productids",
      "accountid",
      "advertiserbrandid",
      "startdate",
      "enddate",
      "targeting",
      "producttargeting",
      "availabilityfields",
      "grouping",
    ],
    argumentAliases: {
      impressions: "requestedImpressions",
      requested_impressions: "requestedImpressions",
      volume: "requestedImpressions",
      flight_start: "start_date",
      flight_end: "end_date",
    },
  },
  intent: {
    skill: "discovery",
    phrases: [
      "check availability for product with impressions",
      "is the product available from to",
      "how much is left",
      "is @ available in #",
      "is there any @ left in #",
      "do you have room for # in @",
      "can you deliver # of @ in #",
      "how much @ is left in #",
      "is @ sold out",
      "have you got @ free in #",
      "any space on @ in #",
      "avails for @ in #",
      "could you fit # on @",
      "will there be enough @ for # in #",
      "can we still get @ in #",
      "is @ full",
      "what's free in #",
      "capacity of @ in #",
      "can @ carry #",
      "could you handle # in #",
      "any inventory open in #",
      "do you have enough @",
    ],
  },
});

export const getAvailability = defineContract({
  name: "get_availability",
  group: "avails",
  summary:
    "A calendar of what is left: for up to 20 products and 731 days, by day or week, the cap, what guaranteed deals " +
    "hold and what is left. A deal holds its whole volume on each day of its flight, so days are not added up: " +
    "available_impressions is what a flight over all these days can have. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({
    product_id: z.array(productId).min(1).max(20).describe("Ids from list_products, or of packages."),
    from: dayFilter.describe("First day, YYYY-MM-DD (UTC); today when left out."),
    to: dayFilter.describe("Last day, included; 30 days after the first when left out."),
    step: z.enum(["day", "week"]).default("day").describe("Weeks start on Monday and show their fullest day."),
  }),
  output: z.looseObject({
    from: z.string(),
    to: z.string(),
    step: z.enum(["day", "week"]),
    ...past,
    products: z.array(
      z.looseObject({
        product_id: z.string(),
        name: z.string(),
        cap: z.int().nullable().describe("The whole volume of the guaranteed deals of any one day; null: no cap."),
        available_impressions: z
          .int()
          .nullable()
          .describe("Left for a flight over these days, from today on; null: unlimited."),
        unlimited: z.boolean(),
        days: z.array(
          z.looseObject({
            date: z.string(),
            held: z.int().nullable().describe("By guaranteed deals; null for buyers where there is no cap."),
            left: z.int().nullable().describe("0 on days past; null: unlimited."),
          }),
        ),
      }),
    ),
  }),
  refusals: { product_not_found: 404 },
  rest: { method: "GET", path: "/api/v1/availability" },
  tool: {
    title: "Availability by day",
    readOnly: true,
    destructive: false,
    idempotent: true,
    openWorld: false,
    argumentAliases: { start_date: "from", end_date: "to", flight_start: "from", flight_end: "to" },
  },
  intent: { skill: "discovery", phrases: ["availability by day", "availability calendar", "which weeks are free"] },
});
