import type {
  AuctionRecord,
  DealBoard,
  DealDesk,
  EntryStore,
  IdentityStore,
  PeerEvent,
  RateCounter,
  SeriesValue,
} from "../../../platform.ts";

/** What a worker can ask of its primary: plain values both ways, since they travel as messages. */
export interface Targets {
  readonly configEntries: EntryStore;
  readonly secretEntries: EntryStore;
  readonly counter: RateCounter;
  identity(name: string): IdentityStore;
  readonly deals?: Pick<DealDesk, "take" | "giveBack" | "shown">;
  /** Takes this worker's counts, and gives the sums of all. */
  metrics(own: readonly SeriesValue[]): Promise<readonly SeriesValue[]>;
  /** Takes this worker's auctions, and gives the last ones of all. */
  auctions(fresh: readonly AuctionRecord[]): Promise<readonly AuctionRecord[]>;
  /** Work that one worker alone may do. The turn of a worker that has ended is over. */
  readonly turn: { take(): Promise<void>; end(): Promise<void> };
}

export type CallName = keyof Targets;

export interface CallMessage {
  readonly kind: "call";
  readonly id: number;
  readonly target: CallName;
  /** The name of the identity store. */
  readonly store?: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

export type ToPrimary =
  | CallMessage
  /** Sent when the worker listens for messages: what comes before is lost. */
  | { readonly kind: "hello" }
  | { readonly kind: "ready" }
  | { readonly kind: "auctions"; readonly auctions: readonly AuctionRecord[] }
  | { readonly kind: "counts"; readonly series: readonly SeriesValue[] }
  | { readonly kind: "event"; readonly event: PeerEvent };

export type ToWorker =
  | { readonly kind: "start"; readonly start: WorkerStart }
  | { readonly kind: "result"; readonly id: number; readonly value?: unknown; readonly error?: string }
  | { readonly kind: "event"; readonly event: PeerEvent }
  | { readonly kind: "deals"; readonly news: DealNews }
  | { readonly kind: "close" };

/** `board` is left out where it is the one that was sent before. */
export interface DealNews {
  readonly board?: DealBoard | null;
  readonly shownHere: readonly (readonly [dealId: string, count: number])[];
}

/** What a worker serves: the same texts for every one, also for one that is started later. */
export interface WorkerStart {
  readonly port: number;
  readonly host: string;
  readonly hasDeals: boolean;
  readonly sources: {
    readonly configText: string | null;
    readonly secretsText: string | null;
    readonly environment: Readonly<Record<string, string>>;
  };
}

type Call = (target: CallName, method: string, args: readonly unknown[], store?: string) => Promise<unknown>;

/** The worker's side: each call waits for its result; all that wait fail when the primary is gone. */
export const createCaller = (
  send: (message: ToPrimary) => void,
): {
  readonly call: Call;
  settle(message: Extract<ToWorker, { kind: "result" }>): void;
  fail(reason: string): void;
} => {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let last = 0;
  let failure: Error | null = null;
  return {
    call: (target, method, args, store) =>
      new Promise((resolve, reject) => {
        // Nothing answers any more, and a worker that waits for it would outlive its primary.
        if (failure !== null) {
          reject(failure);
          return;
        }
        last += 1;
        waiting.set(last, { resolve, reject });
        send({ kind: "call", id: last, target, method, args, ...(store === undefined ? {} : { store }) });
      }),
    settle({ id, value, error }) {
      const one = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) one?.resolve(value);
      else one?.reject(new Error(error));
    },
    fail(reason) {
      failure = new Error(reason);
      for (const one of waiting.values()) one.reject(failure);
      waiting.clear();
    },
  };
};

/** The primary's deals as a worker knows them; `take` brings news of them. */
export const remoteDesk = (call: Call): { readonly desk: DealDesk; take(news: DealNews): void } => {
  let board: DealBoard | null = null;
  let shownHere: ReadonlyMap<string, number> = new Map();
  return {
    desk: {
      board: () => board,
      shownHere: (id) => shownHere.get(id) ?? 0,
      take: (...args) => call("deals", "take", args) as ReturnType<DealDesk["take"]>,
      // Lost with the primary, which held it.
      giveBack: (...args) => void call("deals", "giveBack", args).catch(() => undefined),
      shown: (...args) => call("deals", "shown", args) as Promise<boolean>,
    },
    take(news) {
      if (news.board !== undefined) board = news.board;
      shownHere = new Map(news.shownHere);
    },
  };
};

/** The stores and counters of the primary, as a worker's own. `undefined` travels as no member at all. */
export const remoteTargets = (call: Call): Omit<Targets, "metrics" | "deals" | "auctions" | "turn"> => {
  const entries = (target: "configEntries" | "secretEntries"): EntryStore => ({
    get: (...args) => call(target, "get", args) as ReturnType<EntryStore["get"]>,
    put: (...args) => call(target, "put", args) as Promise<void>,
    remove: (...args) => call(target, "remove", args) as Promise<void>,
  });
  return {
    configEntries: entries("configEntries"),
    secretEntries: entries("secretEntries"),
    counter: { take: (...args) => call("counter", "take", args) as Promise<boolean> },
    identity: (name) => ({
      name,
      get: (...args) => call("identity", "get", args, name) as ReturnType<IdentityStore["get"]>,
      add: (...args) => call("identity", "add", args, name) as Promise<boolean>,
      overwrite: (...args) => call("identity", "overwrite", args, name) as Promise<void>,
      ifGeneration: (...args) => call("identity", "ifGeneration", args, name) as Promise<boolean>,
      ifGenerations: (...args) => call("identity", "ifGenerations", args, name) as Promise<boolean>,
      countPrefix: (...args) => call("identity", "countPrefix", args, name) as Promise<number>,
    }),
  };
};

type Methods = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>;

/** The primary's side: runs one call, and answers its error as text. */
export const answerCall = async (targets: Targets, message: CallMessage): Promise<ToWorker> => {
  const { id, target, method, args, store } = message;
  try {
    if (target === "metrics") {
      return { kind: "result", id, value: await targets.metrics(args[0] as readonly SeriesValue[]) };
    }
    if (target === "auctions") {
      return { kind: "result", id, value: await targets.auctions(args[0] as readonly AuctionRecord[]) };
    }
    const object = target === "identity" ? targets.identity(store ?? "") : targets[target];
    const value = await (object as unknown as Methods)[method]?.(...args);
    return { kind: "result", id, ...(value === undefined ? {} : { value }) };
  } catch (error) {
    return { kind: "result", id, error: error instanceof Error ? error.message : String(error) };
  }
};
