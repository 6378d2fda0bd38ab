/** Names come from others: control characters could move a terminal's cursor. */
export const printable = (text: string): string => text.replace(/[^\x20-\x7e\u00a1-\uffff]/g, "?");

interface TextTable {
  readonly lines: readonly string[];
  readonly widths: readonly number[];
}

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
