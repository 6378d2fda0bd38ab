import { z } from "zod";
import { reservedBidders, isBidderId } from "../config/auction.ts";
import { isMembers } from "../../../protocol/neutral/json-input.ts";
import { readPmp } from "./deals/deal.ts";
import { readNative, readVideo } from "./media/media-types.ts";
import { isEmpty } from "./slot.ts";
import type { DemandDefects, Params, Size, Slot, StoredDemand } from "./slot.ts";

const largestSize = 2_147_483_647;
const longestZone = 256;
const mostBidders = 128;

const unit = z.object({
  code: z.string(),
  mediaTypes: z
    .object({
      banner: z.object({ sizes: z.array(z.array(z.int().min(0).max(4_294_967_295))).nullish() }).nullish(),
      video: z.unknown().optional(),
      native: z.unknown().optional(),
    })
    .nullish(),
  ortb2Imp: z
    .object({
      ext: z
        .object({ gpid: z.string().max(512).nullish().catch(null) })
        .nullish()
        .catch(null),
      pmp: z.unknown().optional(),
    })
    .nullish()
    .catch(null),
  bids: z.array(z.object({ bidder: z.string(), params: z.unknown().optional() })).nullish(),
});

export const auctionBodySchema = z.object({
  adUnits: z.array(unit),
  config: z.record(z.string(), z.unknown()).nullish(),
  eids: z.unknown().optional(),
});

type Unit = z.output<typeof unit>;

interface Envelope {
  readonly bidders: ReadonlyMap<string, Params>;
  readonly zone: string | null;
  readonly stored: StoredDemand;
}

const envelopeKeys = new Set(["bidderParams", "zone", "storedRequest"]);

const envelopeBidders = (value: unknown): ReadonlyMap<string, Params> | null => {
  if (value === undefined || value === null) return new Map();
  if (!isMembers(value)) return null;
  const entries = Object.entries(value);
  if (entries.length > mostBidders) return null;
  const isValid = entries.every(([name, params]) => isBidderId(name) && isMembers(params));
  return isValid ? new Map(entries as [string, Params][]) : null;
};

const isZone = (value: unknown): value is string =>
  typeof value === "string" && new TextEncoder().encode(value).length <= longestZone;

const readEnvelope = (params: unknown): Envelope | null => {
  if (!isMembers(params) || !Object.keys(params).every((key) => envelopeKeys.has(key))) return null;
  const { bidderParams, zone, storedRequest } = params;
  const bidders = envelopeBidders(bidderParams);
  if (bidders === null) return null;
  if (zone !== undefined && !isZone(zone)) return null;
  if ("storedRequest" in params && typeof storedRequest !== "boolean") return null;
  const inferred: StoredDemand = bidders.size === 0 ? "permitted" : "inferred";
  const stored = storedRequest === undefined ? inferred : storedRequest === true ? "permitted" : "denied";
  return { bidders, zone: zone ?? null, stored };
};

const noEnvelope: Envelope = { bidders: new Map(), zone: null, stored: "denied" };

const readDemand = (bids: Unit["bids"], defects: DemandDefects): Envelope => {
  if (bids === null || bids === undefined || bids.length === 0) return { ...noEnvelope, stored: "permitted" };
  let envelope = noEnvelope;
  const direct = new Map<string, Params>();
  for (const { bidder, params } of bids) {
    if (reservedBidders.includes(bidder)) {
      const read = readEnvelope(params);
      if (read === null) defects.malformed_envelope_count += 1;
      else envelope = read;
    } else if (isBidderId(bidder) && isMembers(params) && !isEmpty(params)) direct.set(bidder, params);
    else defects.malformed_direct_demand_count += 1;
  }
  return { ...envelope, bidders: new Map([...envelope.bidders, ...direct]) };
};

const readSizes = (unitSizes: readonly (readonly number[])[]): Size[] | null =>
  unitSizes.every((size) => size.length === 2)
    ? unitSizes.map(([width = 0, height = 0]) => [width, height] as const)
    : null;

const isUsable = ([width, height]: Size): boolean =>
  width > 0 && height > 0 && width <= largestSize && height <= largestSize;

/**
 * Slots of a request: units with something to show, the first of two equal codes. `null`: a size is not a pair,
 * which refuses the request.
 */
export const readSlots = (units: readonly Unit[], defects: DemandDefects): Slot[] | null => {
  const slots = new Map<string, Slot>();
  for (const { code, mediaTypes, bids, ortb2Imp } of units) {
    const sizes = readSizes(mediaTypes?.banner?.sizes ?? []);
    if (sizes === null) return null;
    const usable = sizes.filter(isUsable);
    const video = readVideo(mediaTypes?.video);
    const native = readNative(mediaTypes?.native);
    const isEmptyUnit = usable.length === 0 && video === null && native === null;
    if (isEmptyUnit || slots.has(code)) continue;
    const gpid = ortb2Imp?.ext?.gpid ?? "";
    const { deals, isPrivate } = readPmp(ortb2Imp?.pmp);
    slots.set(code, {
      code,
      sizes: usable,
      ...(video === null ? {} : { video }),
      ...(native === null ? {} : { native }),
      ...(gpid === "" ? {} : { gpid }),
      ...(deals.length === 0 ? {} : { deals }),
      ...(isPrivate ? { isPrivate } : {}),
      ...readDemand(bids, defects),
    });
  }
  return [...slots.values()];
};
