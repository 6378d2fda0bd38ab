import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Served } from "../../agents/server/serve.ts";
import { type Caller, isOperator, presentedSecret } from "../../protocol/seam/caller.ts";
import type { WireRequest } from "../../protocol/client/request.ts";
import { eventKind } from "../../protocol/seam/events.ts";
import type { CallerDirectory, Log } from "../../protocol/seam/ports.ts";
import { deliveryIdOf, webhookKind, type WebhookRow } from "../../skills/seller/webhooks/record.ts";
import type { Commit, PutChange, Store } from "../../storage/store.ts";
import { canaryProducts, secretEnvironment } from "./canaries.ts";
import { createScan, type Recipient, type Scan } from "./scan.ts";

interface Exchange {
  readonly request: IncomingMessage;
  readonly asked: Buffer[];
  readonly answered: Buffer[];
}

const nobody: Recipient = { owner: "anonymous", isOperator: false, ids: [] };

const recipientOf = (caller: Caller): Recipient => ({
  owner: caller.owner,
  isOperator: isOperator(caller),
  ids: Object.values(caller.identity).filter((id) => typeof id === "string"),
});

const headerOf = (request: IncomingMessage, name: string): string | null => {
  const value = request.headers[name];
  return typeof value === "string" ? value : null;
};

const credentialOf = (request: IncomingMessage): string | null =>
  presentedSecret({ apiKey: headerOf(request, "x-api-key"), authorization: headerOf(request, "authorization") }) ??
  headerOf(request, "cookie");

/** The same for everybody. */
const documentPath =
  /^\/(?:openapi\.json|docs|redoc|guide\b|llms(?:-full)?\.txt|mcp\/(?:tools|info)|[^?]*\.well-known\/)/;
const documentMethod = /"method":"(?:initialize|tools\/list|prompts\/|resources\/|rpc\.discover)/;

/** Rows that callers see, or that are answered again. */
const shownKinds = new Set(["event", "idempotency"]);

