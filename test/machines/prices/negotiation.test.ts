import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultNegotiationLimits } from "../../../machines/negotiation/limits.ts";
import {
  isLastOffer,
  negotiationDeadline,
  negotiationMachine,
  newNegotiation,
  roundsRemaining,
  type NegotiationEvent,
  type NegotiationInstance,
} from "../../../machines/negotiation/machine.ts";
import { settle, step } from "../../../machines/step.ts";
import { checkedTable, expectPlainJson, pathMoves, walkBothWays } from "../walks.ts";

type TierName = "public" | "seat" | "agency" | "advertiser";

const million = 1_000_000;
const open = (tier: TierName, base: number, floor = 28, changes: { ceiling?: number; lifetimeMs?: number } = {}) =>
  newNegotiation({
    limits: defaultNegotiationLimits[tier],
    baseMicros: Math.round(base * million),
    floorMicros: Math.round(floor * million),
    ceilingMicros: Math.round((changes.ceiling ?? base) * million),
    expiresAtMs: 1_000,
    lifetimeMs: changes.lifetimeMs ?? null,
  });

const send = (at: NegotiationInstance, event: NegotiationEvent): NegotiationInstance => {
  const next = step(negotiationMachine, at, event);
  if (next === null) throw new Error(`expected ${event.type} to be allowed`);
  return next;
};
const offer = (price: number, approvalId: string | null = null): NegotiationEvent => ({
  type: "OFFER",
  nowMs: 1,
  priceMicros: Math.round(price * million),
  approvalId,
});
const lastRound = (at: NegotiationInstance) => {
  const round = at.context.rounds.at(-1);
  if (round === undefined) throw new Error("expected a round");
  return round;
};

const vectors: readonly [TierName, number, readonly (readonly [number, string, number])[], string][] = [
  [
    "public",
    35,
    [
      [30, "counter", 33.95],
      [31, "counter", 33.07],
      [32, "final_offer", 32.2],
      [33, "accept", 33],
    ],
    "accepted",
  ],
  [
    "seat",
    33.25,
    [
      [29, "counter", 31.92],
      [30, "counter", 31.15],
      [31, "counter", 31.09],
      [31.5, "accept", 31.5],
    ],
    "accepted",
  ],
  [
    "agency",
    31.5,
    [
      [29, "counter", 30.25],
      [30, "counter", 30.12],
      [30.5, "accept", 30.5],
    ],
    "accepted",
  ],
  [
    "advertiser",
    29.75,
    [
      [25, "counter", 28],
      [27, "counter", 28],
      [28, "accept", 28],
    ],
    "accepted",
  ],
  [
    "agency",
    31.5,
    [
      [20, "counter", 29.93],
      [20, "counter", 29.93],
      [20, "counter", 29.93],
      [20, "counter", 29.93],
      [20, "final_offer", 29.93],
      [20, "reject", 31.5],
    ],
    "rejected",
  ],
];

