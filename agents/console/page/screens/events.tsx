import { useState } from "preact/hooks";
import { oneOf, useAddress } from "../address.ts";
import type { Operation } from "../agent/api.ts";
import { nowMs } from "../clock.ts";
import { ago, plainLines } from "../form.ts";
import { Filter, Page, Pager } from "../parts/page.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { useRead } from "../agent/read.ts";
import { type ListedEvent, pageOf, sentenceOf } from "../sentences.ts";
import { wordOf } from "../words.ts";

type Input = { event_type?: string | null | undefined; limit?: number | undefined; cursor?: string | null | undefined };
type Output = { readonly events: readonly ListedEvent[]; readonly next_cursor: string | null };

interface Listing {
  readonly list: Operation<Input, Output>;
  /** What the types are called that have a filter. */
  readonly types: Readonly<Record<string, string>>;
  /** What makes the first event. */
  readonly first: string;
}

const EventRow = ({ event, page }: { readonly event: ListedEvent; readonly page: string | null }) => (
  <li>
    <details>
      <summary>
        <span>{sentenceOf(event)}</span>
        <span class="muted small">{ago(event.timestamp, nowMs.value)}</span>
      </summary>
      {page === null ? null : <a href={page}>Open it</a>}
      <pre tabIndex={0}>{plainLines(JSON.stringify(event, null, 2), 8000)}</pre>
    </details>
  </li>
);

export const EventsPage = ({ list, types, first }: Listing) => {
  const { query } = useAddress();
  const type = oneOf(Object.keys(types), query["type"]);
  const { cursor } = query;
  const [isPaused, setPaused] = useState(false);
  const read = useRead(list, { limit: 50, event_type: type, cursor }, isPaused ? [] : [""]);
  return (
    <Page title="Events" note="What happened, newest first, as it happens.">
      <p class="row">
        <button type="button" class="button small" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          {isPaused ? "Go on" : "Pause"}
        </button>
      </p>
      <Filter name="type" label="Type" values={Object.keys(types)} wordOf={(value) => wordOf(types, value)} />
      <Shown read={read}>
        {({ events: rows, next_cursor: next }) =>
          rows.length === 0 ? (
            <Empty title="No event.">{first}</Empty>
          ) : (
            <>
              <ul class="lines events">
                {rows.map((event) => (
                  <EventRow key={event.event_id} event={event} page={pageOf(event)} />
                ))}
              </ul>
              <Pager next={next} />
            </>
          )
        }
      </Shown>
    </Page>
  );
};
