import type { ComponentChildren } from "preact";
import { screenOf } from "../address.ts";
import type { Read } from "../agent/read.ts";
import { nowMs } from "../clock.ts";
import { ago, moment } from "../form.ts";
import { Card } from "../parts/bits.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { type ListedEvent, pageOf, sentenceOf } from "../sentences.ts";

const Sentence = ({ event }: { readonly event: ListedEvent }) => {
  const page = pageOf(event);
  return page === null ? <span>{sentenceOf(event)}</span> : <a href={page}>{sentenceOf(event)}</a>;
};

interface LatestProps {
  readonly read: Read<{ readonly events: readonly ListedEvent[] }>;
  /** What is said where there is none. */
  readonly first: string;
}

interface EventCardProps extends LatestProps {
  readonly title: string;
  readonly note: ComponentChildren;
}

const EventCard = ({ title, note, read, first }: EventCardProps) => (
  <Card title={title} note={note}>
    <Shown read={read}>
      {({ events }) =>
        events.length === 0 ? (
          <Empty title="Nothing has happened yet.">{first}</Empty>
        ) : (
          <ul class="lines">
            {events.map((event) => (
              <li key={event.event_id}>
                <Sentence event={event} />
                <span class="muted small">
                  {moment(event.timestamp)}, {ago(event.timestamp, nowMs.value)}
                </span>
              </li>
            ))}
          </ul>
        )
      }
    </Shown>
  </Card>
);

/** The newest events as sentences. */
export const Latest = (props: LatestProps) => (
  <EventCard title="Latest" note={<a href={screenOf("events")}>All events</a>} {...props} />
);
