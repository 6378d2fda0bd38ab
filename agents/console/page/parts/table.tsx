import type { ComponentChildren } from "preact";

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  /** Shown in the first line of a narrow window's two-line row. */
  readonly isLead?: boolean;
  /** Holds a button, which names itself. */
  readonly isAct?: boolean;
}

const classOf = (...names: readonly (string | false)[]): string => names.filter((name) => name !== false).join(" ");

const Opens = ({ to, children }: { readonly to: string | null; readonly children: ComponentChildren }) =>
  to === null ? <>{children}</> : <a href={to}>{children}</a>;

/** A table that becomes rows of two lines in a narrow window. `link` opens a row, by its first cell for a reader. */
export const Table = <Row,>({
  caption,
  columns,
  rows,
  idOf,
  link,
}: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  readonly link?: (row: Row) => string | null;
}) => (
  <table class="table">
    <caption class="unseen">{caption}</caption>
    <thead>
      <tr>
        {columns.map(({ name, isNumber }) => (
          <th key={name} scope="col" class={isNumber === true ? "number" : ""}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={idOf(row)} class={link?.(row) == null ? "" : "opens"}>
          {columns.map(({ name, cell, isNumber, isLead, isAct }, at) => (
            <td
              key={name}
              data-name={name}
              class={classOf(isNumber === true && "number", isLead === true && "lead", isAct === true && "act")}
            >
              {at === 0 ? <Opens to={link?.(row) ?? null}>{cell(row)}</Opens> : cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
