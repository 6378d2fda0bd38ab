import type { z } from "zod";
import { create, remove, update } from "../../../protocol/seam/changes.ts";
import type { EventDraft, Loaded } from "../../../protocol/seam/operation.ts";
import { type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import type { Change } from "../../../storage/store.ts";
import type { AdServerItem } from "./ad-server.ts";
import type { SellerContext } from "../context.ts";
import { rateCardId, rateCardKind, rateOn } from "../rate-card/record.ts";
import type { syncPackages } from "./contract.ts";
import { traitsOf } from "./inventory-types.ts";
import {
  packageKind,
  packageStatuses,
  type PackageRow,
  packageSyncKind,
  type PackageSyncRow,
  packageTerm,
} from "./record.ts";
import { activeLimitRefusal, packageEvent, withPackages } from "./rules.ts";
import { samplePackages, sampleSource, syncedPackage } from "./synced.ts";

type Known = ReadonlyMap<string, Loaded<PackageRow>>;

/** More types than any ad server has; all in one commit. */
const mostTypes = 100;

/** More than a buyer reads. */
const mostPlacements = 500;

/** `complete`: whatever is not in it is stale. */
interface Wanted {
  readonly source: string;
  readonly rows: readonly PackageRow[];
  readonly complete: boolean;
  readonly staleIds: readonly string[];
  readonly watermark: string | null;
  readonly itemCount: number;
  readonly warnings: readonly string[];
}

const knownPackages = async (context: SellerContext): Promise<Known> => {
  const lists = packageStatuses.map((status) => {
    const term = packageTerm({ status, layer: "synced", featured: false, audience: null });
    return context.list(packageKind, { terms: [term], order: "oldest", limit: 500 });
  });
  return new Map((await Promise.all(lists)).flat().map((loaded) => [loaded.id, loaded]));
};

const importedItems = (source: string, known: Known): Map<string, AdServerItem> => {
  const items = new Map<string, AdServerItem>();
  for (const { body } of known.values()) {
    if (body.ad_server_source !== source || body.inventory_type === null) continue;
    for (const { product_id: itemId, product_name: name } of body.placements) {
      items.set(itemId, { itemId, name, inventoryType: body.inventory_type, isArchived: false, changedAt: null });
    }
  }
  return items;
};

const byType = (items: Iterable<AdServerItem>): ReadonlyMap<string, readonly AdServerItem[]> => {
  const groups = new Map<string, AdServerItem[]>();
  for (const item of items) {
    const group = groups.get(item.inventoryType);
    if (group === undefined) groups.set(item.inventoryType, [item]);
    else group.push(item);
  }
  return new Map([...groups].sort(([left], [right]) => (left < right ? -1 : 1)));
};

const placementsOf = (type: string, items: readonly AdServerItem[]): PackageRow["placements"] => {
  const { adFormats, deviceTypes } = traitsOf(type);
  return [...items]
    .sort((left, right) => (left.itemId < right.itemId ? -1 : 1))
    .slice(0, mostPlacements)
    .map(({ itemId, name }) => ({
      product_id: itemId,
      product_name: name,
      ad_formats: adFormats,
      device_types: deviceTypes,
      weight: 1,
    }));
};

/** What an operator changed since stays. */
const mergedRow = (known: Known, fresh: PackageRow): PackageRow => {
  const before = known.get(fresh.package_id)?.body;
  return before === undefined ? fresh : { ...before, placements: fresh.placements };
};

const latest = (items: readonly AdServerItem[], before: string | null): string | null =>
  items.reduce(
    (newest, { changedAt }) => (changedAt !== null && (newest ?? "") < changedAt ? changedAt : newest),
    before,
  );

const sampleLayer = (context: SellerContext, known: Known): Wanted => ({
  source: sampleSource,
  rows: samplePackages(context.nowMs).map((fresh) => known.get(fresh.package_id)?.body ?? fresh),
  complete: true,
  staleIds: [],
  watermark: null,
  itemCount: 0,
  warnings: [],
});

const sizeWarnings = (groups: ReadonlyMap<string, readonly AdServerItem[]>): readonly string[] => {
  const large = [...groups].filter(([, items]) => items.length > mostPlacements);
  const warnings = large.map(
    ([type, items]) => `${type}: the first ${mostPlacements} of ${items.length} items are listed.`,
  );
  if (groups.size <= mostTypes) return warnings;
  return [...warnings, `The first ${mostTypes} of ${groups.size} inventory types were imported.`];
};

/** An incremental import starts from what is stored. */
const importedLayer = async (
  context: SellerContext,
  known: Known,
  state: PackageSyncRow | null,
  incremental: boolean,
): Promise<Wanted | Refusal> => {
  const { adServer } = context.ports;
  if (adServer === null) return sampleLayer(context, known);
  const { source } = adServer;
  const isPartial = incremental && state !== null && state.watermark !== null;
  context.progress?.("Reading the ad server.");
  const reading = await adServer.read(isPartial ? state.watermark : null);
  if (!reading.ok) return refuse("ad_server_unavailable", { message: `${reading.message} Nothing was changed.` });
  const items = isPartial ? importedItems(source, known) : new Map<string, AdServerItem>();
  for (const item of reading.items) {
    if (item.isArchived) items.delete(item.itemId);
    else items.set(item.itemId, item);
  }
  const groups = byType(items.values());
  const rates = (await context.load(rateCardKind, rateCardId))?.body.entries ?? [];
  const { nowMs } = context;
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const rows = [...groups].slice(0, mostTypes).map(([inventoryType, group]) => {
    const rate = rateOn(rates, inventoryType, today);
    const placements = placementsOf(inventoryType, group);
    return mergedRow(known, syncedPackage({ source, inventoryType, placements, rate, nowMs }));
  });
  const own = [...known.values()].filter(({ body }) => body.ad_server_source === source);
  return {
    source,
    rows,
    complete: !isPartial,
    staleIds: own.map(({ id }) => id),
    watermark: latest(reading.items, isPartial ? state.watermark : null),
    itemCount: items.size,
    warnings: [...reading.warnings, ...sizeWarnings(groups)],
  };
};

interface Difference {
  readonly changes: readonly Change[];
  readonly events: readonly EventDraft[];
  readonly activeDelta: number;
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly removed: readonly string[];
}

const isSame = (left: PackageRow, right: PackageRow): boolean => JSON.stringify(left) === JSON.stringify(right);

const differenceOf = (context: SellerContext, known: Known, wanted: Wanted): Difference => {
  const wantedIds = new Set(wanted.rows.map((row) => row.package_id));
  const staleIds = wanted.complete ? [...known.keys()] : wanted.staleIds;
  const stale = staleIds.filter((id) => !wantedIds.has(id)).flatMap((id) => known.get(id) ?? []);
  const fresh = wanted.rows.filter((row) => !known.has(row.package_id));
  const changed = wanted.rows.flatMap((row) => {
    const before = known.get(row.package_id);
    if (before === undefined || isSame(before.body, row)) return [];
    return [{ before, row: { ...row, updated_at_ms: context.nowMs, revision: before.body.revision + 1 } }];
  });
  return {
    changes: [
      ...fresh.map((row) => create(packageKind, row.package_id, row)),
      ...changed.map(({ before, row }) => update(packageKind, before, row)),
      ...stale.map((loaded) => remove(packageKind, loaded)),
    ],
    events: stale.map(({ body }) => packageEvent("package.archived", body, { reason: "gone from the ad server" })),
    activeDelta: fresh.length - stale.filter(({ body }) => body.status === "active").length,
    created: fresh.map((row) => context.mint(() => row.package_id)),
    updated: changed.map(({ row }) => row.package_id),
    removed: stale.map(({ id }) => id),
  };
};

const stateChange = (context: SellerContext, state: Loaded<PackageSyncRow> | null, wanted: Wanted): Change => {
  const { source, watermark, itemCount } = wanted;
  const row = { source, synced_at_ms: context.nowMs, watermark, item_count: itemCount };
  return state === null ? create(packageSyncKind, source, row) : update(packageSyncKind, state, row);
};

/**
 * Reads the ad server first, then makes one commit; a lost race reads again. An operator's prices, texts and archiving
 * stay.
 */
export const importedPackages = async (context: SellerContext, input: z.output<typeof syncPackages.input>) => {
  const source = context.ports.adServer?.source ?? sampleSource;
  const state = await context.load(packageSyncKind, source);
  const known = await knownPackages(context);
  const wanted = await importedLayer(context, known, state?.body ?? null, input.incremental);
  if ("refused" in wanted) return wanted;
  context.progress?.(`Comparing ${wanted.rows.length} inventory types with the stored packages.`);
  const difference = differenceOf(context, known, wanted);
  const { changes, events, activeDelta, created, updated, removed } = difference;
  const tooMany = await activeLimitRefusal(context, activeDelta);
  if (tooMany !== null) return tooMany;
  const counts = { created: created.length, updated: updated.length, removed: removed.length };
  return {
    output: {
      status: "synced" as const,
      source: wanted.source,
      synced_packages: wanted.rows.map((row) => row.package_id),
      ...counts,
      unchanged: wanted.rows.length - created.length - updated.length,
      warnings: [...wanted.warnings],
    },
    changes: [
      ...changes,
      ...(changes.length === 0 ? [] : withPackages(context, [...created, ...updated, ...removed], activeDelta)),
      stateChange(context, state, wanted),
    ],
    events: [
      {
        event_type: "package.synced",
        flow_type: "package",
        payload: { synced_count: wanted.rows.length, source: wanted.source, ...counts },
      },
      ...events,
    ],
  };
};
