export interface AdSlot {
  readonly id: string;
  readonly gam_unit_path: string;
  readonly div_id: string;
  readonly formats: readonly (readonly [number, number])[];
  readonly targeting: Readonly<Record<string, string>>;
  /** It is left out where the slot is a banner alone. */
  readonly media_types?: readonly ("banner" | "video" | "native")[];
}

export interface SlotBid {
  readonly hb_pb: string;
  readonly hb_bidder: string;
  readonly hb_adid?: string;
  readonly hb_deal?: string;
  /** It holds every seat's bid where the operator sends them all. */
  readonly targeting?: Readonly<Record<string, string>>;
  readonly w?: number;
  readonly h?: number;
  /** 2: video, 4: native; left out of a banner. */
  readonly mtype?: 2 | 4;
  readonly adm?: string;
  readonly nurl?: string;
  readonly burl?: string;
}

export type Bids = Readonly<Record<string, SlotBid>>;

export interface Tsjs {
  adSlots?: readonly AdSlot[];
  bids?: Bids;
  scheduleInitialAdInit?: (bids: Bids) => void;
  refresh?: (path?: string) => Promise<void>;
}

declare global {
  interface Window {
    tsjs?: Tsjs;
  }
}

export const pageState = (): Tsjs => (window.tsjs ??= {});
