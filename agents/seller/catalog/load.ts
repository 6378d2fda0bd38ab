import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import type { Catalog, Product } from "../../../skills/seller/ports.ts";
import { StartFailure } from "../../settings.ts";
import { createCatalog } from "./catalog.ts";
import { CsvError, type CsvRecord, parseCsv } from "./csv.ts";
import { defaultProducts } from "./default-products.ts";
import { doubledMembers, type JsonRow, parseJsonRows } from "./json-rows.ts";
import { columnNames, readRow } from "./row.ts";

/** One defect of a catalog file. Line 0: the file as a whole. */
export interface CatalogProblem {
  readonly line: number;
  readonly message: string;
}

/** The file cannot be used, so the seller does not start; the message lists every defect with its line. */
export class CatalogError extends StartFailure {
  readonly problems: readonly CatalogProblem[];

  constructor(file: string, problems: readonly CatalogProblem[]) {
    const lines = problems.map(({ line, message }) => `  ${line === 0 ? "" : `line ${line}: `}${message}`);
    super(`The catalog ${file} cannot be used. Mend these and start again:\n${lines.join("\n")}`);
    this.name = "CatalogError";
    this.problems = problems;
  }
}

const listColumns = new Set(["deal_types", "pricing_models"]);
const numberColumns = new Set(["base_cpm", "floor_cpm", "minimum_impressions", "maximum_impressions"]);

/** What counts as a number in a cell: decimal, as people and spreadsheets write it. */
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** A CSV cell as the value that its column holds: lists are parted by `|`, targeting is JSON, empty is absent. */
const cellValue = (column: string, cell: string): unknown => {
  if (cell === "") return undefined;
  if (listColumns.has(column)) return cell.split("|").map((part) => part.trim());
  if (numberColumns.has(column)) return decimal.test(cell) ? Number(cell) : cell;
  if (!column.endsWith("_targeting")) return cell;
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    return cell;
  }
};

/** Members that the JSON of a targeting cell names twice. */
const doubledIn = (columns: readonly string[], { cells, line }: CsvRecord): CatalogProblem | null => {
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? "";
    const isJson = column.endsWith("_targeting") && typeof cellValue(column, cell) === "object";
    const [doubled] = isJson ? doubledMembers(cell) : [];
    if (doubled !== undefined) return { line, message: `${column}: ${doubled.name} is there twice` };
  }
  return null;
};

const csvRow = (columns: readonly string[], record: CsvRecord): JsonRow | CatalogProblem => {
  if (record.cells.length !== columns.length) {
    const message = `${record.cells.length} cells where the header has ${columns.length}`;
    return { line: record.line, message };
  }
  const doubled = doubledIn(columns, record);
  if (doubled !== null) return doubled;
  const members = columns.map((column, index) => [column, cellValue(column, record.cells[index] ?? "")] as const);
  return { line: record.line, value: Object.fromEntries(members.filter(([, value]) => value !== undefined)) };
};

const csvRows = (text: string): readonly (JsonRow | CatalogProblem)[] => {
  try {
    const [header, ...records] = parseCsv(text);
    if (header === undefined) return [{ line: 0, message: "the file is empty" }];
    const unknown = header.cells.filter((column) => !columnNames.includes(column));
    if (unknown.length > 0) {
      const message = `unknown columns: ${unknown.join(", ")}; known: ${columnNames.join(", ")}`;
      return [{ line: header.line, message }];
    }
    const doubled = header.cells.filter((column, place) => header.cells.indexOf(column) < place);
    if (doubled.length > 0) {
      return [{ line: header.line, message: `columns that are there twice: ${[...new Set(doubled)].join(", ")}` }];
    }
    return records.map((record) => csvRow(header.cells, record));
  } catch (error) {
    if (error instanceof CsvError) return [{ line: error.line, message: error.message }];
    throw error;
  }
};

/** The line of the place that the parser's message names, 0 where it names none. */
const lineOf = (text: string, { message }: SyntaxError): number => {
  const place = /at position (\d+)/.exec(message)?.[1];
  return place === undefined ? 0 : text.slice(0, Number(place)).split("\n").length;
};

const jsonRows = (text: string): readonly (JsonRow | CatalogProblem)[] => {
  try {
    const message = 'the file must be an array of products, or {"products": [...]}';
    const rows = parseJsonRows(text) ?? [{ line: 0, message }];
    const doubled = doubledMembers(text);
    if (doubled.length === 0) return rows;
    return doubled.map(({ line, name }) => ({ line, message: `${name} is there twice in one object` }));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [{ line: lineOf(text, error), message: `the file is not valid JSON: ${error.message}` }];
  }
};

const isProblem = (row: JsonRow | CatalogProblem): row is CatalogProblem => "message" in row;

/** Reads the text of a catalog file, JSON or CSV; throws `CatalogError` with every bad row and its line. */
export const parseCatalog = (file: string, text: string, currency: string): readonly Product[] => {
  const problems: CatalogProblem[] = [];
  const products: Product[] = [];
  const lineOfId = new Map<string, number>();
  for (const row of file.toLowerCase().endsWith(".csv") ? csvRows(text) : jsonRows(text)) {
    const read = isProblem(row) ? [row.message] : readRow(row.value, currency);
    if (!("product_id" in read)) {
      problems.push(...read.map((message) => ({ line: row.line, message })));
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

/** The text of a file. Other encodings are refused: read as UTF-8, their letters would be replaced without a word. */
const utf8Of = (file: string, bytes: Buffer): string => {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  let line = 1;
  for (let start = 0, end = 0; end !== -1; start = end + 1, line += 1) {
    end = bytes.indexOf("\n", start);
    if (!isUtf8(bytes.subarray(start, end === -1 ? bytes.length : end))) break;
  }
  throw new CatalogError(file, [{ line, message: "the text is not UTF-8; save the file in that encoding" }]);
};

/**
 * The catalog of a file, or the default one where no file is named. `currency` is that of rows that name none. Throws
 * `CatalogError` for a file that cannot be read or has a bad row: a seller never starts with half a catalog.
 */
export const loadCatalog = async (file: string | null, currency: string): Promise<Catalog> => {
  if (file === null) return createCatalog(defaultProducts);
  const bytes = await readFile(file).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : "it cannot be read";
    throw new CatalogError(file, [{ line: 0, message }]);
  });
  return createCatalog(parseCatalog(file, utf8Of(file, bytes), currency));
};
