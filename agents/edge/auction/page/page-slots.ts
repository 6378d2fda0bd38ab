import type { OpportunitiesConfig } from "../../config.ts";
import { matchesGlob } from "../glob.ts";
import { offeredMedia, type Media } from "../media/bid-media.ts";
import { readNative, readVideo } from "../media/media-types.ts";
import type { Size, Slot } from "../slot.ts";

type SlotConfig = OpportunitiesConfig["slot"][number];

export interface PageSlot {
  readonly shown: {
    readonly id: string;
    readonly gam_unit_path: string;
    readonly div_id: string;
    readonly formats: readonly (readonly [number, number])[];
    readonly targeting: Readonly<Record<string, string>>;
    /** It is left out where the slot is a banner alone. */
    readonly media_types?: readonly Media[];
  };
  readonly slot: Slot;
}

const longestDynamic = 100;

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

const sectionOf = (config: OpportunitiesConfig, path: string): string => {
  const segment = path.split("/").filter((part) => part !== "")[config.section_segment];
  const section = (segment ?? config.section_root ?? "").replace(/[^A-Za-z0-9_-]+/g, "_");
  return section.slice(0, longestDynamic);
};

const unitPathOf = (config: OpportunitiesConfig, slot: SlotConfig, path: string): string | null => {
  const template = slot.gam_unit_path;
  if (template === undefined) return `/${config.gam_network_id}/${slot.id}`;
  if (!template.includes("{")) return template;
  const values: Readonly<Record<string, string>> = {
    network_id: config.gam_network_id,
    slot_id: slot.id,
    section: sectionOf(config, path),
  };
  const rendered = template.replace(/\{([a-z_]+)\}/g, (_, name: string) => values[name] ?? "");
  return byteLength(rendered) > longestDynamic ? null : rendered;
};

const demandOf = (slot: SlotConfig): Pick<Slot, "bidders" | "zone" | "stored"> => {
  const named = Object.entries(slot.providers.prebid?.bidders ?? {});
  if (named.length > 0) return { bidders: new Map(named), zone: null, stored: "denied" };
  const zone = slot.providers.prebid === undefined ? undefined : slot.targeting["zone"];
  return { bidders: new Map(), zone: zone ?? null, stored: "permitted" };
};

const sizesOf = (slot: SlotConfig, media: "banner" | "video"): readonly Size[] =>
  slot.formats.filter((format) => format.media_type === media).map(({ width, height }) => [width, height]);

const mediaOf = (slot: SlotConfig): Pick<Slot, "sizes" | "video" | "native"> => {
  const playerSize = sizesOf(slot, "video");
  const video = playerSize.length === 0 ? null : readVideo({ ...slot.video, playerSize });
  const native = slot.native === undefined ? null : readNative({ ortb: slot.native });
  return {
    sizes: sizesOf(slot, "banner"),
    ...(video === null ? {} : { video }),
    ...(native === null ? {} : { native }),
  };
};

const pageSlot = (slot: SlotConfig, unitPath: string): PageSlot => {
  const media = mediaOf(slot);
  const mediaTypes = offeredMedia(media);
  return {
    shown: {
      id: slot.id,
      gam_unit_path: unitPath,
      div_id: slot.div_id ?? slot.id,
      formats: slot.formats.map(({ width, height }) => [width, height]),
      targeting: slot.targeting,
      ...(mediaTypes.every((one) => one === "banner") ? {} : { media_types: mediaTypes }),
    },
    slot: {
      code: slot.id,
      ...media,
      gpid: unitPath,
      ...(slot.floor_price === undefined ? {} : { floor: slot.floor_price }),
      ...demandOf(slot),
    },
  };
};

export const matchPageSlots = (config: OpportunitiesConfig, path: string): PageSlot[] =>
  config.slot
    .filter((slot) => slot.page_patterns.some((pattern) => matchesGlob(pattern, path)))
    .flatMap((slot) => {
      const unitPath = unitPathOf(config, slot, path);
      return unitPath === null ? [] : [pageSlot(slot, unitPath)];
    });
