import { useState } from "preact/hooks";
import { isoDayIn, oneOf, useAddress } from "../address.ts";
import { call, type Operation } from "../agent/api.ts";
import { nowMs } from "../clock.ts";
import { ago, moment, plain, plainLines } from "../form.ts";
import type { WorkColumn } from "../grid/column.ts";
import { EntrySheet, useEntry } from "../grid/entry.tsx";
import { WorkPage } from "../grid/page.tsx";
import { DownloadAll, RangeMenu } from "../grid/tools.tsx";
import { Copyable } from "../parts/copy.tsx";
import { Empty } from "../parts/states.tsx";
import { useRead } from "../agent/read.ts";
import { type ListedEvent, pageOf, sentenceOf } from "../sentences.ts";

type Input = {
  event_type?: string | null | undefined;
  since?: string | null | undefined;
  until?: string | null | undefined;
  reversed?: boolean | null | undefined;
  limit?: number | undefined;
  cursor?: string | null | undefined;
};
type Output = {
  readonly events: readonly ListedEvent[];
  readonly next_cursor: string | null;
  readonly total: number | null;
};

interface Listing {
  readonly list: Operation<Input, Output>;
  /** What the types are called that have a filter. */
  readonly types: Readonly<Record<string, string>>;
  /** How many there are of each type; null where nobody counts. */
  readonly counts: Readonly<Record<string, number>> | null;
  /** What makes the first event. */
  readonly first: string;
}

const recordOf = ({ flow_id: flow, deal_id: deal }: ListedEvent): string => deal ?? flow ?? "";

const columns: readonly WorkColumn<ListedEvent>[] = [
  {
    key: "when",
    name: "When",
    width: "124px",
    narrow: "end",
    sort: { by: "when", isUsual: true },
    cell: (event) => moment(event.timestamp),
    text: (event) => event.timestamp,
  },
  {
    key: "what",
    name: "What happened",
    narrow: "lead",
    cell: (event) => <span class="clip">{sentenceOf(event)}</span>,
    text: sentenceOf,
  },
  {
    key: "type",
    name: "Type",
    width: "190px",
    cell: (event) => <code>{plain(event.event_type)}</code>,
    text: (event) => event.event_type,
  },
  {
    key: "record",
    name: "Record",
    width: "150px",
    narrow: "second",
    cell: (event) => {
      const page = pageOf(event);
      const id = page === null ? recordOf(event) : decodeURIComponent(page.split("/").at(-1) ?? "");
      return page === null ? <code>{plain(id, 18)}</code> : <a href={page}>{plain(id, 18)}</a>;
    },
    text: recordOf,
  },
  {
    key: "ago",
    name: "Ago",
    width: "110px",
    isExtra: true,
    cell: (event) => ago(event.timestamp, nowMs.value),
  },
  { key: "event", name: "Id", isExtra: true, cell: (event) => plain(event.event_id), text: (event) => event.event_id },
];

const Entry = ({ event }: { readonly event: ListedEvent }) => {
  const page = pageOf(event);
  return (
    <div class="stack">
      <p>
        {moment(event.timestamp)}, {ago(event.timestamp, nowMs.value)}.{" "}
        {page === null ? null : <a href={page}>Open it</a>}
      </p>
      <Copyable name="As it was told" text={plainLines(JSON.stringify(event, null, 2), 20_000)} />
    </div>
  );
};

interface ToolsProps {
  readonly list: Listing["list"];
  readonly filter: Pick<Input, "event_type" | "since" | "until" | "reversed">;
  readonly isPaused: boolean;
  readonly setPaused: (isPaused: boolean) => void;
}

const Tools = ({ list, filter, isPaused, setPaused }: ToolsProps) => (
  <>
    <button type="button" class="button small" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
      {isPaused ? "Go on" : "Pause"}
    </button>
    <RangeMenu any="Any day" isPast />
    <DownloadAll
      name="events.csv"
      columns={columns}
      page={(cursor) => call(list, { ...filter, cursor, limit: 499 })}
      rowsOf={(page: Output) => page.events}
    />
  </>
);

export const EventsPage = ({ list, types, counts, first }: Listing) => {
  const { query } = useAddress();
  const type = oneOf(Object.keys(types), query["type"]);
  const [isPaused, setPaused] = useState(false);
  const { linkTo } = useEntry();
  const filter = {
    event_type: type,
    since: isoDayIn(query["from"]),
    until: isoDayIn(query["to"]),
    reversed: query["order"] === "up" ? true : undefined,
  };
  const read = useRead(list, { ...filter, limit: 50, cursor: query["cursor"] }, isPaused ? [] : [""]);
  const all = counts === null ? undefined : Object.values(counts).reduce((sum, one) => sum + one, 0);
  const shown = Object.keys(types).filter((one) => counts === null || one === type || (counts[one] ?? 0) > 0);
  return (
    <WorkPage
      title="Events"
      table="events"
      caption="Events"
      read={read}
      rowsOf={(page) => page.events}
      total={(page) => page.total}
      columns={columns}
      idOf={(event) => event.event_id}
      link={(event) => linkTo(event.event_id)}
      tabs={{
        name: "type",
        label: "Type",
        tabs: [
          { value: "", label: "All", count: all },
          ...shown.map((value) => ({ value, label: types[value] ?? value, count: counts?.[value] })),
        ],
      }}
      empty={<Empty title="No event.">{first}</Empty>}
      tools={<Tools list={list} filter={filter} isPaused={isPaused} setPaused={setPaused} />}
      sheet={(rows) => (
        <EntrySheet rows={rows} idOf={(event) => event.event_id} titleOf={sentenceOf}>
          {(event) => <Entry event={event} />}
        </EntrySheet>
      )}
    />
  );
};
