import { expect, test } from "vitest";
import type { Case, Want } from "./measure/case.ts";
import { play } from "./measure/play.ts";

const native = "prod-12b49f7d";
const quote = "Quote 500k native, PD, 1 to 30 June 2027";

const judged = async (say: readonly string[], want: readonly Want[], more: Partial<Case> = {}) => {
  const { turns, isRight, hasPicked } = await play({ id: "one", agent: "seller", say, want, ...more });
  return { ...turns.at(-1), isRight, hasPicked };
};

test("a booking that the turn does not want is unwanted, whatever the reply says", async () => {
  const quoted: Want = { commits: [], quoted: { product: native, impressions: 500_000 } };
  expect(await judged([quote, "book it"], [quoted, { commits: [] }])).toMatchObject({ isRight: false, unwanted: 1 });
  const wanted: Want = { commits: [{ booked: { quote: 1 } }] };
  expect(await judged([quote, "book it"], [quoted, wanted])).toMatchObject({ isRight: true, unwanted: 0 });
  const other: Want = { commits: [{ booked: { product: native, impressions: 400_000 } }] };
  expect(await judged([quote, "book it"], [quoted, other])).toMatchObject({ isRight: false, unwanted: 1 });
});

test("an offer is taken as an option where the turn wants one, and is unasked where it was not", async () => {
  const offered = await judged(["could you do $9.50?"], [{ bids: 1, outcome: ["counter", "accepted"] }], {
    situation: [quote],
  });
  expect(offered).toMatchObject({ isRight: true, hasPicked: true, unasked: 0 });
  const none = await judged(["could you do $9.50?"], [{ bids: 0, commits: [] }], { situation: [quote] });
  expect(none).toMatchObject({ isRight: true, hasPicked: false });
});

test("a wrong figure, a term that was not understood and a dropped word are problems", async () => {
  const wrong: Want = {
    facts: [{ number: 11.2 }],
    understood: { impressions: 600_000, flight_start: "2027-06-01" },
    not_used: "purple",
  };
  const { problems, dropped } = await judged(["What does native cost for 500k in June 2027?"], [wrong]);
  expect(problems).toHaveLength(3);
  expect(dropped).toHaveLength(1);
});

test("a campaign and its lines are counted as they are stored", async () => {
  const brief = "Spend 50k on display and CTV in March 2027 for sports fans, brand awareness";
  const started: Want = { commits: [{ started: { brief: { budget: 50_000 } } }] };
  const right = await judged(
    ["yes", "approve all"],
    [started, { commits: [{ booked: { channel: "ctv" } }, { booked: { channel: "display" } }] }],
    { agent: "buyer", situation: [brief] },
  );
  expect(right).toMatchObject({ isRight: true, hasPicked: true });
  const wrong = await judged(["yes"], [{ commits: [] }], { agent: "buyer", situation: [brief] });
  expect(wrong).toMatchObject({ isRight: false, unwanted: 1 });
});
