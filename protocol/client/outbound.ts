import { lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { type AllowList, isPublicAddress, judgeTarget, TargetRefused } from "../neutral/address-guard.ts";

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
}

/** The one way out to addresses that others name. */
export interface Outbound {
  readonly dispatcher: Dispatcher;
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
    dispatcher,
    close: async () => {
      await Promise.all([guarded.destroy(), open.destroy()]);
    },
  };
};
