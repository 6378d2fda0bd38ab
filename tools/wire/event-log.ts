import { randomUUID } from "node:crypto";
import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

interface Kept {
  readonly session: string;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

/** What a client has not read when its connection breaks, so that it can resume behind `Last-Event-ID`. */
export interface EventLog {
  ofSession(): EventStore & { forget(): void };
}

/** A priming event carries no message. */
const isPriming = (message: JSONRPCMessage): boolean => Object.keys(message).length === 0;

/** One budget for all sessions: the oldest events are evicted, and a stream behind them cannot be resumed. */
export const createEventLog = (mostBytes: number): EventLog => {
  const events = new Map<string, Kept>();
  let held = 0;

  const remove = (id: string, { bytes }: Kept): void => {
    events.delete(id);
    held -= bytes;
  };

  const add = (id: string, event: Kept): void => {
    events.set(id, event);
    held += event.bytes;
    for (const [oldest, kept] of events) {
      if (held <= mostBytes) return;
      remove(oldest, kept);
    }
  };

  const ofSession: EventLog["ofSession"] = () => {
    const session = randomUUID();
    let made = 0;
    const own = (id: string): Kept | undefined => {
      const event = events.get(id);
      return event?.session === session ? event : undefined;
    };
    return {
      storeEvent: async (stream, message) => {
        made += 1;
        const id = `${session}.${made}`;
        add(id, { session, stream, message, bytes: 200 + JSON.stringify(message).length });
        return id;
      },
      getStreamIdForEventId: async (id) => own(id)?.stream,
      replayEventsAfter: async (lastId, { send }) => {
        const stream = own(lastId)?.stream ?? "";
        let isBehind = false;
        for (const [id, event] of [...events]) {
          if (isBehind && event.session === session && event.stream === stream && !isPriming(event.message)) {
            await send(id, event.message);
          }
          isBehind ||= id === lastId;
        }
        return stream;
      },
      forget: () => {
        if (made === 0) return;
        for (const [id, event] of [...events]) if (event.session === session) remove(id, event);
      },
    };
  };
  return { ofSession };
};
