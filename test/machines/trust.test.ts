import { describe, expect, it } from "vitest";
import { step } from "../../machines/step.ts";
import { compileTable, nextStates } from "../../machines/table.ts";
import { firstContact, trustMachine, trustSetTo } from "../../machines/trust/machine.ts";
import { isTrustStatus, tierCeilings, tierUnder, trustStatuses } from "../../machines/trust/statuses.ts";
import { pathMoves } from "./walks.ts";

const statuses = ["unknown", "registered", "approved", "preferred", "blocked"] as const;

describe("trust: statuses and ceilings (seller spec, Authentication, rule 4)", () => {
  it("has the five statuses with their ceilings", () => {
    expect(trustStatuses).toEqual(statuses);
    expect(tierCeilings).toEqual({
      unknown: "public",
      registered: "seat",
      approved: "advertiser",
      preferred: "advertiser",
      blocked: null,
    });
    for (const word of ["", "Unknown", "verified", "constructor"]) expect(isTrustStatus(word)).toBe(false);
  });

  it.each([
    ["advertiser", "unknown", "public"],
    ["advertiser", "registered", "seat"],
    ["agency", "registered", "seat"],
    ["public", "registered", "public"],
    ["agency", "approved", "agency"],
    ["advertiser", "preferred", "advertiser"],
    ["advertiser", "blocked", null],
    ["public", "blocked", null],
  ] as const)("a claim of %s from an agent that is %s gives %s", (claimed, status, tier) => {
    expect(tierUnder(claimed, status)).toBe(tier);
  });
});

describe("trust: moves", () => {
  it("an operator may set any status after any other, itself included", () => {
    for (const from of statuses) {
      for (const to of statuses) expect(trustSetTo({ value: from, context: {} }, to, 1).value).toBe(to);
    }
  });

  it("discovery registers an unknown agent and never overrides an operator", () => {
    expect(step(trustMachine, firstContact, { type: "REGISTER", nowMs: 1 })?.value).toBe("registered");
    for (const value of ["registered", "approved", "preferred", "blocked"] as const) {
      expect(step(trustMachine, { value, context: {} }, { type: "REGISTER", nowMs: 1 })).toBeNull();
    }
  });

  it("the table lists every other status as next, and every path is walked", () => {
    expect(nextStates(compileTable(trustMachine)).blocked).toEqual(["unknown", "registered", "approved", "preferred"]);
    const types = ["REGISTER", "FORGET", "ENLIST", "APPROVE", "PREFER", "BLOCK"] as const;
    const moves = pathMoves(
      trustMachine,
      firstContact,
      types.map((type) => ({ type, nowMs: 1 })),
    );
    expect(new Set(moves.map((move) => move.split(" ")[2]))).toEqual(new Set(statuses.slice(1)));
  });
});
