import type { ComponentChildren } from "preact";
import type { Read } from "../agent/read.ts";
import { Pager } from "./page.tsx";
import { Shown } from "./states.tsx";
import { type Column, Table } from "./table.tsx";

/** One page of a list: `empty` where it has no row, `below` between its table and its pager. */
export const Rows = <O extends { readonly next_cursor: string | null }, Row>({
  read,
  rowsOf,
  empty,
  below,
  ...table
}: {
  readonly read: Read<O>;
  readonly rowsOf: (output: O) => readonly Row[];
  readonly empty: ComponentChildren;
  readonly below?: (output: O) => ComponentChildren;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly idOf: (row: Row) => string;
  readonly link?: (row: Row) => string;
}) => (
  <Shown read={read}>
    {(output) => {
      const rows = rowsOf(output);
      if (rows.length === 0) return empty;
      return (
        <>
          <Table {...table} rows={rows} />
          {below?.(output)}
          <Pager next={output.next_cursor} />
        </>
      );
    }}
  </Shown>
);
