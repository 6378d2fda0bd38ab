import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  changeRequestMachine,
  isWritten,
  judgedChangeRequest,
  newChangeRequest,
  type ChangeRequestEvent,
} from "../../../machines/change-request/machine.ts";
import {
  changedMetadata,
  changeTypes,
  termChanges,
  type ChangeProposal,
  type ChangeType,
} from "../../../machines/change-request/proposal.ts";
import { severityOf } from "../../../machines/change-request/severity.ts";
import { checkChange } from "../../../machines/change-request/validation.ts";
import { step } from "../../../machines/step.ts";
import { checkedTable, expectPlainJson, pathMoves, walkBothWays } from "../walks.ts";

const current = { priceMicros: 29_920_000, impressions: 5_000_000, flightStart: "2027-03-01", flightEnd: "2027-03-31" };

const propose = (
  changeType: ChangeType,
  diffs: readonly (readonly [string, unknown, unknown])[] = [],
  proposedValues: Readonly<Record<string, unknown>> = {},
): ChangeProposal => ({
  changeType,
  diffs: diffs.map(([field, old_value, new_value]) => ({ field, old_value, new_value })),
  proposedValues,
});

describe("change request: severity (seller spec, severity rules)", () => {
  it.each<[string, ChangeProposal, string]>([
    ["flight without dates", propose("flight_dates"), "material"],
    ["a shift of 3 days", propose("flight_dates", [["flight_end", "2027-03-31", "2027-04-03"]]), "minor"],
    ["a shift of 3 days back", propose("flight_dates", [["flight_start", "2027-03-01", "2027-02-26"]]), "minor"],
    ["a shift of 4 days", propose("flight_dates", [["flight_end", "2027-03-31", "2027-04-04"]]), "material"],
    [
      "one small and one large shift",
      propose("flight_dates", [
        ["flight_start", "2027-03-01", "2027-03-02"],
        ["flight_end", "2027-03-31", "2027-04-30"],
      ]),
      "material",
    ],
    [
      "two small shifts",
      propose("flight_dates", [
        ["flight_start", "2027-03-01", "2027-03-02"],
        ["flight_end", "2027-03-31", "2027-04-01"],
      ]),
      "minor",
    ],
    ["an unreadable date", propose("flight_dates", [["flight_end", "2027-03-31", "soon"]]), "material"],
    ["an impossible date", propose("flight_dates", [["flight_end", "2027-03-31", "2027-04-31"]]), "material"],
    ["no old value", propose("flight_dates", [["flight_end", null, "2027-04-01"]]), "material"],
    [
      "timestamps with and without an offset",
      propose("flight_dates", [["flight_end", "2027-03-31T00:00:00", "2027-04-03T02:00:00+02:00"]]),
      "minor",
    ],
    [
      "an hour more than three days",
      propose("flight_dates", [["flight_end", "2027-03-31T00:00:00Z", "2027-04-03T01:00:00Z"]]),
      "material",
    ],
    ["a far date as a proposed value", propose("flight_dates", [], { flight_end: "2027-09-01" }), "material"],
    ["impressions", propose("impressions", [["impressions", 1, 2]]), "material"],
    ["a price change of 15 percent", propose("pricing", [["final_cpm", 20, 23]]), "critical"],
    ["a price change of 25 percent", propose("pricing", [["final_cpm", 20, 25]]), "critical"],
    ["pricing without values", propose("pricing"), "critical"],
    ["creative", propose("creative", [["creative_id", "a", "b"]]), "minor"],
    ["targeting", propose("targeting"), "material"],
    ["cancellation", propose("cancellation"), "critical"],
    ["other", propose("other"), "material"],
  ])("%s", (_title, proposal, severity) => {
    expect(severityOf(proposal, null)).toBe(severity);
  });

  it.each<[string, ChangeProposal, string]>([
    ["a price under the name of a creative", propose("creative", [], { final_cpm: 1 }), "critical"],
    ["a price under a second name", propose("other", [["cpm", null, 1]]), "critical"],
    ["impressions under the name of a creative", propose("creative", [["impressions", 1, 9]]), "material"],
    ["a far flight under the name of a creative", propose("creative", [], { flight_end: "2028-03-31" }), "material"],
    ["a near flight under the name of a creative", propose("creative", [], { flight_end: "2027-04-01" }), "minor"],
    ["a lie about the old value", propose("flight_dates", [["flight_end", "2027-12-30", "2027-12-31"]]), "material"],
    [
      "small diffs beside a far proposed value",
      propose("flight_dates", [["flight_start", "2027-03-01", "2027-03-01"]], { flight_end: "2027-12-31" }),
      "material",
    ],
    ["the deal's own dates, without an old value", propose("flight_dates", [], { flight_end: "2027-04-02" }), "minor"],
  ])("hidden: %s, measured against the deal, is judged by what it does", (_title, proposal, severity) => {
    expect(severityOf(proposal, current)).toBe(severity);
  });
});

