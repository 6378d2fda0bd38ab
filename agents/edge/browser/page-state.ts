/** One ad slot as the edge describes it. */
export type AdSlot = {
  readonly id: string;
  readonly gam_unit_path: string;
  readonly div_id: string;
  readonly formats: readonly (readonly [number, number])[];
  readonly targeting: Readonly<Record<string, string>>;
};

/** The winning bid of one slot; `hb_` members become key values of the ad server. */
export type SlotBid = {
  readonly hb_pb: string;
  readonly hb_bidder: string;
  readonly hb_adid?: string;
  readonly w?: number;
  readonly h?: number;
  readonly adm?: string;
  readonly nurl?: string;
  readonly burl?: string;
};

export type Bids = Readonly<Record<string, SlotBid>>;

/** `window.tsjs`: what the page and the edge's inline scripts see of the library. */
export type Tsjs = {
  adSlots?: readonly AdSlot[];
  bids?: Bids;
  /** Takes the bids of the page's first auction, as soon as they are known. */
  scheduleInitialAdInit?: (bids: Bids) => void;
  /** Asks the edge for the slots and bids of a path and shows them. */
  refresh?: (path?: string) => Promise<void>;
};

declare global {
  interface Window {
    tsjs?: Tsjs;
  }
}

/** The page's object, made when the library came before every inline script. */
export const pageState = (): Tsjs => (window.tsjs ??= {});
