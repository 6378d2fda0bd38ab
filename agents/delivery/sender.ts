import { setMaxListeners } from "node:events";
import { randomUUID } from "node:crypto";
import { step } from "../../machines/step.ts";
import { type DeliveryInstance, deliveryMachine } from "../../machines/webhook-delivery/machine.ts";
import { exchange } from "../../protocol/client/exchange.ts";
import type { Outbound } from "../../protocol/client/outbound.ts";
import { remove, update } from "../../protocol/seam/changes.ts";
import type { Clock, Log } from "../../protocol/seam/ports.ts";
import type { Change, Kind, Store, StoredRow } from "../../storage/store.ts";
import type { AgentWatch } from "../../protocol/seam/watch.ts";
import type { DueWork } from "../server/sweeper.ts";
import type { Readings } from "../watch/metrics.ts";
import { createFairQueue } from "./queue.ts";

/** The row of one message to one receiver. `last_status` 0: no HTTP answer; `last_error` a code of ours. */
export interface Delivery {
  readonly delivery_id: string;
  readonly owner: string;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly life: DeliveryInstance;
}

/** `refused`: a retry is useless, with the code for the record. */
export type Prepared =
  | { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string }
  | { readonly refused: string };

export interface Channel<Row extends Delivery> {
  /** Names it in log lines and audit entries. */
  readonly name: string;
  readonly kind: Kind<Row>;
  receiverOf(row: Row): string;
  /** It is null while the delivery is pending. */
  forgetAtMs(row: Row): number | null;
  /** Rows are read again for each attempt. Null: nobody receives it any more, and the delivery is deleted. */
  prepare(row: Row): Promise<Prepared | null>;
}

export interface SenderParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly outbound: Outbound;
  readonly random?: () => number;
  readonly watch?: Pick<AgentWatch, "delivered">;
}

type QueueSamples = NonNullable<Readings["parley_delivery_queue"]>;

export interface Sender<Row extends Delivery> {
  claim(loaded: StoredRow<Row>, nowMs: number): DueWork | null;
  queued(): QueueSamples;
  stop(): Promise<void>;
}

interface Attempt {
  readonly end: "taken" | "failed" | "gone" | "stopped";
  readonly status: number | null;
  readonly error: string | null;
}

/** The claim goes back, so that another process sends it at once and not when it expires. */
const stopped: Attempt = { end: "stopped", status: null, error: null };

/** Standard Webhooks recommends 15 to 30 seconds. */
export const attemptTimeoutMs = 15_000;
const mostAnswerBytes = 65_536;
/** Covers the wait in the queue and the attempt. */
const leaseMs = 60_000;
const postponeMs = 30_000;
const recordTries = 5;

const attemptOf = (answer: Awaited<ReturnType<typeof exchange>>): Attempt => {
  const { status } = answer;
  // Any body: the status alone acknowledges.
  if (status >= 200 && status < 300) return { end: "taken", status, error: null };
  if (status === 410) return { end: "gone", status, error: "gone" };
  const code = answer.ok ? `http_${status}` : answer.code;
  return { end: code === "aborted" ? "stopped" : "failed", status, error: code };
};

const moved = (life: DeliveryInstance, { end }: Attempt, nowMs: number, jitter: number): DeliveryInstance | null => {
  if (end === "taken") return step(deliveryMachine, life, { type: "SUCCEED", nowMs });
  if (end === "stopped") return step(deliveryMachine, life, { type: "RELEASE", nowMs });
  if (end === "gone") return step(deliveryMachine, life, { type: "GIVE_UP", nowMs });
  return step(deliveryMachine, life, { type: "FAIL", nowMs, jitter });
};

/** An owner gets an eighth, so that its hanging receivers delay nobody else. */
const mostRunning = 64;

const queueLimits = {
  running: mostRunning,
  runningPerOwner: mostRunning / 8,
  runningPerReceiver: mostRunning / 16,
  waiting: 2000,
  waitingPerOwner: 250,
  waitingPerReceiver: 100,
};

class ChannelSender<Row extends Delivery> implements Sender<Row> {
  readonly #channel: Channel<Row>;
  readonly #parts: SenderParts;
  readonly #stopping = new AbortController();
  readonly #queue = createFairQueue(queueLimits);

