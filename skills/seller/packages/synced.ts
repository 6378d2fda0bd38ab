import { computedPriceMicros, fromMicros } from "../../../machines/money.ts";
import type { RateEntry } from "../rate-card/record.ts";
import { noAudience, syncedCpm, traitsOf, typeTitle, unionOf } from "./inventory-types.ts";
import type { PackageRow } from "./record.ts";

/** Stands in where no ad server is configured. */
export const sampleSource = "mock";

/** Of the list price. */
const floorShare = 0.7;

const syncedId = (source: string, name: string): string =>
  `pkg-synced-${source}-${name}`.toLowerCase().replace(/[_\s]+/g, "-");

const syncedRow = {
  layer: "synced",
  status: "active",
  cattax: 2,
  geo_targets: [],
  pricing_type: "fixed",
  product_floor_micros: null,
  rate_type: "cpm",
  currency: "USD",
  seasonal_label: null,
  updated_at_ms: null,
  revision: 1,
} as const;

/** `rate` is the operator's own for the type. */
export interface ImportedType {
  readonly source: string;
  readonly inventoryType: string;
  readonly placements: PackageRow["placements"];
  readonly rate: RateEntry | null;
  readonly nowMs: number;
}

const startingPrices = (inventoryType: string, rate: RateEntry | null) => {
  const baseMicros = rate?.base_cpm_micros ?? computedPriceMicros(syncedCpm(inventoryType));
  return {
    base_price_micros: baseMicros,
    floor_price_micros: Math.min(baseMicros, computedPriceMicros(fromMicros(baseMicros) * floorShare)),
    currency: rate?.currency ?? syncedRow.currency,
  };
};

export const syncedPackage = ({ source, inventoryType, placements, rate, nowMs }: ImportedType): PackageRow => ({
  ...syncedRow,
  package_id: syncedId(source, inventoryType),
  name: `${typeTitle(inventoryType)} - Synced`,
  description: `All ${typeTitle(inventoryType)} inventory of the ad server.`,
  placements,
  cat: ["IAB1"],
  audience_capabilities: noAudience,
  ...unionOf(placements),
  ...startingPrices(inventoryType, rate),
  tags: [],
  is_featured: inventoryType === "ctv",
  ad_server_source: source,
  inventory_type: inventoryType,
  created_at_ms: nowMs,
});

interface Sample {
  readonly id: string;
  readonly name: string;
  readonly inventoryType: string;
  readonly base: number;
  readonly floor: number;
  readonly cat: readonly string[];
  readonly segments: readonly string[];
  readonly tags: readonly string[];
  readonly featured: boolean;
}

const samples: readonly Sample[] = [
  {
    id: "display-network",
    name: "Display Network Bundle",
    inventoryType: "display",
    base: 12,
    floor: 8,
    cat: ["IAB1", "IAB3", "IAB19"],
    segments: ["3", "4", "5", "6", "7"],
    tags: [],
    featured: false,
  },
  {
    id: "video-suite",
    name: "Video Suite",
    inventoryType: "video",
    base: 25,
    floor: 18,
    cat: ["IAB1"],
    segments: ["3", "4", "5", "6", "49", "50"],
    tags: [],
    featured: false,
  },
  {
    id: "ctv-premium",
    name: "CTV Premium Bundle",
    inventoryType: "ctv",
    base: 35,
    floor: 28,
    cat: ["IAB1", "IAB19"],
    segments: ["3", "4", "5", "6", "7", "8"],
    tags: ["ctv", "premium", "streaming", "living room"],
    featured: true,
  },
  {
    id: "linear-tv-nbcu",
    name: "NBCU Linear TV Broadcast Bundle",
    inventoryType: "linear_tv",
    base: 40,
    floor: 28,
    cat: ["IAB1", "IAB19"],
    segments: [],
    tags: [],
    featured: true,
  },
];

export const samplePackages = (nowMs: number): readonly PackageRow[] =>
  samples.map((sample) => ({
    ...syncedRow,
    package_id: syncedId(sampleSource, sample.id),
    name: sample.name,
    description: `A sample of ${typeTitle(sample.inventoryType)} inventory, for a seller without an ad server.`,
    placements: [],
    cat: sample.cat,
    audience_capabilities: { ...noAudience, standard_segment_ids: sample.segments },
    ad_formats: traitsOf(sample.inventoryType).adFormats,
    device_types: traitsOf(sample.inventoryType).deviceTypes,
    base_price_micros: computedPriceMicros(sample.base),
    floor_price_micros: computedPriceMicros(sample.floor),
    tags: sample.tags,
    is_featured: sample.featured,
    ad_server_source: sampleSource,
    inventory_type: sample.inventoryType,
    created_at_ms: nowMs,
  }));
