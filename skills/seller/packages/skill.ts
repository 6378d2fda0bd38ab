import { create, update } from "../../../protocol/seam/changes.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import { defineOperation } from "../../../protocol/seam/operation.ts";
import { emptyPage } from "../../../protocol/seam/paging.ts";
import { isRefusal, missing } from "../../../protocol/neutral/refusals.ts";
import { assembledPackage, type BuiltPackage, curatedPackage } from "./build.ts";
import * as contract from "./contract.ts";
import { readPackages } from "./pages.ts";
import { packageKind, type PackageRow } from "./record.ts";
import { activeLimitRefusal, packageEvent, packageFilter, unresolvedNotes, withPackages } from "./rules.ts";
import { isVisible } from "./sold.ts";
import { importedPackages } from "./sync.ts";
import { updatedPackage } from "./update.ts";
import { packageView, recordView } from "./view.ts";
import type { SellerContext } from "../context.ts";

export const listPackages = defineOperation(contract.listPackages, async (context: SellerContext, input) => {
  const filter = packageFilter(context, input);
  if (filter !== "nothing" && isRefusal(filter)) return filter;
  const { rows, page } = filter === "nothing" ? emptyPage : await readPackages(context, filter, input);
  return { output: { packages: rows.map(({ body }) => packageView(context, body)), ...page } };
});

export const getPackage = defineOperation(contract.getPackage, async (context: SellerContext, input) => {
  const loaded = await context.load(packageKind, input.package_id);
  const isShown = loaded !== null && (loaded.body.status === "active" || isOperator(context.caller));
  if (!isShown || !isVisible(context, loaded.body)) return missing("package_not_found", input.package_id);
  const output = packageView(context, loaded.body);
  return isOperator(context.caller) ? { output, meta: { revision: loaded.body.revision } } : { output };
});

const storeNew = async (context: SellerContext, built: BuiltPackage) => {
  const tooMany = await activeLimitRefusal(context, 1);
  if (tooMany !== null) return tooMany;
  const { row, unresolvedIds } = built;
  return {
    output: { ...recordView(row), ...unresolvedNotes(unresolvedIds) },
    changes: [create(packageKind, row.package_id, row), ...withPackages(context, [row.package_id], 1)],
    events: [packageEvent("package.created", row)],
    meta: { revision: row.revision },
  };
};

export const createPackage = defineOperation(contract.createPackage, async (context: SellerContext, input) => {
  const built = curatedPackage(context, input);
  return isRefusal(built) ? built : storeNew(context, built);
});

export const assemblePackage = defineOperation(contract.assemblePackage, async (context: SellerContext, input) => {
  const built = assembledPackage(context, input);
  return isRefusal(built) ? built : storeNew(context, built);
});

const isActive = (row: PackageRow): number => (row.status === "active" ? 1 : 0);

export const updatePackage = defineOperation(contract.updatePackage, async (context: SellerContext, input) => {
  const loaded = await context.own(packageKind, input.package_id, "package_not_found");
  context.matchRevision(loaded.body.revision);
  const updated = updatedPackage(context, loaded.body, input);
  if (isRefusal(updated)) return updated;
  const { row, updatedFields, unresolvedIds } = updated;
  if (updatedFields.length === 0) {
    return { output: recordView(loaded.body), meta: { revision: loaded.body.revision } };
  }
  const activeDelta = isActive(row) - isActive(loaded.body);
  const tooMany = await activeLimitRefusal(context, activeDelta);
  if (tooMany !== null) return tooMany;
  const isArchived = row.status === "archived" && loaded.body.status !== "archived";
  return {
    output: { ...recordView(row), ...unresolvedNotes(unresolvedIds) },
    changes: [update(packageKind, loaded, row), ...withPackages(context, [row.package_id], activeDelta)],
    events: [
      packageEvent("package.updated", row, { updated_fields: updatedFields }),
      ...(isArchived ? [packageEvent("package.archived", row)] : []),
    ],
    meta: { revision: row.revision },
  };
});

export const archivePackage = defineOperation(contract.archivePackage, async (context: SellerContext, input) => {
  const loaded = await context.own(packageKind, input.package_id, "package_not_found");
  context.matchRevision(loaded.body.revision);
  const output = { package_id: loaded.body.package_id, status: "archived" as const };
  if (loaded.body.status === "archived") return { output, meta: { revision: loaded.body.revision } };
  const revision = loaded.body.revision + 1;
  const row: PackageRow = { ...loaded.body, status: "archived", updated_at_ms: context.nowMs, revision };
  return {
    output,
    changes: [update(packageKind, loaded, row), ...withPackages(context, [row.package_id], -isActive(loaded.body))],
    events: [packageEvent("package.archived", row)],
    meta: { revision },
  };
});

export const syncPackages = defineOperation(contract.syncPackages, importedPackages);
