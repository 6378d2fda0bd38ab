import type { AuctionRecord } from "../platform.ts";

export const mostRecent = 200;

/** The last auctions of this process, in memory. */
export interface RecentAuctions {
  add(auction: AuctionRecord): void;
  /** Newest first. */
  last(): readonly AuctionRecord[];
  /** Those that were not taken before. */
  take(): readonly AuctionRecord[];
}

export const createRecentAuctions = (): RecentAuctions => {
  let kept: AuctionRecord[] = [];
  let fresh = 0;
  return {
    add(auction) {
      kept.push(auction);
      fresh = Math.min(mostRecent, fresh + 1);
      // Cut now and then: one by one would move all of them with each auction.
      if (kept.length >= 2 * mostRecent) kept = kept.slice(-mostRecent);
    },
    last: () => kept.slice(-mostRecent).toReversed(),
    take() {
      const taken = fresh === 0 ? [] : kept.slice(-fresh);
      fresh = 0;
      return taken;
    },
  };
};
