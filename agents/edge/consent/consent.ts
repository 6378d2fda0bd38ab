import type { ConsentConfig } from "../config/identity.ts";
import type { Geo } from "../platform.ts";
import { decodeGpp } from "./gpp.ts";
import type { Gpp } from "./gpp.ts";
import { decodeTcf } from "./tcf.ts";
import type { Tcf } from "./tcf.ts";

type Jurisdiction = "gdpr" | "us_state" | "non_regulated" | "unknown";

export interface Consent {
  readonly jurisdiction: Jurisdiction;
  readonly raw: {
    readonly tcf?: string;
    readonly gpp?: string;
    readonly gppSid?: readonly number[];
    readonly usPrivacy?: string;
  };
  readonly gpc: boolean;
  readonly hasGdprSignal: boolean;
  readonly isEcAllowed: boolean;
  /** The user said no, not merely nothing: what is stored must go. */
  readonly isWithdrawn: boolean;
  readonly isAuctionAllowed: boolean;
  readonly areEidsAllowed: boolean;
}

interface ConsentSource {
  readonly config: { readonly consent: ConsentConfig };
  readonly cookies: ReadonlyMap<string, string>;
  readonly geo: Geo | null;
  readonly startedAtMs: number;
}

const dayMs = 86_400_000;
const consentText = /^[\w.~+/=-]{1,8192}$/;

const jurisdictionOf = (geo: Geo | null, consent: ConsentConfig): Jurisdiction => {
  if (geo === null) return "unknown";
  if (consent.gdpr.applies_in.includes(geo.country)) return "gdpr";
  const region = geo.region?.toUpperCase().replace(/^US-/, "") ?? "";
  return geo.country === "US" && consent.us_states.privacy_states.includes(region) ? "us_state" : "non_regulated";
};

const resolveConflict = (own: Tcf, gpp: Tcf, rule: ConsentConfig["conflict_resolution"]): Tcf => {
  const grants = (tcf: Tcf): boolean => tcf.purposes.has(1) && tcf.purposes.has(4);
  if (grants(own) === grants(gpp)) return own;
  const [granting, refusing] = grants(own) ? [own, gpp] : [gpp, own];
  if (rule.mode === "permissive") return granting;
  if (rule.mode === "restrictive") return refusing;
  const isFarApart = Math.abs(own.updatedAtMs - gpp.updatedAtMs) > rule.freshness_threshold_days * dayMs;
  if (!isFarApart) return refusing;
  return own.updatedAtMs > gpp.updatedAtMs ? own : gpp;
};

const usefulTcf = (text: string | null | undefined, source: ConsentSource): Tcf | null => {
  const { consent } = source.config;
  const tcf = text === null || text === undefined || consent.mode === "proxy" ? null : decodeTcf(text);
  if (tcf === null || !consent.check_expiration) return tcf;
  return source.startedAtMs - tcf.updatedAtMs > consent.max_consent_age_days * dayMs ? null : tcf;
};

const effectiveTcf = (own: Tcf | null, gpp: Tcf | null, source: ConsentSource): Tcf | null =>
  own !== null && gpp !== null ? resolveConflict(own, gpp, source.config.consent.conflict_resolution) : (own ?? gpp);

const impliedUsPrivacy = (defaults: ConsentConfig["us_privacy_defaults"]): string | undefined => {
  const letter = (value: boolean): string => (value ? "Y" : "N");
  return defaults.gpc_implies_optout ? `1${letter(defaults.notice_given)}Y${letter(defaults.lspa_covered)}` : undefined;
};

const gppSidOf = (cookie: string | undefined, gpp: Gpp | null): readonly number[] | undefined => {
  const ids = (cookie ?? "")
    .split(/[,_]/)
    .filter((part) => /^\d{1,3}$/.test(part))
    .map(Number);
  if (ids.length > 0) return ids.slice(0, 64);
  return gpp === null || gpp.sectionIds.length === 0 ? undefined : gpp.sectionIds;
};