describe("change request: validation lists every error", () => {
  const subject = { orderStatus: "booked", current, lowestMicros: 28_000_000, leastImpressions: 0, nowMs: 0 } as const;

  it.each(["completed", "cancelled", "failed"] as const)("an order that is %s cannot be changed", (orderStatus) => {
    expect(checkChange(propose("creative"), { ...subject, orderStatus }).errors).toEqual([
      `Cannot modify order in '${orderStatus}' status.`,
    ]);
  });

  it.each(["rejected", "syncing", "unbooked"] as const)("an order that is %s cannot be cancelled", (orderStatus) => {
    expect(checkChange(propose("cancellation"), { ...subject, orderStatus }).errors).toEqual([
      `Cannot cancel order in '${orderStatus}' status.`,
    ]);
    expect(checkChange(propose("creative"), { ...subject, orderStatus }).errors).toEqual([]);
  });

  const notPositive = [0, -1, "0", "-3"].map((value) => [value, "Impressions must be positive."] as const);
  const noIntegers = [1.5, true, false, "x", "", "1.5", {}, [], [5], 2 ** 53, Number.NaN, "99999999999999999999"].map(
    (value) => [value, "Impressions must be an integer."] as const,
  );
  it.each([...notPositive, ...noIntegers])(
    "impressions of %j are refused, in diffs and in proposed values, with and without a deal: %s",
    (value, message) => {
      const refused = { errors: [message], terms: null };
      const inDiffs = propose("impressions", [["impressions", 1, value]]);
      const inBoth = propose("impressions", [["impressions", 1, value]], { impressions: value });
      expect(checkChange(inDiffs, subject)).toEqual(refused);
      expect(checkChange(inBoth, { ...subject, current: null })).toEqual(refused);
    },
  );

  it.each<[unknown, number]>([
    [1, 1],
    ["4000000", 4_000_000],
    [" 7 ", 7],
  ])("impressions of %j count as %d", (value, impressions) => {
    expect(checkChange(propose("impressions", [["impressions", 1, value]]), subject).terms).toEqual({
      ...current,
      impressions,
    });
  });

  it.each([
    ["final_cpm", "30", "final_cpm must be a number above zero with at most six decimals."],
    ["price", 0, "price must be a number above zero with at most six decimals."],
    ["cpm", -1, "cpm must be a number above zero with at most six decimals."],
    ["cpm", 1e300, "cpm must be a number above zero with at most six decimals."],
    ["cpm", 28.1234567, "cpm must be a number above zero with at most six decimals."],
    ["final_cpm", 27.99, "final_cpm is not an acceptable price."],
    ["flight_end", 5, "flight_end must be a date of the calendar in the form YYYY-MM-DD."],
    ["flight_end", "2027-02-30", "flight_end must be a date of the calendar in the form YYYY-MM-DD."],
    ["flight_end", "2027-02-28", "The flight ends on 2027-02-28, before it starts on 2027-03-01."],
    ["flight_end", "2029-12-31", "A flight has at most 731 days. Book the rest as a second flight."],
  ])("%s of %j is refused: %s", (field, value, message) => {
    expect(checkChange(propose("other", [], { [field]: value }), subject)).toEqual({ errors: [message], terms: null });
  });

  it("all errors come at once, and none names a limit", () => {
    const proposal = propose("cancellation", [["impressions", 1, 0]], { final_cpm: 1, price: "x" });
    const { errors } = checkChange(proposal, { ...subject, orderStatus: "completed" });
    expect(errors).toHaveLength(5);
    expect(errors.join(" ")).not.toMatch(/floor|28/);
  });

  it("a flight that cannot be stands beside the other errors, each of its dates by itself", () => {
    const few = { ...subject, leastImpressions: 10_000 };
    const backwards = propose("flight_dates", [["impressions", 1, 9_999]], { flight_end: "2027-02-28", cpm: 1 });
    expect(checkChange(backwards, few).errors).toEqual([
      "cpm is not an acceptable price.",
      "impressions must be at least 10000.",
      "The flight ends on 2027-02-28, before it starts on 2027-03-01.",
    ]);
    const impossible = propose("flight_dates", [], { flight_start: "soon", flight_end: "2027-02-30" });
    expect(checkChange(impossible, few).errors).toEqual([
      "flight_start must be a date of the calendar in the form YYYY-MM-DD.",
      "flight_end must be a date of the calendar in the form YYYY-MM-DD.",
    ]);
  });

  it("proposed values, then diffs: the last value of a term counts", () => {
    const proposal = propose(
      "pricing",
      [
        ["cpm", null, 31.5],
        ["flight_end", "x", "2027-04-02"],
        ["impressions", 5, null],
      ],
      { final_cpm: 30, price: 29, impressions: 6_000_000, note: "kept" },
    );
    expect(checkChange(proposal, subject)).toEqual({
      errors: [],
      terms: { priceMicros: 31_500_000, impressions: 6_000_000, flightStart: "2027-03-01", flightEnd: "2027-04-02" },
    });
    expect(termChanges(proposal).map((change) => change.field)).toEqual([
      "final_cpm",
      "price",
      "impressions",
      "cpm",
      "flight_end",
    ]);
  });

  it("an order without a deal has no terms to change", () => {
    const proposal = propose("flight_dates", [["flight_end", "a", "b"]]);
    expect(checkChange(proposal, { ...subject, current: null })).toEqual({ errors: [], terms: null });
  });
});

