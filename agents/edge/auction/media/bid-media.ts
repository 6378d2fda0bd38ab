import { isMembers } from "../../../../protocol/neutral/json-input.ts";
import type { Size, Slot } from "../slot.ts";

export type Media = "banner" | "video" | "native";

/** `mtype` of OpenRTB 2.6, section 4.2.3. */
export const mtypeOf = { banner: 1, video: 2, native: 4 } as const satisfies Readonly<Record<Media, number>>;

export const offeredMedia = ({ sizes, video, native }: Pick<Slot, "sizes" | "video" | "native">): readonly Media[] => [
  ...(sizes.length > 0 ? (["banner"] as const) : []),
  ...(video === undefined ? [] : (["video"] as const)),
  ...(native === undefined ? [] : (["native"] as const)),
];

const isSaid = (bid: Readonly<Record<string, unknown>>, media: Media): boolean | undefined => {
  if (typeof bid["mtype"] === "number") return bid["mtype"] === mtypeOf[media];
  const ext = isMembers(bid["ext"]) ? bid["ext"] : {};
  const prebid = isMembers(ext["prebid"]) ? ext["prebid"] : {};
  return typeof prebid["type"] === "string" ? prebid["type"] === media : undefined;
};

const looksOf = (markup: unknown): Media => {
  const start = typeof markup === "string" ? markup.trimStart().slice(0, 5).toLowerCase() : "";
  if (start.startsWith("<vast") || start.startsWith("<?xml")) return "video";
  return start.startsWith("{") ? "native" : "banner";
};

/** What a bid is an ad of: as it says, else as the slot or its markup leaves no doubt; `null`: not asked for. */
export const mediaOf = (bid: Readonly<Record<string, unknown>>, slot: Slot): Media | null => {
  const offered = offeredMedia(slot);
  if (isSaid(bid, "banner") !== undefined) return offered.find((media) => isSaid(bid, media)) ?? null;
  const looks = offered.length === 1 ? offered[0] : looksOf(bid["adm"]);
  return offered.find((media) => media === looks) ?? null;
};

const isSide = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0;

/** The size of a bid; `undefined`: a banner of a size that was not asked for. */
export const sizeOf = (bid: Readonly<Record<string, unknown>>, media: Media, slot: Slot): Size | undefined => {
  const { w, h } = bid;
  if (media === "native") return [0, 0];
  if (media === "video") return isSide(w) && isSide(h) ? [w, h] : slot.video?.size;
  const isUnsized = (w ?? 0) === 0 && (h ?? 0) === 0;
  return isUnsized && slot.sizes.length === 1
    ? slot.sizes[0]
    : slot.sizes.find(([width, height]) => width === w && height === h);
};