interface Evidence {
  readonly jurisdiction: Jurisdiction;
  readonly tcf: Tcf | null;
  readonly gpc: boolean;
  readonly sale: Gpp["sale"];
  readonly usPrivacy: string | undefined;
}

const isOptedOut = ({ gpc, sale, usPrivacy }: Evidence): boolean =>
  gpc || sale === "opted_out" || usPrivacy?.[2] === "Y";

const isEcAllowed = (evidence: Evidence): boolean => {
  const purposeOne = evidence.tcf?.purposes.has(1);
  switch (evidence.jurisdiction) {
    case "gdpr":
      return purposeOne === true;
    case "us_state":
      if (isOptedOut(evidence)) return false;
      return purposeOne ?? (evidence.sale === "not_opted_out" || evidence.usPrivacy !== undefined);
    case "non_regulated":
      return true;
    case "unknown":
      return false;
  }
};

const isWithdrawn = (evidence: Evidence): boolean => {
  const isRefused = evidence.tcf !== null && !evidence.tcf.purposes.has(1);
  if (evidence.jurisdiction === "gdpr") return isRefused;
  return evidence.jurisdiction === "us_state" && (isRefused || isOptedOut(evidence));
};

const usPrivacyOf = (cookie: string | undefined): string | undefined =>
  cookie !== undefined && /^1[YN-]{3}$/i.test(cookie) ? cookie.toUpperCase() : undefined;

const isConsentText = (text: string | undefined): text is string => text !== undefined && consentText.test(text);

export const readConsent = (headers: Headers, source: ConsentSource): Consent => {
  const { consent } = source.config;
  const { cookies } = source;
  const isProxy = consent.mode === "proxy";
  const jurisdiction = jurisdictionOf(source.geo, consent);
  const gpc = headers.get("sec-gpc")?.trim() === "1";
  const tcfText = cookies.get("euconsent-v2") || undefined;
  const gppText = cookies.get("__gpp") || undefined;
  const gpp = isConsentText(gppText) && !isProxy ? decodeGpp(gppText) : null;
  const own = usefulTcf(isConsentText(tcfText) ? tcfText : null, source);
  const tcf = effectiveTcf(own, usefulTcf(gpp?.tcf, source), source);
  const usPrivacy = usPrivacyOf(cookies.get("us_privacy"));
  const evidence = { jurisdiction, tcf, gpc, sale: gpp?.sale ?? null, usPrivacy };

  const gppSid = gppSidOf(cookies.get("__gpp_sid"), gpp);
  const hasGdprSignal = tcfText !== undefined || gppSid?.includes(2) === true || gpp?.sectionIds.includes(2) === true;
  const needsTcf = hasGdprSignal || jurisdiction === "gdpr" || jurisdiction === "unknown";
  const sentTcf = isConsentText(tcfText) && (isProxy || own !== null) ? tcfText : undefined;
  const implied = gpc && jurisdiction === "us_state" ? impliedUsPrivacy(consent.us_privacy_defaults) : undefined;
  const sentUsPrivacy = usPrivacy ?? implied;
  return {
    jurisdiction,
    raw: {
      ...(sentTcf === undefined ? {} : { tcf: sentTcf }),
      ...(isConsentText(gppText) ? { gpp: gppText } : {}),
      ...(gppSid === undefined ? {} : { gppSid }),
      ...(sentUsPrivacy === undefined ? {} : { usPrivacy: sentUsPrivacy }),
    },
    gpc,
    hasGdprSignal,
    isEcAllowed: isEcAllowed(evidence),
    isWithdrawn: isWithdrawn(evidence),
    isAuctionAllowed: !needsTcf || tcf?.purposes.has(1) === true,
    areEidsAllowed: tcf === null ? !hasGdprSignal : tcf.purposes.has(1) && tcf.purposes.has(4),
  };
};