const bytesOf = (chunk: unknown, encoding: unknown): Buffer =>
  typeof chunk === "string"
    ? Buffer.from(chunk, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8")
    : Buffer.from(chunk as Uint8Array);

const isBytes = (chunk: unknown): boolean => typeof chunk === "string" || chunk instanceof Uint8Array;

/** Reads every byte from the sockets. `serving` names our agents, `naming` the owners of secrets. */
const createWatch = (scan: Scan) => {
  const ports = new Set<number>();
  const open = new Map<Socket, Exchange>();
  const recipients = new Map<string, Recipient>();

  const webhooks = new Map<string, Recipient>();
  const events = new Set<string>();

  const subscribed = ({ webhook_id, owner, sees_all }: WebhookRow): void => {
    const known = [...recipients.values()].find((recipient) => recipient.owner === owner);
    webhooks.set(webhook_id, { owner, isOperator: sees_all, ids: known?.ids ?? [] });
  };

  const keep = ({ kind, id, body }: PutChange): void => {
    if (kind === eventKind.name) events.add(id);
    if (shownKinds.has(kind)) scan.kept(`row ${kind}`, JSON.stringify(body));
    if (kind === webhookKind.name) subscribed(body as WebhookRow);
  };

  const judge = (socket: Socket): void => {
    const exchange = open.get(socket);
    open.delete(socket);
    if (exchange === undefined || exchange.answered.length === 0) return;
    const { request } = exchange;
    const to = recipients.get(credentialOf(request) ?? "") ?? nobody;
    const asked = Buffer.concat(exchange.asked).toString("utf8");
    scan.asked(to.owner, [request.url, ...request.rawHeaders, asked].join(" "));
    const text = Buffer.concat(exchange.answered).toString("utf8");
    const document = documentPath.test(request.url ?? "") || documentMethod.test(asked);
    scan.sent({ to, text, document, what: `${to.owner} ${request.method} ${request.url} ${asked.slice(0, 200)}` });
  };

  const hear = (socket: Socket): void => {
    const record = (chunk: unknown, encoding: unknown): void => {
      if (isBytes(chunk)) open.get(socket)?.answered.push(bytesOf(chunk, encoding));
    };
    const { write, end } = socket;
    socket.write = ((...given: Parameters<Socket["write"]>) => {
      record(given[0], given[1]);
      return write.apply(socket, given);
    }) as Socket["write"];
    socket.end = ((...given: Parameters<Socket["end"]>) => {
      record(given[0], given[1]);
      return end.apply(socket, given);
    }) as Socket["end"];
    socket.once("close", () => judge(socket));
  };

  const onConnection = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    if (ports.has(socket.localPort ?? 0)) hear(socket);
  };

  const onRequest = (message: unknown): void => {
    const { request, socket } = message as { request: IncomingMessage; socket: Socket };
    if (!ports.has(socket.localPort ?? 0)) return;
    judge(socket);
    const asked: Buffer[] = [];
    open.set(socket, { request, asked, answered: [] });
    const { push } = request;
    request.push = (chunk: unknown, encoding?: BufferEncoding) => {
      if (isBytes(chunk)) asked.push(bytesOf(chunk, encoding));
      return push.call(request, chunk, encoding);
    };
  };

  /** The delivery id is made from event and receiver. A message of a template may name no event. */
  const receiverOf = (deliveryId: string, eventId: string | undefined): Recipient => {
    const told = eventId === undefined ? [...events] : [eventId];
    const isTold = ([webhookId]: readonly [string, Recipient]): boolean =>
      told.some((id) => deliveryIdOf(webhookId, id) === deliveryId);
    return [...webhooks].find(isTold)?.[1] ?? nobody;
  };

  return {
    scan,
    start: (): void => {
      for (const known of [ports, open, recipients, webhooks, events]) known.clear();
      scan.forgetAll();
      subscribe("net.server.socket", onConnection);
      subscribe("http.server.request.start", onRequest);
    },
    serving: (served: Served): Served => {
      ports.add(served.port);
      return served;
    },
    /** A dead secret is still its holder's. */
    naming: (directory: CallerDirectory): CallerDirectory => {
      const named = <Found>(secret: string, found: Found | Caller): Found | Caller => {
        if (typeof found === "object" && found !== null && "owner" in found) {
          recipients.set(secret, recipientOf(found));
          scan.known(recipientOf(found));
        }
        return found;
      };
      return {
        find: async (secret, address) => named(secret, await directory.find(secret, address)),
        inSession: async (cookies, address) => named(cookies, (await directory.inSession?.(cookies, address)) ?? null),
      };
    },
    logging: (log: Log): Log => {
      const at = (level: keyof Log) => (fields: Readonly<Record<string, unknown>>, message: string) => {
        scan.kept(`log ${message}`, JSON.stringify(fields));
        log[level]?.(fields, message);
      };
      return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
    },
    /** Looked up at each call: a test may replace the store's methods. */
    storing: (store: Store): Store => {
      const commit = (of: Commit) => {
        for (const change of of.changes) if (change.op === "put") keep(change);
        return store.commit(of);
      };
      return new Proxy(store, { get: (target, name) => (name === "commit" ? commit : Reflect.get(target, name)) });
    },
    delivering: (request: WireRequest): void => {
      const deliveryId = request.headers["webhook-id"];
      if (deliveryId === undefined) return;
      const body = request.body ?? "";
      const { event_id } = JSON.parse(body) as { event_id?: string };
      const text = `${JSON.stringify(request.headers)} ${body}`;
      const to = receiverOf(deliveryId, event_id);
      scan.sent({ to, text, document: false, what: `${to.owner} delivery of ${event_id ?? "a message"}` });
    },
    answered: (secret: string | null, asked: { readonly operation: string }, answer: unknown): void => {
      const to = recipients.get(secret ?? "") ?? nobody;
      scan.asked(to.owner, JSON.stringify(asked));
      scan.sent({ to, document: false, what: `${to.owner} ${asked.operation}`, text: JSON.stringify(answer) });
    },
    /** With connections that are still open. */
    finish: (): string[] => {
      for (const socket of open.keys()) judge(socket);
      return scan.takeLeaks();
    },
    stop: (): void => {
      unsubscribe("net.server.socket", onConnection);
      unsubscribe("http.server.request.start", onRequest);
    },
  };
};

/** `setup.ts` installs it and ends the file with its findings. */
export const watch = createWatch(
  createScan({
    secrets: Object.values(secretEnvironment),
    floorMicros: canaryProducts.flatMap(({ floor_cpm_micros: floor, accept_from: from }) => [
      ...(floor === null ? [] : [floor]),
      ...(from != null && "micros" in from ? [from.micros] : []),
    ]),
  }),
);
