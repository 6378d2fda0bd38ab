import { isMembers } from "../../../protocol/neutral/json-input.ts";
import type { Members } from "../../../protocol/neutral/members.ts";

const aliases: Readonly<Record<string, string>> = {
  banner: "display",
  interstitial: "display",
  rewarded: "video",
  "pre-roll": "video",
  preroll: "video",
  "mid-roll": "video",
  outstream: "video",
  instream: "video",
  mobile: "mobile_app",
  app: "mobile_app",
};

const folded = (word: string): string => {
  const plain = word.trim().toLowerCase();
  return aliases[plain] ?? plain;
};

const kindsOf = (product: Members): ReadonlySet<string> => {
  const ext = isMembers(product["ext"]) ? product["ext"] : {};
  const formats = Array.isArray(product["ad_formats"]) ? product["ad_formats"] : [];
  const words = [product["inventory_type"], ext["inventory_type"], ...formats];
  return new Set(words.filter((word) => typeof word === "string").map(folded));
};

/** In units; Money of the envelope form too. */
export const amountOf = (value: unknown): number | null => {
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
  const micros = isMembers(value) ? value["amount_micros"] : null;
  return typeof micros === "number" && Number.isSafeInteger(micros) && micros >= 0 ? micros / 1_000_000 : null;
};

export const priceOf = (product: Members): number | null =>
  amountOf(product["base_cpm"]) ?? amountOf(product["base_price"]) ?? amountOf(product["floor_cpm"]);

export interface SearchQuery {
  readonly channel?: string | null | undefined;
  readonly format?: string | null | undefined;
  readonly min_price?: number | null | undefined;
  readonly max_price?: number | null | undefined;
}

/** With a price bound, an unpriced product does not match. */
export const isWanted = (product: Members, { channel, format, min_price, max_price }: SearchQuery): boolean => {
  const kinds = kindsOf(product);
  if (channel != null && !kinds.has(folded(channel))) return false;
  if (format != null && !kinds.has(folded(format))) return false;
  if (min_price == null && max_price == null) return true;
  const price = priceOf(product);
  return price !== null && price >= (min_price ?? 0) && price <= (max_price ?? Infinity);
};
