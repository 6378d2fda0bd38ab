import { randomUUID } from "node:crypto";
import { isoTime } from "../../protocol/neutral/iso-time.ts";
import { eventChange, eventKind, type EventRow } from "../../protocol/seam/events.ts";
import type { Clock, Log } from "../../protocol/seam/ports.ts";
import type { BusEvent, Emission, EventEmitter } from "../../skills/buyer/events/bus.ts";
import type { EventType } from "../../skills/buyer/events/event-types.ts";
import { eventView } from "../../skills/buyer/events/view.ts";
import type { Store, StoredRow } from "../../storage/store.ts";

type Subscriber = (event: BusEvent) => unknown;

export interface BusQuery {
  readonly flow_id?: string;
  readonly event_type?: string;
  readonly session_id?: string;
  readonly limit?: number;
}

/** Lost with the process; the store has the durable record. */
export interface EventBus extends EventEmitter {
  publish(event: BusEvent): void;
  /** `*` subscribes to every type. Returns the unsubscribe function. */
  subscribe(type: EventType | "*", subscriber: Subscriber): () => void;
  listEvents(query?: BusQuery): readonly BusEvent[];
  getEvent(eventId: string): BusEvent | null;
}

/** The oldest are evicted, so that memory stays bounded. */
const mostKept = 10_000;
const defaultLimit = 50;

const eventOf = (type: string, emission: Emission, nowMs: number): BusEvent => {
  const { flow_id = "", flow_type = "", deal_id = "", session_id = "", payload = {}, ...metadata } = emission;
  const timestamp = isoTime(nowMs);
  return {
    event_id: randomUUID(),
    event_type: type,
    timestamp,
    flow_id,
    flow_type,
    deal_id,
    session_id,
    payload,
    metadata,
  };
};

/** An event is kept first, then sent to subscribers of its type, then to those of `*`. */
export const createEventBus = ({ clock, log }: { readonly clock: Clock; readonly log: Log }): EventBus => {
  const events = new Map<string, BusEvent>();
  const subscribers = new Map<string, Set<Subscriber>>();

  const failed = (event: BusEvent, error: unknown): void =>
    log.warn({ event_type: event.event_type, error: String(error) }, "a subscriber of events failed");

  const hand = (subscriber: Subscriber, event: BusEvent): Promise<unknown> => {
    try {
      return Promise.resolve(subscriber(event)).catch((error: unknown) => failed(event, error));
    } catch (error) {
      failed(event, error);
      return Promise.resolve();
    }
  };

  const spread = (event: BusEvent): readonly Promise<unknown>[] => {
    if (events.has(event.event_id)) return [];
    events.set(event.event_id, Object.freeze(event));
    const [oldest] = events.keys();
    if (events.size > mostKept && oldest !== undefined) events.delete(oldest);
    return [event.event_type, "*"].flatMap((type) =>
      [...(subscribers.get(type) ?? [])].map((subscriber) => hand(subscriber, event)),
    );
  };

  const made = (type: EventType, emission: Emission = {}): BusEvent | null => {
    try {
      return eventOf(type, emission, clock.nowMs());
    } catch (error) {
      log.warn({ event_type: type, error: String(error) }, "an event could not be emitted");
      return null;
    }
  };

  return {
    publish: (event) => void spread(event),
    emitNow: (type, emission) => {
      const event = made(type, emission);
      if (event !== null) void spread(event);
      return event;
    },
    emit: async (type, emission) => {
      const event = made(type, emission);
      if (event !== null) await Promise.all(spread(event));
      return event;
    },
    subscribe: (type, subscriber) => {
      const known = subscribers.get(type) ?? new Set();
      subscribers.set(type, known.add(subscriber));
      return () => void known.delete(subscriber);
    },
    listEvents: ({ flow_id, event_type, session_id, limit = defaultLimit } = {}) =>
      [...events.values()]
        .filter((event) => flow_id === undefined || event.flow_id === flow_id)
        .filter((event) => event_type === undefined || event.event_type === event_type)
        .filter((event) => session_id === undefined || event.session_id === session_id)
        .slice(-Math.max(1, limit)),
    getEvent: (eventId) => events.get(eventId) ?? null,
  };
};

/**
 * Publishes events of commits and writes events that were emitted without one. `stop` resolves after the last write.
 */
export const joinRecord = (parts: {
  readonly bus: EventBus;
  readonly store: Pick<Store, "get" | "commit" | "watch">;
  readonly clock: Clock;
  readonly log: Log;
}): { stop(): Promise<void> } => {
  const { bus, store, clock, log } = parts;
  const stored = new Set<string>();
  let reading: Promise<unknown> = Promise.resolve();
  const writing = new Set<Promise<void>>();

  const publish = async (id: string): Promise<void> => {
    if (bus.getEvent(id) !== null) return;
    const row = (await store.get(eventKind.name, id)) as StoredRow<EventRow> | null;
    if (row === null) return;
    stored.add(id);
    bus.publish(eventView(row));
  };

  const write = async ({ event_id, metadata, ...event }: BusEvent): Promise<void> => {
    const draft = { ...event, event_id, ...(Object.keys(metadata).length === 0 ? {} : { metadata }) };
    await store.commit({ changes: [eventChange(draft, clock.nowMs(), "host")], audit: null });
  };

  const failed = (error: unknown): void => log.warn({ error: String(error) }, "an event could not be recorded");

  const unwatch = store.watch(eventKind.name, (id) => {
    reading = reading.then(() => publish(id)).catch(failed);
  });
  const unsubscribe = bus.subscribe("*", (event) => {
    if (stored.delete(event.event_id)) return undefined;
    const written = write(event)
      .catch(failed)
      .finally(() => writing.delete(written));
    writing.add(written);
    return written;
  });
  return {
    stop: async () => {
      unwatch();
      unsubscribe();
      await reading;
      await Promise.all(writing);
    },
  };
};
