import { signal } from "@preact/signals";
import { consoleHeaders, isReached, signedOut } from "./api.ts";
import { session } from "./session.ts";

type State = "connecting" | "live" | "lost";

type Message =
  | { readonly is: "event"; readonly type: string; readonly id: string }
  | { readonly is: "state"; readonly state: State }
  | { readonly is: "hello" };

export interface LiveEvent {
  readonly type: string;
  readonly id: string;
}

export const liveState = signal<State>("connecting");

/** Grows when the stream is back: deadlines may have passed that no event told. */
export const returns = signal(0);

type Listener = (event: LiveEvent) => void;

const listeners = new Set<Listener>();

export const onEvent = (listener: Listener): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const firstWaitMs = 500;
const longestWaitMs = 15_000;

const sleep = (ms: number, ended: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    ended.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });

const field = (block: string, name: string): string | null =>
  block
    .split("\n")
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2) ?? null;

/** Calls `heard` for each whole block of a server-sent stream. */
const readBlocks = async (body: ReadableStream<Uint8Array>, heard: (block: string) => void): Promise<void> => {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) heard(block);
  }
};

/** No event has this id: the stream then begins with the oldest. */
const beforeAll = "0";

/**
 * One tab reads the stream and tells the others: a browser opens six connections to a host. It goes on behind the event
 * that was the newest when the session was asked for: what is read later is older than none of its events.
 */
export const startLive = (): (() => void) => {
  const ended = new AbortController();
  const channel = new BroadcastChannel("parley-live");
  const { newest_event_id: newest } = session.value ?? {};
  let lastId: string | null = newest === null ? beforeAll : (newest ?? null);
  let isLeader = false;

  const take = (message: Message): void => {
    if (message.is === "event") {
      lastId = message.id;
      for (const listener of listeners) listener(message);
    } else if (message.is === "state") {
      if (message.state === "live" && liveState.value === "lost") returns.value += 1;
      liveState.value = message.state;
      isReached.value = message.state !== "lost";
    } else if (isLeader) channel.postMessage({ is: "state", state: liveState.value } satisfies Message);
  };
  const tell = (message: Message): void => {
    take(message);
    channel.postMessage(message);
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => take(data);

  const readOnce = async (): Promise<boolean> => {
    const headers: Record<string, string> = { ...consoleHeaders, Accept: "text/event-stream" };
    if (lastId !== null) headers["Last-Event-ID"] = lastId;
    const response = await fetch("/events/stream", { headers, signal: ended.signal });
    if (response.status === 401) signedOut.value = true;
    if (!response.ok || response.body === null) return false;
    tell({ is: "state", state: "live" });
    await readBlocks(response.body, (block) => {
      const [type, id] = [field(block, "event"), field(block, "id")];
      if (type !== null && id !== null) tell({ is: "event", type, id });
    });
    return true;
  };

  const lead = async (): Promise<void> => {
    isLeader = true;
    let waitMs = firstWaitMs;
    while (!ended.signal.aborted && !signedOut.value) {
      const wasOpen = await readOnce().catch(() => false);
      if (ended.signal.aborted || signedOut.value) return;
      tell({ is: "state", state: "lost" });
      waitMs = wasOpen ? firstWaitMs : Math.min(longestWaitMs, waitMs * 2);
      await sleep(waitMs * (0.75 + Math.random() / 2), ended.signal);
    }
  };

  channel.postMessage({ is: "hello" } satisfies Message);
  // Plain http on a name of a local network has no locks: each tab then reads for itself.
  const locks: LockManager | undefined = navigator.locks;
  const leading = locks === undefined ? lead() : locks.request("parley-stream", { signal: ended.signal }, () => lead());
  leading.catch(() => undefined);
  return () => {
    ended.abort();
    channel.close();
  };
};
