import { describe, expect, test } from "vitest";
import { step } from "../../machines/step.ts";
import { type DeliveryInstance, deliveryMachine, newDelivery } from "../../machines/webhook-delivery/machine.ts";

const moved = (life: DeliveryInstance, event: Parameters<typeof step<typeof deliveryMachine>>[2]): DeliveryInstance => {
  const next = step(deliveryMachine, life, event);
  if (next === null) throw new Error(`${event.type} was refused`);
  return next;
};

describe("webhook delivery", () => {
  test("the first retry comes within ten seconds, the last after about three days, then it is dead", () => {
    let life = newDelivery(0);
    let nowMs = 0;
    const waits: number[] = [];
    while (life.value === "pending") {
      life = moved(life, { type: "FAIL", nowMs, jitter: 0 });
      const nextMs = life.context.nextAttemptAtMs;
      if (nextMs === null) break;
      waits.push((nextMs - nowMs) / 1000);
      nowMs = nextMs;
    }
    expect(waits).toStrictEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 72_000]);
    expect(waits.reduce((sum, wait) => sum + wait, 0) / 86_400).toBeCloseTo(2.98, 2);
    expect(life).toMatchObject({ value: "dead", context: { attempts: 10, nextAttemptAtMs: null } });
  });

  test("jitter adds at most a tenth: the first retry stays within ten seconds", () => {
    const life = moved(newDelivery(0), { type: "FAIL", nowMs: 0, jitter: 1 });
    expect(life.context.nextAttemptAtMs).toBe(5500);
  });

  test("a claim shuts out a second one until it has run out", () => {
    const claimed = moved(newDelivery(0), { type: "CLAIM", nowMs: 0, leaseMs: 60_000 });
    expect(claimed.context).toMatchObject({ claimedUntilMs: 60_000, nextAttemptAtMs: 60_000, attempts: 0 });
    expect(step(deliveryMachine, claimed, { type: "CLAIM", nowMs: 59_999, leaseMs: 1 })).toBeNull();
    expect(step(deliveryMachine, claimed, { type: "POSTPONE", nowMs: 59_999, delayMs: 1 })).toBeNull();
    expect(moved(claimed, { type: "CLAIM", nowMs: 60_000, leaseMs: 1 }).context.claimedUntilMs).toBe(60_001);
  });

  test("a delivery that is over takes nothing but a replay, which starts the schedule anew", () => {
    const delivered = moved(newDelivery(0), { type: "SUCCEED", nowMs: 7 });
    expect(delivered).toMatchObject({ value: "delivered", context: { attempts: 1, finishedAtMs: 7 } });
    const dead = moved(newDelivery(0), { type: "GIVE_UP", nowMs: 8 });
    for (const over of [delivered, dead]) {
      expect(step(deliveryMachine, over, { type: "CLAIM", nowMs: 9, leaseMs: 1 })).toBeNull();
      expect(step(deliveryMachine, over, { type: "FAIL", nowMs: 9, jitter: 0 })).toBeNull();
      const again = moved(over, { type: "REPLAY", nowMs: 9 });
      expect(again).toMatchObject({
        value: "pending",
        context: { failures: 0, nextAttemptAtMs: 9, finishedAtMs: null },
      });
    }
  });
});
