import { z } from "zod";
import { type Caller, isEdge, isOperator, ownersOf } from "../../protocol/seam/caller.ts";
import type { DoorRequest, DoorRoute, RouteDescription } from "../../protocol/door/door.ts";
import { callerOf, credentialsOf } from "../../protocol/door/door-call.ts";
import { createStreamPlaces } from "../../protocol/door/stream-places.ts";
import { eventKind, eventOwnerTerm, type EventRow } from "../../protocol/seam/events.ts";
import { isRefusal, Refused } from "../../protocol/neutral/refusals.ts";
import { accessRefusal } from "../../protocol/seam/run/gates.ts";
import { scopeOf } from "../../protocol/seam/scopes.ts";
import type { Runner } from "../../protocol/seam/run/run.ts";
import type { Store, StoredRow } from "../../storage/store.ts";
import { consoleSessionKind } from "../console/session-row.ts";
import { createWakeup } from "./wakeup.ts";

export interface EventStreamParts {
  readonly store: Pick<Store, "get" | "list" | "watch">;
  readonly runner: Pick<Runner, "admit">;
  /** An event as its reader may see it. */
  readonly view: (event: Pick<StoredRow<EventRow>, "id" | "body">, forOperator: boolean) => unknown;
  /** A comment line keeps proxies from closing a silent stream. */
  readonly heartbeatMs?: number;
  /** 0: no limit. */
  readonly mostPerCaller: number;
  readonly mostStreams?: number;
}

export interface EventStream {
  readonly route: DoorRoute;
  /** Streams that are open now. */
  open(): number;
  stop(): void;
}

const description: RouteDescription = {
  name: "stream_events",
  group: "events",
  summary:
    "Streams events as they come, as server-sent events. Operators read all, a buyer those of its own records, an " +
    "edge server the types and ids of deal events. " +
    "`id` is what Last-Event-ID takes, `event` the type, `data` the record as list_events shows it.",
  access: "key",
  headers: { "Last-Event-ID": "The id of the last event that was read: the stream goes on behind it." },
  answers: { 200: { meaning: "The stream.", body: { type: "text/event-stream", schema: z.string() } } },
  refusals: [
    "authentication_required",
    "invalid_api_key",
    "api_key_revoked",
    "api_key_expired",
    "agent_blocked",
    "rate_limited",
    "unavailable",
  ],
};

type LoadedEvent = StoredRow<EventRow>;

/** Sessions of the console, and the keys of the seller and of the buyer. */
const credentialKinds: readonly string[] = [consoleSessionKind.name, "api_key", "operator_key"];

const rowsPerPage = 100;

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

/** An operator reads everything, a buyer its own records, with those of its key. */
const streamTerms = (caller: Caller): readonly (readonly string[])[] => {
  if (isOperator(caller)) return [[]];
  return ownersOf(caller).map((owner) => [eventOwnerTerm(owner)]);
};

const written = (event: LoadedEvent, shown: unknown): string =>
  `id: ${event.id}\nevent: ${event.body.event_type}\ndata: ${JSON.stringify(shown)}\n\n`;

/** An edge reads its deals anew on each event of one, and needs no more than that. */
const shownTo = (caller: Caller, event: LoadedEvent, view: EventStreamParts["view"]): string => {
  if (!isEdge(caller)) return written(event, view(event, isOperator(caller)));
  const { event_type, deal_id } = event.body;
  return event_type.startsWith("deal.") ? written(event, { event_id: event.id, event_type, deal_id }) : "";
};

/** A caller with two owners reads both lists and merges them. */
const readAfter = async (store: EventStreamParts["store"], caller: Caller, after: number): Promise<LoadedEvent[]> => {
  const kind = eventKind.name;
  const lists = await Promise.all(
    streamTerms(caller).map((terms) => store.list({ kind, terms, order: "oldest", limit: rowsPerPage, after })),
  );
  // Beyond a full page that list is unknown, so later events of others wait for the next page.
  const known = lists.map((rows) => (rows.length < rowsPerPage ? Number.MAX_SAFE_INTEGER : (rows.at(-1)?.n ?? after)));
  const upTo = Math.min(...known);
  return (lists.flat() as LoadedEvent[]).filter(({ n }) => n <= upTo).sort((left, right) => left.n - right.n);
};

