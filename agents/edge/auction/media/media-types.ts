import { z } from "zod";
import { nativeRequest, videoMembers } from "../../config/media.ts";
import type { Params, Video } from "../slot.ts";

const side = z.int().min(1).max(65_535);
const size = z.tuple([side, side]);

/** What an ad unit may say of video; `playerSize` is Prebid.js's own. */
const videoSchema = z.object({
  playerSize: z.union([size.transform((one) => [one]), z.array(size).min(1).max(16)]).optional(),
  w: side.optional(),
  h: side.optional(),
  ...videoMembers,
});

const nativeSchema = z.object({ ortb: nativeRequest });

/** `null`: no video, or one that no bidder could read. */
export const readVideo = (value: unknown): Video | null => {
  const parsed = videoSchema.safeParse(value);
  if (!parsed.success) return null;
  const { playerSize, w, h, ...rest } = parsed.data;
  const named = w === undefined || h === undefined ? playerSize?.[0] : ([w, h] as const);
  if (named === undefined) return null;
  return { size: named, imp: { w: named[0], h: named[1], ...rest } };
};

/** `imp.native` (OpenRTB 2.6, section 3.2.9): the request as text. */
export const readNative = (value: unknown): Params | null => {
  const parsed = nativeSchema.safeParse(value);
  if (!parsed.success) return null;
  return { request: JSON.stringify(parsed.data.ortb), ver: parsed.data.ortb.ver };
};
