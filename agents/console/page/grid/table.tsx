import { useLocation } from "preact-iso";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { useAddress } from "../address.ts";
import { announce } from "../announce.ts";
import { plain } from "../form.ts";
import { useKeys } from "../keys.ts";
import { shownColumns, type WorkColumn } from "./column.ts";
import { keptColumns } from "./kept.ts";

export interface RowSelection {
  readonly ids: ReadonlySet<string>;
  readonly set: (ids: ReadonlySet<string>) => void;
}

export interface WorkRows<Row> {
  /** Names what this browser keeps of it. */
  readonly table: string;
  readonly caption: string;
  readonly columns: readonly WorkColumn<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  readonly link?: ((row: Row) => string | null) | undefined;
  readonly selected?: RowSelection | undefined;
  /** Of a row: quiet what is over. */
  readonly classOf?: ((row: Row) => string) | undefined;
}

type Sort = NonNullable<WorkColumn<unknown>["sort"]>;

/** A press sorts by the column, another one the other way round. */
const useSort = () => {
  const { query, linkTo } = useAddress();
  const { sort, order } = query;
  const isBy = ({ by, isUsual = false }: Sort): boolean => sort === by || (sort === undefined && isUsual);
  const orderOf = ({ isRising = false }: Sort) => order ?? (isRising ? "up" : "down");
  return {
    linkOf: (column: Sort): string => {
      const { by, isRising = false } = column;
      const [first, turned] = isRising ? ["up", "down"] : ["down", "up"];
      return linkTo({ sort: by, order: isBy(column) && orderOf(column) === first ? (turned ?? null) : null });
    },
    stateOf: (column: Sort): "ascending" | "descending" | null =>
      isBy(column) ? (orderOf(column) === "up" ? "ascending" : "descending") : null,
  };
};

const Head = <Row,>({ columns }: { readonly columns: readonly WorkColumn<Row>[] }) => {
  const { linkOf, stateOf } = useSort();
  return (
    <>
      {columns.map(({ key, name, head, isNumber, sort, width }) => {
        const state = sort === undefined ? null : stateOf(sort);
        return (
          <th
            key={key}
            scope="col"
            class={`${isNumber === true ? "number" : ""} c-${key}`}
            aria-sort={state ?? undefined}
            {...(width === undefined ? {} : { style: { width } })}
          >
            {sort === undefined ? (
              <span class={head === undefined ? "" : "unseen"}>{name}</span>
            ) : (
              <a href={linkOf(sort)}>
                {name}
                {state === null ? null : <span aria-hidden="true">{state === "ascending" ? " ▲" : " ▼"}</span>}
              </a>
            )}
            {head}
          </th>
        );
      })}
    </>
  );
};

const with_ = (ids: ReadonlySet<string>, id: string): ReadonlySet<string> =>
  new Set(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id]);

/** The row under the keys: `j k` move it, Enter opens it, `x` and the space bar select it, `y` copies its id. */
const useRowKeys = <Row,>({ rows, idOf, link, selected }: WorkRows<Row>) => {
  const { route } = useLocation();
  const [at, setAt] = useState(-1);
  const body = useRef<HTMLTableSectionElement>(null);
  const row = rows[at];
  const move = (step: number) => (): void => {
    // Enter is then the row's, not that of the button that was pressed last.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    setAt((before) => Math.min(rows.length - 1, Math.max(0, before + step)));
  };
  const select = (): void => {
    if (row !== undefined) selected?.set(with_(selected.ids, idOf(row)));
  };
  const open = (event: KeyboardEvent): void => {
    // A button or a link that has the focus is pressed.
    if (event.target instanceof HTMLElement && event.target.closest("a, button, summary") !== null) {
      event.target.click();
      return;
    }
    const to = row === undefined ? null : (link?.(row) ?? null);
    if (to !== null) route(to);
  };
  const copy = (): void => {
    if (row === undefined) return;
    const id = idOf(row);
    void navigator.clipboard?.writeText(id).then(() => announce(`Copied ${plain(id)}.`));
  };
  useKeys({
    j: move(1),
    k: move(-1),
    Enter: open,
    y: copy,
    ...(selected === undefined ? {} : { x: select, " ": select, Escape: () => selected.set(new Set()) }),
  });
  useEffect(() => {
    if (at >= 0) body.current?.rows[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);
  return { at, body };
};

const Pick = <Row,>({ row, table }: { readonly row: Row; readonly table: WorkRows<Row> }) => {
  const { selected, idOf, columns } = table;
  if (selected === undefined) return null;
  const id = idOf(row);
  const name = columns.find(({ narrow }) => narrow === "lead")?.text?.(row) ?? id;
  return (
    <td class="pick-cell">
      <input
        type="checkbox"
        aria-label={`Select ${plain(name)} ${plain(id)}`}
        checked={selected.ids.has(id)}
        onChange={() => selected.set(with_(selected.ids, id))}
      />
    </td>
  );
};

const PickAll = <Row,>({ rows, idOf, selected }: WorkRows<Row>) => {
  if (selected === undefined) return null;
  const isAll = rows.length > 0 && rows.every((row) => selected.ids.has(idOf(row)));
  return (
    <td class="pick-cell">
      <input
        type="checkbox"
        aria-label="Select all rows that are shown"
        checked={isAll}
        onChange={() => selected.set(new Set(isAll ? [] : rows.map(idOf)))}
      />
    </td>
  );
};

const cellClass = <Row,>({ key, isNumber, narrow }: WorkColumn<Row>): string =>
  `${isNumber === true ? "number" : ""} narrow-${narrow ?? "none"} c-${key}`;

const Cell = ({ to, children }: { readonly to: string | null; readonly children: ComponentChildren }) =>
  to === null ? <>{children}</> : <a href={to}>{children}</a>;

/** Dense rows with a header that sorts; in a narrow window rows of two lines. */
export const WorkTable = <Row,>(table: WorkRows<Row>) => {
  const { query } = useAddress();
  const { rows, idOf, link, selected, classOf } = table;
  const columns = shownColumns(table.columns, query["columns"] ?? keptColumns(table.table));
  const { at, body } = useRowKeys(table);
  // The link names the row to a reader, so it stands in the cell that leads.
  const lead = columns.find(({ narrow }) => narrow === "lead") ?? columns[0];
  return (
    <table class="work">
      <caption class="unseen">{table.caption}</caption>
      <thead>
        <tr>
          <PickAll {...table} />
          <Head columns={columns} />
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.map((row, index) => {
          const id = idOf(row);
          const to = link?.(row) ?? null;
          const isSelected = selected?.ids.has(id) === true;
          const own = classOf?.(row) ?? "";
          const classes = [to === null ? "" : "opens", isSelected ? "picked" : "", index === at ? "at" : "", own];
          return (
            <tr key={id} class={classes.join(" ")} aria-current={index === at || undefined}>
              <Pick row={row} table={table} />
              {columns.map((column) => (
                <td key={column.key} class={cellClass(column)}>
                  {column === lead ? <Cell to={to}>{column.cell(row)}</Cell> : column.cell(row)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};
