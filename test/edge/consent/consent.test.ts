import { beforeAll, describe, expect, test } from "vitest";
import { readConsent } from "../../../agents/edge/consent/consent.ts";
import { loadConsentReaders } from "../../../agents/edge/consent/load.ts";
import { decodeGpp } from "../../../agents/edge/consent/gpp.ts";
import { decodeTcf } from "../../../agents/edge/consent/tcf.ts";
import { edgeConfigSchema } from "../../../agents/edge/config.ts";
import { gppString, tcString } from "./strings.ts";

beforeAll(() => loadConsentReaders(new Map([["__gpp", ""]])));

const NOW = Date.parse("2026-11-21T10:00:00Z");
const granted = tcString({ purposes: [1, 2, 3, 4], updatedAt: "2026-11-01T00:00:00Z" });
const refused = tcString({ purposes: [2], updatedAt: "2026-11-01T00:00:00Z" });

const read = (given: {
  geo?: { country: string; region?: string } | null;
  cookies?: Record<string, string>;
  gpc?: boolean;
  consent?: object;
}) => {
  const { consent } = edgeConfigSchema.parse({
    publisher: { domain: "pub.example", origin_url: "https://o.example", proxy_secret: "s" },
    ec: { passphrase: "p" },
    consent: given.consent ?? {},
  });
  const headers = new Headers(given.gpc === true ? { "sec-gpc": "1" } : {});
  const cookies = new Map(Object.entries(given.cookies ?? {}));
  return readConsent(headers, { config: { consent }, cookies, geo: given.geo ?? null, startedAtMs: NOW });
};
const ca = { country: "US", region: "CA" };

describe("TCF", () => {
  test("the public sample of 2020 grants the purposes 1, 2 and 3", () => {
    const tcf = decodeTcf("COvFyGBOvFyGBAbAAAENAPCAAOAAAAAAAAAAAEEUACCKAAA");
    expect([...(tcf?.purposes ?? [])]).toEqual([1, 2, 3]);
    expect(new Date(tcf?.updatedAtMs ?? 0).toISOString()).toBe("2020-02-20T23:57:39.300Z");
  });

  test("standard base64 with padding and further segments are read like base64url", () => {
    const text = tcString({ purposes: [1, 24], updatedAt: "2025-07-01T12:34:56.700Z" });
    const standard = `${text.replaceAll("-", "+").replaceAll("_", "/")}==.IAAA`;
    expect(decodeTcf(standard)).toEqual(decodeTcf(text));
    expect([...(decodeTcf(text)?.purposes ?? [])]).toEqual([1, 24]);
  });

  test("vendor lists that spell millions of vendors are not unpacked", () => {
    const range = `1${"0000000000000001"}${"1111111111111111"}`;
    const vendorBits = `1111111111111111${"1"}${(600).toString(2).padStart(12, "0")}${range.repeat(600)}`;
    const text = tcString({ purposes: [1], updatedAt: "2026-01-01T00:00:00Z", vendorBits });
    expect(text.length).toBeLessThan(4_096);
    expect([...(decodeTcf(text)?.purposes ?? [])]).toEqual([1]);
  });

  test.each([
    ["empty", ""],
    ["version 1", "BOvFyGBOvFyGBAbAAAENAPCAAOAAAAAAAAAAAEEUACCKAAA"],
    ["too short", granted.slice(0, 38)],
    ["too long", granted + "A".repeat(4_096)],
    ["not base64", `${granted.slice(0, 20)}%%${granted.slice(22)}`],
    ["binary", "C\u0000\u0001".repeat(20)],
  ])("%s is no TC string", (_, text) => expect(decodeTcf(text)).toBeNull());
});

describe("GPP", () => {
  test("a header names sections in order, section 2 is handed out", () => {
    expect(decodeGpp("DBACNY~CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA~1YNN")).toEqual({
      sectionIds: [2, 6],
      tcf: "CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA",
      sale: null,
    });
  });

  test("sale opt-out and its opposite are read from the sections of the United States", () => {
    expect(decodeGpp("DBABLA~CAAQAAAAAABA.QA")?.sale).toBe("opted_out");
    expect(decodeGpp("DBABBg~BAgAAABA.QA")?.sale).toBe("not_opted_out");
  });

  test.each([
    ["empty", ""],
    ["text", "hello~world"],
    ["a section too few", "DBACNY~CPXx"],
    ["a range without end", `DBABj${"A".repeat(40)}~x`],
    ["too long", `DBABLA~${"A".repeat(8_192)}`],
  ])("%s is no GPP string", (_, text) => expect(decodeGpp(text)).toBeNull());

  test("a section that cannot be read says nothing", () => {
    expect(decodeGpp(gppString(8, "!!!"))?.sale ?? null).toBeNull();
  });
});

