import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import { defineOperation } from "../../../protocol/seam/operation.ts";
import type { BuyerContext } from "../ports.ts";
import { sellerKeyKind } from "../seller-keys/record.ts";
import * as contract from "./contract.ts";

export const healthCheck = defineOperation(contract.healthCheck, async (context: BuyerContext) => {
  const { sellers, storeFailure } = context.ports;
  const failure = await storeFailure();
  const count = sellers.configured.length;
  return {
    output: {
      status: failure === null ? ("healthy" as const) : ("degraded" as const),
      timestamp: isoTime(context.nowMs),
      services: {
        database: { status: failure === null ? ("healthy" as const) : ("unhealthy" as const) },
        seller_connections: {
          status: count === 0 ? ("not_configured" as const) : ("configured" as const),
          endpoint_count: count,
        },
        event_bus: { status: "healthy" as const },
      },
    },
  };
});

/** A key names the buyer to its seller, so either is enough. */
const unknownBuyer =
  "set BUYER_AGENCY_ID or another identity, or store a seller's key with set_seller_key: until then sellers show " +
  "public prices";

export const getSetupStatus = defineOperation(contract.getSetupStatus, async (context: BuyerContext) => {
  const { sellers, configuredKeys, identity, seal, hasRegistry, storeFailure } = context.ports;
  const checks = {
    seller_endpoints_configured: sellers.configured.length > 0,
    database_accessible: (await storeFailure()) === null,
    identity_configured: Object.keys(identity).length > 0,
    registry_configured: hasRegistry,
    keys_can_be_stored: seal !== null,
    seller_keys_known: configuredKeys.size > 0 || (await context.count(sellerKeyKind, null)) > 0,
  };
  const missing = [
    ...(checks.seller_endpoints_configured ? [] : ["set SELLER_ENDPOINTS"]),
    ...(checks.database_accessible ? [] : ["make the store writable"]),
    ...(checks.identity_configured || checks.seller_keys_known ? [] : [unknownBuyer]),
  ];
  const open = [
    ...(checks.identity_configured ? [] : ["an identity (BUYER_AGENCY_ID)"]),
    ...(checks.registry_configured ? [] : ["a registry of sellers"]),
    ...(checks.keys_can_be_stored ? [] : ["the key that seals stored seller keys"]),
  ];
  const optional = open.length === 0 ? "" : ` Not set up, and not needed: ${open.join(", ")}.`;
  const ready = open.length === 0 ? "Everything is set up." : `What is needed is set up.${optional}`;
  const message = missing.length === 0 ? ready : `Still to do: ${missing.join("; ")}.`;
  return { output: { setup_complete: missing.length === 0, checks, message } };
});
