import { screenOf } from "../address.ts";
import type { Read } from "../agent/read.ts";
import { nowMs } from "../clock.ts";
import { ago } from "../form.ts";
import { Card } from "../parts/bits.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { pageOf, sentenceOf } from "../sentences.ts";

interface Told {
  readonly event_id: string;
  readonly event_type: string;
  readonly timestamp: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly flow_id: string;
  readonly flow_type: string;
  readonly deal_id: string;
  readonly session_id: string;
  readonly product_name?: string | null | undefined;
  readonly buyer_name?: string | null | undefined;
}

const Sentence = ({ event }: { readonly event: Told }) => {
  const page = pageOf(event);
  return page === null ? <span>{sentenceOf(event)}</span> : <a href={page}>{sentenceOf(event)}</a>;
};

/** The newest events as sentences; `first` says what makes the first. */
export const Latest = ({
  read,
  first,
}: {
  readonly read: Read<{ readonly events: readonly Told[] }>;
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