describe("change request: the order's metadata", () => {
  it("gets the proposed values, then a key for every diff with a new value", () => {
    const proposal = propose(
      "other",
      [
        ["a", 1, 2],
        ["b", 1, null],
        ["", 1, 2],
      ],
      { note: "n" },
    );
    expect(changedMetadata({ kept: true, note: "old" }, proposal)).toEqual({ kept: true, note: "n", _changed_a: 2 });
  });

  it("no key reaches a prototype", () => {
    const hostile = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}') as Record<string, unknown>;
    const metadata = changedMetadata({}, propose("other", [["__proto__", 0, { polluted: true }]], hostile));
    expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.keys(metadata).sort()).toEqual(["__proto__", "_changed___proto__", "constructor"]);
    expect(
      termChanges(
        propose("other", [
          ["__proto__", 0, 1],
          ["constructor", 0, 1],
        ]),
      ),
    ).toEqual([]);
  });
});

describe("change request: machine", () => {
  const events: readonly ChangeRequestEvent[] = [
    { type: "VALIDATE", nowMs: 1 },
    { type: "JUDGE", nowMs: 2, severity: "minor", errors: [] },
    { type: "JUDGE", nowMs: 2, severity: "material", errors: [] },
    { type: "JUDGE", nowMs: 2, severity: "minor", errors: ["no"] },
    { type: "APPROVE", nowMs: 3, by: "human:1", senior: true },
    { type: "REJECT", nowMs: 3, by: "human:1", senior: true, reason: "no" },
    { type: "WITHDRAW", nowMs: 3, by: "agency:1", senior: false, own: true, reason: "Withdrawn" },
    { type: "APPLY", nowMs: 4, by: "human:1" },
  ];

  it("moves as the spec says, and from an end nowhere", () => {
    const states = (["minor", "material", "critical"] as const).map((severity) => judgedChangeRequest(severity, [], 1));
    expect(checkedTable(changeRequestMachine, [newChangeRequest(), ...states], events)).toEqual({
      pending: ["validating"],
      validating: ["failed", "approved", "pending_approval"],
      pending_approval: ["approved", "rejected", "withdrawn"],
      approved: ["applied"],
      rejected: [],
      withdrawn: [],
      applied: [],
      failed: [],
    });
    expect(pathMoves(changeRequestMachine, newChangeRequest(), events)).toEqual([
      "approved APPLY applied",
      "pending VALIDATE validating",
      "pending_approval APPROVE approved",
      "pending_approval REJECT rejected",
      "pending_approval WITHDRAW withdrawn",
      "validating JUDGE approved",
      "validating JUDGE failed",
      "validating JUDGE pending_approval",
    ]);
  });

  it("a minor one is approved and written at once; a later apply sets applied without writing again", () => {
    const minor = judgedChangeRequest("minor", [], 10);
    expect(minor).toMatchObject({
      value: "approved",
      context: { approvedBy: "system:auto-approve", approvedAtMs: 10, appliedAtMs: 10, appliedBy: "system" },
    });
    expect(isWritten(minor)).toBe(true);
    const applied = step(changeRequestMachine, minor, { type: "APPLY", nowMs: 99, by: "human:1" });
    expect(applied).toMatchObject({ value: "applied", context: { appliedAtMs: 10, appliedBy: "system" } });
  });

  it("errors fail it whatever its severity, and are kept", () => {
    for (const severity of ["minor", "material", "critical"] as const) {
      expect(judgedChangeRequest(severity, ["a", "b"], 1)).toMatchObject({
        value: "failed",
        context: { severity, validationErrors: ["a", "b"] },
      });
    }
  });

  it("a critical one is decided by a senior alone", () => {
    const critical = judgedChangeRequest("critical", [], 1);
    const material = judgedChangeRequest("material", [], 1);
    const approve = { type: "APPROVE", nowMs: 5, by: "human:1", senior: false } as const;
    const reject = { type: "REJECT", nowMs: 5, by: "human:1", senior: false, reason: "no" } as const;
    const withdraw = { ...reject, type: "WITHDRAW", own: false } as const;
    expect(step(changeRequestMachine, critical, withdraw)).toBeNull();
    expect(step(changeRequestMachine, critical, { ...withdraw, own: true })?.value).toBe("withdrawn");
    expect(step(changeRequestMachine, critical, approve)).toBeNull();
    expect(step(changeRequestMachine, critical, reject)).toBeNull();
    expect(step(changeRequestMachine, critical, { ...approve, senior: true })?.value).toBe("approved");
    expect(step(changeRequestMachine, material, approve)).toMatchObject({
      value: "approved",
      context: { approvedBy: "human:1", approvedAtMs: 5, appliedAtMs: null },
    });
    expect(step(changeRequestMachine, material, reject)).toMatchObject({
      value: "rejected",
      context: { approvedBy: "human:1", rejectionReason: "no" },
    });
  });

  it("apply before approval and a second review are refused", () => {
    const material = judgedChangeRequest("material", [], 1);
    expect(step(changeRequestMachine, material, { type: "APPLY", nowMs: 2, by: "x" })).toBeNull();
    const approved = step(changeRequestMachine, material, { type: "APPROVE", nowMs: 2, by: "x", senior: false });
    if (approved === null) throw new Error("expected an approval");
    const rejection = { type: "REJECT", nowMs: 3, by: "x", senior: true, reason: "" } as const;
    expect(step(changeRequestMachine, approved, rejection)).toBeNull();
    const applied = step(changeRequestMachine, approved, { type: "APPLY", nowMs: 4, by: "x" });
    expect(applied).toMatchObject({ value: "applied", context: { appliedAtMs: 4, appliedBy: "x" } });
    if (applied === null) throw new Error("expected an application");
    expect(step(changeRequestMachine, applied, { type: "APPLY", nowMs: 5, by: "x" })).toBeNull();
  });

  it("pure steps equal a live actor; severity is judged once", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events), { maxLength: 10 }), (sequence) => {
        for (const { before, event, after } of walkBothWays(changeRequestMachine, newChangeRequest(), sequence)) {
          if (after === null) continue;
          expectPlainJson(after);
          if (event.type !== "JUDGE") expect(after.context.severity).toBe(before.context.severity);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("every change type has a severity", () => {
    expect(changeTypes.map((type) => severityOf(propose(type), null))).toEqual([
      "material",
      "material",
      "critical",
      "minor",
      "material",
      "critical",
      "material",
    ]);
  });
});
