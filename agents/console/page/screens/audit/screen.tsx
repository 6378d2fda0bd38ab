import { useLocation } from "preact-iso";
import { isoDayIn, oneOf, useAddress } from "../../address.ts";
import { call, type OutputOf } from "../../agent/api.ts";
import { useRead } from "../../agent/read.ts";
import { agent } from "../../agent/session.ts";
import { count, moment, plain, plural } from "../../form.ts";
import type { WorkColumn } from "../../grid/column.ts";
import { EntrySheet, useEntry } from "../../grid/entry.tsx";
import { Menu } from "../../grid/menu.tsx";
import { WorkPage } from "../../grid/page.tsx";
import { DownloadAll, RangeMenu } from "../../grid/tools.tsx";
import { Field } from "../../parts/field.tsx";
import { Empty } from "../../parts/states.tsx";
import { EntryView } from "./entry.tsx";
import { type AuditLine, type Trail, beforeAndAfter, didText, doorText, whoText } from "./words.ts";

type Page = OutputOf<Trail["list"]>;

/** One entry, or what the clock did in a row. */
interface Line {
  readonly first: AuditLine;
  readonly others: readonly AuditLine[];
}

const makers = ["person", "buyer", "machine"] as const;

const makerWords: Readonly<Record<(typeof makers)[number], string>> = {
  person: "Decisions",
  buyer: "Buyers",
  machine: "By itself",
};

const linesOf = (records: readonly AuditLine[]): readonly Line[] => {
  const lines: { first: AuditLine; others: AuditLine[] }[] = [];
  for (const record of records) {
    const before = lines.at(-1);
    if (before !== undefined && record.by === "machine" && before.first.by === "machine") before.others.push(record);
    else lines.push({ first: record, others: [] });
  }
  return lines;
};

const whatOf = ({ first, others }: Line): string => {
  if (others.length === 0) return didText(first);
  const sums = new Map<string, number>();
  for (const one of [first, ...others]) sums.set(didText(one), (sums.get(didText(one)) ?? 0) + 1);
  return [...sums].map(([name, amount]) => `${name} ${count(amount)}`).join(", ");
};

const recordsOf = ({ first }: Line): readonly string[] => [...new Set(first.changed.map(({ id }) => id))];

const Who = ({ line: { first } }: { readonly line: Line }) => {
  const { linkTo } = useAddress();
  return (
    <a class={`standing ${first.by === "person" ? "dot" : "square"} clip`} href={linkTo({ actor: first.actor })}>
      {whoText(first)}
    </a>
  );
};

const Records = ({ line }: { readonly line: Line }) => {
  const { linkTo } = useAddress();
  const [id, ...more] = recordsOf(line);
  if (id === undefined) return <span class="muted">–</span>;
  return (
    <span class="clip">
      <a href={linkTo({ record_id: id, by: "all" })}>{plain(id, 24)}</a>
      {more.length === 0 ? null : ` and ${count(more.length)} more`}
    </span>
  );
};

const Changes = ({ line: { first, others } }: { readonly line: Line }) => {
  const [one, ...more] = first.changed;
  if (others.length > 0) return <span class="muted">{plural(others.length + 1, "entry", "entries")}, folded</span>;
  if (one === undefined) return <span class="muted">–</span>;
  return (
    <span class="clip">
      {beforeAndAfter(one)}
      {more.length === 0 ? null : <span class="muted"> and {plural(more.length, "field")}</span>}
    </span>
  );
};

const columns: readonly WorkColumn<Line>[] = [
  {
    key: "when",
    name: "When",
    width: "124px",
    narrow: "end",
    sort: { by: "when", isUsual: true },
    cell: ({ first }) => moment(first.at),
    text: ({ first }) => first.at,
  },
  {
    key: "who",
    name: "Who",
    width: "170px",
    narrow: "second",
    cell: (line) => <Who line={line} />,
    text: ({ first }) => whoText(first),
  },
  {
    key: "did",
    name: "Did",
    width: "210px",
    narrow: "lead",
    cell: (line) => <span class="clip">{whatOf(line)}</span>,
    text: ({ first }) => first.operation,
  },
  {
    key: "record",
    name: "Record",
    width: "190px",
    cell: (line) => <Records line={line} />,
    text: (line) => recordsOf(line).join(" "),
  },
  {
    key: "change",
    name: "Before → after",
    narrow: "second",
    cell: (line) => <Changes line={line} />,
    text: ({ first }) => first.changed.map((one) => `${one.id} ${beforeAndAfter(one)}`).join("; "),
  },
  {
    key: "door",
    name: "Came by",
    isExtra: true,
    cell: ({ first }) => doorText(first),
    text: ({ first }) => first.door,
  },
  {
    key: "seq",
    name: "Number",
    isNumber: true,
    width: "72px",
    cell: ({ first }) => count(first.seq),
    text: ({ first }) => String(first.seq),
  },
  {
    key: "hash",
    name: "Hash",
    isExtra: true,
    cell: ({ first }) => <code>{first.hash.slice(0, 12)}</code>,
    text: ({ first }) => first.hash,
  },
  {
    key: "request",
    name: "Request",
    isExtra: true,
    cell: ({ first }) => <code>{plain(first.request_id)}</code>,
    text: ({ first }) => first.request_id,
  },
];

