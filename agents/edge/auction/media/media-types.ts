import { z } from "zod";
import type { Params, Video } from "../slot.ts";

const side = z.int().min(1).max(65_535);
const size = z.tuple([side, side]);
const duration = z.int().min(0).max(86_400);
const codes = z.array(z.int().min(0).max(1_000)).max(64);
const flag = z.literal([0, 1]);
const bitrate = z.int().min(0).max(1_000_000);

/** Members of `imp.video` that an ad unit may set (OpenRTB 2.6, section 3.2.7); `playerSize` is Prebid.js's own. */
const videoSchema = z.object({
  playerSize: z.union([size.transform((one) => [one]), z.array(size).min(1).max(16)]).optional(),
  w: side.optional(),
  h: side.optional(),
  mimes: z.array(z.string().min(1).max(128)).min(1).max(32).default(["video/mp4"]),
  minduration: duration.optional(),
  maxduration: duration.optional(),
  protocols: codes.optional(),
  startdelay: z.int().min(-2).max(86_400).optional(),
  placement: z.int().min(1).max(5).optional(),
  plcmt: z.int().min(1).max(4).optional(),
  linearity: z.literal([1, 2]).optional(),
  skip: flag.optional(),
  skipmin: duration.optional(),
  skipafter: duration.optional(),
  minbitrate: bitrate.optional(),
  maxbitrate: bitrate.optional(),
  boxingallowed: flag.optional(),
  playbackmethod: codes.optional(),
  playbackend: z.int().min(1).max(3).optional(),
  delivery: codes.optional(),
  pos: z.int().min(0).max(7).optional(),
  api: codes.optional(),
});

const LONGEST_NATIVE = 16_384;

const nativeSchema = z.object({ ortb: z.looseObject({ ver: z.string().min(1).max(8).default("1.2") }) });

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
  const request = JSON.stringify(parsed.data.ortb);
  return request.length > LONGEST_NATIVE ? null : { request, ver: parsed.data.ortb.ver };
};
