import { lookup, type LookupAddress, type LookupAllOptions } from "node:dns";
import http from "node:http";
import https from "node:https";
import type { Readable } from "node:stream";
import {
  type AllowList,
  isListed,
  isPublicAddress,
  judgeTarget,
  plainAddress,
} from "../../../../protocol/neutral/address-guard.ts";
import { dropHopByHop } from "../../http/outbound-headers.ts";
import type { ByteStream, EdgeEnv, OutboundFault, OutboundRequest, OutboundResult } from "../../platform.ts";
import { fromRawHeaders } from "../../http/light-headers.ts";
import { NodeBytes, nativeSource, pump } from "./streams.ts";

class OutboundFailure extends Error {
  readonly fault: OutboundFault;

  constructor(fault: OutboundFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

const connectCodes = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"];

const faultOf = (error: unknown): Extract<OutboundResult, { ok: false }> => {
  if (error instanceof OutboundFailure) return { ok: false, fault: error.fault, reason: error.message };
  const { code = "", message } = error as NodeJS.ErrnoException;
  const reason = code === "" ? message : code;
  if (code === "ETIMEDOUT") return { ok: false, fault: "timeout", reason };
  return { ok: false, fault: connectCodes.includes(code) ? "refused" : "broken", reason };
};

const shared = { keepAlive: true, maxSockets: 512, maxFreeSockets: 64, scheduling: "lifo" } as const;

/** A socket opened for the operator's address must never carry a request to a foreign one, so each has its own. */
const createAgents = () => {
  const agents = () => ({
    http: new http.Agent(shared),
    https: new https.Agent(shared),
    unchecked: new https.Agent({ ...shared, rejectUnauthorized: false }),
  });
  return { operator: agents(), foreign: agents() };
};

type Lookup = NonNullable<http.RequestOptions["lookup"]>;

export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Resolves a name and hands on only addresses that are public or listed, so that the connection goes to an address
 * that was checked: a second look-up could answer something else (DNS rebinding).
 */
const guardedLookup =
  (resolve: Resolve, allowed: (address: string) => boolean): Lookup =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      // With an error there is no list at all, whatever the types of the platform say.
      if (error !== null) return callback(error, []);
      const first = addresses[0];
      const isAllowed = first !== undefined && addresses.every(({ address }) => allowed(address));
      if (!isAllowed) callback(new OutboundFailure("blocked", "the address is not a permitted public target"), []);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };

const plainHeaders = (request: OutboundRequest): Record<string, string | string[]> => {
  const { headers } = request;
  dropHopByHop(headers);
  if (request.body instanceof Uint8Array) headers.set("content-length", String(request.body.length));
  if (request.body === null && !["POST", "PUT", "PATCH"].includes(request.method)) headers.delete("content-length");
  const plain: Record<string, string | string[]> = Object.fromEntries(headers);
  // Node writes a DELETE or OPTIONS body without any framing by itself.
  if (request.body !== null && !headers.has("content-length")) plain["transfer-encoding"] = "chunked";
  return plain;
};

const sendBody = (outgoing: http.ClientRequest, body: OutboundRequest["body"], onPiece: () => void): void => {
  if (body === null) return void outgoing.end();
  if (body instanceof Uint8Array) return void outgoing.end(body);
  const source: Readable | undefined = nativeSource(body);
  if (source !== undefined) {
    source.once("error", () => outgoing.destroy());
    source.once("aborted", () => outgoing.destroy());
    source.on("data", onPiece);
    return void source.pipe(outgoing);
  }
  pump(body, outgoing, onPiece).then(
    () => outgoing.end(),
    () => outgoing.destroy(),
  );
};

class NodeAnswer {
  readonly ok = true;
  readonly status: number;
  readonly headers: Headers;
  readonly handle: http.IncomingMessage;
  readonly #idleMs: number;
  #body: ByteStream | undefined;

  constructor(incoming: http.IncomingMessage, idleMs: number) {
    this.status = incoming.statusCode ?? 0;
    this.headers = fromRawHeaders(incoming.rawHeaders);
    this.handle = incoming;
    this.#idleMs = idleMs;
  }