describe("consent", () => {
  test.each([
    [
      "GDPR country, purpose 1",
      { geo: { country: "DE" }, cookies: { "euconsent-v2": granted } },
      [true, false, true, true],
    ],
    [
      "GDPR country, refusal",
      { geo: { country: "DE" }, cookies: { "euconsent-v2": refused } },
      [false, true, false, false],
    ],
    ["GDPR country, nothing", { geo: { country: "DE" } }, [false, false, false, true]],
    ["unknown place, nothing", {}, [false, false, false, true]],
    ["unknown place, purpose 1", { cookies: { "euconsent-v2": granted } }, [false, false, true, true]],
    ["unknown place, refusal", { cookies: { "euconsent-v2": refused } }, [false, false, false, false]],
    ["no law, nothing", { geo: { country: "JP" } }, [true, false, true, true]],
    [
      "no law, broken TC string",
      { geo: { country: "JP" }, cookies: { "euconsent-v2": "x" } },
      [true, false, false, false],
    ],
    ["state, nothing", { geo: ca }, [false, false, true, true]],
    ["state, us_privacy 1YNN", { geo: ca, cookies: { us_privacy: "1YNN" } }, [true, false, true, true]],
    ["state, us_privacy opt-out", { geo: ca, cookies: { us_privacy: "1YYN" } }, [false, true, true, true]],
    ["state, GPC", { geo: ca, gpc: true, cookies: { us_privacy: "1YNN" } }, [false, true, true, true]],
    ["state, GPP opt-out", { geo: ca, cookies: { __gpp: "DBABLA~CAAQAAAAAABA.QA" } }, [false, true, true, true]],
    ["state, GPP no opt-out", { geo: ca, cookies: { __gpp: "DBABBg~BAgAAABA.QA" } }, [true, false, true, true]],
    ["state without a law", { geo: { country: "US", region: "WY" } }, [true, false, true, true]],
  ])("%s", (_, given, expected) => {
    const consent = read(given);
    const { isEcAllowed, isWithdrawn, isAuctionAllowed, areEidsAllowed } = consent;
    expect([isEcAllowed, isWithdrawn, isAuctionAllowed, areEidsAllowed]).toEqual(expected);
  });

  test("GPC from a state with a law implies us_privacy 1YYN, elsewhere nothing", () => {
    expect(read({ geo: ca, gpc: true }).raw.usPrivacy).toBe("1YYN");
    expect(read({ geo: { country: "JP" }, gpc: true }).raw.usPrivacy).toBeUndefined();
  });

  test("an expired TC string is discarded, but still says that GDPR applies", () => {
    const old = tcString({ purposes: [1, 4], updatedAt: "2025-10-01T00:00:00Z" });
    const consent = read({ geo: { country: "JP" }, cookies: { "euconsent-v2": old } });
    expect(consent.raw.tcf).toBeUndefined();
    expect([consent.hasGdprSignal, consent.isAuctionAllowed]).toEqual([true, false]);
    expect(read({ cookies: { "euconsent-v2": old }, consent: { check_expiration: false } }).isAuctionAllowed).toBe(
      true,
    );
  });

  test("a GPP section 2 stands in for the TC cookie", () => {
    const consent = read({ geo: { country: "DE" }, cookies: { __gpp: gppString(2, granted) } });
    expect([consent.isEcAllowed, consent.hasGdprSignal, consent.raw.gppSid]).toEqual([true, true, [2]]);
  });

  test("of two TC strings the setting picks the one that counts", () => {
    const older = tcString({ purposes: [1, 4], updatedAt: "2026-08-01T00:00:00Z" });
    const cookies = { "euconsent-v2": older, __gpp: gppString(2, refused) };
    const place = { country: "DE" };
    const mode = (name: string) => read({ geo: place, cookies, consent: { conflict_resolution: { mode: name } } });
    expect(mode("restrictive").isEcAllowed).toBe(false);
    expect(mode("permissive").isEcAllowed).toBe(true);
    expect(mode("newest").isEcAllowed).toBe(false);
    const rule = { mode: "newest", freshness_threshold_days: 365 };
    expect(read({ geo: place, cookies, consent: { conflict_resolution: rule } }).isEcAllowed).toBe(false);
  });

  test("proxy mode decodes nothing and passes the raw strings on", () => {
    const cookies = { "euconsent-v2": granted, __gpp: "DBABLA~CAAQAAAAAABA.QA", __gpp_sid: "7,8" };
    const consent = read({ geo: { country: "DE" }, cookies, consent: { mode: "proxy" } });
    expect(consent.raw).toEqual({ tcf: granted, gpp: "DBABLA~CAAQAAAAAABA.QA", gppSid: [7, 8] });
    expect(consent.isEcAllowed).toBe(false);
  });
});
