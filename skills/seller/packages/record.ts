import { decimalText } from "../../../machines/money.ts";
import { randomUUID } from "node:crypto";
import { type Tier, tiers } from "../../../machines/pricing/tiers.ts";
import type { Kind } from "../../../storage/store.ts";

/** Seller spec, Media kit. */
export const packageLayers = ["synced", "curated", "dynamic"] as const;

export type PackageLayer = (typeof packageLayers)[number];

/** Buyers see active ones alone; archived is what a deletion leaves. */
export const packageStatuses = ["draft", "active", "archived"] as const;

export type PackageStatus = (typeof packageStatuses)[number];

export const audienceTypes = ["standard", "contextual", "agentic"] as const;

type AudienceType = (typeof audienceTypes)[number];

/** `weight` is its share among the others. */
export interface Placement {
  readonly product_id: string;
  readonly product_name: string;
  readonly ad_formats: readonly string[];
  readonly device_types: readonly number[];
  readonly weight: number;
}

/** `agentic_capabilities` null: none. */
export interface PackageAudience {
  readonly standard_segment_ids: readonly string[];
  readonly standard_taxonomy_version: string;
  readonly contextual_segment_ids: readonly string[];
  readonly contextual_taxonomy_version: string;
  readonly agentic_capabilities: {
    readonly supported_signal_types: readonly string[];
    readonly embedding_dim_range: readonly number[];
    readonly spec_version: string;
    readonly consent_modes: readonly string[];
  } | null;
}

/**
 * Prices in micros of `currency`. Buyers with a tier see `floor_price_micros`; operators alone `product_floor_micros`.
 * `inventory_type` is set on the synced layer.
 */
export interface PackageRow {
  readonly package_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly layer: PackageLayer;
  readonly status: PackageStatus;
  readonly placements: readonly Placement[];
  readonly cat: readonly string[];
  readonly cattax: number;
  readonly audience_capabilities: PackageAudience;
  readonly device_types: readonly number[];
  readonly ad_formats: readonly string[];
  readonly geo_targets: readonly string[];
  readonly pricing_type: string;
  readonly base_price_micros: number;
  readonly floor_price_micros: number | null;
  readonly product_floor_micros: number | null;
  readonly rate_type: string;
  readonly currency: string;
  readonly tags: readonly string[];
  readonly is_featured: boolean;
  readonly seasonal_label: string | null;
  /** Absent: everybody. */
  readonly visible_to?: readonly Tier[] | null;
  readonly ad_server_source: string | null;
  readonly inventory_type: string | null;
  readonly created_at_ms: number;
  readonly updated_at_ms: number | null;
  readonly revision: number;
}

export interface PackageFilter {
  readonly status: PackageStatus;
  readonly layer: PackageLayer | null;
  readonly featured: boolean;
  readonly audience: AudienceFilter | null;
  /** Set: only those that this tier does not see. */
  readonly hiddenFrom?: Tier;
}

export interface AudienceFilter {
  readonly type: AudienceType;
  readonly id: string | null;
  readonly version: string | null;
}

export const audienceKey = ({ type, id, version }: AudienceFilter): string => JSON.stringify([type, id, version]);

/** One term per combination, so that every filter is an index read. */
export const packageTerm = (filter: PackageFilter): string => {
  const parts = [`status=${filter.status}`];
  if (filter.layer !== null) parts.push(`layer=${filter.layer}`);
  if (filter.featured) parts.push("featured");
  if (filter.audience !== null) parts.push(`audience=${audienceKey(filter.audience)}`);
  if (filter.hiddenFrom !== undefined) parts.push(`hidden=${filter.hiddenFrom}`);
  return parts.join("&");
};

const filtersOfType = (type: AudienceType, ids: readonly string[], ownVersion: string): readonly AudienceFilter[] =>
  [null, ownVersion].flatMap((version) => [
    { type, id: null, version },
    ...[...new Set(ids)].map((id) => ({ type, id, version })),
  ]);

/** Agentic capabilities match any id. */
export const audienceFiltersMet = (audience: PackageAudience): readonly AudienceFilter[] => {
  const { standard_segment_ids: standard, contextual_segment_ids: contextual } = audience;
  const { agentic_capabilities: agentic } = audience;
  return [
    ...(standard.length === 0 ? [] : filtersOfType("standard", standard, audience.standard_taxonomy_version)),
    ...(contextual.length === 0 ? [] : filtersOfType("contextual", contextual, audience.contextual_taxonomy_version)),
    ...(agentic === null ? [] : filtersOfType("agentic", [], agentic.spec_version)),
  ];
};

const packageTerms = (row: PackageRow): readonly string[] => {
  const audiences = [null, ...audienceFiltersMet(row.audience_capabilities)];
  const filters = [null, row.layer].flatMap((layer) =>
    (row.is_featured ? [false, true] : [false]).flatMap((featured) =>
      audiences.map((audience) => ({ status: row.status, layer, featured, audience })),
    ),
  );
  const hidden = row.visible_to == null ? [] : tiers.filter((tier) => row.visible_to?.includes(tier) === false);
  return filters.flatMap((filter) => [
    packageTerm(filter),
    ...hidden.map((hiddenFrom) => packageTerm({ ...filter, hiddenFrom })),
  ]);
};

export const packageKind: Kind<PackageRow> = {
  name: "package",
  terms: packageTerms,
  dueAtMs: () => null,
  owner: () => null,
  facts: (row) => ({
    status: row.status,
    name: row.name,
    base_price: decimalText(row.base_price_micros),
    floor_price: decimalText(row.floor_price_micros),
    is_featured: row.is_featured,
    visible_to: row.visible_to?.join(", ") ?? null,
  }),
};

/** `watermark`: change time of the newest item. */
export interface PackageSyncRow {
  readonly source: string;
  readonly synced_at_ms: number;
  readonly watermark: string | null;
  readonly item_count: number;
}

export const packageSyncKind: Kind<PackageSyncRow> = {
  name: "package_sync",
  terms: () => [],
  dueAtMs: () => null,
  owner: () => null,
};

/** Two creations cannot pass the limit together. */
export const activePackagesLedger = "packages/active";

/** One hour. */
export const packageChangesKeptMs = 3_600_000;

/** So that a search index reads only those again. */
export interface PackageChangeRow {
  readonly package_ids: readonly string[];
  readonly changed_at_ms: number;
}

export const packageChangeKind: Kind<PackageChangeRow> = {
  name: "package_change",
  terms: () => [],
  dueAtMs: (row) => row.changed_at_ms + packageChangesKeptMs,
  owner: () => null,
};

/** The store rejects a clash, and it is tried again. */
export const newPackageId = (): string => `pkg-${randomUUID().slice(0, 8)}`;
