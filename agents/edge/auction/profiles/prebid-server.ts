import { z } from "zod";
import { boundedExt, nonEmpty, requestExt } from "../../config/rules.ts";
import { createDropCounter, askedOf, noBid, rawBids, readBid, textOf } from "../provider/bid-answer.ts";
import type { Bid } from "../provider/bid-answer.ts";
import { impressionExtOf, impressionOf, present, requestOf, siteOf } from "../provider/bid-request.ts";
import type { AuctionFacts } from "../provider/bid-request.ts";
import { cutNamed } from "../provider/rejected.ts";
import { isMembers } from "../../../../protocol/neutral/json-input.ts";
import { isEmpty, type Params, type PlannedSlot } from "../slot.ts";
import type { Profile } from "./profile.ts";

const params = z.record(z.string(), z.unknown());

const settings = z
  .strictObject({
    account_id: z.string().min(1).max(256).optional(),
    stored_request_id: z.string().min(1).max(256).optional(),
    request_ext: requestExt.default({}),
    imp_ext: boundedExt.default({}),
    debug: z.boolean().default(false),
    test_mode: z.boolean().default(false),
    debug_query_params: z.string().default(""),
    bid_param_overrides: z.record(z.string(), params).default({}),
    bid_param_zone_overrides: z.record(z.string(), z.record(z.string(), params)).default({}),
    bid_param_override_rules: z
      .array(
        z.strictObject({
          when: z
            .strictObject({ bidder: nonEmpty.optional(), zone: nonEmpty.optional() })
            .refine((when) => when.bidder !== undefined || when.zone !== undefined, "needs bidder, zone or both"),
          set: params.refine((set) => Object.keys(set).length > 0, "must not be empty"),
        }),
      )
      .default([]),
    consent_forwarding: z.enum(["openrtb_only", "cookies_only", "both"]).default("both"),
  })
  .prefault({});

type Settings = z.output<typeof settings>;

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/**
 * The parameters that one bidder gets for one slot: the publisher's, with the operator's put over them: by
 * bidder, by bidder and zone, then the rules as they stand in the file. Each replaces members whole.
 */
const applyOverrides = (profile: Settings, bidder: string, zone: string | null, params: Params): Params => {
  const byBidder = own(profile.bid_param_overrides, bidder);
  const zones = own(profile.bid_param_zone_overrides, bidder);
  const byZone = zone === null || zones === undefined ? undefined : own(zones, zone);
  const rules = profile.bid_param_override_rules.filter(
    ({ when }) =>
      (when.bidder === undefined || when.bidder === bidder) && (when.zone === undefined || when.zone === zone),
  );
  return rules.reduce<Params>((merged, { set }) => ({ ...merged, ...set }), { ...params, ...byBidder, ...byZone });
};

const forwarded = ["user-agent", "referer", "accept-language"] as const;
const consentCookies = new Set(["euconsent-v2", "__gpp", "__gpp_sid", "us_privacy"]);
const ownCookies = new Set(["ts-ec", "ts-eids", "ts-tester"]);
const longestMetadata = 8_192;
const longestUpstreamMessage = 500;

const cookieHeader = (facts: AuctionFacts, settings: Settings): string | undefined => {
  const isConsentKept = settings.consent_forwarding !== "openrtb_only";
  const kept = (facts.headers.get("cookie") ?? "").split(";").filter((pair) => {
    const name = pair.split("=", 1)[0]?.trim() ?? "";
    return name !== "" && !ownCookies.has(name) && (isConsentKept || !consentCookies.has(name));
  });
  return kept.length === 0 ? undefined : kept.map((pair) => pair.trim()).join("; ");
};

const headersOf = (facts: AuctionFacts, settings: Settings): Record<string, string> => {
  const pairs: [string, string | null | undefined][] = [
    ...forwarded.map((name): [string, string | null] => [name, facts.headers.get(name)]),
    ["cookie", cookieHeader(facts, settings)],
    ["x-forwarded-for", facts.clientIp],
  ];
  return present(Object.fromEntries(pairs)) as Record<string, string>;
};

const pageOf = (page: string, debugQuery: string): string => {
  const query = debugQuery.replace(/^[?&]+/, "");
  return query === "" || page.includes(query) ? page : `${page}${page.includes("?") ? "&" : "?"}${query}`;
};

const siteOfPrebid = (facts: AuctionFacts, settings: Settings): Record<string, unknown> =>
  present({
    ...siteOf(facts),
    publisher: present({ id: settings.account_id, domain: facts.domain }),
    page: pageOf(facts.page, settings.debug_query_params),
    ref: textOf(facts.headers.get("referer"), 8_192),
  });