  constructor(channel: Channel<Row>, parts: SenderParts) {
    this.#channel = channel;
    this.#parts = parts;
    // One listener per running delivery.
    setMaxListeners(mostRunning, this.#stopping.signal);
  }

  claim(loaded: StoredRow<Row>, nowMs: number): DueWork | null {
    if (this.#stopping.signal.aborted) return null;
    const { kind } = this.#channel;
    const { body } = loaded;
    const forgetAtMs = this.#channel.forgetAtMs(body);
    if (forgetAtMs !== null) {
      return forgetAtMs <= nowMs ? { changes: [remove(kind, loaded)], events: [] } : null;
    }
    const holder = { owner: body.owner, receiver: this.#channel.receiverOf(body) };
    const hasRoom = this.#queue.hasRoom(holder);
    const delayMs = postponeMs * (1 + this.#random());
    const life = hasRoom
      ? step(deliveryMachine, body.life, { type: "CLAIM", nowMs, leaseMs })
      : step(deliveryMachine, body.life, { type: "POSTPONE", nowMs, delayMs: Math.round(delayMs) });
    if (life === null) return null;
    const row: Row = { ...body, life };
    const changes = [update(kind, loaded, row)];
    return hasRoom
      ? { changes, events: [], committed: () => this.#queue.add(holder, () => this.#send(row)) }
      : { changes, events: [] };
  }

  queued(): QueueSamples {
    const { name: channel } = this.#channel;
    return Object.entries(this.#queue.size()).map(([state, value]) => ({ labels: { channel, state }, value }));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#queue.stop();
  }

  #random(): number {
    return (this.#parts.random ?? Math.random)();
  }

  async #send(claimed: Row): Promise<void> {
    const { clock, log } = this.#parts;
    const { name } = this.#channel;
    try {
      const untilMs = claimed.life.context.claimedUntilMs ?? 0;
      if (this.#stopping.signal.aborted) return await this.#record(claimed, stopped);
      if (clock.nowMs() + attemptTimeoutMs > untilMs) return;
      const made = await this.#attempt(claimed);
      if (made !== null) this.#parts.watch?.delivered(name, made.end);
      if (made?.end === "stopped") return await this.#record(claimed, made);
      const fields = {
        receiver: this.#channel.receiverOf(claimed),
        delivery_id: claimed.delivery_id,
        error: made?.error,
      };
      if (made !== null && made.end !== "taken") log.warn(fields, `${name} delivery failed`);
      await this.#record(claimed, made);
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      log.error({ delivery_id: claimed.delivery_id, error: cause }, `${name} delivery broke off`);
    }
  }

  async #attempt(claimed: Row): Promise<Attempt | null> {
    const prepared = await this.#channel.prepare(claimed);
    if (prepared === null) return null;
    if ("refused" in prepared) return { end: "gone", status: null, error: prepared.refused };
    const { url, headers, body } = prepared;
    const how = {
      fetch: this.#parts.outbound.fetch,
      sellerUrl: new URL(url).origin,
      timeoutMs: attemptTimeoutMs,
      mostBytes: mostAnswerBytes,
      signal: this.#stopping.signal,
    };
    const sent = { "accept-encoding": "identity", "user-agent": "parley", ...headers };
    return attemptOf(await exchange(how, { method: "POST", url, headers: sent, body }));
  }

  /** A replay since the claim is newer and wins. */
  async #record(claimed: Row, made: Attempt | null): Promise<void> {
    const { store, clock } = this.#parts;
    const { kind } = this.#channel;
    for (let left = recordTries; left > 0; left -= 1) {
      const loaded = (await store.get(kind.name, claimed.delivery_id)) as StoredRow<Row> | null;
      if (loaded === null || loaded.body.life.context.claimedUntilMs !== claimed.life.context.claimedUntilMs) return;
      if (made === null) {
        if (await this.#commit(remove(kind, loaded))) return;
        continue;
      }
      const life = moved(loaded.body.life, made, clock.nowMs(), this.#random());
      if (life === null) return;
      const last = made.end === "stopped" ? {} : { last_status: made.status, last_error: made.error };
      const row: Row = { ...loaded.body, life, ...last };
      if (await this.#commit(update(kind, loaded, row))) return;
    }
  }

  async #commit(change: Change): Promise<boolean> {
    const { store, clock } = this.#parts;
    const at = new Date(clock.nowMs()).toISOString();
    const operation = `deliver_${this.#channel.name}`;
    const audit = { at, request_id: randomUUID(), operation, door: "timer", principal: "system" };
    return (await store.commit({ changes: [change], audit })).ok;
  }
}

/**
 * A delivery is claimed by a commit, sent, and recorded by another; a crash between the two lets the claim expire, and
 * it is sent again: at least once, never lost.
 */
export const createSender = <Row extends Delivery>(channel: Channel<Row>, parts: SenderParts): Sender<Row> =>
  new ChannelSender(channel, parts);
