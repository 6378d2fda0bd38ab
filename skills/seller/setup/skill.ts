import { fromMicros } from "../../../machines/money.ts";
import { defineOperation, type LogLine } from "../../../protocol/seam/operation.ts";
import { packageKind, packageSyncKind, packageTerm } from "../packages/record.ts";
import { sampleSource } from "../packages/synced.ts";
import * as contract from "./contract.ts";
import type { SellerContext } from "../context.ts";

/** Where no name is configured. */
const namelessSeller = "Default Publisher";

const sourceOf = (context: SellerContext): string => context.ports.adServer?.source ?? sampleSource;

/** The store's error text is for the log, not for callers. */
const failureLine = (context: SellerContext, failure: Error): LogLine => ({
  level: "warn",
  fields: { request_id: context.requestId, error: failure.name, message: failure.message },
  message: "the store takes no commits",
});

export const healthCheck = defineOperation(contract.healthCheck, async (context: SellerContext) => {
  const { store, adServer } = context.ports;
  const failure = await store.failure();
  return {
    output: {
      status: failure === null ? ("healthy" as const) : ("degraded" as const),
      checks: {
        storage: failure === null ? ("ok" as const) : ("failed" as const),
        ad_server: adServer === null ? ("not_configured" as const) : ("configured" as const),
        ssp_connectors: "not_configured" as const,
      },
    },
    log: failure === null ? [] : [failureLine(context, failure)],
  };
});

const activeTerm = packageTerm({ status: "active", layer: null, featured: false, audience: null });

export const getSetupStatus = defineOperation(contract.getSetupStatus, async (context: SellerContext) => {
  const { settings } = context.ports;
  const packageCount = await context.count(packageKind, activeTerm);
  const isNamed = settings.sellerName !== namelessSeller;
  const missing = [
    ...(isNamed ? [] : ["set SELLER_ORGANIZATION_NAME"]),
    ...(settings.adServer.type === "none" ? ["choose an ad server with AD_SERVER_TYPE"] : []),
    ...(packageCount > 0 ? [] : ["make packages, or import them with sync_packages"]),
  ];
  const floorCpm = fromMicros(settings.pricing.globalFloorMicros);
  return {
    output: {
      publisher_identity: { configured: isNamed, name: settings.sellerName },
      ad_server: { configured: settings.adServer.type !== "none", type: settings.adServer.type },
      ssp_connectors: { configured: false },
      media_kit: { configured: packageCount > 0, package_count: packageCount },
      pricing: { floor_cpm: floorCpm, currency: "USD" },
      approval_gates: { enabled: settings.approvalGate.enabled, flows: [...settings.approvalGate.flows] },
      setup_complete: missing.length === 0,
      message: missing.length === 0 ? "Everything is set up." : `Still to do: ${missing.join("; ")}.`,
    },
  };
});

export const getSyncStatus = defineOperation(contract.getSyncStatus, async (context: SellerContext) => {
  const source = sourceOf(context);
  const last = (await context.load(packageSyncKind, source))?.body;
  const { enabled, intervalMinutes } = context.ports.settings.inventorySync;
  return {
    output: {
      enabled,
      interval_minutes: intervalMinutes,
      source,
      last_sync: last === undefined ? null : new Date(last.synced_at_ms).toISOString(),
      watermark: last?.watermark ?? null,
      items_synced: last?.item_count ?? 0,
    },
  };
});

const supportedDealTypes = ["programmatic_guaranteed", "preferred_deal", "private_auction"];

const domainOf = (agentUrl: string): string => (URL.canParse(agentUrl) ? new URL(agentUrl).hostname : "");

export const getSupplyChain = defineOperation(contract.getSupplyChain, async (context: SellerContext) => {
  const { sellerId, sellerName, agentUrl } = context.ports.settings;
  const domain = domainOf(agentUrl);
  const party = { name: sellerName, domain, seller_type: "PUBLISHER", is_direct: true };
  return {
    output: {
      seller_id: sellerId,
      seller_name: sellerName,
      seller_type: party.seller_type,
      domain,
      is_direct: true,
      supported_deal_types: supportedDealTypes,
      schain: [{ asi: domain, sid: sellerId, ...party }],
      version: "1.0",
    },
  };
});
