import {
  type CreativeEvent,
  type CreativeInstance,
  creativeMachine,
  newCreative,
} from "../../../machines/creative/machine.ts";
import { step } from "../../../machines/step.ts";
import type { SellerContext } from "../context.ts";
import { type CreativeFormat, creativeFormats } from "./formats.ts";
import type { CreativeAssets, CreativeRow } from "./record.ts";

export const formatOf = (context: SellerContext, formatId: string): CreativeFormat | null =>
  context.ports.fixtures?.format(formatId) ?? creativeFormats.find(({ format_id: id }) => id === formatId) ?? null;

const isAddress = (url: unknown): boolean =>
  typeof url === "string" && url.length <= 2048 && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** What the format wants, told to who sent it; null: nothing is wrong. */
export const assetDefect = (format: CreativeFormat, assets: CreativeAssets): string | null => {
  const all = Object.entries(assets);
  const bad = all.find(([, { url }]) => url !== undefined && !isAddress(url));
  if (bad !== undefined) return `The url of the asset ${bad[0]} is no http or https address.`;
  const wanted = all.some(([, { asset_type: type, url }]) => type === format.asset && url !== undefined);
  return wanted ? null : `The format ${format.format_id} needs an asset of the type ${format.asset} with a url.`;
};

const moved = (life: CreativeInstance, events: readonly CreativeEvent[]): CreativeInstance =>
  events.reduce((now, event) => step(creativeMachine, now, event) ?? now, life);

/** A new version, as far as it comes without a person. */
export const checkedLife = ({ nowMs, ports }: SellerContext, before: CreativeInstance | null): CreativeInstance => {
  const approves = ports.settings.creativeAutoApprove ? [{ type: "APPROVE", nowMs } as const] : [];
  return moved(before ?? newCreative(), [{ type: "PROCESS", nowMs }, { type: "CHECK", nowMs }, ...approves]);
};

const sameText = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export const isSameCreative = (
  row: CreativeRow,
  { name, format_id, assets }: Pick<CreativeRow, "name" | "format_id" | "assets">,
): boolean =>
  row.name === name && row.format_id === format_id && sameText(row.assets, assets) && row.life.value !== "archived";
