import { z } from "zod";
import { isHostName, parseUrl } from "../../config/rules.ts";
import { askedOf, createDropCounter, currencyOf, failed, noBid, readBid, textOf } from "../provider/bid-answer.ts";
import type { Asked, Bid, DropCounter, RawBid } from "../provider/bid-answer.ts";
import { gdprOf, impressionExtOf, impressionOf, present, regsOf, requestOf, siteOf } from "../provider/bid-request.ts";
import type { AuctionFacts } from "../provider/bid-request.ts";
import { isEmpty, type PlannedSlot } from "../slot.ts";
import { toBase64 } from "../../signing/encoding.ts";
import { isMembers } from "../../../../protocol/neutral/json-input.ts";
import { planRouted, type Profile, type ProfileInput } from "./profile.ts";

const settings = z
  .strictObject({
    account_id: z
      .union([z.string(), z.int()])
      .transform(String)
      .refine((text) => text !== "" && text.length <= 1_024, "must be 1 to 1024 bytes"),
    debug: z.boolean().default(false),
    allow_script_creatives: z.boolean().default(false),
    inventory_domain: z
      .string()
      .refine((text) => isHostName(text), "must be a host name")
      .optional(),
    inventory_page_origin: z
      .string()
      .refine((text) => {
        const url = parseUrl(text);
        return url?.protocol === "https:" && url.port === "" && url.pathname === "/" && url.search === "";
      }, "must be an https origin without port and path")
      .optional(),
  })
  .refine(
    (profile) => (profile.inventory_domain === undefined) === (profile.inventory_page_origin === undefined),
    "inventory_domain and inventory_page_origin belong together: give both or none",
  )
  .refine((profile) => {
    if (profile.inventory_domain === undefined || profile.inventory_page_origin === undefined) return true;
    const host = new URL(profile.inventory_page_origin).hostname;
    return host === profile.inventory_domain || host.endsWith(`.${profile.inventory_domain}`);
  }, "the host of inventory_page_origin must be inventory_domain or below it");

type Settings = z.output<typeof settings>;

const longestCreativeId = 1_024;
const longestCreativeUrl = 4_096;
const longestPayload = 16_384;
const banner = 1;

const siteOfAps = (facts: AuctionFacts, settings: Settings): Record<string, unknown> => {
  if (settings.inventory_domain === undefined || settings.inventory_page_origin === undefined) return siteOf(facts);
  const path = URL.canParse(facts.page) ? new URL(facts.page).pathname : "/";
  const page = new URL(path, settings.inventory_page_origin).href;
  return siteOf({ ...facts, domain: settings.inventory_domain, page });
};

const impressionOfAps = (planned: PlannedSlot): Record<string, unknown> => {
  // Its answers are shown as banners alone.
  const { video: _video, native: _native, ...slot } = planned.slot;
  const base = impressionOf({ ...planned, slot });
  const [w, h] = planned.slot.sizes[0] ?? [0, 0];
  const ext = impressionExtOf(planned);
  return { ...base, banner: { ...(base["banner"] as object), w, h, topframe: 0 }, ...(isEmpty(ext) ? {} : { ext }) };
};

const regsOfAps = (facts: AuctionFacts): Record<string, unknown> => {
  const regs = regsOf(facts.consent) ?? {};
  const gdpr = gdprOf(facts.consent) ?? 1;
  return { ...regs, gdpr, ext: { ...(isMembers(regs["ext"]) ? regs["ext"] : {}), gdpr } };
};

const isCreativeUrl = (text: string | undefined, publisherDomain: string): text is string => {
  if (text === undefined || !URL.canParse(text)) return false;
  const url = new URL(text);
  const isForeign = url.hostname !== publisherDomain;
  return url.protocol === "https:" && isForeign && url.username === "" && url.password === "";
};

