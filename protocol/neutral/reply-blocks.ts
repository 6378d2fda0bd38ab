type Cells = readonly string[];

/** Lines of a reply to text: words, or a Markdown table as its head and its rows. */
export type ReplyBlock =
  | { readonly lines: readonly string[] }
  | { readonly head: Cells; readonly rows: readonly Cells[]; readonly isFigures: (place: number) => boolean };

const cellsOf = (line: string): Cells | null =>
  line.startsWith("| ") && line.endsWith(" |") ? line.slice(2, -2).split(" | ") : null;

const isFigure = (cell = ""): boolean => cell === "" || /^[\d.,]+ ?(?:%|[A-Z]{3})?$/.test(cell);

const tableOf = (lines: readonly Cells[]): ReplyBlock => {
  // Below the head stands a line of dashes.
  const [head = [], , ...rows] = lines;
  return { head, rows, isFigures: (place) => rows.every((row) => isFigure(row[place])) };
};

/** A reply in its order, for whoever shows tables better than with bars. */
export const replyBlocks = (text: string): readonly ReplyBlock[] => {
  const runs: { readonly lines: string[]; readonly cells: Cells[] }[] = [];
  for (const line of text.split("\n")) {
    const cells = cellsOf(line);
    const last = runs.at(-1);
    const run = last !== undefined && last.cells.length > 0 === (cells !== null) ? last : { lines: [], cells: [] };
    if (run !== last) runs.push(run);
    run.lines.push(line);
    if (cells !== null) run.cells.push(cells);
  }
  return runs.map(({ lines, cells }) => (cells.length === 0 ? { lines } : tableOf(cells)));
};
