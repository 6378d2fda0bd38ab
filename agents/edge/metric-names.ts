import type { EdgeConfig } from "./config.ts";

export type Labels = Readonly<Record<string, string>>;

const noLabels: readonly Labels[] = [{}];

const defects = ["malformed_envelope_count", "malformed_direct_demand_count", "unroutable_bidder_count"];

const orNone = (labels: readonly Labels[]): readonly Labels[] => (labels.length === 0 ? noLabels : labels);

/** Every metric, with the series that it has from the start: of one that comes with traffic no alert can be tried. */
export const firstSeries = ({ auction, ec }: Pick<EdgeConfig, "auction" | "ec">) => {
  const providers = orNone(Object.keys(auction.providers).map((provider) => ({ provider })));
  const partners = orNone(ec.partners.map(({ source_domain: partner }) => ({ partner })));
  return {
    edge_responses_total: [{ status: "200" }],
    edge_auctions_total: ["auction_api", "page", "page_bids"].map((source) => ({ source, outcome: "won" })),
    edge_provider_calls_total: providers.map((labels) => ({ ...labels, status: "success", reason: "bid" })),
    edge_provider_ms_total: providers,
    edge_provider_ms: providers,
    edge_provider_rejections_total: providers,
    edge_bids_blocked_total: providers,
    edge_stage_ms: ["prepare", "ask", "creatives"].map((stage) => ({ stage })),
    edge_demand_defects_total: defects.map((defect) => ({ defect })),
    edge_win_notices_total: [{ outcome: "called" }],
    edge_deal_impressions_total: ["counted", "repeated", "failed"].map((outcome) => ({ outcome })),
    edge_ec_created_total: noLabels,
    edge_pull_sync_total: partners.map((labels) => ({ ...labels, outcome: "stored" })),
    edge_batch_sync_accepted_total: partners,
    edge_batch_sync_rejected_total: partners,
    edge_clicks_total: noLabels,
    edge_pixels_total: noLabels,
  } satisfies Readonly<Record<string, readonly Labels[]>>;
};

export type FirstSeries = ReturnType<typeof firstSeries>;

export type HistogramName = "edge_provider_ms" | "edge_stage_ms";

export type CounterName = Exclude<keyof FirstSeries, HistogramName>;
