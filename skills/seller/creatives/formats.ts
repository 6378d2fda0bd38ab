/** What is delivered in it, in pixels or seconds; `asset` must be among the assets of a creative. */
export interface CreativeFormat {
  readonly format_id: string;
  readonly name: string;
  readonly asset: "image" | "video";
  readonly width: number | null;
  readonly height: number | null;
  readonly seconds: number | null;
}

const image = (width: number, height: number, name: string): CreativeFormat => ({
  format_id: `display_${width}x${height}`,
  name,
  asset: "image",
  width,
  height,
  seconds: null,
});

const video = (seconds: number): CreativeFormat => ({
  format_id: `video_${seconds}s`,
  name: `Video of ${seconds} seconds`,
  asset: "video",
  width: 1920,
  height: 1080,
  seconds,
});

/** Sizes as IAB's new ad portfolio has them. */
export const creativeFormats: readonly CreativeFormat[] = [
  image(300, 250, "Medium rectangle"),
  image(728, 90, "Leaderboard"),
  image(160, 600, "Wide skyscraper"),
  image(970, 250, "Billboard"),
  image(320, 50, "Mobile banner"),
  image(1200, 627, "Native image"),
  video(30),
  video(15),
];

const displayIds = ["display_300x250", "display_728x90", "display_160x600", "display_970x250"];
const videoIds = ["video_30s", "video_15s"];

const idsByType: Readonly<Record<string, readonly string[]>> = {
  video: videoIds,
  ctv: videoIds,
  linear_tv: videoIds,
  mobile_app: ["display_320x50", "display_300x250", ...videoIds],
  native: ["display_1200x627"],
};

/** What a product of the type takes. */
export const formatIdsOf = (inventoryType: string): readonly string[] => idsByType[inventoryType] ?? displayIds;