describe("negotiation: the vectors of the published examples, the last as decision 121 has it", () => {
  it.each(vectors)("%s from %d: %j ends %s", (tier, base, rounds, status) => {
    let at = open(tier, base);
    for (const [price, action, sellerPrice] of rounds) {
      at = send(at, offer(price));
      expect([lastRound(at).action, lastRound(at).sellerMicros / million]).toEqual([action, sellerPrice]);
    }
    expect(at.value).toBe(status);
    expect(at.context.agreedMicros).toBe(status === "accepted" ? lastRound(at).sellerMicros : null);
  });

  it.each([
    ["public", "aggressive", 3, 3, 8, 0.3],
    ["seat", "standard", 4, 4, 12, 0.4],
    ["agency", "collaborative", 5, 5, 15, 0.5],
    ["advertiser", "premium", 6, 6, 20, 0.65],
  ] as const)("%s: %s, %d rounds, %d%% a round, %d%% in all, share %d", (tier, ...limits) => {
    const { strategy, maxRounds, roundCapPct, totalCapPct, gapShare } = defaultNegotiationLimits[tier];
    expect([strategy, maxRounds, roundCapPct, totalCapPct, gapShare]).toEqual(limits);
  });

  it("an offer of zero or less is rejected at once", () => {
    for (const price of [0, -1]) {
      const at = send(open("agency", 31.5), offer(price));
      expect(at.value).toBe("rejected");
      expect(lastRound(at)).toMatchObject({ action: "reject", sellerMicros: 31_500_000 });
    }
  });

  it("an offer above the base is accepted, and the agreed price never passes the computed one", () => {
    const at = send(open("agency", 31.5), offer(40));
    expect(at.value).toBe("accepted");
    expect(at.context.agreedMicros).toBe(31_500_000);
    const led = send(open("agency", 29, 28, { ceiling: 31.5 }), offer(30));
    expect(led.context.agreedMicros).toBe(30_000_000);
  });

  it("an offer under the floor is answered as any other that is too low", () => {
    const answers = [0.01, 1, 14, 27.99, 28, 28.3].map((price) => lastRound(send(open("agency", 31.5), offer(price))));
    expect(
      new Set(answers.map(({ action, sellerMicros, rationale }) => `${action} ${sellerMicros} ${rationale}`)).size,
    ).toBe(1);
    expect(answers[0]).toMatchObject({ action: "counter", sellerMicros: 29_930_000 });
  });

  it("an offer equal to or lower than one before moves nothing", () => {
    let at = send(open("advertiser", 100, 1), offer(80));
    const asked = lastRound(at).sellerMicros;
    for (const price of [80, 79, 80, 1]) {
      at = send(at, offer(price));
      expect(lastRound(at)).toMatchObject({ action: "counter", sellerMicros: asked, concession: 0 });
    }
    expect(lastRound(send(at, offer(80.01))).sellerMicros).toBeLessThan(asked);
  });

  it("what is conceded in all counts from the computed price, wherever the talk opened", () => {
    let at = open("agency", 90, 1, { ceiling: 100 });
    for (const price of [50, 60, 70, 80]) at = send(at, offer(price));
    expect(lastRound(at).sellerMicros).toBe(85_000_000);
    expect(isLastOffer(at)).toBe(true);
  });

  it("nothing moves a final offer but its acceptance, while rounds are left", () => {
    let at = send(send(open("agency", 100, 1), offer(50)), offer(51));
    at = send(at, offer(81.6));
    expect(lastRound(at)).toMatchObject({ action: "final_offer", sellerMicros: 85_000_000 });
    expect(roundsRemaining(at)).toBe(2);
    for (const price of [84.99, 0.5]) {
      at = send(at, offer(price));
      expect(lastRound(at)).toMatchObject({ action: "final_offer", sellerMicros: 85_000_000 });
    }
    expect(send(at, offer(85)).context.agreedMicros).toBe(85_000_000);
  });

  it("a step of four fifths of what is left to concede makes the final offer", () => {
    let at = send(send(open("agency", 100, 1), offer(50)), offer(51));
    expect(lastRound(at)).toMatchObject({ action: "counter", sellerMicros: 90_000_000 });
    expect(lastRound(send(at, offer(82.2)))).toMatchObject({ action: "counter", sellerMicros: 86_100_000 });
    at = send(at, offer(81.6));
    expect(lastRound(at)).toMatchObject({ action: "final_offer", sellerMicros: 85_000_000 });
  });

  it("the seller never asks for less than it was just offered, be it by part of a cent", () => {
    const at = send(open("advertiser", 30.01, 1), offer(30.0005));
    expect(lastRound(at)).toMatchObject({ action: "counter", buyerMicros: 30_000_500, sellerMicros: 30_010_000 });
  });

  it("the seller asks for whole cents where the floor is finer", () => {
    expect(lastRound(send(open("agency", 29, 28.005), offer(20))).sellerMicros).toBe(28_010_000);
    expect(lastRound(send(open("agency", 28.006, 28.005), offer(20))).sellerMicros).toBe(28_006_000);
  });

  it("rounds count down to zero and never below", () => {
    let at = open("public", 35);
    const remaining = [roundsRemaining(at)];
    for (const price of [20, 20, 20]) {
      at = send(at, offer(price));
      remaining.push(roundsRemaining(at));
    }
    at = send(at, offer(20));
    remaining.push(roundsRemaining(at));
    expect(remaining).toEqual([3, 2, 1, 0, 0]);
    expect(at.value).toBe("rejected");
  });

  it("rounds carry their concessions as fractions of the base and a text that names no limit", () => {
    let at = send(open("agency", 31.5), offer(29));
    expect(lastRound(at)).toEqual({
      roundNumber: 1,
      buyerMicros: 29_000_000,
      sellerMicros: 30_250_000,
      action: "counter",
      concession: 0.0397,
      cumulativeConcession: 0.0397,
      rationale: "The offer is lower than the seller can agree to; it lowers its own price.",
      atMs: 1,
    });
    at = send(at, offer(30));
    expect(lastRound(at)).toMatchObject({ roundNumber: 2, concession: 0.0041, cumulativeConcession: 0.0438 });
    for (const round of at.context.rounds) expect(round.rationale).not.toMatch(/floor|minimum|limit|strategy/i);
  });
});

