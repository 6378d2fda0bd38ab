import { setTimeout as sleep } from "node:timers/promises";
import {
  createMcpHandler,
  type JSONRPCMessage,
  type McpHttpHandler,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import type { DoorAnswer, DoorRequest } from "../../protocol/door/door.ts";
import { createStreamPlaces } from "../../protocol/door/stream-places.ts";
import { isMembers } from "../../protocol/neutral/json-input.ts";
import type { ToolCaller } from "../calls/call.ts";
import { answersOf } from "../surface/answers.ts";
import type { Request as SurfaceRequest } from "../surface/surface.ts";
import type { ResourceUpdates } from "../surface/updates.ts";
import { createMcpServer, type McpParts } from "../server.ts";
import { carried } from "./message.ts";
import { type CallerInfo, headersOf, piecesOf, webRequest } from "./web.ts";

export interface ModernHttp {
  serve(request: DoorRequest, from: CallerInfo, sent: JSONRPCMessage): Promise<DoorAnswer>;
  close(): Promise<void>;
}

/** A client that reads no more gets its stream ended, and can listen anew. */
const mostUnread = 256;
const mostStreams = 1024;

const longestDrainMs = 10_000;

interface Listening {
  readonly bus: ServerEventBus;
  readonly pulled: () => void;
  readonly ended: () => void;
}

type Params = { readonly [name: string]: unknown };

const wantedUris = (params: Params | undefined): readonly string[] => {
  const filter = params?.["notifications"];
  const uris = isMembers(filter) ? filter["resourceSubscriptions"] : undefined;
  return Array.isArray(uris) ? [...new Set(uris.filter((uri): uri is string => typeof uri === "string"))] : [];
};

const mostUris = 200;

const silent: SurfaceRequest["log"] = async () => undefined;

const unheard = (from: ToolCaller): SurfaceRequest => ({
  from,
  canAsk: () => false,
  ask: async () => ({}),
  log: silent,
});

/** Readable resources alone are listened to: the others are left out of what is acknowledged. */
const readableUris = async (parts: McpParts, from: ToolCaller, uris: readonly string[]): Promise<string[]> => {
  const answers = answersOf(parts.surfaces);
  const found: string[] = [];
  for (const uri of uris.slice(0, mostUris)) {
    const isReadable = await answers.subscribable(uri, unheard(from)).then(
      () => true,
      () => false,
    );
    if (isReadable) found.push(uri);
  }
  return found;
};

const listeningTo = async (
  updates: ResourceUpdates | undefined,
  uris: readonly string[],
  stop: () => void,
): Promise<Listening> => {
  let tell: ((uri: string) => void) | null = null;
  let unread = 0;
  const heard = (uri: string): void => {
    unread += 1;
    if (unread > mostUnread) stop();
    else tell?.(uri);
  };
  const ends = updates === undefined ? [] : await Promise.all(uris.map((uri) => updates.subscribe(uri, heard)));
  return {
    bus: {
      publish: () => undefined,
      subscribe: (listener) => {
        tell = (uri) => listener({ kind: "resource_updated", uri });
        return () => {
          tell = null;
        };
      },
    },
    pulled: () => {
      unread = Math.max(0, unread - 1);
    },
    ended: () => {
      for (const end of ends) end();
    },
  };
};

/** A caller may be gone before there is anything to end. */
const onceAborted = (signal: AbortSignal, end: () => void): void => {
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
};

/** Revision 2026-07-28: a request is a whole, there are no sessions. */
export const createModernHttp = (parts: McpParts, streamsPerCaller: number): ModernHttp => {
  const handlerWith = (bus?: ServerEventBus): McpHttpHandler =>
    createMcpHandler(() => createMcpServer(parts, "modern"), {
      legacy: "reject",
      ...(bus === undefined ? {} : { bus }),
    });
  const handler = handlerWith();
  const listeners = new Set<McpHttpHandler>();
  const running = new Set<Promise<unknown>>();
  const { take: takePlace } = createStreamPlaces(streamsPerCaller, mostStreams);

  const answered = async (request: DoorRequest, authInfo: CallerInfo, sent: JSONRPCMessage): Promise<DoorAnswer> => {
    const gone = new AbortController();
    request.node.response.once("close", () => gone.abort());
    const response = await handler.fetch(webRequest(request, gone.signal), { authInfo, parsedBody: carried(sent) });
    const { status, body } = response;
    const headers = headersOf(response);
    if (body === null) return { status, headers, body };
    if (headers["content-type"] !== "text/event-stream") return { status, headers, body: await response.text() };
    const pulled = (): void => undefined;
    return { status, headers, body: piecesOf(body, { pulled, ended: () => undefined }), ends: true };
  };

  const listen = async (request: DoorRequest, authInfo: CallerInfo, sent: Sent): Promise<DoorAnswer> => {
    const gone = new AbortController();
    request.node.response.once("close", () => gone.abort());
    onceAborted(gone.signal, takePlace(authInfo.principal));
    try {
      const uris = await readableUris(parts, authInfo.from, wantedUris(sent.params));
      const listening = await listeningTo(parts.updates, uris, () => gone.abort());
      onceAborted(gone.signal, listening.ended);
      const own = handlerWith(listening.bus);
      listeners.add(own);
      onceAborted(gone.signal, () => listeners.delete(own));
      const parsedBody = narrowed(sent, uris);
      const response = await own.fetch(webRequest(request, gone.signal), { authInfo, parsedBody });
      const { status, body } = response;
      const headers = headersOf(response);
      if (body !== null && headers["content-type"] === "text/event-stream") {
        return { status, headers, body: piecesOf(body, { pulled: listening.pulled, ended: () => gone.abort() }) };
      }
      gone.abort();
      return { status, headers, body: await response.text() };
    } catch (error) {
      gone.abort();
      throw error;
    }
  };

  return {
    serve: async (request, authInfo, sent) => {
      if (isListening(sent)) return listen(request, authInfo, sent);
      const answer = answered(request, authInfo, sent);
      running.add(answer);
      return answer.finally(() => running.delete(answer));
    },
    close: async () => {
      await Promise.all([...listeners].map((own) => own.close()));
      await Promise.race([Promise.allSettled(running), sleep(longestDrainMs, undefined, { ref: false })]);
      await handler.close();
    },
  };
};

interface Sent {
  readonly params?: Params | undefined;
}

const isListening = (sent: JSONRPCMessage): sent is JSONRPCMessage & Sent =>
  "method" in sent && sent.method === "subscriptions/listen";

const narrowed = (sent: Sent, uris: readonly string[]): unknown => {
  const filter = sent.params?.["notifications"];
  if (!isMembers(filter) || filter["resourceSubscriptions"] === undefined) return sent;
  return { ...sent, params: { ...sent.params, notifications: { ...filter, resourceSubscriptions: uris } } };
};
