import type { AuctionRules } from "../../config/auction-rules.ts";
import type { Consent } from "../../consent/consent.ts";
import type { Eid } from "../../identity/eids.ts";
import type { Geo } from "../../platform.ts";
import { pmpOf } from "../deals/deal.ts";
import { isEmpty, type Params, type PlannedSlot } from "../slot.ts";

export interface RequestSignature {
  readonly version: "1.1";
  readonly signature: string;
  readonly kid: string;
  readonly request_host: string;
  readonly request_scheme: "https";
  readonly ts: number;
}

export interface AuctionFacts {
  readonly id: string;
  readonly domain: string;
  readonly page: string;
  readonly clientIp: string | null;
  readonly geo: Geo | null;
  readonly headers: Headers;
  readonly consent: Consent;
  readonly userId: string | null;
  readonly eids: readonly Eid[];
  readonly signature: RequestSignature | null;
  readonly pageContext: Params;
  readonly rules: AuctionRules;
}

export interface OutgoingBidRequest {
  readonly body: Record<string, unknown>;
  readonly headers: Record<string, string>;
}

/** Currencies whose prices can be read. */
const currenciesOf = ({ rules: { rates } }: AuctionFacts): readonly string[] => [
  "USD",
  ...Object.keys(rates).filter((currency) => currency !== "USD"),
];

/** Who sells, and what the publisher does not take. The chain stands where OpenRTB 2.6 reads it and where 2.5 does. */
const rulesOf = ({ rules: { schain, badv, bcat } }: AuctionFacts): Record<string, unknown> => ({
  ...(schain === undefined ? {} : { source: { schain, ext: { schain } } }),
  ...(badv.length === 0 ? {} : { badv }),
  ...(bcat.length === 0 ? {} : { bcat }),
});

/** `ext` of an impression: the operator's, with the slot's own global placement id over it. */
export const impressionExtOf = ({ slot }: PlannedSlot, ext: Params = {}): Params =>
  slot.gpid === undefined ? ext : { ...ext, gpid: slot.gpid };

/** Members that are not there are left out, so that no bidder reads a null as a value. */
export const present = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));

const presentOrNothing = (members: Record<string, unknown>): Record<string, unknown> | undefined => {
  const kept = present(members);
  return Object.keys(kept).length === 0 ? undefined : kept;
};

export const impressionOf = ({ slot, deals }: PlannedSlot): Record<string, unknown> => {
  const pmp = pmpOf(deals);
  return {
    id: slot.code,
    ...(slot.sizes.length === 0 ? {} : { banner: { format: slot.sizes.map(([w, h]) => ({ w, h })) } }),
    ...(slot.video === undefined ? {} : { video: slot.video.imp }),
    ...(slot.native === undefined ? {} : { native: slot.native }),
    secure: 1,
    ...(slot.floor === undefined ? {} : { bidfloor: slot.floor, bidfloorcur: "USD" }),
    ...(pmp === undefined ? {} : { pmp }),
  };
};

export const siteOf = (facts: AuctionFacts): Record<string, unknown> => ({
  domain: facts.domain,
  page: facts.page,
  publisher: { domain: facts.domain },
  ...(isEmpty(facts.pageContext) ? {} : { ext: { data: facts.pageContext } }),
});

const userOf = (facts: AuctionFacts, hasConsent = true): Record<string, unknown> | undefined => {
  const consent = hasConsent ? facts.consent.raw.tcf : undefined;
  const eids = facts.eids.length === 0 ? undefined : facts.eids;
  return presentOrNothing({ id: facts.userId, consent, eids, ext: presentOrNothing({ consent, eids }) });
};

const languageOf = (headers: Headers): string | undefined =>
  /^\s*([A-Za-z]{1,8})(?=[-;,\s]|$)/.exec(headers.get("accept-language") ?? "")?.[1]?.toLowerCase();

const geoOf = (geo: Geo | null, hasCoordinates: boolean): Record<string, unknown> | undefined =>
  geo === null
    ? undefined
    : present({
        country: geo.country,
        region: geo.region,
        city: geo.city,
        metro: geo.metro_code === undefined || geo.metro_code <= 0 ? undefined : String(geo.metro_code),
        lat: hasCoordinates ? geo.latitude : undefined,
        lon: hasCoordinates ? geo.longitude : undefined,
        type: 2,
      });

const deviceOf = (facts: AuctionFacts, hasCoordinates = false): Record<string, unknown> =>
  present({
    ua: facts.headers.get("user-agent"),
    ip: facts.clientIp?.includes(":") === true ? undefined : facts.clientIp,
    ipv6: facts.clientIp?.includes(":") === true ? facts.clientIp : undefined,
    geo: geoOf(facts.geo, hasCoordinates),
    dnt: facts.headers.get("dnt") === "1" ? 1 : undefined,
    language: languageOf(facts.headers),
  });

export const gdprOf = ({ jurisdiction, hasGdprSignal }: Consent): 0 | 1 | undefined => {
  if (hasGdprSignal || jurisdiction === "gdpr") return 1;
  return jurisdiction === "unknown" ? undefined : 0;
};

/** Only where there is something to say; every member also in `ext`, where OpenRTB 2.5 readers look. */
export const regsOf = (consent: Consent, hasStrings = true): Record<string, unknown> | undefined => {
  const { raw, gpc } = consent;
  const isSilent = !gpc && Object.keys(raw).length === 0 && !consent.hasGdprSignal;
  if (isSilent) return undefined;
  const members = present({
    gdpr: gdprOf(consent),
    us_privacy: hasStrings ? raw.usPrivacy : undefined,
    gpp: hasStrings ? raw.gpp : undefined,
    gpp_sid: hasStrings ? raw.gppSid : undefined,
  });
  const ext = present({ ...members, gpc: gpc ? "1" : undefined });
  return Object.keys(ext).length === 0 ? undefined : { ...members, ext };
};

export interface RequestParts {
  readonly facts: AuctionFacts;
  readonly imp: readonly object[];
  readonly tmaxMs: number;
  /** Consent strings go out in the body. */
  readonly hasStrings?: boolean;
  readonly hasCoordinates?: boolean;
}

/** A bid request as every profile sends it; `own` replaces members and adds some. */
export const requestOf = (
  { facts, imp, tmaxMs, hasStrings, hasCoordinates }: RequestParts,
  own: Record<string, unknown>,
): Record<string, unknown> =>
  present({
    id: facts.id,
    imp,
    ...rulesOf(facts),
    site: siteOf(facts),
    user: userOf(facts, hasStrings),
    device: deviceOf(facts, hasCoordinates),
    regs: regsOf(facts.consent, hasStrings),
    tmax: tmaxMs,
    cur: currenciesOf(facts),
    ...own,
  });
