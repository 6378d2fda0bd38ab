import { lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { Agent, buildConnector, type Dispatcher, fetch, Headers } from "undici";
import { type AllowList, isPublicAddress, judgeTarget, TargetRefused } from "../neutral/address-guard.ts";
import { inOutboundSpan } from "../neutral/trace.ts";
import type { EndedOutbound, OutboundWatch } from "../seam/watch.ts";
import { codeOf, type Fetch, isTimeout } from "./limits.ts";

interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** A connector that resolves names must use the guarded `lookup`. */
export type ConnectorOf = (options: {
  readonly lookup: LookupFunction | undefined;
  readonly timeout: number;
}) => buildConnector.connector;

export interface OutboundParts {
  readonly allow: AllowList;
  readonly timeoutMs: number;
  readonly resolve?: Resolve;
  readonly connector?: ConnectorOf;
  readonly watch?: OutboundWatch;
  /** What requests to an origin are counted under; other, when left out. */
  readonly peerOf?: (origin: string) => string;
}

/** Of tests, to resolve and connect; of an agent, to count. */
export type OutboundMore = Pick<OutboundParts, "resolve" | "connector" | "watch">;

/** The one way out to addresses that others name. */
export interface Outbound {
  readonly fetch: Fetch;
  close(): Promise<void>;
}

const resolveBySystem: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error)));
  });

const defaultConnector: ConnectorOf = ({ lookup, timeout }) =>
  buildConnector(lookup === undefined ? { timeout } : ({ timeout, lookup } as buildConnector.BuildOptions));

/** One private address rejects the whole name. */
const guardedLookup =
  (resolve: Resolve): LookupFunction =>
  (hostname, options, done) => {
    const settle = (addresses: readonly ResolvedAddress[]): void => {
      const first = addresses[0];
      if (first === undefined || !addresses.every((entry) => isPublicAddress(entry.address))) {
        done(new TargetRefused(hostname), "", 0);
      } else if (options.all === true) done(null, [...addresses]);
      else done(null, first.address, first.family);
    };
    resolve(hostname).then(settle, (error: NodeJS.ErrnoException) => done(error, "", 0));
  };

const hostOf = (origin: string): string => (URL.canParse(origin) ? new URL(origin).hostname : "the target");

const statusResult = (status: number): EndedOutbound["result"] =>
  status >= 500 ? "failed" : status >= 400 ? "refused" : "ok";

const errorResult = (error: unknown, signal: AbortSignal | null | undefined): EndedOutbound["result"] => {
  const code = codeOf(error);
  if (code === "TARGET_NOT_ALLOWED") return "blocked";
  if (isTimeout(code)) return "timeout";
  return signal?.aborted === true ? "stopped" : "unreachable";
};

const watchedFetch =
  (dispatcher: Dispatcher, { watch, peerOf = () => "other" }: OutboundParts): Fetch =>
  async (url, init) => {
    const { origin, host } = new URL(url);
    const given = (): Headers => new Headers(init.headers);
    const span = { method: init.method ?? "GET", host };
    return inOutboundSpan(
      span,
      () => given().get("traceparent"),
      async (traced, { set, fail }) => {
        const startMs = performance.now();
        const ended = (result: EndedOutbound["result"]): void => {
          watch?.sent({ peer: peerOf(origin), result, seconds: (performance.now() - startMs) / 1000 });
          if (result !== "ok") fail(result);
        };
        const named = traced === null ? {} : { headers: { ...Object.fromEntries(given()), ...traced } };
        try {
          const response = await fetch(url, { ...init, ...named, dispatcher });
          set("http.response.status_code", response.status);
          ended(statusResult(response.status));
          return response;
        } catch (error) {
          ended(errorResult(error, init.signal));
          throw error;
        }
      },
    );
  };

/**
 * Every hop is checked, so a redirect gains nothing: literal addresses before connecting, names by the address
 * connected to. The allow list bypasses the guard.
 */
export const createOutbound = (parts: OutboundParts): Outbound => {
  const connectorOf = parts.connector ?? defaultConnector;
  const limits = { headersTimeout: parts.timeoutMs, bodyTimeout: parts.timeoutMs };
  const lookup = guardedLookup(parts.resolve ?? resolveBySystem);
  const guarded = new Agent({ ...limits, connect: connectorOf({ lookup, timeout: parts.timeoutMs }) });
  const open = new Agent({ ...limits, connect: connectorOf({ lookup: undefined, timeout: parts.timeoutMs }) });
  const dispatcher = guarded.compose((next) => (options, handler) => {
    const origin = String(options.origin ?? "");
    const judgement = judgeTarget(origin, parts.allow);
    if (judgement === "refused") throw new TargetRefused(hostOf(origin));
    return judgement === "allowed" ? open.dispatch(options, handler) : next(options, handler);
  });
  return {
    fetch: watchedFetch(dispatcher, parts),
    close: async () => {
      await Promise.all([guarded.destroy(), open.destroy()]);
    },
  };
};
