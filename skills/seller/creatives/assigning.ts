import { update } from "../../../protocol/seam/changes.ts";
import type { EventDraft, Loaded } from "../../../protocol/seam/operation.ts";
import type { Change } from "../../../storage/store.ts";
import type { SellerContext } from "../context.ts";
import { mediaBuyEvent } from "../media-buys/events.ts";
import { mediaBuyKind, type MediaBuyRow, withMove } from "../media-buys/record.ts";
import { orderKind } from "../orders/record.ts";

interface Assignment {
  readonly creative_id: string;
  readonly package_id: string;
}

export interface Assigned {
  readonly changes: readonly Change[];
  readonly events: readonly EventDraft[];
  /** By creative, its packages, and what could not be done. */
  readonly done: ReadonlyMap<string, readonly string[]>;
  readonly errors: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

const mostCreatives = 100;

/** A package is an order, which names its buy. */
const buyOf = async (context: SellerContext, packageId: string): Promise<Loaded<MediaBuyRow> | null> => {
  const order = await context.load(orderKind, packageId);
  const id = order?.body.metadata["media_buy_id"];
  const loaded = typeof id === "string" ? await context.load(mediaBuyKind, id) : null;
  const isOwn = loaded?.body.owner === context.caller.owner;
  return isOwn && loaded.body.packages.some((bought) => bought.package_id === packageId) ? loaded : null;
};

const withCreative = (row: MediaBuyRow, { creative_id: id, package_id: packageId }: Assignment): MediaBuyRow => ({
  ...row,
  packages: row.packages.map((bought) =>
    bought.package_id === packageId && bought.creative_ids.length < mostCreatives
      ? { ...bought, creative_ids: [...new Set([...bought.creative_ids, id])] }
      : bought,
  ),
});

const isTaken = ({ packages }: MediaBuyRow, { package_id: id }: Assignment): boolean =>
  packages.some((bought) => bought.package_id === id && bought.canceled_at_ms === null);

const note = { action: "updated", actor: "buyer", summary: "Creatives assigned by the buyer" } as const;

/** Each buy is written once, whatever number of its packages is named. */
export const assigned = async (context: SellerContext, assignments: readonly Assignment[]): Promise<Assigned> => {
  const buys = new Map<string, { readonly loaded: Loaded<MediaBuyRow>; row: MediaBuyRow }>();
  const done = new Map<string, string[]>();
  const errors = new Map<string, Record<string, string>>();
  for (const one of assignments) {
    const loaded = await buyOf(context, one.package_id);
    const known = loaded === null ? null : (buys.get(loaded.id) ?? { loaded, row: loaded.body });
    if (known === null || !isTaken(known.row, one)) {
      const before = errors.get(one.creative_id) ?? {};
      errors.set(one.creative_id, { ...before, [one.package_id]: "There is no such package of yours that runs." });
      continue;
    }
    known.row = withCreative(known.row, one);
    buys.set(known.loaded.id, known);
    done.set(one.creative_id, [...(done.get(one.creative_id) ?? []), one.package_id]);
  }
  const written = [...buys.values()].map(({ loaded, row }) => ({
    loaded,
    row: withMove(row, { at_ms: context.nowMs, ...note }),
  }));
  return {
    changes: written.map(({ loaded, row }) => update(mediaBuyKind, loaded, row)),
    events: written.map(({ row }) => mediaBuyEvent("media_buy.changed", row)),
    done,
    errors,
  };
};
