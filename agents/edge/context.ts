import type { EdgeConfig } from "./config.ts";
import type { EdgeMetrics } from "./metrics.ts";
import type { EdgeEnv, EdgeRequest, EdgeResponse, EntryStore, IdentityStore, RateCounter } from "./platform.ts";

/** Location of the client; members are absent when unknown. */
export type Geo = {
  /** ISO 3166 alpha-2, upper case. */
  readonly country: string;
  readonly region?: string;
  readonly city?: string;
  readonly continent?: string;
  readonly latitude?: number;
  readonly longitude?: number;
  readonly metro_code?: number;
  readonly asn?: number;
};

/** Text entries by store and key, what was written at run time first. `null`: absent. Rejects on a store failure. */
export type TextStore = {
  get(store: string, key: string): Promise<string | null>;
  /** Absent where nothing can be written at run time. */
  readonly writer?: Pick<EntryStore, "put" | "remove">;
};

/** Everything a handler may read, beside the request. Made once per request, after sanitising. */
export type EdgeContext = {
  readonly env: EdgeEnv;
  /** Leaves that the configuration contract marks (secret) hold the entry's value here, never its name. */
  readonly config: EdgeConfig;
  /** Public URL of the request: trusted scheme and host, folded path (decision 45), raw query. */
  readonly url: URL;
  /** Bare address of the client, or `null` when it is not known. */
  readonly clientIp: string | null;
  readonly geo: Geo | null;
  /** Cookies of the request; the first of two equal names wins. */
  readonly cookies: ReadonlyMap<string, string>;
  /** JA4 fingerprint of the client's TLS hello, when the trusted proxy passed one. */
  readonly ja4: string | null;
  /** The client's HTTP/2 SETTINGS as `id:value` pairs joined by `;`, when the trusted proxy passed them. */
  readonly h2: string | null;
  /** Clock value (`env.now()`) at which the request arrived; budgets count from here. */
  readonly startedAtMs: number;
  readonly requestId: string;
  readonly metrics: EdgeMetrics;
  /** Absent on adapters without one, and on A without `ec.ec_store`. Rehearsed outages are already applied. */
  readonly identity: IdentityStore | null;
  readonly counter: RateCounter | null;
  readonly configStore: TextStore;
  readonly secretStore: TextStore;
  /** Lets work run on after the response was sent. */
  after(work: Promise<unknown>): void;
};

/**
 * Serves one route. The request's headers are already sanitised; its URL equals `context.url`. Expected refusals are
 * returned (`refuse`); a throw is a bug and becomes a bare 500.
 */
export type EdgeHandler = (request: EdgeRequest, context: EdgeContext) => Promise<EdgeResponse>;
