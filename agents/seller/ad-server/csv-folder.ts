import { open } from "node:fs/promises";
import { join } from "node:path";
import type { AdServer, AdServerReading } from "../../../skills/seller/packages/ad-server.ts";
import { CsvError, type CsvRecord, parseCsv } from "../catalog/csv.ts";
import { readItems, notRead } from "./item.ts";

/** An export of fifty thousand items is about 5 MB; a file beyond this is no inventory. */
const largestFileBytes = 16 * 1_048_576;

const fileName = "inventory.csv";

/** Bounded by what is read, not by the size that the file claims. */
const readBounded = async (path: string): Promise<string | null> => {
  const file = await open(path, "r");
  try {
    const buffer = Buffer.alloc(Math.min((await file.stat()).size, largestFileBytes) + 1);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return bytesRead > largestFileBytes ? null : buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
};

const rawOf = (columns: readonly string[], record: CsvRecord): unknown =>
  record.cells.length === columns.length
    ? Object.fromEntries(columns.map((column, place) => [column, record.cells[place]]))
    : null;

const readRecords = (text: string, changedSince: string | null, includeArchived: boolean): AdServerReading => {
  const [header, ...records] = parseCsv(text);
  const columns = header?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  if (!columns.includes("name") || !columns.some((column) => ["id", "item_id", "product_id"].includes(column))) {
    return notRead(`${fileName} needs the columns id and name.`);
  }
  const raws = records.map((record) => ({ place: `line ${record.line}`, raw: rawOf(columns, record) }));
  const { items, warnings } = readItems(raws, includeArchived);
  const isNew = (changedAt: string | null): boolean =>
    changedSince === null || changedAt === null || changedAt >= changedSince;
  return { ok: true, items: items.filter((item) => isNew(item.changedAt)), warnings };
};

/**
 * Reads `inventory.csv` with the columns id and name, optionally inventory_type, status and updated_at; other columns
 * are ignored. Read anew each time.
 */
export const csvFolder = (settings: { readonly dir: string; readonly includeArchived: boolean }): AdServer => ({
  source: "csv",
  read: async (changedSince) => {
    try {
      const text = await readBounded(join(settings.dir, fileName));
      if (text === null) return notRead(`${fileName} is larger than ${largestFileBytes} bytes.`);
      return readRecords(text, changedSince, settings.includeArchived);
    } catch (error) {
      if (error instanceof CsvError) return notRead(`${fileName}, line ${error.line}: ${error.message}.`);
      const code = (error as NodeJS.ErrnoException).code;
      if (typeof code !== "string") throw error;
      return notRead(`${fileName} in CSV_DATA_DIR cannot be read (${code}).`);
    }
  },
});
