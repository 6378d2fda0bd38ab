import { lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { type AllowList, isPublicAddress, judgeTarget, TargetRefused } from "../neutral/address-guard.ts";

/** One address of a name, as the resolver gave it. */
interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Asks for every address of a name. Rejects where there is none. */
type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** What opens a socket; `lookup` is the guarded one, and a connector that resolves names must use it. */
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

/** The one way out to addresses that others name. `close` ends idle and open connections. */
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

/** Resolves a name and refuses it when any of its addresses is not public: one bad answer spoils the name. */
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
 * Builds the dispatcher that every outbound request goes through. It judges each hop anew, so a redirect gains
 * nothing (decision 20): literal addresses before they are connected, names by the addresses that are connected.
 * Targets on the allow list go through an agent of their own, without the guard.
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