  get body(): ByteStream {
    this.#body ??= new NodeBytes(this.handle, { idleMs: this.#idleMs });
    return this.#body;
  }
}

export const readAnswer = (
  incoming: http.IncomingMessage,
  request: OutboundRequest,
): Extract<OutboundResult, { ok: true }> => {
  const status = incoming.statusCode ?? 0;
  if (request.method !== "HEAD" && status !== 204 && status !== 304) return new NodeAnswer(incoming, request.idleMs);
  incoming.resume();
  return { ok: true, status, headers: fromRawHeaders(incoming.rawHeaders), body: null };
};

const watchSocket = (outgoing: http.ClientRequest, incoming: http.IncomingMessage, idleMs: number): void => {
  const { socket } = incoming;
  const onTimeout = (): void => {
    if (incoming.readableLength > 0) socket.setTimeout(idleMs, onTimeout);
    else outgoing.destroy(new OutboundFailure("timeout", "the body paused for too long"));
  };
  socket.setTimeout(idleMs, onTimeout);
  incoming.once("close", () => {
    socket.setTimeout(0);
    socket.removeListener("timeout", onTimeout);
  });
};

const exchange = (request: OutboundRequest, options: https.RequestOptions): Promise<OutboundResult> =>
  new Promise((settle, reject) => {
    const open = request.url.protocol === "https:" ? https.request : http.request;
    const outgoing = open(options);
    const late = (): void => void outgoing.destroy(new OutboundFailure("timeout", "no answer in time"));
    let headTimer = setTimeout(late, request.idleMs);
    let isWaiting = true;
    const endWait = (): void => {
      isWaiting = false;
      clearTimeout(headTimer);
    };
    // Nobody answers a request that is still being sent, so that each piece starts the wait anew.
    const waitAnew = (): void => {
      if (!isWaiting) return;
      clearTimeout(headTimer);
      headTimer = setTimeout(late, request.idleMs);
    };
    const totalTimer = request.totalMs === undefined ? undefined : setTimeout(late, Math.max(0, request.totalMs));
    const clear = (): void => {
      endWait();
      clearTimeout(totalTimer);
    };
    outgoing.once("error", (error) => {
      clear();
      reject(Object.assign(error, { reused: outgoing.reusedSocket }));
    });
    outgoing.on("error", () => undefined);
    outgoing.once("response", (incoming) => {
      endWait();
      incoming.on("error", () => undefined);
      incoming.once("close", clear);
      watchSocket(outgoing, incoming, request.idleMs);
      settle(readAnswer(incoming, request));
    });
    sendBody(outgoing, request.body, waitAnew);
  });

const isStaleSocket = (error: unknown, request: OutboundRequest): boolean => {
  const { reused, code } = error as { reused?: boolean; code?: string };
  const isHarmless = request.body === null && /^(?:GET|HEAD|OPTIONS)$/.test(request.method);
  return isHarmless && reused === true && code === "ECONNRESET";
};

/**
 * `EdgeEnv.send` over `node:http` and `node:https` (runtimes A, B and D): raw bodies, true headers, no redirects, the
 * address guard at the moment of connecting.
 */
export const createSend = (allow: AllowList, resolve: Resolve = lookup): EdgeEnv["send"] => {
  const agents = createAgents();
  const isAllowedFor =
    (url: URL) =>
    (address: string): boolean =>
      isPublicAddress(address) || isListed(allow, url) || isListed(allow, url, plainAddress(address));
  const optionsFor = (request: OutboundRequest): https.RequestOptions => {
    const set = agents[request.trust];
    const secure = request.checkCertificate === false ? set.unchecked : set.https;
    const { url } = request;
    return {
      hostname: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port,
      path: `${url.pathname}${url.search}`,
      method: request.method,
      headers: plainHeaders(request),
      agent: request.url.protocol === "https:" ? secure : set.http,
      maxHeaderSize: 65_536,
      ...(request.trust === "foreign" ? { lookup: guardedLookup(resolve, isAllowedFor(request.url)) } : {}),
    };
  };
  return async (request) => {
    if (request.trust === "foreign" && judgeTarget(request.url, allow) === "refused") {
      return { ok: false, fault: "blocked", reason: "the address is not a permitted public target" };
    }
    try {
      return await exchange(request, optionsFor(request)).catch((error: unknown) => {
        if (isStaleSocket(error, request)) return exchange(request, optionsFor(request));
        throw error;
      });
    } catch (error) {
      return faultOf(error);
    }
  };
};
