import { z } from "zod";
import { defineContract } from "../../../protocol/seam/operation.ts";

const readTool = (title: string) => ({ title, readOnly: true, destructive: false, idempotent: true, openWorld: false });

export const healthCheck = defineContract({
  name: "health_check",
  group: "setup",
  summary:
    "Tells whether the seller can do its work: healthy, or degraded where a part of it fails. Nothing outside is " +
    "asked. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({}),
  output: z.looseObject({
    status: z.enum(["healthy", "degraded"]),
    checks: z.looseObject({
      storage: z.enum(["ok", "failed"]),
      ad_server: z.enum(["configured", "not_configured"]),
      ssp_connectors: z.enum(["configured", "not_configured"]),
    }),
  }),
  refusals: {},
  rest: { method: "GET", path: "/health/detailed" },
  tool: readTool("Check the seller's health"),
});

export const getSetupStatus = defineContract({
  name: "get_setup_status",
  group: "setup",
  summary:
    "Tells an operator which parts of the seller are set up and what is still missing. Changes nothing. Operators " +
    "only.",
  effect: "read",
  access: "operator",
  input: z.object({}),
  output: z.looseObject({
    publisher_identity: z.looseObject({ configured: z.boolean(), name: z.string() }),
    ad_server: z.looseObject({ configured: z.boolean(), type: z.string() }),
    ssp_connectors: z.looseObject({ configured: z.boolean() }),
    media_kit: z.looseObject({ configured: z.boolean(), package_count: z.int() }),
    pricing: z.looseObject({ floor_cpm: z.number(), currency: z.string() }),
    approval_gates: z.looseObject({ enabled: z.boolean(), flows: z.array(z.string()) }),
    setup_complete: z.boolean(),
    message: z.string(),
  }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/setup/status" },
  tool: readTool("Show what is set up"),
});

export const getSyncStatus = defineContract({
  name: "get_sync_status",
  group: "setup",
  summary:
    "Tells an operator when the inventory was last imported, from where, and whether it is imported on a schedule. " +
    "Times are ISO 8601 in UTC. Changes nothing. Operators only.",
  effect: "read",
  access: "operator",
  input: z.object({}),
  output: z.looseObject({
    enabled: z.boolean(),
    interval_minutes: z.number(),
    source: z.string(),
    last_sync: z.string().nullable(),
    watermark: z.string().nullable().describe("The newest change that the last import saw."),
    items_synced: z.int(),
  }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/inventory-sync/status" },
  tool: readTool("Show the last import"),
});

export const getSupplyChain = defineContract({
  name: "get_supply_chain",
  group: "setup",
  summary:
    "Describes who sells: the organisation, its domain, that it sells directly, and the one node that it adds to an " +
    "OpenRTB supply chain. Changes nothing.",
  effect: "read",
  access: "public",
  input: z.object({}),
  output: z.looseObject({
    seller_id: z.string(),
    seller_name: z.string(),
    seller_type: z.string(),
    domain: z.string(),
    is_direct: z.boolean(),
    supported_deal_types: z.array(z.string()),
    schain: z.array(z.looseObject({ asi: z.string(), sid: z.string(), is_direct: z.boolean() })),
    version: z.string(),
  }),
  refusals: {},
  rest: { method: "GET", path: "/api/v1/supply-chain" },
  tool: readTool("Describe the supply chain"),
});
