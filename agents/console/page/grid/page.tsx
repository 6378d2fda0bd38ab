import type { ComponentChildren } from "preact";
import { useAddress } from "../address.ts";
import type { Read } from "../agent/read.ts";
import { count } from "../form.ts";
import { Key } from "../parts/bits.tsx";
import { NothingHere } from "../parts/rows.tsx";
import { Search } from "../parts/search.tsx";
import { Shown } from "../parts/states.tsx";
import { ColumnMenu, Views } from "./tools.tsx";
import { WorkTable, type WorkRows } from "./table.tsx";

interface Tab {
  readonly value: string;
  readonly label: string;
  readonly count?: number | undefined;
}

interface TabsProps {
  readonly name: string;
  readonly label: string;
  readonly tabs: readonly Tab[];
}

/** A filter in the address with the number of rows behind each choice. */
const Tabs = ({ name, label, tabs }: TabsProps) => {
  const { query, linkTo } = useAddress();
  const chosen = query[name] ?? "";
  return (
    <nav class="choices" aria-label={label}>
      {tabs.map((tab) => (
        <a
          key={tab.value}
          href={linkTo({ [name]: tab.value === "" ? null : tab.value })}
          aria-current={tab.value === chosen ? "true" : undefined}
        >
          {tab.label} {tab.count === undefined ? null : <b>{count(tab.count)}</b>}
        </a>
      ))}
    </nav>
  );
};

const hints: readonly (readonly [keys: readonly string[], what: string])[] = [
  [["j", "k"], "move"],
  [["enter"], "open"],
  [["y"], "copy id"],
  [["?"], "all keys"],
];

interface HintProps {
  readonly shown: string;
  readonly next: string | null;
  readonly canSelect: boolean;
  readonly legend?: ComponentChildren;
}

/** What is shown, the way to more, and the keys. */
const HintBar = ({ shown, next, canSelect, legend }: HintProps) => {
  const { query, linkTo } = useAddress();
  const all = canSelect ? [hints[0], [["x"], "select"] as const, ...hints.slice(1)] : hints;
  return (
    <footer class="hint-bar">
      <span>{shown}</span>
      {query["cursor"] === undefined ? null : <a href={linkTo({})}>First page</a>}
      {next === null ? null : <a href={linkTo({ cursor: next })}>Next page</a>}
      {legend}
      <span class="keys" aria-hidden="true">
        {all.map((hint) =>
          hint === undefined ? null : (
            <span key={hint[1]}>
              {hint[0].map((name) => (
                <Key key={name} name={name} />
              ))}{" "}
              {hint[1]}
            </span>
          ),
        )}
      </span>
    </footer>
  );
};

interface WorkPageProps<O, Row> extends Omit<WorkRows<Row>, "rows"> {
  readonly title: string;
  /** What the view without filters is called. */
  readonly all?: string;
  readonly read: Read<O>;
  readonly rowsOf: (output: O) => readonly Row[];
  readonly empty: ComponentChildren;
  /** Left of Columns: a range of days, a download. */
  readonly tools?: ComponentChildren;
  readonly totals?: ComponentChildren;
  readonly tabs?: TabsProps;
  readonly find?: string;
  /** Above the table, where something has to be done or said. */
  readonly note?: ComponentChildren;
  readonly bulk?: (rows: readonly Row[]) => ComponentChildren;
  readonly total?: (output: O) => number | null | undefined;
  readonly legend?: ComponentChildren;
  /** What is opened over the list. */
  readonly sheet?: (rows: readonly Row[]) => ComponentChildren;
}

/** A list to work with: totals and counts above dense rows, what is done with several below them. */
export const WorkPage = <O extends { readonly next_cursor: string | null }, Row>(page: WorkPageProps<O, Row>) => {
  const { title, read, rowsOf, tabs, find, selected, idOf } = page;
  return (
    <div class="work-page">
      <header class="work-head">
        <h1 tabIndex={-1}>{title}</h1>
        <Views table={page.table} all={page.all ?? `All ${title.toLowerCase()}`} />
        <div class="work-tools">
          {page.tools}
          <ColumnMenu table={page.table} columns={page.columns} />
        </div>
      </header>
      {page.totals}
      {page.note}
      <div class="work-filters">
        {tabs === undefined ? <span /> : <Tabs {...tabs} />}
        {find === undefined ? null : <Search label={find} />}
      </div>
      <Shown read={read}>
        {(output) => {
          const rows = rowsOf(output);
          const total = page.total?.(output);
          const chosen = selected === undefined ? [] : rows.filter((row) => selected.ids.has(idOf(row)));
          return (
            <>
              <div class="work-rows" tabIndex={0} role="region" aria-label={page.caption}>
                {rows.length === 0 ? <NothingHere empty={page.empty} /> : <WorkTable {...page} rows={rows} />}
              </div>
              {page.sheet?.(rows)}
              {chosen.length === 0 ? null : <div class="bulk-bar">{page.bulk?.(chosen)}</div>}
              <HintBar
                shown={total == null ? `${count(rows.length)} shown` : `${count(rows.length)} of ${count(total)}`}
                next={output.next_cursor}
                canSelect={selected !== undefined}
                legend={page.legend}
              />
            </>
          );
        }}
      </Shown>
    </div>
  );
};
