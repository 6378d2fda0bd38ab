export type AdapterLetter = "A" | "B" | "C" | "D";

/** Encodings that the edge decodes and re-encodes; everything else passes through untouched. */
export type ContentCoding = "gzip" | "deflate" | "br";

/**
 * What differs between the adapters, as data. These literals, one per
 * runtime leaf, are the only place where the letters differ: the core reads the trait, never the letter.
 */
export interface EdgeTraits {
  readonly adapter: AdapterLetter;
  /** Names the runtime in messages, with its preposition: `on Bun`. */
  readonly place: string;
  /** `before-router`: answered without configuration and without finalizer headers. */
  readonly health: "before-router" | "routed" | "absent";
  readonly startupStatus: 500 | 503;
  readonly startupHealth: boolean;
  /** How many providers one auction may ask. */
  readonly fanout: "multiple" | "single";
  /** Where the lifetime for shared caches is written. */
  readonly edgeTtl: "surrogate-control" | "cloudflare-cdn-cache-control" | "s-maxage";
  /** `buffered`: an origin body is read whole, up to `publisher.max_buffered_body_bytes`, before it is answered. */
  readonly originBody: "streamed" | "buffered";
  /** Where client address, location and authority come from, apart from the socket. */
  readonly clientSource: "trusted-header" | "socket" | "cloudflare-headers" | "spin-headers";
  /** `full` sends every location header, `flag` says only whether a location is known, `none` always says no. */
  readonly geoHeaders: "full" | "flag" | "none";
  /** `proxy.asset_routes` are served. */
  readonly assetRoutes: boolean;
  /** How bytes above 0x7F in a request header reach the core: one character each, or decoded with U+FFFD for errors. */
  readonly headerText: "latin1" | "utf8";
}

/** One step of a reader: a piece, or the end. */
export type ByteStep = { readonly done: false; readonly value: Uint8Array } | { readonly done: true };

/** Reads a body piece by piece; one read after the other. `cancel` also ends a read that still waits. */
export interface ByteReader {
  read(): Promise<ByteStep>;
  cancel(reason?: unknown): Promise<void>;
}

/**
 * A body as the core reads it: the members of the platform's `ReadableStream` that it needs. The platform's own fits,
 * but making one costs more than reading a small body, so that a leaf may hand over something lighter (`PulledBytes`).
 */
export interface ByteStream {
  readonly locked: boolean;
  getReader(): ByteReader;
  cancel(reason?: unknown): Promise<void>;
}

/** Hash and cipher of the runtime: synchronous, as the rewriting of markup needs them. */
export interface Primitives {
  sha256(bytes: Uint8Array): Uint8Array;
  /** ChaCha20-Poly1305 (RFC 8439): ciphertext with its tag behind it. */
  chacha20poly1305?(key: Uint8Array, nonce: Uint8Array, clear: Uint8Array): Uint8Array;
}

/** The two ends of a transformation of bytes, as `pipeThrough` takes them. */
export interface BytePair {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}

/** One outgoing request: exactly one hop. Redirects are never followed and bodies are never decoded. */
export interface OutboundRequest {
  readonly url: URL;
  readonly method: string;
  /** Sent as they are, `host` included; `send` takes them over, and drops hop-by-hop headers in place. */
  readonly headers: Headers;
  readonly body: Uint8Array | ByteStream | null;
  /** Longest wait for the response head after the last piece was sent, and between two pieces of the body, in ms. */
  readonly idleMs: number;
  /** Longest wait for the whole exchange, body included, in ms; absent: no such limit. */
  readonly totalMs?: number;
  /**
   * `operator`: an address of the configuration, not checked. `foreign`: an address that came from outside; every
   * resolved address must be public or in `OUTBOUND_ALLOW`, and the connection goes to the checked one.
   */
  readonly trust: "operator" | "foreign";
  /** `false`: the other side's certificate is not checked (`proxy.certificate_check`), where the runtime can. */
  readonly checkCertificate?: boolean;
}

/** What the other side did wrong. `blocked` is our own refusal to connect there. */
export type OutboundFault = "timeout" | "refused" | "blocked" | "broken";

/** The answer as it came: status, end-to-end headers and raw (still encoded) body; or why there is none. */
export type OutboundResult =
  | {
      readonly ok: true;
      readonly status: number;
      readonly headers: Headers;
      /** Errors in the middle, `totalMs` and `idleMs` included, make a read reject. */
      readonly body: ByteStream | null;
      /** The runtime's own hold of the body, see `EdgeResponse`. */
      readonly handle?: object;
    }
  | { readonly ok: false; readonly fault: OutboundFault; readonly reason: string };

