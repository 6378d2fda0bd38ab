/** One record of a CSV text: its cells, and the line on which it starts. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The text breaks RFC 4180 at this line. */
export class CsvError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.name = "CsvError";
    this.line = line;
  }
}

const quotedCell = /"((?:[^"]|"")*)"(?=,|\r?\n|$)/y;
const plainCell = /[^",\r\n]*(?=,|\r?\n|$)/y;
/** A cell that a carriage return alone ends, as old Macintosh programs write lines. */
const cellBeforeReturn = /(?:"(?:[^"]|"")*"|[^",\r\n]*)\r(?!\n)/y;
const recordEnd = /\r?\n|$/y;

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

/** Why no cell can be read where one should begin. */
const defectAt = (text: string, at: number): string =>
  matchAt(cellBeforeReturn, text, at) === null
    ? "a quote is missing or out of place"
    : "a line ends with a carriage return alone; save the file with line ends LF or CRLF";

/**
 * Reads comma-separated records (RFC 4180): cells may be quoted, a quoted cell may hold commas, line breaks and
 * doubled quotes. Empty lines are left out, a byte order mark too. Throws `CsvError` at a quote out of
 * place and at a line that a carriage return alone ends.
 */
export const parseCsv = (source: string): readonly CsvRecord[] => {
  const text = source.replace(/^\uFEFF/, "");
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let line = 1;
  let startLine = 1;
  let at = 0;
  while (at < text.length) {
    const quoted = matchAt(quotedCell, text, at);
    const cell = quoted ?? matchAt(plainCell, text, at);
    if (cell === null) throw new CsvError(line, defectAt(text, at));
    cells.push(quoted === null ? cell[0].trim() : (quoted[1] ?? "").replaceAll('""', '"'));
    line += cell[0].split("\n").length - 1;
    at += cell[0].length;
    if (text[at] === ",") {
      at += 1;
      if (at < text.length) continue;
      cells.push("");
    }
    if (cells.length > 1 || cells[0] !== "") records.push({ line: startLine, cells });
    at += matchAt(recordEnd, text, at)?.[0].length ?? 0;
    line += 1;
    startLine = line;
    cells = [];
  }
  return records;
};