describe("negotiation: the buyer's word", () => {
  it("accept strikes at the seller's last price, without a round at the base", () => {
    const countered = send(open("agency", 31.5), offer(29));
    const accepted = send(countered, { type: "ACCEPT", nowMs: 2 });
    expect(accepted).toMatchObject({ value: "accepted", context: { agreedMicros: 30_250_000 } });
    expect(lastRound(accepted)).toMatchObject({ roundNumber: 2, action: "accept", sellerMicros: 30_250_000 });
    expect(roundsRemaining(accepted)).toBe(0);
    const blind = send(open("agency", 31.5), { type: "ACCEPT", nowMs: 2 });
    expect(blind.context.agreedMicros).toBe(31_500_000);
  });

  it("a final offer can still be accepted", () => {
    let at = open("agency", 31.5);
    for (let round = 0; round < 5; round += 1) at = send(at, offer(20));
    expect(lastRound(at).action).toBe("final_offer");
    expect(send(at, { type: "ACCEPT", nowMs: 2 }).context.agreedMicros).toBe(29_930_000);
  });

  it("reject ends it without an agreed price, and nothing follows", () => {
    const at = send(send(open("agency", 31.5), offer(29)), { type: "REJECT", nowMs: 2 });
    expect(at).toMatchObject({ value: "rejected", context: { agreedMicros: null } });
    expect(lastRound(at)).toMatchObject({ action: "reject", sellerMicros: 30_250_000 });
    expect(step(negotiationMachine, at, offer(31))).toBeNull();
    expect(step(negotiationMachine, at, { type: "ACCEPT", nowMs: 3 })).toBeNull();
  });
});

