import type { AuctionConfig } from "../../config.ts";
import { matchesGlob } from "../glob.ts";
import type { Size, Slot } from "../slot.ts";

const sizeName = ([width, height]: Size): string => `${width}x${height}`;

/** CPM in USD that a bid of this size must reach. */
export const floorOf = ({ floor = 0, sizeFloors }: Pick<Slot, "floor" | "sizeFloors">, size: Size): number =>
  sizeFloors?.get(sizeName(size)) ?? floor;

/**
 * Floors of the operator's rules: the first that fits page, slot and size counts, else the slot's own. Bidders are told
 * the least of a slot, so that none is kept away from the size that it could pay.
 */
export const withFloors = (slots: readonly Slot[], rules: AuctionConfig["floors"], path: string): readonly Slot[] => {
  const ofPage = rules.filter(({ page }) => matchesGlob(page, path));
  if (ofPage.length === 0) return slots;
  return slots.map((slot) => {
    const ofSlot = ofPage.filter((rule) => matchesGlob(rule.slot, slot.code));
    if (ofSlot.length === 0) return slot;
    const sizeFloors = new Map(
      slot.sizes.map((size) => {
        const rule = ofSlot.find(({ sizes }) => sizes === undefined || sizes.includes(sizeName(size)));
        return [sizeName(size), rule?.floor ?? slot.floor ?? 0] as const;
      }),
    );
    const least = Math.min(...sizeFloors.values());
    return { ...slot, sizeFloors, ...(least > 0 ? { floor: least } : {}) };
  });
};
