import { expect, test } from "vitest";
import { whyItWaits } from "../../agents/console/page/screens/seller/approvals/brief-words.ts";
import { needsApproval } from "../../machines/approval/gate.ts";

const gate = { enabled: true, flows: ["deal"], aboveMicros: 50_000_000_000 } as const;
const shown = { flow: "deal", above_value: 50_000 };

test("a booking of exactly the gate's value waits, and the reason says so", () => {
  // 49,999.998 USD before it is rounded to the cent.
  const terms = { priceMicros: 5_820_000, impressions: 8_591_065, currency: "USD" };
  expect(needsApproval(gate, "deal", terms)).toBe(true);
  const why = whyItWaits({ flow_type: "deal", gate: shown, currency: "USD" });
  expect(why).toBe("It waits for you because bookings from $50,000.00 on do.");
});

test("a booking in another currency waits at any value, and the reason names no sum", () => {
  expect(needsApproval(gate, "deal", { priceMicros: 1_000_000, impressions: 1, currency: "EUR" })).toBe(true);
  const why = whyItWaits({ flow_type: "deal", gate: shown, currency: "EUR" });
  expect(why).toBe("It waits for you because all bookings in EUR do.");
});

test("without a value all wait", () => {
  const why = whyItWaits({ flow_type: "deal", gate: { flow: "deal", above_value: 0 }, currency: "USD" });
  expect(why).toBe("It waits for you because all bookings do.");
});
