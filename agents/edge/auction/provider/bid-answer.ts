import { isMembers } from "../../../../protocol/neutral/json-input.ts";
import { toUsd, type Rates } from "../prices/currency.ts";
import { holdToDeal, type Deal, type DealDefect } from "../deals/deal.ts";
import { mediaOf, sizeOf, type Media } from "../media/bid-media.ts";
import type { PlannedSlot } from "../slot.ts";

export interface Bid {
  readonly impid: string;
  readonly seat: string;
  /** CPM in USD. */
  readonly price: number;
  readonly media: Media;
  /** 0 where a native ad has no size. */
  readonly w: number;
  readonly h: number;
  readonly id?: string;
  readonly dealid?: string;
  /** The deal that `dealid` names, where it was offered to the impression. */
  readonly deal?: Deal;
  readonly adm?: string;
  readonly adid?: string;
  readonly crid?: string;
  readonly adomain?: readonly string[];
  readonly nurl?: string;
  readonly burl?: string;
  /** The edge calls `nurl` itself. */
  readonly isWinCalled?: boolean;
  readonly renderer?: Readonly<Record<string, unknown>>;
  readonly cache?: { readonly id: string; readonly host?: string; readonly path?: string };
}

export interface ProviderAnswer {
  readonly status: "success" | "nobid" | "error";
  readonly bids: readonly Bid[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What a provider sent: the status and the parsed body; `undefined` when it was no JSON. */
export interface RawAnswer {
  readonly status: number;
  readonly body: unknown;
}

export const failed = (errorType: string, message: string, more: Record<string, unknown> = {}): ProviderAnswer => ({
  status: "error",
  bids: [],
  metadata: { error_type: errorType, ...more, message },
});

export const noBid = (metadata: Record<string, unknown> = {}): ProviderAnswer => ({
  status: "nobid",
  bids: [],
  metadata,
});

export type DropReason =
  | DealDefect
  | "missing_render_source"
  | "unknown_impid"
  | "invalid_price"
  | "unsupported_media_type"
  | "invalid_dimensions"
  | "invalid_creative_url"
  | "script_rendering_disabled"
  | "unsupported_tagtype"
  | "creative_id_too_large"
  | "render_payload_too_large"
  | "lost_to_higher_bid"
  | "empty_seatbid_bids"
  | "empty_seatbid"
  | "unsupported_currency"
  | "unexpected_response_shape";

export const createDropCounter = () => {
  const reasons: Partial<Record<DropReason, number>> = {};
  let count = 0;
  return {
    drop(reason: DropReason): null {
      reasons[reason] = (reasons[reason] ?? 0) + 1;
      count += 1;
      return null;
    },
    metadata: (): Record<string, unknown> =>
      count === 0 ? {} : { dropped_bid_count: count, drop_reasons: { ...reasons } },
  };
};
export type DropCounter = ReturnType<typeof createDropCounter>;

const longestText = 4_096;

export const textOf = (value: unknown, longest = longestText): string | undefined => {
  const text = typeof value === "number" && Number.isFinite(value) ? String(value) : value;
  return typeof text === "string" && text !== "" && text.length <= longest ? text : undefined;
};

const textsOf = (value: unknown): readonly string[] | undefined => {
  if (!Array.isArray(value)) return undefined;
  const texts = (value as unknown[]).map((item) => textOf(item, 255)).filter((item) => item !== undefined);
  return texts.length === 0 ? undefined : texts.slice(0, 64);
};

export interface RawBid {
  readonly seat: string;
  readonly currency: string;
  readonly bid: Record<string, unknown>;
}

/** The currency of an answer that `openAnswer` let pass. */
export const currencyOf = (body: Record<string, unknown>): string => textOf(body["cur"], 16)?.toUpperCase() ?? "USD";

export const rawBids = (body: Record<string, unknown>): RawBid[] => {
  const seats = Array.isArray(body["seatbid"]) ? (body["seatbid"] as unknown[]) : [];
  const currency = currencyOf(body);
  return seats.flatMap((entry) => {
    if (!isMembers(entry) || !Array.isArray(entry["bid"])) return [];
    const seat = textOf(entry["seat"], 128) ?? "unknown";
    return (entry["bid"] as unknown[]).filter(isMembers).map((bid) => ({ seat, currency, bid }));
  });
};

/** What the answer is held against. */
export interface Asked {
  readonly impressions: ReadonlyMap<string, PlannedSlot>;
  readonly rates: Rates;
}

/** The checks that every profile makes: a known impression, a price, a size that was asked for, a deal's terms. */
export const readBid = (
  { seat, bid, currency }: RawBid,
  { impressions, rates }: Asked,
  drops: DropCounter,
): Bid | null => {
  const impid = bid["impid"];
  const planned = typeof impid === "string" ? impressions.get(impid) : undefined;
  if (planned === undefined || typeof impid !== "string") return drops.drop("unknown_impid");
  const { price: asked } = bid;
  if (typeof asked !== "number" || !Number.isFinite(asked) || asked < 0) return drops.drop("invalid_price");
  const inUsd = toUsd(asked, currency, rates);
  if (inUsd === null) return drops.drop("unsupported_currency");
  const media = mediaOf(bid, planned.slot);
  if (media === null) return drops.drop("unsupported_media_type");
  const size = sizeOf(bid, media, planned.slot);
  if (size === undefined) return drops.drop("invalid_dimensions");
  const optional = {
    id: textOf(bid["id"]),
    dealid: textOf(bid["dealid"], 128),
    adm: typeof bid["adm"] === "string" && bid["adm"] !== "" ? bid["adm"] : undefined,
    adid: textOf(bid["adid"]),
    crid: textOf(bid["crid"]),
    adomain: textsOf(bid["adomain"]),
    nurl: textOf(bid["nurl"], 16_384),
    burl: textOf(bid["burl"], 16_384),
  };
  const known = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  const claim = { id: optional.dealid, seat, price: inUsd, adomain: optional.adomain ?? [] };
  const held = holdToDeal(claim, planned.deals, rates);
  if ("defect" in held) return drops.drop(held.defect);
  // What is shown from a cache cannot be counted.
  if (held.deal?.type !== undefined && optional.adm === undefined) return drops.drop("missing_render_source");
  return { impid, seat, ...held, media, w: size[0], h: size[1], ...(known as Partial<Bid>) };
};

type OpenedAnswer =
  | { readonly ok: true; readonly body: Record<string, unknown> }
  | { readonly ok: false; readonly answer: ProviderAnswer };

const closed = (answer: ProviderAnswer): OpenedAnswer => ({ ok: false, answer });

export const openAnswer = ({ status, body }: RawAnswer, provider: string, rates: Rates): OpenedAnswer => {
  if (status === 204) return closed(noBid());
  if (status < 200 || status > 299) {
    return closed(failed("http_status", `${provider} returned HTTP ${status}`, { http_status: status }));
  }
  if (!isMembers(body)) return closed(failed("parse_response", `${provider} did not return a JSON object`));
  const currency = body["cur"];
  if (currency === undefined) return { ok: true, body };
  if (typeof currency !== "string") {
    return closed(failed("parse_response", `${provider} returned a currency that is no text`));
  }
  if (toUsd(0, currency.toUpperCase(), rates) !== null) return { ok: true, body };
  return closed(noBid({ unsupported_currency: currency.slice(0, 16) }));
};

export const askedOf = (impressions: readonly PlannedSlot[], rates: Rates): Asked => ({
  impressions: new Map(impressions.map((planned) => [planned.slot.code, planned])),
  rates,
});
