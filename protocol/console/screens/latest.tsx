import { screenOf } from "../address.ts";
import type { Read } from "../agent/read.ts";
import { nowMs } from "../clock.ts";
import { ago } from "../form.ts";
import { Card } from "../parts/bits.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { sentenceOf } from "../sentences.ts";

interface Told {
  readonly event_id: string;
  readonly event_type: string;
  readonly timestamp: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly buyer_name?: string | null | undefined;
}

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
                <span>{sentenceOf(event)}</span>
                <span class="muted small">{ago(event.timestamp, nowMs.value)}</span>
              </li>
            ))}
          </ul>
        )
      }
    </Shown>
  </Card>
);
