import { plain, plainLines } from "../form.ts";
import { type Column, Table } from "./table.tsx";

type Cells = readonly string[];

/** A row of a Markdown table, as replies to text write one. */
const cellsOf = (line: string): Cells | null =>
  line.startsWith("| ") && line.endsWith(" |") ? line.slice(2, -2).split(" | ") : null;

interface Block {
  readonly lines: readonly string[];
  readonly isTable: boolean;
}

const blocksOf = (text: string): readonly Block[] => {
  const blocks: { lines: string[]; isTable: boolean }[] = [];
  for (const line of text.split("\n")) {
    const isTable = cellsOf(line) !== null;
    const last = blocks.at(-1);
    if (last?.isTable === isTable) last.lines.push(line);
    else blocks.push({ lines: [line], isTable });
  }
  return blocks;
};

const isFigure = (cell = ""): boolean => cell === "" || /^[\d.,]+ ?(?:%|[A-Z]{3})?$/.test(cell);

const ReplyTable = ({ lines }: { readonly lines: readonly string[] }) => {
  const [head = [], , ...rows] = lines.map((line) => cellsOf(line) ?? []);
  const columns = head.map((name, at): Column<Cells> => ({
    name: plain(name),
    cell: (row) => plain(row[at], 200),
    isNumber: rows.every((row) => isFigure(row[at])),
    isLead: at === 0,
  }));
  return <Table caption="Table of this reply" columns={columns} rows={rows} idOf={(row) => row.join("|")} />;
};

/** What an agent says: its words as they are, its tables as tables. */
export const ReplyText = ({ text }: { readonly text: string }) => (
  <>
    {blocksOf(text).map(({ lines, isTable }, at) =>
      isTable ? (
        <ReplyTable key={at} lines={lines} />
      ) : (
        <p key={at} class="said">
          {plainLines(lines.join("\n"), 20_000)}
        </p>
      ),
    )}
  </>
);
