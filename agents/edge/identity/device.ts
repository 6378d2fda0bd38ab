import type { Device } from "./entry.ts";

const PLATFORMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, "ios"],
  [/Android/, "android"],
  [/Macintosh/, "mac"],
  [/Windows NT/, "windows"],
  [/Linux/, "linux"],
];

const platformOf = (userAgent: string): string | undefined =>
  PLATFORMS.find(([pattern]) => pattern.test(userAgent))?.[1];

const mobileOf = (headers: Headers, platform: string | undefined): Device["is_mobile"] => {
  const hint = headers.get("sec-ch-ua-mobile");
  if (hint === "?1") return 1;
  if (hint === "?0") return 0;
  if (platform === undefined) return 2;
  return platform === "ios" || platform === "android" ? 1 : 0;
};

/** What the request says about the device. `ja4` is the fingerprint of the client's TLS hello. */
export const readDevice = (headers: Headers, ja4: string | null): Device => {
  const platform = platformOf(headers.get("user-agent") ?? "");
  return {
    is_mobile: mobileOf(headers, platform),
    ...(ja4 === null ? {} : { ja4_class: ja4.split("_", 1)[0] ?? "" }),
    ...(platform === undefined ? {} : { platform_class: platform }),
  };
};

/** A client with a TLS fingerprint and a known platform; only for those is anything stored (wire contract 6.1). */
export const isRealBrowser = (device: Device): boolean =>
  device.ja4_class !== undefined && device.ja4_class !== "" && device.platform_class !== undefined;
