import { isMembers } from "../../../../protocol/neutral/json-input.ts";
import { parseJson } from "../../http/body.ts";
import type { Media } from "./bid-media.ts";

const ofBanner = (markup: string, address: string): string =>
  `${markup}<img src="${address.replaceAll("&", "&amp;")}" alt="" width="1" height="1" style="position:absolute">`;

/** An `Impression` in front of the others of the ad (VAST 4.3). */
const ofVideo = (vast: string, address: string): string | null => {
  const start = /<(?:InLine|Wrapper)(?:\s[^>]*)?>/i.exec(vast);
  if (start === null) return null;
  const at = start.index + start[0].length;
  return `${vast.slice(0, at)}<Impression><![CDATA[${address}]]></Impression>${vast.slice(at)}`;
};

/** An impression tracker (OpenRTB Dynamic Native Ads 1.2). */
const ofNative = (text: string, address: string): string | null => {
  const parsed = parseJson(new TextEncoder().encode(text));
  if (!isMembers(parsed)) return null;
  const inner = isMembers(parsed["native"]) ? parsed["native"] : null;
  const ad = inner ?? parsed;
  const before = Array.isArray(ad["imptrackers"]) ? (ad["imptrackers"] as unknown[]) : [];
  const marked = { ...ad, imptrackers: [...before, address] };
  return JSON.stringify(inner === null ? marked : { ...parsed, native: marked });
};

/** Puts an address into a creative, so that it is fetched where the creative is shown; `null`: there is no way to. */
export const withShownMark = (markup: string, media: Media, address: string): string | null => {
  if (media === "video") return ofVideo(markup, address);
  return media === "native" ? ofNative(markup, address) : ofBanner(markup, address);
};
