import { replyBlocks } from "../../../../protocol/neutral/reply-blocks.ts";
import { plain, plainLines } from "../form.ts";
import { Table } from "./table.tsx";

/** What an agent says: its words as they are, its tables as tables. */
export const ReplyText = ({ text }: { readonly text: string }) => (
  <>
    {replyBlocks(text).map((block, key) =>
      "lines" in block ? (
        <p key={key} class="said">
          {plainLines(block.lines.join("\n"), 20_000)}
        </p>
      ) : (
        <Table
          key={key}
          caption="Table of this reply"
          columns={block.head.map((name, at) => ({
            name: plain(name),
            cell: (row: readonly string[]) => plain(row[at], 200),
            isNumber: block.isFigures(at),
            isLead: at === 0,
          }))}
          rows={block.rows}
          idOf={(row) => row.join("|")}
        />
      ),
    )}
  </>
);