/** The operator's `ext` with our own part of its `prebid` over it. */
const withPrebid = (ext: Params, prebid: Record<string, unknown>): Record<string, unknown> => ({
  ...ext,
  prebid: { ...(isMembers(ext["prebid"]) ? ext["prebid"] : {}), ...prebid },
});

const impressionOfPrebid = (planned: PlannedSlot, { imp_ext: ext }: Settings): Record<string, unknown> => ({
  ...impressionOf(planned),
  tagid: planned.slot.code,
  ext: withPrebid(
    impressionExtOf(planned, ext),
    planned.isStored ? { storedrequest: { id: planned.slot.code } } : { bidder: planned.bidders },
  ),
});

const isShort = (value: unknown): boolean => JSON.stringify(value).length <= longestMetadata;

const metadataOf = (body: Record<string, unknown>, isDebug: boolean): Record<string, unknown> => {
  const ext = isMembers(body["ext"]) ? body["ext"] : {};
  const prebid = isMembers(ext["prebid"]) ? ext["prebid"] : {};
  const wanted = {
    responsetimemillis: ext["responsetimemillis"],
    errors: ext["errors"],
    warnings: ext["warnings"],
    ...(isDebug ? { debug: ext["debug"], bidstatus: ext["bidstatus"] ?? prebid["bidstatus"] } : {}),
  };
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => isMembers(value) && isShort(value)));
};

const cacheOf = (bid: Record<string, unknown>): Bid["cache"] => {
  const ext = isMembers(bid["ext"]) ? bid["ext"] : {};
  const prebid = isMembers(ext["prebid"]) ? ext["prebid"] : {};
  const cache = isMembers(prebid["cache"]) ? prebid["cache"] : {};
  const entry = isMembers(cache["bids"]) ? cache["bids"] : {};
  const id = textOf(entry["cacheId"], 256);
  if (id === undefined) return undefined;
  const text = textOf(entry["url"]) ?? "";
  const url = URL.canParse(text) ? new URL(text) : null;
  return url === null ? { id } : { id, host: url.host, path: url.pathname };
};

export const prebidServer: Profile<Settings> = {
  title: "Prebid Server",
  settings,
  timeoutMs: 1_000,
  marksCreatives: true,
  answersAsBidders: true,
  cutRefused: cutNamed,
  plan(slot, routed, { settings }) {
    const usable = [...routed]
      .map(([bidder, params]) => [bidder, applyOverrides(settings, bidder, slot.zone, params)] as const)
      .filter(([, params]) => !isEmpty(params));
    if (usable.length > 0) return { slot, bidders: Object.fromEntries(usable), isStored: false };
    const isStored = slot.stored === "permitted" || (slot.stored === "inferred" && routed.size > 0);
    return isStored ? { slot, bidders: {}, isStored } : null;
  },
  makeRequest({ facts, impressions, settings, tmaxMs }) {
    const hasStrings = settings.consent_forwarding !== "cookies_only";
    const { domain } = facts;
    const { stored_request_id: id } = settings;
    const flags = {
      ...(settings.debug ? { debug: true, returnallbidstatus: true } : {}),
      ...(id === undefined ? {} : { storedrequest: { id } }),
    };
    const trusted_server = facts.signature ?? { request_host: domain, request_scheme: "https" };
    const imp = impressions.map((planned) => impressionOfPrebid(planned, settings));
    const body = requestOf(
      { facts, imp, tmaxMs, hasStrings, hasCoordinates: true },
      {
        site: siteOfPrebid(facts, settings),
        ...(settings.test_mode ? { test: 1 } : {}),
        ext: { ...withPrebid(settings.request_ext, flags), trusted_server },
      },
    );
    return { body, headers: headersOf(facts, settings) };
  },
  parseAnswer(body, { impressions, settings, facts }) {
    const drops = createDropCounter();
    const known = askedOf(impressions, facts.rules.rates);
    const bids: Bid[] = [];
    for (const rawBid of rawBids(body)) {
      const bid = readBid(rawBid, known, drops);
      const cache = cacheOf(rawBid.bid);
      if (bid !== null) bids.push(cache === undefined ? bid : { ...bid, cache });
    }
    const metadata = { ...metadataOf(body, settings.debug), ...drops.metadata() };
    return bids.length === 0 ? noBid(metadata) : { status: "success", bids, metadata };
  },
  withFailure(answer, { body }, { debug }) {
    if (!debug || answer.metadata["error_type"] !== "http_status") return answer;
    const text = typeof body === "string" ? body : JSON.stringify(body ?? "");
    const upstream = {
      upstream_message: text.slice(0, longestUpstreamMessage),
      upstream_message_truncated: text.length > longestUpstreamMessage,
    };
    return { ...answer, metadata: { ...answer.metadata, ...upstream } };
  },
};
