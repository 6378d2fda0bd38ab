import { declineEntry, handleAdminEntry } from "../admin/entry.ts";
import { handleAdminAuctions } from "../admin/auctions/auctions.ts";
import { handleAdminEids } from "../admin/eids.ts";
import { declineMetrics, handleMetrics } from "../admin/metrics.ts";
import { handleAuction } from "../auction/auction.ts";
import { handleShown } from "../auction/deals/shown.ts";
import { handlePageBids } from "../auction/page/page-bids.ts";
import type { EdgeConfig } from "../config.ts";
import type { EdgeHandler } from "../context.ts";
import { handleDiscovery } from "../discovery/discovery.ts";
import { handleBatchSync } from "../identity/batch-sync.ts";
import { handleIdentify } from "../identity/identify.ts";
import type { AdapterLetter } from "../platform.ts";
import { handleFirstPartyClick } from "../proxy/click.ts";
import { handleFirstPartyProxy } from "../proxy/proxy.ts";
import { handleFirstPartyRebuild } from "../proxy/rebuild.ts";
import { handleFirstPartySign } from "../proxy/sign.ts";
import { handleHealth } from "../publisher/health.ts";
import { handleJa4 } from "../publisher/ja4.ts";
import { handleClearTester, handleSetTester } from "../publisher/tester.ts";
import { plainText } from "../http/refusals.ts";
import { declineKeys, handleDeactivateKey, handleRotateKeys } from "../signing/admin-keys.ts";
import { handleVerifySignature } from "../signing/verify.ts";

export type Disposition = "real" | "unsupported" | "guarded" | "absent";

/** One row of the spec's table: who serves the path, on which adapter, and what answers where it is not served. */
export type RouteRow = Readonly<Record<AdapterLetter, Disposition>> & {
  readonly paths: readonly string[] | ((config: EdgeConfig) => readonly string[]);
  readonly methods: readonly string[];
  readonly serve?: EdgeHandler;
  readonly skipsIdentity?: true;
  readonly decline?: EdgeHandler;
};

export const routedMethods = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"] as const;

const onAll = { A: "real", B: "real", C: "real", D: "real" } as const;
const onlyA = { A: "real", B: "absent", C: "absent", D: "absent" } as const;
const unsupportedElsewhere = { A: "real", B: "unsupported", C: "unsupported", D: "unsupported" } as const;
const guarded = { A: "guarded", B: "guarded", C: "guarded", D: "guarded" } as const;

const forbidden: EdgeHandler = async () =>
  new Response("Forbidden", {
    status: 403,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store, private" },
  });

const legacyAdmin: EdgeHandler = async () => plainText(404, "Not found");

export const routes: readonly RouteRow[] = [
  {
    paths: (config) => [`/.well-known/${config.discovery.service_name}.json`, "/.well-known/trusted-server.json"],
    methods: ["GET"],
    ...onAll,
    serve: handleDiscovery,
  },
  { paths: ["/_ts/page-bids", "/__ts/page-bids"], methods: ["GET"], ...onAll, serve: handlePageBids },
  { paths: ["/_ts/page-bids", "/__ts/page-bids"], methods: ["OPTIONS"], ...guarded, decline: forbidden },
  {
    paths: ["/_ts/admin/ec/{id}", "/_ts/admin/ec"],
    methods: ["GET"],
    ...unsupportedElsewhere,
    serve: handleAdminEntry,
    decline: declineEntry,
    skipsIdentity: true,
  },
  { paths: ["/_ts/admin/eids"], methods: ["GET"], ...onAll, serve: handleAdminEids, skipsIdentity: true },
  // Not in the spec's table: the operators' view of auctions and counters, under the admin rules.
  { paths: ["/_ts/admin/auctions"], methods: ["GET"], ...onAll, serve: handleAdminAuctions, skipsIdentity: true },
  {
    paths: ["/_ts/admin/metrics"],
    methods: ["GET"],
    ...unsupportedElsewhere,
    serve: handleMetrics,
    decline: declineMetrics,
    skipsIdentity: true,
  },
  {
    paths: ["/_ts/admin/keys/rotate"],
    methods: ["POST"],
    ...unsupportedElsewhere,
    serve: handleRotateKeys,
    decline: declineKeys,
    skipsIdentity: true,
  },
  {
    paths: ["/_ts/admin/keys/deactivate"],
    methods: ["POST"],
    ...unsupportedElsewhere,
    serve: handleDeactivateKey,
    decline: declineKeys,
    skipsIdentity: true,
  },
  { paths: ["/_ts/api/v1/batch-sync"], methods: ["POST"], ...onlyA, serve: handleBatchSync, skipsIdentity: true },
  { paths: ["/_ts/api/v1/identify"], methods: ["GET", "OPTIONS"], ...onlyA, serve: handleIdentify },
  { paths: ["/_ts/set-tester"], methods: ["GET"], ...onlyA, serve: handleSetTester },
  { paths: ["/_ts/clear-tester"], methods: ["GET"], ...onlyA, serve: handleClearTester },
  { paths: ["/_ts/debug/ja4"], methods: ["GET"], ...onlyA, serve: handleJa4 },
  {
    paths: ["/admin/keys/deactivate", "/admin/keys/rotate"],
    methods: routedMethods,
    ...guarded,
    decline: legacyAdmin,
  },
  { paths: ["/auction"], methods: ["POST"], ...onAll, serve: handleAuction },
  // Not in the spec's table: a page says here that it shows a deal's creative.
  { paths: ["/first-party/shown"], methods: ["GET"], ...onlyA, serve: handleShown, skipsIdentity: true },
  { paths: ["/first-party/click"], methods: ["GET"], ...onAll, serve: handleFirstPartyClick },
  { paths: ["/first-party/proxy-rebuild"], methods: ["GET", "POST"], ...onAll, serve: handleFirstPartyRebuild },
  { paths: ["/first-party/proxy"], methods: ["GET"], ...onAll, serve: handleFirstPartyProxy },
  { paths: ["/first-party/sign"], methods: ["GET", "POST"], ...onAll, serve: handleFirstPartySign },
  // A answers it before the router, so that its row is the router's view: not served here.
  { paths: ["/health"], methods: ["GET"], A: "absent", B: "real", C: "absent", D: "real", serve: handleHealth },
  { paths: ["/verify-signature"], methods: ["POST"], ...onAll, serve: handleVerifySignature },
];
