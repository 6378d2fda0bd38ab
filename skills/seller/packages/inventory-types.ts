import type { PackageAudience } from "./record.ts";

/** Devices by their AdCOM numbers. */
interface TypeTraits {
  readonly adFormats: readonly string[];
  readonly deviceTypes: readonly number[];
}

const traits: Readonly<Record<string, TypeTraits>> = {
  display: { adFormats: ["banner"], deviceTypes: [2, 4, 5] },
  video: { adFormats: ["video"], deviceTypes: [2, 4, 5] },
  ctv: { adFormats: ["video"], deviceTypes: [3, 7] },
  mobile_app: { adFormats: ["banner", "video"], deviceTypes: [4, 5] },
  native: { adFormats: ["native"], deviceTypes: [2, 4, 5] },
  audio: { adFormats: ["audio"], deviceTypes: [2, 4, 5, 6] },
  linear_tv: { adFormats: ["video"], deviceTypes: [3, 7] },
};

const unknownTraits: TypeTraits = { adFormats: ["banner"], deviceTypes: [2] };

/** Unknown types: a banner on a personal computer. */
export const traitsOf = (inventoryType: string): TypeTraits =>
  Object.hasOwn(traits, inventoryType) ? (traits[inventoryType] ?? unknownTraits) : unknownTraits;

const syncedCpms: Readonly<Record<string, number>> = {
  display: 12,
  video: 25,
  ctv: 35,
  mobile_app: 18,
  native: 10,
  linear_tv: 40,
};

/** In units per thousand. */
export const syncedCpm = (inventoryType: string): number =>
  Object.hasOwn(syncedCpms, inventoryType) ? (syncedCpms[inventoryType] ?? 10) : 10;

const spelled: Readonly<Record<string, string>> = { ctv: "CTV", dooh: "DOOH", linear_tv: "Linear TV" };

export const typeTitle = (inventoryType: string): string =>
  Object.hasOwn(spelled, inventoryType)
    ? (spelled[inventoryType] ?? inventoryType)
    : inventoryType.replace(/[_-]+/g, " ").replace(/(^| )\p{L}/gu, (letter) => letter.toUpperCase());

export const noAudience: PackageAudience = {
  standard_segment_ids: [],
  standard_taxonomy_version: "1.1",
  contextual_segment_ids: [],
  contextual_taxonomy_version: "3.1",
  agentic_capabilities: null,
};

const union = <T>(lists: readonly (readonly T[])[], compare?: (left: T, right: T) => number): T[] =>
  [...new Set(lists.flat())].sort(compare);

export const unionOf = (
  items: readonly { readonly ad_formats: readonly string[]; readonly device_types: readonly number[] }[],
): { readonly ad_formats: readonly string[]; readonly device_types: readonly number[] } => ({
  ad_formats: union(items.map((item) => item.ad_formats)),
  device_types: union(
    items.map((item) => item.device_types),
    (left, right) => left - right,
  ),
});
