import { z } from "zod";
import { nativeRequest, videoMembers } from "./media.ts";
import { nonEmpty, positiveInt } from "./rules.ts";

const placeholders = ["network_id", "slot_id", "section"];

/** Braces may only hold one of the known placeholders; anything else is a slip that would reach the ad server. */
const isUnitPathTemplate = (text: string): boolean => {
  const rest = text.replace(/\{([a-z_]+)\}/g, (whole, name: string) => (placeholders.includes(name) ? "" : whole));
  return !/[{}]/.test(rest);
};

const format = z.strictObject({
  width: positiveInt,
  height: positiveInt,
  media_type: z.enum(["banner", "video"]).default("banner"),
});

const anyMembers = z.record(z.string(), z.unknown());

const cents = z
  .number()
  .min(0.01, "must be at least 0.01")
  .max(1_000_000)
  .refine((price) => Math.abs(price * 100 - Math.round(price * 100)) < 1e-6, "must be whole cents");

const priceBuckets = z
  .array(z.strictObject({ max: cents, increment: cents }))
  .min(1, "needs at least one bucket")
  .max(100)
  .refine(
    (buckets) => buckets.every(({ max }, index) => index === 0 || max > (buckets[index - 1]?.max ?? 0)),
    "must have ascending max",
  );

const slotMembers = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9_-]+$/, "must be letters, digits, dashes and underscores"),
  gam_unit_path: z
    .string()
    .refine(isUnitPathTemplate, "may only hold the placeholders {network_id}, {slot_id} and {section}")
    .optional(),
  div_id: nonEmpty.optional(),
  page_patterns: z.array(nonEmpty).min(1, "needs at least one pattern"),
  formats: z.array(format).default([]),
  video: anyMembers.pipe(z.strictObject(videoMembers)).optional(),
  native: anyMembers.pipe(nativeRequest).optional(),
  floor_price: z.number().min(0).optional(),
  targeting: z.record(z.string(), z.string()).default({}),
  providers: z
    .strictObject({
      prebid: z.strictObject({ bidders: z.record(z.string(), anyMembers).default({}) }).optional(),
    })
    .prefault({}),
});

const slot = slotMembers
  .refine(({ formats, native }) => formats.length > 0 || native !== undefined, {
    path: ["formats"],
    message: "needs at least one format, or the slot a native request",
  })
  .refine(({ formats, video }) => video === undefined || formats.some((one) => one.media_type === "video"), {
    path: ["video"],
    message: 'needs a format with media_type = "video", which says its size',
  });

export const opportunitiesSchema = z
  .strictObject({
    gam_network_id: nonEmpty,
    auction_timeout_ms: positiveInt.optional(),
    price_granularity: z.enum(["low", "medium", "dense", "high", "auto", "custom"]).default("dense"),
    price_buckets: priceBuckets.optional(),
    send_all_bids: z.boolean().default(false),
    section_root: z
      .string()
      .regex(/^[A-Za-z0-9_-]+$/, "must be letters, digits, dashes and underscores")
      .optional(),
    section_segment: z.int().min(0).default(0),
    slot: z.array(slot).default([]),
  })
  .refine(
    ({ section_root: root, slot: slots }) =>
      root !== undefined || slots.every((entry) => entry.gam_unit_path?.includes("{section}") !== true),
    "a gam_unit_path with {section} needs section_root",
  )
  .refine(
    (table) => (table.price_granularity === "custom") === (table.price_buckets !== undefined),
    'price_granularity = "custom" and price_buckets belong together: give both or none',
  )
  .refine(
    (table) => new Set(table.slot.map((entry) => entry.id)).size === table.slot.length,
    "two slots have the same id",
  );
