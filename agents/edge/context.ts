import type { RecentAuctions } from "./auction/recent-auctions.ts";
import type { EdgeConfig } from "./config.ts";
import type { EdgeMetrics } from "./metrics.ts";
import type { Tokens } from "./proxy/token.ts";
import type { EdgeEnv, EdgeRequest, EdgeResponse, EntryStore, Geo, IdentityStore, RateCounter } from "./platform.ts";

/** Text entries by store and key, what was written at run time first. `null`: absent. Rejects on a store failure. */
export interface TextStore {
  get(store: string, key: string): Promise<string | null>;
  readonly writer?: Pick<EntryStore, "put" | "remove">;
}

export interface MetHosts {
  /** Adds the host of an address that a creative has. */
  meet(host: string): void;
  /** Met by another process of this edge. */
  learn(hosts: readonly string[]): void;
  /** The operator lists the host, or a creative had it: what is there was not chosen by whoever had it signed. */
  isTrusted(host: string): boolean;
}

export interface EdgeContext {
  readonly env: EdgeEnv;
  /** Leaves that the configuration contract marks (secret) hold the entry's value here, never its name. */
  readonly config: EdgeConfig;
  /** Public URL of the request: trusted scheme and host, folded path, raw query. */
  readonly url: URL;
  readonly clientIp: string | null;
  readonly geo: Geo | null;
  readonly cookies: ReadonlyMap<string, string>;
  readonly ja4: string | null;
  readonly h2: string | null;
  readonly startedAtMs: number;
  readonly requestId: string;
  readonly metrics: EdgeMetrics;
  readonly auctions: RecentAuctions;
  /** These sign with `publisher.proxy_secret`. */
  readonly tokens: Tokens;
  readonly met: MetHosts;
  readonly identity: IdentityStore | null;
  readonly counter: RateCounter | null;
  readonly configStore: TextStore;
  readonly secretStore: TextStore;
  after(work: Promise<unknown>): void;
}

/**
 * Serves one route. The request's headers are already sanitised; its URL equals `context.url`. Expected refusals are
 * returned (`refuse`); a throw is a bug and becomes a bare 500.
 */
export type EdgeHandler = (request: EdgeRequest, context: EdgeContext) => Promise<EdgeResponse>;
