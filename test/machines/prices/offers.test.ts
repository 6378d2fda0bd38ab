import { describe, expect, it } from "vitest";
import type { NegotiationInstance } from "../../../machines/negotiation/machine.ts";
import { type Bargainer, oneBuyer, openTalk } from "./offer-play.ts";
import { faultsOfStrategy } from "./offer-rules.ts";

const million = 1_000_000;
const dayMs = 86_400_000;

const open = (tier: Bargainer, ceiling: number, floor = 1): NegotiationInstance =>
  openTalk({ tier, ceilingMicros: Math.round(ceiling * million) }, Math.round(floor * million));

const buyer = () => {
  const say = oneBuyer();
  return (at: NegotiationInstance, price: number, how: { nowMs?: number; approvalId?: string } = {}) =>
    say(at, Math.round(price * million), how);
};

const last = ({ context }: NegotiationInstance): readonly [string | undefined, number] => {
  const round = context.rounds.at(-1);
  return [round?.action, (round?.sellerMicros ?? 0) / million];
};

describe("offers of one buyer for one product, whatever negotiation they are made in", () => {
  it("go on where the last one left the seller", () => {
    const say = buyer();
    expect(last(say(open("agency", 31.5), 29))).toEqual(["counter", 30.25]);
    expect(last(say(open("agency", 31.5), 29))).toEqual(["counter", 30.25]);
    expect(last(say(open("agency", 31.5), 1))).toEqual(["counter", 30.25]);
    expect(last(say(open("agency", 31.5), 30))).toEqual(["counter", 30.12]);
    expect(last(say(open("agency", 31.5), 30.12))).toEqual(["accept", 30.12]);
  });

  it("make the rounds of one negotiation, after which the last price stands", () => {
    const say = buyer();
    const answers = [10, 11, 12, 13, 14, 15, 16, 17].map((price) => last(say(open("agency", 100), price)));
    expect(answers.map(([action]) => action)).toEqual([
      "counter",
      "counter",
      "final_offer",
      "final_offer",
      "final_offer",
      "final_offer",
      "final_offer",
      "final_offer",
    ]);
    expect(answers.map(([, price]) => price)).toEqual([95, 90, 85, 85, 85, 85, 85, 85]);
    expect(last(say(open("agency", 100), 84.99))).toEqual(["final_offer", 85]);
    expect(last(say(open("agency", 100), 85))).toEqual(["accept", 85]);
  });

  it("give another volume or tier the same share of its own price, never less than the floor", () => {
    const say = buyer();
    say(open("agency", 100), 10);
    expect(last(say(open("agency", 50), 5))).toEqual(["counter", 47.5]);
    expect(last(say(open("advertiser", 80), 1))).toEqual(["counter", 76]);
    expect(last(say(open("agency", 20, 19.5), 1))).toEqual(["counter", 19.5]);
    expect(last(say(open("agency", 100), 10))).toEqual(["final_offer", 95]);
  });

  it("a price taken below the seller's last is its last price then", () => {
    const say = buyer();
    const answers = [40, 41, 45, 45.2].map((price) => last(say(open("seat", 50), price)));
    expect(answers).toEqual([
      ["counter", 48],
      ["counter", 46],
      ["counter", 45.6],
      ["accept", 45.2],
    ]);
    expect(last(say(open("seat", 50), 45.2))).toEqual(["accept", 45.2]);
    expect(last(say(open("seat", 50), 45.19))).toEqual(["final_offer", 45.2]);
  });

  it("at the seller's price take no round", () => {
    const say = buyer();
    for (let times = 0; times < 9; times += 1) expect(last(say(open("seat", 50), 50))).toEqual(["accept", 50]);
    expect(last(say(open("seat", 50), 40))).toEqual(["counter", 48]);
  });

  it("are forgotten a day after the first, but in a negotiation that goes on", () => {
    const say = buyer();
    const first = say(open("agency", 100), 50);
    expect(last(say(open("agency", 100), 50, { nowMs: dayMs - 1 }))).toEqual(["counter", 95]);
    expect(last(say(open("agency", 100), 50, { nowMs: dayMs }))).toEqual(["counter", 95]);
    expect(last(say(first, 40, { nowMs: 3 * dayMs }))).toEqual(["counter", 95]);
    expect(last(say(first, 60, { nowMs: 6 * dayMs }))).toEqual(["counter", 90]);
  });

  it("that wait for a person take a round and tell nobody what the answer would be", () => {
    const say = buyer();
    const talk = [50, 60].reduce((at, price) => say(at, price), open("agency", 100));
    expect(last(talk)).toEqual(["counter", 90]);
    const held = say(talk, 81, { approvalId: "app-1" });
    expect([held.context.held?.outcome.round.sellerMicros, ...last(held)]).toEqual([85_000_000, "counter", 90]);
    expect(last(say(open("agency", 100), 80))).toEqual(["counter", 90]);
  });
});

describe("offers: what they can find out", () => {
  it("four hundred strategies come no closer to the floor than the engine's own last concession", () => {
    expect(Array.from({ length: 400 }, (_none, seed) => faultsOfStrategy(seed)).flat()).toStrictEqual([]);
  });
});