/**
 * Entries that were written at run time, over those that the configuration and the secrets file start with. `get`
 * resolves `undefined` for an entry never written here and `null` for one that was removed here. A resolved write is
 * durable. Every member rejects on an infrastructure failure.
 */
export interface EntryStore {
  get(store: string, key: string): Promise<string | null | undefined>;
  put(store: string, key: string, value: string): Promise<void>;
  remove(store: string, key: string): Promise<void>;
}

/** One identity entry: both texts are JSON; `generation` changes with every write. */
export interface IdentityRecord {
  readonly body: string;
  readonly metadata: string;
  readonly generation: number;
}

/** What is written into the identity store. */
export interface IdentityWrite {
  readonly id: string;
  readonly body: string;
  readonly metadata: string;
  /** Seconds until the entry vanishes; set anew on every write. */
  readonly ttlSeconds: number;
}

/** The identity store. Every member rejects on an infrastructure failure; a resolved write is durable. */
export interface IdentityStore {
  /** The configured name, for diagnostics and rehearsed outages. */
  readonly name: string;
  get(id: string): Promise<IdentityRecord | null>;
  /** `false`: an entry is already there, and nothing was written. */
  add(write: IdentityWrite): Promise<boolean>;
  overwrite(write: IdentityWrite): Promise<void>;
  /** `false`: the entry is gone or has another generation, and nothing was written. */
  ifGeneration(write: IdentityWrite, generation: number): Promise<boolean>;
  /** Several compare-and-set writes of distinct ids as one: all are written, or none (`false`: one differs). */
  ifGenerations(writes: readonly { readonly write: IdentityWrite; readonly generation: number }[]): Promise<boolean>;
  /** Number of live entries whose id has `prefix` before its dot, counted up to `most` (at most 500). */
  countPrefix(prefix: string, most: number): Promise<number>;
}

/** The 60-second counters of the rate limits. Rejects on an infrastructure failure. */
export interface RateCounter {
  /** Counts one call of `key` and resolves `true`, or resolves `false` when `limit` calls are already counted. */
  take(key: string, limit: number): Promise<boolean>;
}

/** A counter's series, label values included, and its value. */
export type SeriesValue = readonly [series: string, value: number];

/** What the processes of one edge tell each other. */
export type PeerEvent =
  /** Hosts that creatives had. */
  { readonly kind: "met"; readonly hosts: readonly string[] } | ProviderEvent;

type ProviderEvent = { readonly provider: string } & (
  | { readonly kind: "paused"; readonly untilMs: number }
  | { readonly kind: "resumed" }
  /** One of them asks the paused provider; nobody else does until then. */
  | { readonly kind: "probing"; readonly untilMs: number }
  | { readonly kind: "calls"; readonly answered: number; readonly unreachable: number }
);

/** One auction as operators see it: times in ms, prices CPM in USD. */
export interface AuctionRecord {
  readonly at: string;
  readonly request_id: string;
  readonly source: string;
  readonly page: string;
  readonly slots: number;
  readonly ms: number;
  readonly budget_ms: number;
  readonly outcome: string;
  /** Seat and price of the highest winner. */
  readonly winner: string | null;
  readonly price: number | null;
  readonly winners: readonly {
    slot: string;
    seat: string;
    price: number;
    deal: string | null;
    /** Who calls the notice of a win; `null`: the bid has none. Billing is always the page's. */
    win_notice: "edge" | "page" | null;
    billing_notice: "page" | null;
  }[];
  /** Slots that nobody won; of many the first ones. */
  readonly unsold: readonly string[];
  readonly providers: readonly {
    name: string;
    status: string;
    reason: string | null;
    /** The provider's or the runtime's own words about what failed. */
    words: string | null;
    ms: number;
    tmax_ms: number | null;
    bids: number;
  }[];
}

/** The other processes that serve the same edge. */
export interface EdgePeers {
  publish(event: PeerEvent): void;
  subscribe(handle: (event: PeerEvent) => void): void;
  /** Sums over all processes, this one's as given; the others' are at most a second old. */
  sums(own: readonly SeriesValue[]): Promise<readonly SeriesValue[]>;
  /** Lets the counts of this process be read from time to time. */
  shareCounts(read: () => readonly SeriesValue[]): void;
  /** Hands over auctions of this process, and resolves to the last ones of all processes. */
  auctions(fresh: readonly AuctionRecord[]): Promise<readonly AuctionRecord[]>;
  /** Runs `work` while no other process runs work of its own in a turn. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Lets the auctions of this process that were not handed over yet be taken from time to time. */
  shareAuctions(take: () => readonly AuctionRecord[]): void;
}

