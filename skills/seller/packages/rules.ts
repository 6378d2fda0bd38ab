import { randomUUID } from "node:crypto";
import { toMicros } from "../../../machines/money.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import { create, reserve } from "../../../protocol/seam/changes.ts";
import type { EventDraft } from "../../../protocol/seam/operation.ts";
import { type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import type { Change } from "../../../storage/store.ts";
import type { Product } from "../products/record.ts";
import type { SellerContext } from "../context.ts";
import { traitsOf } from "./inventory-types.ts";
import {
  activePackagesLedger,
  type AudienceFilter,
  audienceTypes,
  type PackageAudience,
  packageChangeKind,
  type PackageFilter,
  packageLayers,
  type PackageRow,
  type PackageStatus,
  type Placement,
} from "./record.ts";
import { seesDetail } from "./view.ts";

const trimmedOrNull = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim() ?? "";
  return trimmed === "" ? null : trimmed;
};

const oneOf = <T extends string>(words: readonly T[], text: string): T | null =>
  words.find((word) => word === text.toLowerCase()) ?? null;

export interface AudienceWish {
  readonly audience_type?: string | null | undefined;
  readonly audience_id?: string | null | undefined;
  readonly taxonomy_version?: string | null | undefined;
}

/**
 * A version alone narrows nothing. The public view may not filter by segment: the results would reveal the segments.
 */
export const audienceFilter = (
  context: SellerContext,
  wish: AudienceWish,
): AudienceFilter | "nothing" | Refusal | null => {
  const [typeText, id, version] = [wish.audience_type, wish.audience_id, wish.taxonomy_version].map(trimmedOrNull);
  if (typeText == null) {
    if (id != null) return refuse("invalid_audience_filter");
    return version == null ? null : "nothing";
  }
  const type = oneOf(audienceTypes, typeText);
  if (type === null) return refuse("invalid_audience_filter");
  if (id != null && !seesDetail(context)) return refuse("audience_filter_not_allowed");
  return { type, id: type === "agentic" ? null : (id ?? null), version: version ?? null };
};

export interface PackageWish {
  readonly status?: PackageStatus;
  readonly layer?: string | null | undefined;
  readonly featured_only: boolean;
  readonly audience_type?: string | null | undefined;
  readonly audience_id?: string | null | undefined;
  readonly audience_taxonomy_version?: string | null | undefined;
}

/** Only operators see what is not active. */
export const packageFilter = (context: SellerContext, wish: PackageWish): PackageFilter | "nothing" | Refusal => {
  const status = wish.status ?? "active";
  if (status !== "active" && !isOperator(context.caller)) {
    return refuse("operator_required", { message: "Operators alone see packages that are not active." });
  }
  const layerText = trimmedOrNull(wish.layer);
  const layer = layerText === null ? null : oneOf(packageLayers, layerText);
  if (layerText !== null && layer === null) return refuse("invalid_layer");
  const audience = audienceFilter(context, { ...wish, taxonomy_version: wish.audience_taxonomy_version });
  if (audience === "nothing") return "nothing";
  if (audience !== null && "refused" in audience) return audience;
  return { status, layer, featured: wish.featured_only, audience };
};

export interface ResolvedProducts {
  readonly items: readonly Product[];
  readonly placements: readonly Placement[];
  readonly unresolvedIds: readonly string[];
}

const placementOf = (item: Product): Placement => {
  const { adFormats, deviceTypes } = traitsOf(item.inventory_type);
  return {
    product_id: item.product_id,
    product_name: item.name,
    ad_formats: adFormats,
    device_types: deviceTypes,
    weight: 1,
  };
};

/** Rejects ids of which none is in the catalog. */
export const resolveProducts = (context: SellerContext, productIds: readonly string[]): ResolvedProducts | Refusal => {
  const ids = [...new Set(productIds)];
  const found = ids.map((id) => context.ports.catalog.get(id));
  const items = found.filter((item) => item !== null);
  const unresolvedIds = ids.filter((_, place) => found[place] === null);
  if (ids.length > 0 && items.length === 0) {
    return refuse("unresolvable_product_ids", { extras: { unresolved_ids: unresolvedIds } });
  }
  return { items, placements: items.map(placementOf), unresolvedIds };
};

