import { z } from "zod";
import { fromOthers } from "../../../protocol/seam/untrusted.ts";

export const flightDays = { flight_start: z.string().nullable(), flight_end: z.string().nullable() };

/** Of a line, a channel or the whole; `plan` is an even one over the flight, up to now. */
const paced = {
  chosen: z.number().describe("What it costs as booked, in USD."),
  spent: z.number().nullable().describe("Of what is delivered; null as long as nothing counts it."),
  booked_impressions: z.int(),
  delivered_impressions: z.int().nullable().describe("Null as long as nothing counts them."),
  planned_impressions: z.int().describe("Of an even plan over the flight, up to now."),
};

const pacedLine = z.looseObject({
  deal_id: z.string(),
  recommendation_id: z.string(),
  product_name: fromOthers(z.string()),
  channel: z.string(),
  seller_url: z.string(),
  ...flightDays,
  ...paced,
  data_source: z.string().describe("As the seller says; none: nothing was reported."),
  error: fromOthers(z.string()).nullable().describe("Why the seller did not say."),
});

export const campaignDelivery = z.looseObject({
  job_id: z.string(),
  as_of: z.string(),
  lines: z.array(pacedLine),
  channels: z.array(z.looseObject({ channel: z.string(), ...paced })),
  total: z.looseObject(paced),
});
