/** Names come from others: control characters could move a terminal's cursor. */
export const printable = (text: string): string =>
  text.replace(/[^\x20-\x7e\u00a1-\uffff]|[\p{Cf}\p{Zl}\p{Zp}]/gu, "?");

/** Wide letters take two columns of a terminal (Unicode Standard Annex 11). */
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;

const widthOf = (text: string): number => text.length + (text.match(wide)?.length ?? 0);

interface TextTable {
  readonly lines: readonly string[];
  readonly widths: readonly number[];
}

export const textTable = (
  rows: readonly (readonly string[])[],
  isRight: (place: number) => boolean = () => false,
): TextTable => {
  const shown = rows.map((row) => row.map(printable));
  const widths = (shown[0] ?? []).map((_head, place) => Math.max(...shown.map((row) => widthOf(row[place] ?? ""))));
  const aligned = (cell: string, place: number): string => {
    const room = " ".repeat((widths[place] ?? 0) - widthOf(cell));
    return isRight(place) ? room + cell : cell + room;
  };
  return { lines: shown.map((row) => row.map(aligned).join("  ").trimEnd()), widths };
};
