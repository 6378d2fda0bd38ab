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
