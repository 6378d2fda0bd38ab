import { useState } from "preact/hooks";
import type { OutputOf } from "../../api.ts";
import { oneOf, useAddress } from "../../address.ts";
import { nowMs } from "../../clock.ts";
import { ago, plainLines } from "../../form.ts";
import { seller } from "../../operations.ts";
import { Filter, Page, Pager } from "../../parts/page.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { useRead } from "../../read.ts";
import { sentenceOf } from "../../sentences.ts";
import { wordOf } from "../../words.ts";
import type { Screen } from "../screen.ts";

type Told = OutputOf<typeof seller.listEvents>["events"][number];

const types = [
  "approval.requested",
  "deal.created",
  "negotiation.round",
  "quote.created",
  "order.transitioned",
  "api_key.created",
] as const;

const EventRow = ({ event }: { readonly event: Told }) => (
  <li>
    <details>
      <summary>
        <span>{sentenceOf(event)}</span>
        <span class="muted small">{ago(event.timestamp, nowMs.value)}</span>
      </summary>
      <pre tabIndex={0}>{plainLines(JSON.stringify(event, null, 2), 8000)}</pre>
    </details>
  </li>
);

const EventsScreen = () => {
  const { query } = useAddress();
  const type = oneOf(types, query["type"]);
  const { cursor } = query;
  const [isPaused, setPaused] = useState(false);
  const read = useRead(
    seller.listEvents,
    { limit: 50, ...(type === null ? {} : { event_type: type }), ...(cursor === undefined ? {} : { cursor }) },
    isPaused ? [] : [""],
  );
  return (
    <Page title="Events" note="What happened, newest first, as it happens.">
      <p class="row">
        <button type="button" class="button small" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          {isPaused ? "Go on" : "Pause"}
        </button>
      </p>
      <Filter name="type" label="Type" values={types} wordOf={(value) => wordOf({}, value.replace(".", " "))} />
      <Shown read={read}>
        {({ events: rows, next_cursor: next }) =>
          rows.length === 0 ? (
            <Empty title="No event.">A buyer's first quote makes one.</Empty>
          ) : (
            <>
              <ul class="lines events">
                {rows.map((event) => (
                  <EventRow key={event.event_id} event={event} />
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

export const events: Screen = { path: "events", label: "Events", key: "e", component: EventsScreen };
