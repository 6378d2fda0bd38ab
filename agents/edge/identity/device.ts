import { sha256 } from "@noble/hashes/sha2.js";
import type { Device } from "./entry.ts";
import { toHex } from "./hex.ts";

const platforms: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, "ios"],
  [/Android/, "android"],
  [/Macintosh/, "mac"],
  [/Windows NT/, "windows"],
  [/Linux/, "linux"],
];

const platformOf = (userAgent: string): string | undefined =>
  platforms.find(([pattern]) => pattern.test(userAgent))?.[1];

const mobileOf = (headers: Headers, platform: string | undefined): Device["is_mobile"] => {
  const hint = headers.get("sec-ch-ua-mobile");
  if (hint === "?1") return 1;
  if (hint === "?0") return 0;
  if (platform === undefined) return 2;
  return platform === "ios" || platform === "android" ? 1 : 0;
};

const hashBytes = 6;

/** What an identity keeps of HTTP/2 SETTINGS: enough to compare, too little to tell. */
export const h2Hash = (settings: string): string =>
  toHex(sha256(new TextEncoder().encode(settings)).subarray(0, hashBytes));

const knownBrowsers: Readonly<Record<string, string>> = {
  t13d1516h2: "c25b321f6e5b",
  t13d2013h2: "dc19549aecfa",
  t13d1717h2: "564a3d46d6d9",
};

export const readDevice = (headers: Headers, { ja4, h2 }: Readonly<Record<"ja4" | "h2", string | null>>): Device => {
  const platform = platformOf(headers.get("user-agent") ?? "");
  const ja4Class = ja4?.split("_", 1)[0];
  const h2Fingerprint = h2 === null ? undefined : h2Hash(h2);
  const isKnown = ja4Class !== undefined && h2 !== null && knownBrowsers[ja4Class] === h2Fingerprint;
  return {
    is_mobile: mobileOf(headers, platform),
    ...(ja4Class === undefined ? {} : { ja4_class: ja4Class }),
    ...(h2Fingerprint === undefined ? {} : { h2_fp_hash: h2Fingerprint }),
    ...(isKnown ? { known_browser: true } : {}),
    ...(platform === undefined ? {} : { platform_class: platform }),
  };
};

/** A client with a TLS fingerprint and a known platform; only for those is anything stored. */
export const isRealBrowser = (device: Device): boolean =>
  device.ja4_class !== undefined && device.ja4_class !== "" && device.platform_class !== undefined;
