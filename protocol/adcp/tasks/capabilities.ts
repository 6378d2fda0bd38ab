import { z } from "zod";
import { releases } from "../release.ts";
import { requestOf } from "../request.ts";
import { declaredScenarios } from "./test-controller.ts";
import { type Asked, defineTask } from "../task.ts";

const daySeconds = 86_400;

/** What 3.2 wants beside them is not there: it asks a seller of the first two to take governance agents. */
const specialisms = ({ release }: Asked): readonly string[] =>
  release === "3.0" ? ["sales-guaranteed", "sales-non-guaranteed", "sales-proposal-mode"] : ["sales-proposal-mode"];

export const getCapabilities = defineTask({
  name: "get_adcp_capabilities",
  title: "Get capabilities",
  summary: "Which releases of AdCP this seller speaks and what it does. Needs no key.",
  isOpen: true,
  writes: false,
  request: requestOf({ protocols: z.array(z.string().max(64)).max(50).nullish() }),
  toCall: () => null,
  toAnswer: (_output, asked) => ({
    adcp: {
      major_versions: [3],
      supported_versions: [...releases],
      idempotency: { supported: true, replay_ttl_seconds: daySeconds },
    },
    supported_protocols: ["media_buy"],
    account: { require_operator_auth: false, supported_billing: ["operator"], sandbox: true },
    media_buy: {
      supported_pricing_models: ["cpm"],
      ...(asked.release === "3.0" ? {} : { buying_modes: ["brief", "wholesale", "refine"] }),
      features: {},
    },
    specialisms: specialisms(asked),
    ...(asked.facts.testMode ? { compliance_testing: { scenarios: [...declaredScenarios] } } : {}),
  }),
});
