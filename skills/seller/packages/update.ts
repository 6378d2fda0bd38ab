import type { z } from "zod";
import { fromMicros } from "../../../machines/money.ts";
import { isRefusal, type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import type { updatePackage } from "./contract.ts";
import type { PackageRow, Placement } from "./record.ts";
import { audienceOf, currencyOf, readPrices, resolveProducts } from "./rules.ts";
import type { SellerContext } from "../context.ts";

type UpdateInput = z.output<typeof updatePackage.input>;

/** Named in the refusal; a member that is not known is ignored. */
const immutableFields = ["layer", "ad_server_source", "created_at", "updated_at", "revision"] as const;

const immutableRefusal = (input: UpdateInput): Refusal | null => {
  const fields = immutableFields.filter((field) => input[field] !== undefined);
  if (fields.length === 0) return null;
  const message = `These fields cannot be changed: ${fields.join(", ")}. Leave them out.`;
  return refuse("immutable_field", { message, extras: { field: fields[0], fields } });
};

/** A former product keeps its name where none is given. */
const writtenPlacements = (
  context: SellerContext,
  given: NonNullable<UpdateInput["placements"]>,
  before: PackageRow,
): readonly Placement[] => {
  const nameOf = (id: string): string =>
    context.ports.catalog.get(id)?.name ?? before.placements.find((item) => item.product_id === id)?.product_name ?? id;
  return given.map((item): Placement => ({
    product_id: item.product_id,
    product_name: item.product_name ?? nameOf(item.product_id),
    ad_formats: item.ad_formats ?? before.ad_formats,
    device_types: item.device_types ?? before.device_types,
    weight: item.weight,
  }));
};

const placementsAfter = (context: SellerContext, input: UpdateInput, before: PackageRow) => {
  if (input.product_ids !== undefined && input.placements !== undefined) {
    return fieldRefusal("placements", "Send product_ids or placements, not both.");
  }
  if (input.product_ids !== undefined) return resolveProducts(context, input.product_ids);
  if (input.placements === undefined) return { placements: before.placements, items: [], unresolvedIds: [] };
  const ids = input.placements.map((item) => item.product_id);
  const resolved = before.layer === "synced" ? null : resolveProducts(context, ids);
  if (resolved !== null && isRefusal(resolved)) return resolved;
  const unresolvedIds = resolved?.unresolvedIds ?? [];
  const kept = input.placements.filter((item) => !unresolvedIds.includes(item.product_id));
  return { placements: writtenPlacements(context, kept, before), items: resolved?.items ?? [], unresolvedIds };
};

const plainFields = [
  "name",
  "status",
  "description",
  "cat",
  "cattax",
  "device_types",
  "ad_formats",
  "geo_targets",
  "pricing_type",
  "rate_type",
  "tags",
  "is_featured",
  "seasonal_label",
  "visible_to",
] as const;

const pricedFields = [
  "base_price",
  "floor_price",
  "currency",
  "product_ids",
  "placements",
  "audience_capabilities",
  "audience_segment_ids",
] as const;

export interface UpdatedPackage {
  readonly row: PackageRow;
  readonly updatedFields: readonly string[];
  readonly unresolvedIds: readonly string[];
}

/** Checks the merged record. */
export const updatedPackage = (
  context: SellerContext,
  before: PackageRow,
  input: UpdateInput,
): UpdatedPackage | Refusal => {
  const immutable = immutableRefusal(input);
  if (immutable !== null) return immutable;
  const resolved = placementsAfter(context, input, before);
  if (isRefusal(resolved)) return resolved;
  const currency = currencyOf(resolved.items, input.currency ?? before.currency);
  if (isRefusal(currency)) return currency;
  const floor = input.floor_price === undefined ? before.floor_price_micros : input.floor_price;
  const floorPrice = input.floor_price === undefined && floor !== null ? fromMicros(floor) : floor;
  const prices = readPrices(input.base_price ?? fromMicros(before.base_price_micros), floorPrice);
  if (isRefusal(prices)) return prices;
  const plain = Object.fromEntries(
    plainFields.filter((field) => input[field] !== undefined).map((field) => [field, input[field]]),
  ) as Partial<PackageRow>;
  const row: PackageRow = {
    ...before,
    ...plain,
    placements: resolved.placements,
    audience_capabilities: audienceOf(
      input.audience_capabilities,
      input.audience_segment_ids,
      before.audience_capabilities,
    ),
    base_price_micros: prices.baseMicros,
    floor_price_micros: prices.floorMicros,
    currency,
    updated_at_ms: context.nowMs,
    revision: before.revision + 1,
  };
  const updatedFields = [...plainFields, ...pricedFields].filter((field) => input[field] !== undefined);
  return { row, updatedFields, unresolvedIds: resolved.unresolvedIds };
};
