import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import type { Read } from "../agent/read.ts";
import { Pager } from "./page.tsx";
import { Empty, Shown } from "./states.tsx";
import { type Column, Table } from "./table.tsx";

/** What narrows no list. */
const unfiltering: readonly string[] = ["cursor", "sort", "order", "columns", "view"];

/** A list that is empty because of its filters says so, and how to see the others. */
export const NothingHere = ({ empty }: { readonly empty: ComponentChildren }) => {
  const { path, query } = useLocation();
  if (Object.keys(query).every((name) => unfiltering.includes(name))) return <>{empty}</>;
  return (
    <Empty title="Nothing matches these filters.">
      <a href={path}>Show all</a>
    </Empty>
  );
};

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
      if (rows.length === 0) return <NothingHere empty={empty} />;
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
