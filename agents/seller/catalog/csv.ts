import { CsvError as SyntaxProblem, type Options, parse } from "csv-parse/sync";

export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The text is no CSV (RFC 4180) at this line. */
export class CsvError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.name = "CsvError";
    this.line = line;
  }
}

interface ReadRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

const options = {
  bom: true,
  info: true,
  relax_column_count: true,
  record_delimiter: ["\r\n", "\n", "\r"],
  trim: true,
} satisfies Options;

const readRecords = (text: string): readonly ReadRecord[] => {
  try {
    return parse(text, options) as unknown as readonly ReadRecord[];
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    throw new CsvError(Number((error as { lines?: unknown }).lines), "a quote is missing or out of place");
  }
};

/** Empty lines are skipped. Throws `CsvError` at a misplaced quote. */
export const parseCsv = (text: string): readonly CsvRecord[] => {
  const records = readRecords(text);
  return records
    .map(({ record }, index) => ({ line: (records[index - 1]?.info.lines ?? 0) + 1, cells: record }))
    .filter(({ cells }) => cells.length > 1 || cells[0] !== "");
};
