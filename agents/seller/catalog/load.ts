import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import type { Catalog } from "../../../skills/seller/products/catalog.ts";
import { isMembers } from "../../../protocol/neutral/json-input.ts";
import { type Product, productColumns, productRow } from "../../../skills/seller/products/record.ts";
import { StartFailure } from "../../../protocol/neutral/settings.ts";
import { createCatalog } from "./catalog.ts";
import { CsvError, type CsvRecord, parseCsv } from "./csv.ts";
import { defaultProducts } from "./default-products.ts";
import { type JsonRow, parseJsonCell, parseJsonRows } from "./json-rows.ts";

/** Line 0: the file as a whole. */
export interface CatalogProblem {
  readonly line: number;
  readonly label?: string;
  readonly message: string;
}

/** The message lists every defect with its line. */
export class CatalogError extends StartFailure {
  readonly problems: readonly CatalogProblem[];

  constructor(file: string, problems: readonly CatalogProblem[]) {
    const lines = problems.map(
      ({ line, label = "", message }) => `  ${line === 0 ? "" : `line ${line}${label}: `}${message}`,
    );
    super(`The catalog ${file} cannot be used. Mend these and start again:\n${lines.join("\n")}`);
    this.name = "CatalogError";
    this.problems = problems;
  }
}

const listColumns = new Set(["deal_types", "pricing_models"]);
const numberColumns = new Set(["base_cpm", "floor_cpm", "accept_from", "minimum_impressions", "maximum_impressions"]);

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Lists are separated by `|`, targeting is JSON, empty is absent. */
const cellValue = (column: string, cell: string): { readonly value: unknown } | { readonly message: string } => {
  if (cell === "") return { value: undefined };
  if (listColumns.has(column)) return { value: cell.split("|").map((part) => part.trim()) };
  if (numberColumns.has(column)) return { value: decimal.test(cell) ? Number(cell) : cell };
  return column.endsWith("_targeting") ? parseJsonCell(cell) : { value: cell };
};

const csvRow = (columns: readonly string[], { cells, line }: CsvRecord): JsonRow | CatalogProblem => {
  if (cells.length !== columns.length) {
    return { line, message: `${cells.length} cells where the header has ${columns.length}` };
  }
  const members: [string, unknown][] = [];
  for (const [index, column] of columns.entries()) {
    const cell = cellValue(column, cells[index] ?? "");
    if ("message" in cell) return { line, message: `${column}: ${cell.message}` };
    if (cell.value !== undefined) members.push([column, cell.value]);
  }
  return { line, value: Object.fromEntries(members) };
};

const csvRows = (text: string): readonly (JsonRow | CatalogProblem)[] => {
  try {
    const [header, ...records] = parseCsv(text);
    if (header === undefined) return [{ line: 0, message: "the file is empty" }];
    const unknown = header.cells.filter((column) => !productColumns.includes(column));
    if (unknown.length > 0) {
      const message = `unknown columns: ${unknown.join(", ")}; known: ${productColumns.join(", ")}`;
      return [{ line: header.line, message }];
    }
    const repeated = header.cells.filter((column, index) => header.cells.indexOf(column) < index);
    if (repeated.length > 0) {
      return [{ line: header.line, message: `columns that are there twice: ${[...new Set(repeated)].join(", ")}` }];
    }
    return records.map((record) => csvRow(header.cells, record));
  } catch (error) {
    if (error instanceof CsvError) return [{ line: error.line, message: error.message }];
    throw error;
  }
};

/** Finds a fault in a file of one line. */
const labelOf = (value: unknown): string => {
  const { name, product_id: id } = (value ?? {}) as { readonly name?: unknown; readonly product_id?: unknown };
  const label = [name, id].find((text) => typeof text === "string" && text !== "");
  return typeof label === "string" ? ` (${JSON.stringify(label.slice(0, 60))})` : "";
};

const readRow = (value: unknown, currency: string): Product | readonly string[] => {
  const parsed = productRow.safeParse(isMembers(value) ? { ...value, currency: value["currency"] ?? currency } : value);
  if (parsed.success) return parsed.data;
  return parsed.error.issues.map((issue) => `${issue.path.join(".") || "row"}: ${issue.message}`);
};

const isProblem = (row: JsonRow | CatalogProblem): row is CatalogProblem => "message" in row;

/** Throws `CatalogError` with every bad row and its line. */
export const parseCatalog = (file: string, text: string, currency: string): readonly Product[] => {
  const problems: CatalogProblem[] = [];
  const products: Product[] = [];
  const lineOfId = new Map<string, number>();
  const rows: readonly (JsonRow | CatalogProblem)[] = file.toLowerCase().endsWith(".csv")
    ? csvRows(text)
    : parseJsonRows(text);
  for (const row of rows) {
    const read = isProblem(row) ? [row.message] : readRow(row.value, currency);
    if (!("product_id" in read)) {
      const label = isProblem(row) ? "" : labelOf(row.value);
      problems.push(...read.map((message) => ({ line: row.line, label, message })));
      continue;
    }
    const earlier = lineOfId.get(read.product_id);
    if (earlier === undefined) products.push(read);
    else problems.push({ line: row.line, message: `product_id ${read.product_id} is already on line ${earlier}` });
    lineOfId.set(read.product_id, earlier ?? row.line);
  }
  if (products.length === 0 && problems.length === 0) problems.push({ line: 0, message: "the file has no products" });
  if (problems.length > 0) throw new CatalogError(file, problems);
  return products;
};

/** Other encodings are rejected: decoded as UTF-8, their letters would silently be replaced. */
const utf8Of = (file: string, bytes: Buffer): string => {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  let line = 1;
  for (let start = 0, end = 0; end !== -1; start = end + 1, line += 1) {
    end = bytes.indexOf("\n", start);
    if (!isUtf8(bytes.subarray(start, end === -1 ? bytes.length : end))) break;
  }
  throw new CatalogError(file, [{ line, message: "the text is not UTF-8; save the file in that encoding" }]);
};

const noFile = "there is no such file; check the path in --catalog or CATALOG_FILE";

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: noFile,
  ENOTDIR: noFile,
  EISDIR: "this is a folder; name a JSON or CSV file in it",
  EACCES: "the user that runs this may not read the file; give it the right",
};

/** `currency` is for rows without one. Throws `CatalogError`: a seller never starts with half a catalog. */
export const loadCatalog = async (file: string | null, currency: string): Promise<Catalog> => {
  if (file === null) return createCatalog(defaultProducts);
  const bytes = await readFile(file).catch((error: unknown) => {
    const { code = "" } = error as NodeJS.ErrnoException;
    const message = unreadable[code] ?? `the file cannot be read (${code})`;
    throw new CatalogError(file, [{ line: 0, message }]);
  });
  return createCatalog(parseCatalog(file, utf8Of(file, bytes), currency));
};
