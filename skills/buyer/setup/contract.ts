import { z } from "zod";
import { defineContract } from "../../../protocol/seam/operation.ts";

export const healthCheck = defineContract({
  name: "health_check",
  group: "setup",
  summary:
    "Tells whether the buyer can do its work: healthy, or degraded where a part of it fails. The one tool that needs " +
    "no key. Asks nobody outside. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({}),
  output: z.looseObject({
    status: z.enum(["healthy", "degraded"]),
    timestamp: z.string(),
    services: z.looseObject({
      database: z.looseObject({ status: z.enum(["healthy", "unhealthy"]) }),
      seller_connections: z.looseObject({
        status: z.enum(["configured", "not_configured"]),
        endpoint_count: z.int(),
      }),
      event_bus: z.looseObject({ status: z.literal("healthy") }),
    }),
  }),
  refusals: {},
  tool: {
    title: "Check the buyer's health",
    readOnly: true,
    destructive: false,
    idempotent: true,
    openWorld: false,
  },
  closedDoors: {
    rest: "GET /health is the public route.",
    a2a: "Agents ask GET /health.",
    rpc: "Callers of JSON-RPC ask GET /health.",
  },
});

export const getSetupStatus = defineContract({
  name: "get_setup_status",
  group: "setup",
  summary: "Tells which parts of the buyer are set up and what is still missing. Changes nothing.",
  effect: "read",
  access: "operator",
  input: z.object({}),
  output: z.looseObject({
    setup_complete: z.boolean(),
    checks: z.looseObject({
      seller_endpoints_configured: z.boolean(),
      database_accessible: z.boolean(),
      identity_configured: z.boolean(),
      registry_configured: z.boolean(),
      keys_can_be_stored: z.boolean(),
      seller_keys_known: z.boolean().describe("A key tells its seller who the buyer is, as an identity does."),
    }),
    message: z.string(),
  }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/setup/status" },
  tool: { title: "Show what is set up", readOnly: true, destructive: false, idempotent: true, openWorld: false },
});
