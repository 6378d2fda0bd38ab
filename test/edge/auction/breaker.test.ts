import { describe, expect, test } from "vitest";
import { followPeer, openBreaker } from "../../../agents/edge/auction/provider/breaker.ts";
import type { PeerEvent } from "../../../agents/edge/platform.ts";
import { fakeEdge } from "../fake-edge.ts";

const rule = { enabled: true, window: 4, failure_percent: 75, pause_ms: 100 };
const provider = { protocol: "openrtb-2.6", endpoint: "https://one.example/", circuit_breaker: rule };

const processOf = () => {
  const { config } = fakeEdge({ config: { auction: { providers: { one: provider } } } }).context;
  const told: PeerEvent[] = [];
  const breaker = openBreaker(config, "one", rule, { publish: (event) => void told.push(event) });
  return {
    breaker,
    told,
    config,
    hear: (events: readonly PeerEvent[]) => events.forEach((one) => followPeer(config, one)),
  };
};

describe("circuit breakers of two processes", () => {
  test("look at the calls of both", () => {
    const [here, there] = [processOf(), processOf()];
    there.breaker.report("unreachable", 1_000);
    there.breaker.report("unreachable", 1_050);
    there.breaker.report("unreachable", 1_120);
    expect(there.told).toEqual([
      { provider: "one", kind: "calls", answered: 0, unreachable: 1 },
      { provider: "one", kind: "calls", answered: 0, unreachable: 2 },
    ]);
    here.breaker.report("answered", 1_000);
    here.hear(there.told);
    expect(here.breaker.admits(1_121)).toBe(true);
    here.breaker.report("unreachable", 1_122);
    expect(here.breaker.admits(1_123)).toBe(false);
    expect(here.told.at(-1)).toEqual({ provider: "one", kind: "paused", untilMs: 1_222 });
  });

  test("a pause, its probe and its end hold in both", () => {
    const [here, there] = [processOf(), processOf()];
    for (const at of [1_000, 1_001, 1_002, 1_003]) here.breaker.report("unreachable", at);
    there.hear(here.told.filter(({ kind }) => kind === "paused"));
    expect([there.breaker.admits(1_102), openBreaker(there.config, "two", rule).admits(1_102)]).toEqual([false, true]);

    expect(here.breaker.admits(1_103)).toBe(true);
    expect(here.told.at(-1)).toEqual({ provider: "one", kind: "probing", untilMs: 1_203 });
    there.hear(here.told.slice(-1));
    expect([here.breaker.admits(1_104), there.breaker.admits(1_104)]).toEqual([false, false]);

    here.breaker.report("answered", 1_110);
    expect(here.told.at(-1)).toEqual({ provider: "one", kind: "resumed" });
    there.hear(here.told.slice(-1));
    expect([here.breaker.admits(1_111), there.breaker.admits(1_111)]).toEqual([true, true]);
  });

  test("a probe that fails pauses again; one whose process died is taken over after a pause", () => {
    const [here, there] = [processOf(), processOf()];
    for (const at of [1_000, 1_001, 1_002, 1_003]) here.breaker.report("unreachable", at);
    there.hear(here.told.filter(({ kind }) => kind === "paused"));
    expect(here.breaker.admits(1_103)).toBe(true);
    there.hear(here.told.slice(-1));
    expect([there.breaker.admits(1_202), there.breaker.admits(1_203)]).toEqual([false, true]);
    there.breaker.report("unreachable", 1_210);
    expect([there.breaker.admits(1_309), there.breaker.admits(1_310)]).toEqual([false, true]);
  });
});
