import { screenOf } from "../address.ts";
import type { Read } from "../agent/read.ts";
import { nowMs } from "../clock.ts";
import { ago } from "../form.ts";
import { Card } from "../parts/bits.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { type ListedEvent, pageOf, sentenceOf } from "../sentences.ts";

const Sentence = ({ event }: { readonly event: ListedEvent }) => {
  const page = pageOf(event);
  return page === null ? <span>{sentenceOf(event)}</span> : <a href={page}>{sentenceOf(event)}</a>;
};

/** The newest events as sentences; `first` says what makes the first. */
export const Latest = ({
  read,
  first,
}: {
  readonly read: Read<{ readonly events: readonly ListedEvent[] }>;
  readonly first: string;
}) => (
  <Card title="Latest" note={<a href={screenOf("events")}>All events</a>}>
    <Shown read={read}>
      {({ events }) =>
        events.length === 0 ? (
          <Empty title="Nothing has happened yet.">{first}</Empty>
        ) : (
          <ul class="lines">
            {events.map((event) => (
              <li key={event.event_id}>
                <Sentence event={event} />
                <span class="muted small">{ago(event.timestamp, nowMs.value)}</span>
              </li>
            ))}
          </ul>
        )
      }
    </Shown>
  </Card>
);