/** The instruction by which the browser shows a bid; `null` when the bid cannot be shown. */
const rendererOf = (
  bid: Bid,
  raw: Record<string, unknown>,
  { settings, facts }: ProfileInput<Settings>,
  drops: DropCounter,
): Record<string, unknown> | null => {
  const ext = isMembers(raw["ext"]) ? raw["ext"] : {};
  if (ext["creativeurl"] === undefined) return drops.drop("missing_render_source");
  const creativeUrl = textOf(ext["creativeurl"], longestCreativeUrl);
  if (!isCreativeUrl(creativeUrl, facts.domain)) return drops.drop("invalid_creative_url");
  const tagType = ext["tagtype"];
  if (tagType === "script" && !settings.allow_script_creatives) return drops.drop("script_rendering_disabled");
  if (tagType !== "iframe" && tagType !== "script") return drops.drop("unsupported_tagtype");
  const creativeId = raw["crid"];
  if (typeof creativeId === "string" && creativeId.length > longestCreativeId) {
    return drops.drop("creative_id_too_large");
  }
  const payload = JSON.stringify({ seatbid: [{ seat: bid.seat, bid: [raw] }] });
  if (payload.length > longestPayload) return drops.drop("render_payload_too_large");
  return present({
    type: "aps",
    version: 1,
    accountId: settings.account_id,
    bidId: bid.id,
    creativeId: textOf(creativeId, longestCreativeId),
    tagType,
    creativeUrl,
    aaxResponse: toBase64(new TextEncoder().encode(payload)),
    width: bid.w,
    height: bid.h,
  });
};

const readApsBid = (rawBid: RawBid, input: ProfileInput<Settings>, known: Asked, drops: DropCounter): Bid | null => {
  const { bid: raw } = rawBid;
  const mtype = raw["mtype"];
  if (textOf(raw["id"]) === undefined) return drops.drop("unexpected_response_shape");
  if (mtype !== undefined && mtype !== banner) return drops.drop("unsupported_media_type");
  const bid = readBid(rawBid, known, drops);
  if (bid === null) return null;
  const renderer = rendererOf(bid, raw, input, drops);
  // The markup of this provider is never shown as it is, only through the renderer.
  const { adm: _, ...shown } = bid;
  return renderer === null ? null : { ...shown, renderer };
};

/** Higher price first, then the smaller id, so that the order of the answer decides nothing. */
const isBetter = (bid: Bid, other: Bid): boolean =>
  bid.price !== other.price ? bid.price > other.price : (bid.id ?? "") < (other.id ?? "");

const collectBids = (body: Record<string, unknown>, drops: DropCounter): RawBid[] => {
  const seats = Array.isArray(body["seatbid"]) ? (body["seatbid"] as unknown[]) : [];
  if (body["seatbid"] !== undefined && seats.length === 0) drops.drop("empty_seatbid");
  const currency = currencyOf(body);
  const found: RawBid[] = [];
  for (const entry of seats) {
    const bids = isMembers(entry) && Array.isArray(entry["bid"]) ? (entry["bid"] as unknown[]).filter(isMembers) : [];
    if (!isMembers(entry) || bids.length === 0) drops.drop("empty_seatbid_bids");
    else found.push(...bids.map((bid) => ({ seat: textOf(entry["seat"], 128) ?? "unknown", currency, bid })));
  }
  return found;
};

const bestPerImpression = (bids: readonly Bid[], drops: DropCounter): Bid[] => {
  const best = new Map<string, Bid>();
  for (const bid of bids) {
    const other = best.get(bid.impid);
    if (other !== undefined) drops.drop("lost_to_higher_bid");
    if (other === undefined || isBetter(bid, other)) best.set(bid.impid, bid);
  }
  return [...best.values()];
};

/** The header-bidding service of Amazon: one account, creatives behind a renderer, one bid per impression. */
export const aps: Profile<Settings> = {
  title: "Provider",
  settings,
  timeoutMs: 800,
  // Its creatives are behind a renderer.
  marksCreatives: false,
  plan: (slot, routed, routing) => (slot.sizes.length === 0 ? null : planRouted(slot, routed, routing)),
  makeRequest({ facts, impressions, settings, tmaxMs }) {
    const ext = present({
      account: settings.account_id,
      sdk: { source: "prebid", version: "2.2.0" },
      trusted_server: facts.signature,
    });
    const own = { site: siteOfAps(facts, settings), regs: regsOfAps(facts), ext };
    const body = requestOf({ facts, imp: impressions.map(impressionOfAps), tmaxMs }, own);
    return { body, headers: {} };
  },
  parseAnswer(body, input) {
    if ("contextual" in body) {
      return failed("parse_response", "Provider returned an answer of its older interface");
    }
    const drops = createDropCounter();
    const found = collectBids(body, drops);
    const known = askedOf(input.impressions, input.facts.rules.rates);
    const readable = found.map((rawBid) => readApsBid(rawBid, input, known, drops)).filter((bid) => bid !== null);
    const bids = bestPerImpression(readable, drops);
    const seats = Array.isArray(body["seatbid"]) ? body["seatbid"].length : 0;
    const metadata = { seatbid_count: seats, accepted_bid_count: bids.length, ...drops.metadata() };
    return bids.length === 0 ? noBid(metadata) : { status: "success", bids, metadata };
  },
};