/** A deal of the seller that is active; times are Unix times in ms, the end exclusive. */
export interface SellerDeal {
  readonly id: string;
  readonly type: "PG" | "PD" | "PA";
  readonly productId: string;
  readonly bidfloor: number;
  readonly bidfloorcur: string;
  readonly at: 1 | 2 | 3;
  readonly wseat: readonly string[];
  readonly wadomain: readonly string[];
  /** Booked; `null`: no volume. */
  readonly impressions: number | null;
  readonly startMs: number;
  readonly endMs: number;
  /** Impressions that the seller knows of. */
  readonly delivered: number;
}

/** What is known of the seller's deals. Plain values: it travels between processes. */
export interface DealBoard {
  readonly deals: readonly SellerDeal[];
  /** Deals that were active before: nobody else may use their ids. */
  readonly ended: readonly string[];
  /** From then on nothing of the board is offered any more. */
  readonly freshUntilMs: number;
}

export interface ShownImpression {
  readonly id: string;
  readonly dealId: string;
  readonly expiresAtMs: number;
}

/** Deals of the seller, and what this edge has shown of them. */
export interface DealDesk {
  /** `null`: not read yet. */
  board(): DealBoard | null;
  /** Shown here and not yet contained in `delivered`. */
  shownHere(dealId: string): number;
  /** Takes an impression of each deal that is on pace: its id, else `null`. Not shown in time, it is free again. */
  take(dealIds: readonly string[]): Promise<readonly (string | null)[]>;
  giveBack(impressionIds: readonly string[]): void;
  /** `false`: the impression was counted before. Resolved means durable; rejects on a store failure. */
  shown(impression: ShownImpression): Promise<boolean>;
}

/** One line of the log: plain values only, never a secret. */
export interface LogEntry {
  readonly level: "info" | "warn" | "error";
  /** Short name of what happened, in snake_case. */
  readonly event: string;
  readonly [field: string]: unknown;
}

/**
 * What the core asks of the runtime it stands on (one per process, on C one per isolate). Only plain values and
 * functions; a capability that a runtime lacks is a missing member, so the core asks for it, never for a letter.
 */
export interface EdgeEnv {
  readonly traits: EdgeTraits;
  send(request: OutboundRequest): Promise<OutboundResult>;
  /** The runtime can join two connections after an upgrade. */
  readonly tunnels: boolean;
  decode(coding: ContentCoding): BytePair;
  encode(coding: ContentCoding): BytePair;
  /** Present where configuration entries and secrets can be written at run time. */
  readonly configEntries?: EntryStore;
  readonly secretEntries?: EntryStore;
  /** Opens the identity store of that name; absent where the platform has none. */
  readonly openIdentity?: (name: string) => IdentityStore;
  readonly counter?: RateCounter;
  /** It is absent without `[deals]`, and where the platform has no store. */
  readonly dealDesk?: DealDesk;
  /** It is absent where one process serves the edge. */
  readonly peers?: EdgePeers;
  /** Where it is absent the core brings its own, which take several times as long. */
  readonly primitives?: Primitives;
  /** Unix time in ms. */
  now(): number;
  random(bytes: number): Uint8Array;
  log(entry: LogEntry): void;
  /** `x-ts-version` and `x-ts-env` of the deployment, where it has them. */
  readonly deployment: { readonly version?: string; readonly staging: boolean };
}

/** Where a client is, as far as anybody knows. */
export interface Geo {
  readonly country: string;
  readonly region?: string;
  readonly city?: string;
  readonly continent?: string;
  readonly latitude?: number;
  readonly longitude?: number;
  readonly metro_code?: number;
  readonly asn?: number;
}

/** What the leaf knows about the connection that a request came on. */
export interface Connection {
  /** Bare address of the socket's peer; `null` when the runtime does not tell. */
  readonly peer: string | null;
  /** TLS ended in this process. */
  readonly secure: boolean;
  /** Lets work run on after the response was sent. */
  after(work: Promise<unknown>): void;
}

/**
 * A request as the core reads it: the five members of the platform's `Request` that it needs, so that a leaf may build
 * each on first use. The platform's own `Request` fits too.
 */
export interface EdgeRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: ByteStream | null;
  /** Aborts when the client has gone, on runtimes that tell. */
  readonly signal: AbortSignal;
}

/**
 * A response as the leaves read it; the platform's own `Response` fits too. `handle` is what `send` gave with a body
 * that nobody has touched: the leaf that made it may pass the body on by itself, without building `body` at all.
 */
export interface EdgeResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ByteStream | null;
  /** The same as `body`, where the whole of it is at hand. */
  readonly wholeText?: string;
  readonly handle?: object;
  /** With status 101 it opens the other end of a connection whose bytes then pass as they are. */
  readonly tunnel?: OutboundRequest;
}
