import { randomUUID } from "node:crypto";
import { newDelivery } from "../../machines/webhook-delivery/machine.ts";
import type { PushPorts } from "../../protocol/a2a/routes.ts";
import { pushRequest } from "../../protocol/a2a/push/request.ts";
import { create } from "../../protocol/seam/changes.ts";
import type { Kind, StoredRow } from "../../storage/store.ts";
import type { DueWork } from "../server/sweeper.ts";
import { createSender, type Delivery, type SenderParts } from "./sender.ts";
import type { TargetGuard } from "../../protocol/neutral/address-guard.ts";

interface PushDeliveryRow extends Delivery {
  readonly config_row: string;
  readonly task_row: string;
}

/** How long whoever looks into a failure can read it. */
const keptForMs = 3_600_000;

const forgetAtMs = ({ life }: PushDeliveryRow): number | null => {
  const { finishedAtMs } = life.context;
  return finishedAtMs === null ? null : finishedAtMs + keptForMs;
};

const pushDeliveryKind: Kind<PushDeliveryRow> = {
  name: "a2a_push_delivery",
  terms: () => [],
  dueAtMs: (row) => row.life.context.nextAttemptAtMs ?? forgetAtMs(row),
  owner: (row) => row.owner,
};

export interface PushParts extends SenderParts {
  readonly targets: TargetGuard;
  /** The key that set a configuration is still valid; null: it was set without a key. */
  readonly mayReceive: (keyId: string | null) => Promise<boolean>;
}

/** The A2A push notifications of one agent. */
export interface Pushes {
  readonly ports: PushPorts;
  due(row: StoredRow, nowMs: number): DueWork | null;
  readonly queued: ReturnType<typeof createSender>["queued"];
  stop(): Promise<void>;
}

export const createPushes = (parts: PushParts): Pushes => {
  const { store, clock, targets, mayReceive } = parts;
  const sender = createSender<PushDeliveryRow>(
    {
      name: "push",
      kind: pushDeliveryKind,
      receiverOf: (row) => row.config_row,
      forgetAtMs,
      prepare: async ({ owner, config_row: configRow, task_row: taskRow }) => {
        const request = await pushRequest(store, { owner, configRow, taskRow });
        if (request === null) return null;
        const { keyId, ...sent } = request;
        return (await mayReceive(keyId)) ? sent : { refused: "key_not_valid" };
      },
    },
    parts,
  );
  return {
    ports: {
      isPermitted: (url) => targets.isPermitted(url, { asksResolver: true }),
      queue: ({ owner, configRow, taskRow }) => {
        const row: PushDeliveryRow = {
          delivery_id: randomUUID(),
          owner,
          config_row: configRow,
          task_row: taskRow,
          last_status: null,
          last_error: null,
          life: newDelivery(clock.nowMs()),
        };
        return create(pushDeliveryKind, row.delivery_id, row);
      },
    },
    due: (row, nowMs) =>
      row.kind === pushDeliveryKind.name ? sender.claim(row as StoredRow<PushDeliveryRow>, nowMs) : null,
    queued: sender.queued.bind(sender),
    stop: sender.stop.bind(sender),
  };
};
