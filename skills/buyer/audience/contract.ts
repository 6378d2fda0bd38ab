import { z } from "zod";
import { audiencePlan } from "../../../protocol/audience-plan/schema.ts";
import { defineContract } from "../../../protocol/seam/operation.ts";

export const translateAudience = defineContract({
  name: "translate_audience",
  group: "audience",
  summary:
    "Shows an audience plan as an OpenRTB 2.6 request carries it: standard audiences in user.data, contextual ones " +
    "in site.cat, agentic ones in user.ext if switched on. What cannot be carried is warned of. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({ audience_plan: audiencePlan.describe("The plan as it is sent with a booking.") }),
  output: z.looseObject({
    openrtb: z.looseObject({ user: z.looseObject({}).optional(), site: z.looseObject({}).optional() }),
    warnings: z.array(z.looseObject({ reason: z.string(), count: z.int(), identifiers: z.array(z.string()) })),
  }),
  refusals: {},
  rest: { method: "POST", path: "/audience/openrtb" },
  tool: { title: "Translate an audience", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});
