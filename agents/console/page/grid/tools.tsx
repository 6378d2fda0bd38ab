import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import type { Reply } from "../agent/api.ts";
import { nowMs } from "../clock.ts";
import { count, plain, shortDays } from "../form.ts";
import { saveCsv } from "../parts/download.tsx";
import { Field } from "../parts/field.tsx";
import { shownColumns, type WorkColumn } from "./column.ts";
import { keepColumns, keepViews, keptColumns, keptViews, type View } from "./kept.ts";
import { Menu } from "./menu.tsx";

interface ColumnsProps<Row> {
  readonly table: string;
  readonly columns: readonly WorkColumn<Row>[];
}

/** Which columns are shown: in the address for a link, and kept by this browser. */
export const ColumnMenu = <Row,>({ table, columns }: ColumnsProps<Row>) => {
  const { query, linkTo } = useAddress();
  const { route } = useLocation();
  const shown = shownColumns(columns, query["columns"] ?? keptColumns(table)).map(({ key }) => key);
  const toggle = (key: string): void => {
    const chosen = columns.map((column) => column.key).filter((one) => shown.includes(one) !== (one === key));
    if (chosen.length === 0) return;
    keepColumns(table, chosen);
    route(linkTo({ columns: chosen.join() }), true);
  };
  return (
    <Menu
      label={
        <>
          Columns{" "}
          <span class="muted">
            {shown.length} of {columns.length}
          </span>
        </>
      }
    >
      {columns.map(({ key, name }) => (
        <label key={key} class="check">
          <input type="checkbox" checked={shown.includes(key)} onChange={() => toggle(key)} />
          {name}
        </label>
      ))}
    </Menu>
  );
};

const dayMs = 86_400_000;

const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

type Ready = readonly (readonly [name: string, from: string, to: string])[];

/** Of what has happened already. */
const readyPast = (now: number): Ready =>
  (
    [
      ["Today", 1],
      ["Last 7 days", 7],
      ["Last 30 days", 30],
      ["Last 90 days", 90],
    ] as const
  ).map(([name, days]) => [name, isoDay(now - (days - 1) * dayMs), isoDay(now)]);

const ready = (now: number): Ready => {
  const month = (plus: number, day: number): string => {
    const date = new Date(now);
    return isoDay(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + plus, day));
  };
  return [
    ["This week", isoDay(now), isoDay(now + 6 * dayMs)],
    ["This month", month(0, 1), month(1, 0)],
    ["Next 90 days", isoDay(now), isoDay(now + 89 * dayMs)],
    ["Last 90 days", isoDay(now - 89 * dayMs), isoDay(now)],
  ];
};

/** Days in the address, as `from` and `to`. */
export const RangeMenu = ({ any, isPast = false }: { readonly any: string; readonly isPast?: boolean }) => {
  const { query, linkTo } = useAddress();
  const { route } = useLocation();
  const { from = "", to = "" } = query;
  const set = (patch: Readonly<Record<string, string | null>>): void => route(linkTo(patch), true);
  return (
    <Menu label={from === "" && to === "" ? any : shortDays(from, to)}>
      <p class="row">
        {(isPast ? readyPast : ready)(nowMs.value).map(([name, first, last]) => (
          <button key={name} type="button" class="button small" onClick={() => set({ from: first, to: last })}>
            {name}
          </button>
        ))}
        <button type="button" class="button small" onClick={() => set({ from: null, to: null })}>
          {any}
        </button>
      </p>
      <div class="pair spaced">
        <Field label="From" type="date" value={from} onInput={(day) => set({ from: day })} />
        <Field
          label="To"
          type="date"
          value={to}
          onInput={(day) => set({ to: day })}
          error={from !== "" && to !== "" && to < from ? "This day lies before the first." : null}
        />
      </div>
    </Menu>
  );
};

/** Asks for the name once it is pressed. */
const SaveView = ({ save }: { readonly save: (name: string) => void }) => {
  const [name, setName] = useState<string | null>(null);
  if (name === null) {
    return (
      <button type="button" class="link" onClick={() => setName("")}>
        + Save view
      </button>
    );
  }
  const submit = (event: Event): void => {
    event.preventDefault();
    if (name.trim() !== "") save(name.trim());
    setName(null);
  };
  return (
    <form onSubmit={submit}>
      <Field
        label="Name of the view"
        isLabelHidden
        placeholder="Name"
        value={name}
        onInput={setName}
        autoFocus
        maxLength={40}
      />
    </form>
  );
};

/** Names for what the address filters; kept by this browser. */
export const Views = ({ table, all }: { readonly table: string; readonly all: string }) => {
  const { path, query } = useLocation();
  const [views, setViews] = useState(() => keptViews(table));
  const { cursor: _cursor, entry: _entry, ...kept } = query;
  const now = new URLSearchParams(kept).toString();
  const put = (next: readonly View[]): void => {
    setViews(next);
    keepViews(table, next);
  };
  const save = (name: string): void => put([...views.filter((view) => view.name !== name), { name, query: now }]);
  return (
    <nav class="views" aria-label="Views">
      <a href={path} aria-current={now === "" ? "true" : undefined}>
        {all}
      </a>
      {views.map((view) => (
        <span key={view.name} class="view">
          <a href={`${path}?${view.query}`} aria-current={now === view.query ? "true" : undefined}>
            {plain(view.name, 40)}
          </a>
          {now === view.query ? (
            <button
              type="button"
              class="link"
              aria-label={`Forget the view ${plain(view.name, 40)}`}
              onClick={() => put(views.filter((one) => one !== view))}
            >
              ×
            </button>
          ) : null}
        </span>
      ))}
      {now === "" || views.some((view) => view.query === now) ? null : <SaveView save={save} />}
    </nav>
  );
};

/** More rows than that no spreadsheet is made for. */
const mostRows = 50_000;

interface DownloadProps<Row> {
  readonly name: string;
  readonly columns: readonly WorkColumn<Row>[];
  /** Reads a page of what the filters match. */
  readonly page: (cursor: string | null) => Promise<Reply<{ readonly next_cursor: string | null }>>;
  readonly rowsOf: (output: never) => readonly Row[];
}

/** All that the filters match, with every column that has a text, as CSV. */
export const DownloadAll = <Row,>({ name, columns, page, rowsOf }: DownloadProps<Row>) => {
  const [state, setState] = useState<string | null>(null);
  const run = async (): Promise<void> => {
    const rows: Row[] = [];
    let cursor: string | null = null;
    do {
      setState(`${count(rows.length)} rows`);
      const reply: Awaited<ReturnType<typeof page>> = await page(cursor);
      if (!reply.ok) return setState("Failed, again");
      rows.push(...rowsOf(reply.output as never));
      cursor = reply.output.next_cursor;
    } while (cursor !== null && rows.length < mostRows);
    const texts = columns.filter(({ text }) => text !== undefined);
    saveCsv(
      name,
      texts.map((column) => column.key),
      rows.map((row) => texts.map(({ text }) => text?.(row) ?? "")),
    );
    setState(null);
  };
  return (
    <button type="button" class="button small" onClick={() => void run()}>
      {state ?? "Download"}
    </button>
  );
};
