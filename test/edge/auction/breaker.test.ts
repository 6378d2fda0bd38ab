import { describe, expect, test } from "vitest";
import { followPeer, openBreaker } from "../../../agents/edge/auction/provider/breaker.ts";
import type { PeerEvent } from "../../../agents/edge/platform.ts";
import { fakeEdge } from "../fake-edge.ts";

const rule = { enabled: true, window: 2, failure_percent: 100, pause_ms: 100 };

describe("circuit breakers of two processes", () => {
  test("a pause and its end hold in both, and are told once", () => {
    const [here, there] = [fakeEdge().context.config, fakeEdge().context.config];
    const told: PeerEvent[] = [];
    const peers = { publish: (event: PeerEvent) => void told.push(event) };
    const own = openBreaker(here, "one", rule, peers);
    own.report("unreachable", 1_000);
    expect(told).toEqual([]);
    own.report("unreachable", 1_001);
    expect(told).toEqual([{ provider: "one", pausedUntilMs: 1_101 }]);

    const other = openBreaker(there, "one", rule);
    expect(other.admits(1_050)).toBe(true);
    for (const event of told) followPeer(there, event);
    expect([other.admits(1_100), openBreaker(there, "two", rule).admits(1_100)]).toEqual([false, true]);

    expect(own.admits(1_101)).toBe(true);
    own.report("answered", 1_110);
    expect(told.at(-1)).toEqual({ provider: "one", pausedUntilMs: null });
    followPeer(there, { provider: "one", pausedUntilMs: null });
    expect(other.admits(1_050)).toBe(true);
  });
});
