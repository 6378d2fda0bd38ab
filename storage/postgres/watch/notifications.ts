import { setTimeout as sleep } from "node:timers/promises";

import { messageOf } from "../errors.ts";
import type { Ask } from "../reader.ts";
import type { Statements } from "../statements.ts";

export type Told = readonly [kind: string, id: string, stamp: number];

interface SenderContext {
  readonly ask: Ask;
  readonly statements: Statements;
  readonly instance: string;
  readonly channel: string;
  readonly log: (message: string) => void;
}

// PostgreSQL rejects payloads of 8,000 bytes; the rest is for the frame.
const MAX_PAYLOAD_BYTES = 7_000;
const NOTIFY_PAUSE_MS = 5;

const payloadsOf = (instance: string, rows: readonly Told[]): string[] => {
  const payloads: string[] = [];
  let batch: string[] = [];
  let size = 0;
  const close = (): void => {
    if (batch.length > 0) payloads.push(`{"from":${JSON.stringify(instance)},"rows":[${batch.join(",")}]}`);
    batch = [];
    size = 0;
  };
  for (const row of rows) {
    const text = JSON.stringify(row);
    const bytes = Buffer.byteLength(text) + 1;
    // Too long a key: others find the row by catching up.
    if (bytes > MAX_PAYLOAD_BYTES) continue;
    if (size + bytes > MAX_PAYLOAD_BYTES) close();
    batch.push(text);
    size += bytes;
  }
  close();
  return payloads;
};

/**
 * Outside the commits: NOTIFY in a transaction makes all such transactions flush one by one. What is lost, others find
 * by catching up.
 */
export const openSender = ({ ask, statements, instance, channel, log }: SenderContext) => {
  let waiting: Told[] = [];
  let sending: Promise<void> | null = null;
  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await ask(statements.notify, [channel, payloadsOf(instance, batch)]);
      } catch (error) {
        log(`Other processes hear of ${batch.length} rows later: ${messageOf(error)}`);
      }
      await sleep(NOTIFY_PAUSE_MS);
    }
    sending = null;
  };
  return {
    send: (rows: readonly Told[]): void => {
      waiting.push(...rows);
      sending ??= run();
    },
    drained: async (): Promise<void> => {
      if (sending !== null) await sending;
    },
  };
};

const isTold = (value: unknown): value is Told =>
  Array.isArray(value) &&
  typeof value[0] === "string" &&
  typeof value[1] === "string" &&
  Number.isSafeInteger(value[2]);

export const readPayload = (payload: string | undefined, instance: string): readonly Told[] => {
  try {
    const parsed: unknown = JSON.parse(payload ?? "");
    if (typeof parsed !== "object" || parsed === null || Reflect.get(parsed, "from") === instance) return [];
    const rows: unknown = Reflect.get(parsed, "rows");
    return Array.isArray(rows) ? rows.filter(isTold) : [];
  } catch {
    return [];
  }
};