describe("negotiation: an approval holds the seller's acceptance or final offer back", () => {
  const countered = send(open("agency", 31.5), offer(29));
  const held = send(countered, offer(30.5, "app-1"));

  it("shows a counter at the last price and stays active", () => {
    expect(held.value).toBe("active");
    expect(lastRound(held)).toMatchObject({
      roundNumber: 2,
      action: "counter",
      buyerMicros: 30_500_000,
      sellerMicros: 30_250_000,
    });
    expect(held.context).toMatchObject({ agreedMicros: null, held: { approvalId: "app-1" } });
  });

  it("a counter is not held back", () => {
    const at = send(countered, offer(29.5, "app-1"));
    expect(at.context.held).toBeNull();
    expect(lastRound(at).action).toBe("counter");
  });

  it("neither an offer nor an acceptance passes it, a withdrawal does", () => {
    expect(step(negotiationMachine, held, offer(31))).toBeNull();
    expect(step(negotiationMachine, held, offer(31, "app-2"))).toBeNull();
    expect(step(negotiationMachine, held, { type: "ACCEPT", nowMs: 2 })).toBeNull();
    expect(send(held, { type: "REJECT", nowMs: 2 })).toMatchObject({ value: "rejected", context: { held: null } });
  });

  it("released, the acceptance stands in the place of the counter", () => {
    const released = send(held, { type: "RELEASE", nowMs: 2 });
    expect(released).toMatchObject({ value: "accepted", context: { agreedMicros: 30_500_000, held: null } });
    expect(released.context.rounds.map((round) => [round.roundNumber, round.action])).toEqual([
      [1, "counter"],
      [2, "accept"],
    ]);
  });

  it("released, a final offer is open to the buyer", () => {
    let at = open("agency", 31.5);
    for (let round = 0; round < 4; round += 1) at = send(at, offer(20));
    const waiting = send(at, offer(20, "app-1"));
    expect(lastRound(waiting).action).toBe("counter");
    const released = send(waiting, { type: "RELEASE", nowMs: 2 });
    expect(released.value).toBe("active");
    expect(lastRound(released)).toMatchObject({ roundNumber: 5, action: "final_offer", sellerMicros: 29_930_000 });
    expect(send(released, { type: "ACCEPT", nowMs: 3 }).context.agreedMicros).toBe(29_930_000);
  });

  it("refused, the negotiation is rejected", () => {
    const refused = send(held, { type: "REFUSE", nowMs: 2 });
    expect(refused).toMatchObject({ value: "rejected", context: { agreedMicros: null } });
  });

  it.each([
    [28_000_000, true],
    [31_500_000, true],
    [27_999_999, false],
    [31_500_001, false],
    [0.5, false],
    [Number.NaN, false],
  ])("a human's counter at %d is allowed: %s", (priceMicros, allowed) => {
    const next = step(negotiationMachine, held, { type: "COUNTER", nowMs: 2, priceMicros });
    expect(next !== null).toBe(allowed);
    if (next === null) return;
    expect(next.value).toBe("active");
    expect(next.context.rounds).toHaveLength(2);
    expect(lastRound(next)).toMatchObject({ action: "counter", buyerMicros: 30_500_000, sellerMicros: priceMicros });
    expect(send(next, { type: "ACCEPT", nowMs: 3 }).context.agreedMicros).toBe(priceMicros);
  });

  it("without a held offer there is nothing to release, refuse or counter", () => {
    expect(step(negotiationMachine, countered, { type: "RELEASE", nowMs: 2 })).toBeNull();
    expect(step(negotiationMachine, countered, { type: "REFUSE", nowMs: 2 })).toBeNull();
    expect(step(negotiationMachine, countered, { type: "COUNTER", nowMs: 2, priceMicros: 30_000_000 })).toBeNull();
  });

  it("no decision revives one that has expired", () => {
    expect(step(negotiationMachine, held, { type: "RELEASE", nowMs: 1_000 })).toBeNull();
    expect(settle(negotiationMachine, negotiationDeadline, held, 1_000)).toMatchObject({
      value: "expired",
      context: { held: null, agreedMicros: null },
    });
  });
});

describe("negotiation: time", () => {
  it("ends with its quote, whatever is said", () => {
    const at = send(open("agency", 31.5), offer(29));
    expect(negotiationDeadline(at)).toEqual({ atMs: 1_000, type: "EXPIRE" });
    expect(step(negotiationMachine, at, { ...offer(30), nowMs: 1_000 } as NegotiationEvent)).toBeNull();
  });

  it("with its own lifetime each message prolongs it", () => {
    const at = send(open("agency", 31.5, 28, { lifetimeMs: 5_000 }), { ...offer(29), nowMs: 900 } as NegotiationEvent);
    expect(negotiationDeadline(at)).toEqual({ atMs: 5_900, type: "EXPIRE" });
    expect(settle(negotiationMachine, negotiationDeadline, at, 5_899).value).toBe("active");
    expect(settle(negotiationMachine, negotiationDeadline, at, 5_900).value).toBe("expired");
  });
});

