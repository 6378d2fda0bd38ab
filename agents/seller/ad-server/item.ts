import type { AdServerItem, AdServerReading } from "../../../skills/seller/packages/ad-server.ts";

type RawItem = Readonly<Record<string, unknown>>;

type ReadItem = { readonly item: AdServerItem } | { readonly defect: string };

const longestId = 128;
const longestName = 255;
const longestType = 64;

/** First match wins. */
const typeWords: readonly (readonly [RegExp, string])[] = [
  [/ctv|ott|connected/, "ctv"],
  [/video|preroll|pre-roll|midroll|mid-roll/, "video"],
  [/native|feed/, "native"],
  [/app|mobile/, "mobile_app"],
  [/linear|broadcast|tv |cable/, "linear_tv"],
];

const typeOfName = (name: string): string =>
  typeWords.find(([words]) => words.test(name.toLowerCase()))?.[1] ?? "display";

const firstText = (raw: RawItem, names: readonly string[]): string => {
  for (const name of names) {
    const value = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (typeof value === "string" && value.trim() !== "") return value.trim();
    if (typeof value === "number" && Number.isFinite(value)) return String(value);
  }
  return "";
};

/** `Linear TV` and `linear-tv` are one type: it becomes part of a package's id. */
const typeWord = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_|_$/g, "");

const archivedWords = new Set(["archived", "inactive", "deleted", "paused"]);

const isControl = /\p{Cc}/u;

const timeForm = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** ISO 8601 in UTC; a time without a zone is UTC. Null: no time. */
const timeOf = (text: string): string | null => {
  if (!timeForm.test(text)) return null;
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/.test(text) && text.length > 10;
  const atMs = Date.parse(text.length > 10 && !hasZone ? `${text.replace(" ", "T")}Z` : text.replace(" ", "T"));
  return Number.isNaN(atMs) ? null : new Date(atMs).toISOString();
};

/** A missing type is guessed from the name. */
const readItem = (raw: RawItem, includeArchived: boolean): ReadItem => {
  const itemId = firstText(raw, ["id", "item_id", "product_id"]);
  const name = firstText(raw, ["name", "item_name", "product_name"]);
  if (itemId === "" || itemId.length > longestId) return { defect: `an id of 1 to ${longestId} characters is wanted` };
  if (name === "" || name.length > longestName) return { defect: `a name of 1 to ${longestName} characters is wanted` };
  if (isControl.test(itemId + name)) return { defect: "id and name have no control characters" };
  const typeText = firstText(raw, ["inventory_type", "type"]);
  const inventoryType = typeText === "" ? typeOfName(name) : typeWord(typeText);
  if (inventoryType === "" || inventoryType.length > longestType) return { defect: "the inventory type is no word" };
  const isArchived = !includeArchived && archivedWords.has(firstText(raw, ["status"]).toLowerCase());
  const changedAt = timeOf(firstText(raw, ["updated_at", "changed_at"]));
  return { item: { itemId, name, inventoryType, isArchived, changedAt } };
};

const mostWarnings = 20;

/** A bad item is left out with a warning; the others are imported. */
export const readItems = (
  raws: readonly { readonly place: string; readonly raw: unknown }[],
  includeArchived: boolean,
): { readonly items: readonly AdServerItem[]; readonly warnings: readonly string[] } => {
  const items: AdServerItem[] = [];
  const warnings: string[] = [];
  for (const { place, raw } of raws) {
    const isObject = typeof raw === "object" && raw !== null && !Array.isArray(raw);
    const read = isObject ? readItem(raw as RawItem, includeArchived) : { defect: "an object is wanted" };
    if ("item" in read) items.push(read.item);
    else warnings.push(`Left out ${place}: ${read.defect}.`);
  }
  if (warnings.length <= mostWarnings) return { items, warnings };
  return { items, warnings: [...warnings.slice(0, mostWarnings), `Left out ${warnings.length - mostWarnings} more.`] };
};

export const notRead = (message: string): AdServerReading => ({ ok: false, message });
