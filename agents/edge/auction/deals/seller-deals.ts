import { remember } from "../../remember.ts";
import type { SellerDealsConfig } from "../../config.ts";
import type { DealBoard, DealDesk, SellerDeal } from "../../platform.ts";
import { matchesGlob } from "../glob.ts";

const ranks = { PG: 0, PD: 1, PA: 2 } as const;

const mostSlots = 1_000;

interface BoardIndex {
  readonly known: ReadonlySet<string>;
  readonly forSlot: (code: string) => readonly SellerDeal[];
}

const indexes = new WeakMap<DealBoard, BoardIndex>();

/** Made once for a board: ten thousand deals are not looked through for every auction. */
const indexOf = (board: DealBoard, { slots }: SellerDealsConfig): BoardIndex => {
  const found = indexes.get(board);
  if (found !== undefined) return found;
  const isFor = ({ productId }: SellerDeal, code: string): boolean =>
    Object.hasOwn(slots, productId) && slots[productId]?.some((glob) => matchesGlob(glob, code)) === true;
  const sorted = board.deals.toSorted((a, b) => ranks[a.type] - ranks[b.type] || b.bidfloor - a.bidfloor);
  const index = {
    known: new Set([...board.ended, ...board.deals.map(({ id }) => id)]),
    forSlot: remember(mostSlots, (code) => sorted.filter((deal) => isFor(deal, code))),
  };
  indexes.set(board, index);
  return index;
};

/**
 * A guaranteed deal is spread evenly over its flight: it is offered while less was shown than should be by now, and one
 * impression more, so that a small deal begins at once.
 */
export const isOnPace = ({ type, impressions, startMs, endMs }: SellerDeal, shown: number, nowMs: number): boolean => {
  if (impressions === null) return true;
  if (type !== "PG") return shown < impressions;
  const elapsed = Math.min(1, (nowMs - startMs) / (endMs - startMs));
  return shown < Math.min(impressions, Math.floor(impressions * elapsed) + 1);
};

export interface SellerDeals {
  offeredIn(code: string): readonly SellerDeal[];
  isKnown(id: string): boolean;
}

const none: SellerDeals = { offeredIn: () => [], isKnown: () => false };

/** The seller's deals that an auction of now may offer: in flight, on pace, and from a list that is not too old. */
export const openSellerDeals = (
  config: SellerDealsConfig | undefined,
  desk: DealDesk | undefined,
  nowMs: number,
): SellerDeals => {
  const board = desk?.board() ?? null;
  if (config === undefined || desk === undefined || board === null) return none;
  const { known, forSlot } = indexOf(board, config);
  const isOffered = (deal: SellerDeal): boolean =>
    nowMs >= deal.startMs && nowMs < deal.endMs && isOnPace(deal, deal.delivered + desk.shownHere(deal.id), nowMs);
  return {
    offeredIn: (code) => (nowMs < board.freshUntilMs ? forSlot(code).filter(isOffered) : []),
    isKnown: (id) => known.has(id),
  };
};