describe("negotiation: machine", () => {
  const events: readonly NegotiationEvent[] = [
    offer(29),
    offer(31),
    offer(0),
    offer(31, "app-1"),
    { type: "ACCEPT", nowMs: 1 },
    { type: "REJECT", nowMs: 1 },
    { type: "RELEASE", nowMs: 1 },
    { type: "REFUSE", nowMs: 1 },
    { type: "COUNTER", nowMs: 1, priceMicros: 30_000_000 },
    { type: "EXPIRE", nowMs: 1_000 },
  ];

  it("active ends accepted, rejected or expired, and from there nowhere", () => {
    const start = open("agency", 31.5);
    const held = send(send(start, offer(29)), offer(31, "app-1"));
    expect(checkedTable(negotiationMachine, [start, held], events)).toEqual({
      active: ["accepted", "rejected", "expired"],
      accepted: [],
      rejected: [],
      expired: [],
    });
    expect(pathMoves(negotiationMachine, start, events)).toEqual([
      "active ACCEPT accepted",
      "active EXPIRE expired",
      "active OFFER rejected",
      "active REJECT rejected",
    ]);
  });

  const price = fc.oneof(
    fc.integer({ min: -1_000_000, max: 45_000_000 }),
    fc.integer({ min: 27, max: 36 }).map((units) => units * million),
  );
  const nowMs = fc.nat(1_100);
  const anyEvent = fc.oneof(
    fc.record({
      type: fc.constant("OFFER" as const),
      nowMs,
      priceMicros: price,
      approvalId: fc.option(fc.constant("app-1"), { nil: null }),
    }),
    fc.record({ type: fc.constantFrom("ACCEPT" as const, "REJECT" as const, "RELEASE" as const), nowMs }),
    fc.record({ type: fc.constantFrom("REFUSE" as const, "EXPIRE" as const), nowMs }),
    fc.record({ type: fc.constant("COUNTER" as const), nowMs, priceMicros: price }),
  );
  const start = fc.record({
    tier: fc.constantFrom<TierName>("public", "seat", "agency", "advertiser"),
    base: fc.integer({ min: 28_000_000, max: 40_000_000 }),
    floor: fc.integer({ min: 1_000_000, max: 30_000_000 }),
  });

  it("pure steps equal a live actor; never below the floor, never above the computed price", () => {
    fc.assert(
      fc.property(start, fc.array(anyEvent, { maxLength: 12 }), ({ tier, base, floor }, sequence) => {
        const negotiation = open(tier, base / million, floor / million);
        for (const { after } of walkBothWays(negotiationMachine, negotiation, sequence)) {
          if (after === null) continue;
          expectPlainJson(after);
          const { agreedMicros, floorMicros, ceilingMicros, rounds, limits } = after.context;
          expect(after.value === "accepted").toBe(agreedMicros !== null);
          if (agreedMicros !== null) {
            expect(agreedMicros).toBeGreaterThanOrEqual(floorMicros);
            expect(agreedMicros).toBeLessThanOrEqual(ceilingMicros);
          }
          expect(rounds.map((round) => round.roundNumber)).toEqual(rounds.map((_, index) => index + 1));
          expect(rounds.length).toBeLessThanOrEqual(limits.maxRounds + 2);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it("the engine never asks for more than before, for less than the floor, or for less than it was offered", () => {
    fc.assert(
      fc.property(start, fc.array(price, { minLength: 1, maxLength: 8 }), ({ tier, base, floor }, prices) => {
        let at = open(tier, base / million, floor / million);
        for (const priceMicros of prices) {
          const before = at.context.rounds.at(-1)?.sellerMicros ?? at.context.baseMicros;
          const next = step(negotiationMachine, at, { type: "OFFER", nowMs: 1, priceMicros, approvalId: null });
          if (next === null) return;
          const round = lastRound(next);
          if (round.action === "counter" || round.action === "final_offer") {
            expect(round.sellerMicros).toBeLessThanOrEqual(before);
            expect(round.sellerMicros).toBeGreaterThanOrEqual(Math.max(at.context.floorMicros, priceMicros));
          }
          if (round.action === "accept") expect(round.sellerMicros).toBe(priceMicros);
          if (at.context.rounds.at(-1)?.action === "final_offer")
            expect(["final_offer", "accept", "reject"]).toContain(round.action);
          expect(round.cumulativeConcession).toBeGreaterThanOrEqual(0);
          expect(round.cumulativeConcession).toBeLessThanOrEqual(1);
          at = next;
        }
      }),
      { numRuns: 20_000 },
    );
  });
});