/**
 * Behind the event of `Last-Event-ID`, else at the end. An expired id starts at the oldest event: repeated is better
 * than lost.
 */
const placeOf = async (store: EventStreamParts["store"], lastEventId: string | undefined): Promise<number> => {
  const kind = eventKind.name;
  if (lastEventId === undefined || lastEventId === "") {
    const [newest] = await store.list({ kind, terms: [], order: "newest", limit: 1 });
    return newest?.n ?? 0;
  }
  return (await store.get(kind, lastEventId))?.n ?? 0;
};

const streamRoute: Omit<DoorRoute, "handle"> = {
  method: "GET",
  path: "/events/stream",
  access: "key",
  description,
  refused: (_request, refusal) => Promise.reject(new Refused(refusal)),
};

const streamed = { group: "events", effect: "read", access: "key", opensToEdge: true } as const;

/**
 * `GET events/stream` as server-sent events. Events are read from the rows behind the last one sent, so that none is
 * lost between two reads. The credential is checked before each read, so that a revoked key reads no further.
 */
export const createEventStream = (parts: EventStreamParts): EventStream => {
  const { store, runner, view, heartbeatMs = 15_000, mostPerCaller, mostStreams = 1000 } = parts;
  const places = createStreamPlaces(mostPerCaller, mostStreams);
  const stopping = new AbortController();

  async function* pieces(request: DoorRequest, ended: AbortSignal, start: number): AsyncGenerator<string> {
    const wakeup = createWakeup(ended);
    // An ended session or a revoked key is noticed at once, not with the next event.
    const unwatch = [eventKind.name, ...credentialKinds].map((kind) => store.watch(kind, wakeup.wake));
    let after = start;
    try {
      yield ": open\n\n";
      while (!ended.aborted) {
        const caller = await runner.admit(credentialsOf(request.headers, request.address)).who();
        if (isRefusal(caller) || accessRefusal(streamed, caller) !== null) return;
        wakeup.reset();
        const rows = await readAfter(store, caller, after);
        for (const event of rows) yield shownTo(caller, event, view);
        after = rows.at(-1)?.n ?? after;
        if (rows.length === 0 && !(await wakeup.wait(heartbeatMs))) yield ": heartbeat\n\n";
      }
    } finally {
      for (const stop of unwatch) stop();
    }
  }

  const open = (request: DoorRequest, release: () => void, start: number): AsyncIterable<string> => {
    const gone = new AbortController();
    const ended = AbortSignal.any([gone.signal, stopping.signal]);
    const source = pieces(request, ended, start);
    const end = (): void => {
      gone.abort();
      release();
    };
    const next = async (): Promise<IteratorResult<string>> => {
      const result = await source.next();
      if (result.done === true) end();
      return result;
    };
    // A return alone would wait behind the running read.
    const finish = async (): Promise<IteratorResult<string>> => {
      end();
      await source.return(undefined);
      return { done: true, value: undefined };
    };
    return { [Symbol.asyncIterator]: () => ({ next, return: finish }) };
  };

  const handle: DoorRoute["handle"] = async (request) => {
    const caller = await callerOf(request);
    const refusal = accessRefusal(streamed, caller);
    if (refusal?.code === "insufficient_scope") request.admission.lacks(scopeOf(streamed));
    if (refusal !== null) throw new Refused(refusal);
    const release = places.take(caller.limitKey);
    try {
      const start = await placeOf(store, request.headers["last-event-id"]);
      return { status: 200, headers, body: open(request, release, start) };
    } catch (error) {
      release();
      throw error;
    }
  };

  return {
    route: { ...streamRoute, handle },
    open: places.open,
    stop: () => stopping.abort(),
  };
};
