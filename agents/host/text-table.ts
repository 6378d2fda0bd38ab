/** Names come from others: what would move a terminal's cursor is shown as a question mark. */
export const printable = (text: string): string => text.replace(/[^\x20-\x7e\u00a1-\uffff]/g, "?");

/** Lines of a table, and how wide each of its columns is, in characters. */
interface TextTable {
  readonly lines: readonly string[];
  readonly widths: readonly number[];
}

/** Puts rows of cells, the head first, into columns of one width; `isRight` tells by place which end at the right. */
export const textTable = (
  rows: readonly (readonly string[])[],
  isRight: (place: number) => boolean = () => false,
): TextTable => {
  const shown = rows.map((row) => row.map(printable));
  const widths = (shown[0] ?? []).map((_head, place) => Math.max(...shown.map((row) => row[place]?.length ?? 0)));
  const aligned = (cell: string, place: number): string =>
    isRight(place) ? cell.padStart(widths[place] ?? 0) : cell.padEnd(widths[place] ?? 0);
  return { lines: shown.map((row) => row.map(aligned).join("  ").trimEnd()), widths };
};