export const unresolvedNotes = (unresolvedIds: readonly string[]) =>
  unresolvedIds.length === 0
    ? {}
    : {
        unresolved_ids: [...unresolvedIds],
        warnings: [`Left out, because the catalog has no such product: ${unresolvedIds.join(", ")}.`],
      };

/** Another currency is rejected, nothing is converted. */
export const currencyOf = (items: readonly Product[], wanted: string | null): string | Refusal => {
  const currency = wanted ?? items[0]?.currency ?? "USD";
  if (items.every((item) => item.currency === currency)) return currency;
  return refuse("currency_mismatch", {
    message: "The products of a package and the package itself are priced in one currency.",
    extras: { currency },
  });
};

export interface PackagePrices {
  readonly baseMicros: number;
  readonly floorMicros: number | null;
}

/** To the micro. */
export const readPrices = (basePrice: number, floorPrice: number | null): PackagePrices | Refusal => {
  const baseMicros = toMicros(basePrice);
  const floorMicros = floorPrice === null ? null : toMicros(floorPrice);
  const tooFine = "A price has at most six decimals.";
  if (baseMicros === null) return fieldRefusal("base_price", tooFine);
  if (baseMicros <= 0) return fieldRefusal("base_price", "Send a price above zero.");
  if (floorPrice !== null && floorMicros === null) return fieldRefusal("floor_price", tooFine);
  if (floorMicros !== null && floorMicros < 0) return fieldRefusal("floor_price", "Send a price of zero or more.");
  if (floorMicros !== null && floorMicros > baseMicros) {
    return fieldRefusal("floor_price", "The floor is at most the base price.");
  }
  return { baseMicros, floorMicros };
};

type AudienceInput = Omit<PackageAudience, "agentic_capabilities"> & {
  readonly agentic_capabilities?: PackageAudience["agentic_capabilities"] | undefined;
};

/** `audience_segment_ids` stands for standard ones of version 1.1. */
export const audienceOf = (
  capabilities: AudienceInput | null | undefined,
  segmentIds: readonly string[] | null | undefined,
  before: PackageAudience,
): PackageAudience => {
  if (capabilities != null) return { ...capabilities, agentic_capabilities: capabilities.agentic_capabilities ?? null };
  return segmentIds == null
    ? before
    : { ...before, standard_segment_ids: segmentIds, standard_taxonomy_version: "1.1" };
};

/** Its payload holds no figure. */
export const packageEvent = (
  eventType: string,
  row: PackageRow,
  more: Readonly<Record<string, unknown>> = {},
): EventDraft => ({
  event_type: eventType,
  flow_id: row.package_id,
  flow_type: "package",
  payload: { package_id: row.package_id, name: row.name, layer: row.layer, ...more },
});

const slot = { fromSlot: 0, toSlot: 0 };

/** `activeDelta`: how many more become active. */
export const withPackages = (
  context: SellerContext,
  packageIds: readonly string[],
  activeDelta: number,
): readonly Change[] => {
  const row = { package_ids: packageIds, changed_at_ms: context.nowMs };
  const told = create(packageChangeKind, randomUUID(), row);
  if (activeDelta === 0) return [told];
  const limit = activeDelta > 0 ? context.ports.settings.mostActivePackages : null;
  return [told, reserve(activePackagesLedger, slot, activeDelta, limit)];
};

export const activeLimitRefusal = async (context: SellerContext, activeDelta: number): Promise<Refusal | null> => {
  if (activeDelta <= 0) return null;
  const active = await context.reserved(activePackagesLedger, 0, 0);
  return active + activeDelta > context.ports.settings.mostActivePackages ? refuse("too_many_packages") : null;
};
