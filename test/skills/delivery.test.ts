import { afterEach, expect, test } from "vitest";
import { openWorld, type World } from "./world.ts";

let world: World;
afterEach(async () => world.close());

const wish = {
  product_id: "prod-53e78a97",
  deal_type: "PG",
  impressions: 5_000_000,
  flight_start: "2027-01-10",
  flight_end: "2027-03-31",
};
const sources = ["gam", "freewheel", "ssp-1"];
const days = ["2027-01-10", "2027-01-11", "2027-01-12", "2027-01-13"];

const bookedDeal = async (): Promise<string> => {
  const quote = await world.send({ caller: "agency", operation: "request_quote", input: wish });
  const input = { quote_id: quote.body["quote_id"] };
  return String((await world.send({ caller: "agency", operation: "book_deal", input })).body["deal_id"]);
};

test("reports of several sources and edges at once add up to the last figure of each source and day", async () => {
  world = await openWorld();
  const dealId = await bookedDeal();
  const send = async (input: unknown): Promise<void> => {
    expect((await world.send({ caller: "operator", operation: "report_delivery", input })).code).toBeNull();
  };
  const figure = (source: number, day: number, round: number) => 1_000 * (source + 1) + 10 * day + round;
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(
      sources.flatMap((source, at) => [
        ...days.map((date, day) => {
          const impressions = figure(at, day, round);
          return send({
            source,
            rows: [{ deal_id: dealId, date, impressions, clicks: day, spend: impressions / 100 }],
          });
        }),
        send({ batch_id: `edge-${at}:${round}000`, counts: [{ deal_id: dealId, date: days[0], impressions: 7 }] }),
      ]),
    );
  }
  const delivery = await world.send({ caller: "agency", operation: "get_delivery", input: { deal_id: dealId } });
  const ofDay = (day: number): number => sources.reduce((sum, _, at) => sum + figure(at, day, 2), 0);
  // At the booked CPM of 29.92.
  const edge = { impressions: 63, spend: 1.88496 };
  const whole = days.reduce((sum, _, day) => sum + ofDay(day), 0);
  expect(delivery.body).toMatchObject({
    delivered_impressions: whole + edge.impressions,
    delivered_clicks: 18,
    days: days.map((date, day) => ({ date, impressions: ofDay(day) + (day === 0 ? edge.impressions : 0) })),
  });
  expect(delivery.body["delivered_spend"]).toBeCloseTo(whole / 100 + edge.spend, 6);
  expect(String(delivery.body["data_source"]).split(", ").toSorted()).toEqual(["edge", ...sources].toSorted());
  const named = (delivery.body["sources"] as readonly { source: string; impressions: number }[]).map(
    ({ source, impressions }) => [source, impressions],
  );
  expect(Object.fromEntries(named)).toEqual({
    edge: edge.impressions,
    ...Object.fromEntries(sources.map((name, at) => [name, days.reduce((sum, _, day) => sum + figure(at, day, 2), 0)])),
  });
});
