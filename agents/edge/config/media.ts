import { z } from "zod";

const duration = z.int().min(0).max(86_400);
const codes = z.array(z.int().min(0).max(1_000)).max(64);
const flag = z.literal([0, 1]);
const bitrate = z.int().min(0).max(1_000_000);

/** Members of `imp.video` besides the size (OpenRTB 2.6, section 3.2.7). */
export const videoMembers = {
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
};

const longestNative = 16_384;

/** A request of OpenRTB Dynamic Native Ads 1.2. */
export const nativeRequest = z
  .looseObject({ ver: z.string().min(1).max(8).default("1.2") })
  .refine((request) => JSON.stringify(request).length <= longestNative, `is longer than ${longestNative} characters`);