const narrowings = ["actor", "operation", "record_id"] as const;

const filterWords: Readonly<Record<(typeof narrowings)[number], string>> = {
  actor: "Who, as key:key-1a2b3c4d",
  operation: "Operation, as update_product",
  record_id: "Id of a record",
};

/** Person, operation and record; a press on one in the table does the same. */
const Filters = () => {
  const { query, linkTo } = useAddress();
  const { route } = useLocation();
  const given = narrowings.filter((name) => query[name] !== undefined);
  return (
    <Menu label={given.length === 0 ? "Any person and record" : given.map((name) => plain(query[name], 24)).join(", ")}>
      {narrowings.map((name) => (
        <Field
          key={name}
          label={filterWords[name]}
          value={query[name] ?? ""}
          onInput={(value) => route(linkTo({ [name]: value.trim() }), true)}
          maxLength={name === "actor" ? 300 : 128}
        />
      ))}
      {given.length === 0 ? null : (
        <a class="button small" href={linkTo({ actor: null, operation: null, record_id: null })}>
          Any
        </a>
      )}
    </Menu>
  );
};

const useFilter = () => {
  const { query } = useAddress();
  const { actor, operation, record_id } = query;
  // Decisions come first; whoever asks for a person or a record sees all of it.
  const isNarrowed = actor !== undefined || operation !== undefined || record_id !== undefined;
  const chosen = query["by"] ?? (isNarrowed ? "all" : "");
  return {
    by: chosen === "" ? ("person" as const) : oneOf(makers, chosen),
    actor,
    operation,
    record_id,
    since: isoDayIn(query["from"]),
    until: isoDayIn(query["to"]),
    reversed: query["order"] === "up" ? true : undefined,
  };
};

interface ToolsProps {
  readonly list: Trail["list"];
  readonly filter: ReturnType<typeof useFilter>;
}

const Tools = ({ list, filter }: ToolsProps) => (
  <>
    <Filters />
    <RangeMenu any="Any day" isPast />
    <DownloadAll
      name="audit.csv"
      columns={columns}
      page={(cursor) => call(list, { ...filter, cursor, limit: 500 })}
      rowsOf={(page: Page) => page.records.map((first) => ({ first, others: [] }))}
    />
  </>
);

const tabs = [
  { value: "", label: makerWords.person },
  ...(agent === "buyer" ? [] : [{ value: "buyer", label: makerWords.buyer }]),
  { value: "machine", label: makerWords.machine },
  { value: "all", label: "Everything" },
];

const legend = (
  <>
    <span class="standing dot quiet">person</span>
    <span class="standing square quiet">{agent === "buyer" ? "by itself" : "buyer or machine"}</span>
  </>
);

/** Who did what, of either agent. */
export const AuditPage = ({ list, verify }: Trail) => {
  const { query } = useAddress();
  const filter = useFilter();
  const { linkTo } = useEntry();
  const read = useRead(list, { ...filter, limit: 50, cursor: query["cursor"] });
  return (
    <WorkPage
      title="Audit"
      table="audit"
      all="Decisions"
      caption="Audit"
      read={read}
      rowsOf={(page) => linesOf(page.records)}
      columns={columns}
      idOf={({ first }) => first.hash}
      link={({ first }) => linkTo(first.hash)}
      classOf={({ first }) => (first.by === "machine" ? "over" : "")}
      tabs={{
        name: "by",
        label: "Whose",
        tabs,
      }}
      empty={<Empty title="No decision yet.">The first change that a person makes is here.</Empty>}
      tools={<Tools list={list} filter={filter} />}
      legend={legend}
      sheet={() => (
        <EntrySheet
          rows={read.output?.records ?? []}
          idOf={({ hash }) => hash}
          titleOf={(entry) => `${whoText(entry)}: ${didText(entry).toLowerCase()}`}
        >
          {(entry) => <EntryView entry={entry} verify={verify} />}
        </EntrySheet>
      )}
    />
  );
};
