import { notify } from "./notify.ts";

/** What Prebid.js hands to an adapter for one bid of an ad unit, as far as it is read here. */
interface PrebidBid {
  readonly bidId: string;
  readonly adUnitCode: string;
  readonly mediaTypes?: object;
  readonly ortb2Imp?: object;
  readonly userIdAsEids?: readonly object[];
  readonly params?: object;
}

interface PrebidRequest {
  readonly method: "POST";
  readonly url: string;
  readonly data: string;
  readonly options: { readonly contentType: string; readonly withCredentials: true };
  readonly bidIds: Readonly<Record<string, string>>;
}

interface AuctionBid {
  readonly id: string;
  readonly impid: string;
  readonly price: number;
  readonly w?: number;
  readonly h?: number;
  readonly mtype?: number;
  readonly adm?: string;
  readonly crid?: string;
  readonly dealid?: string;
  readonly adomain?: readonly string[];
  readonly nurl?: string;
  readonly burl?: string;
}
interface AuctionAnswer {
  readonly seatbid?: readonly { readonly seat: string; readonly bid: readonly AuctionBid[] }[];
}

interface Notices {
  readonly nurl?: string;
  readonly burl?: string;
}

const bidderCode = "parley";
const ttlSeconds = 300;

const buildRequests = (bids: readonly PrebidBid[]): PrebidRequest => {
  const units = new Map([...bids].reverse().map((bid) => [bid.adUnitCode, bid]));
  const adUnits = [...units.values()].map(({ adUnitCode, mediaTypes, ortb2Imp, params }) => ({
    code: adUnitCode,
    mediaTypes,
    ortb2Imp,
    bids: params === undefined || Object.keys(params).length === 0 ? [] : [{ bidder: "reservedServer", params }],
  }));
  const eids = bids.find(({ userIdAsEids }) => userIdAsEids !== undefined)?.userIdAsEids;
  return {
    method: "POST",
    url: new URL("/auction", location.href).href,
    data: JSON.stringify({ adUnits, eids }),
    options: { contentType: "application/json", withCredentials: true },
    bidIds: Object.fromEntries([...units].map(([code, { bidId }]) => [code, bidId])),
  };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const creativeOf = (mtype: number | undefined, markup: string): object => {
  if (mtype === 2) return { mediaType: "video", vastXml: markup };
  return mtype === 4 ? { mediaType: "native", native: { ortb: parsed(markup) } } : { ad: markup };
};

const interpretResponse = ({ body }: { readonly body?: AuctionAnswer }, { bidIds }: PrebidRequest): object[] =>
  (body?.seatbid ?? []).flatMap(({ seat, bid }) =>
    bid.flatMap((one) => {
      const requestId = Object.hasOwn(bidIds, one.impid) ? bidIds[one.impid] : undefined;
      if (requestId === undefined || one.adm === undefined) return [];
      return {
        requestId,
        cpm: one.price,
        currency: "USD",
        width: one.w,
        height: one.h,
        ...creativeOf(one.mtype, one.adm),
        creativeId: one.crid ?? one.id,
        dealId: one.dealid,
        netRevenue: true,
        ttl: ttlSeconds,
        meta: { advertiserDomains: one.adomain ?? [], networkName: seat },
        nurl: one.nurl,
        burl: one.burl,
      };
    }),
  );

const adapter = {
  code: bidderCode,
  supportedMediaTypes: ["banner", "video", "native"],
  isBidRequestValid: (): boolean => true,
  buildRequests,
  interpretResponse,
  onBidWon: ({ nurl }: Notices): void => notify(nurl),
  onBidBillable: ({ burl }: Notices): void => notify(burl),
};

interface Prebid {
  que?: { push(job: () => void): void };
  registerBidAdapter?(factory: null, code: string, spec: typeof adapter): void;
}

/**
 * Lets Prebid.js on the page ask the edge, as the bidder `parley`, also where it is loaded later. A creative's frame
 * gets no queue that nobody would ever read.
 */
export const startPrebidAdapter = (): void => {
  const page = window as { pbjs?: Prebid };
  if (page.pbjs === undefined && window !== window.top) return;
  page.pbjs ??= {};
  page.pbjs.que ??= [];
  page.pbjs.que.push(() => page.pbjs?.registerBidAdapter?.(null, bidderCode, adapter));
};
