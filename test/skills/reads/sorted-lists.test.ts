import { expect, test } from "vitest";
import { create } from "../../../protocol/seam/changes.ts";
import { dealKind, type DealRow } from "../../../skills/seller/deals/record.ts";
import { openWorld, type World } from "../world.ts";

const most = 10_000;
const batch = 2_000;
const dayMs = 86_400_000;

const dayOf = (at: number): string => new Date(Date.UTC(2027, 5, 1) + (at % 300) * dayMs).toISOString().slice(0, 10);

/** Neither their values nor their flights are in the order of their creation. */
const mixed = (at: number): number => (at * 7_919) % most;

const dealLike = (row: DealRow, at: number): DealRow => {
  const { context } = row.life;
  const terms = { ...context.terms, impressions: 1_000 + mixed(at) * 1_000, flightStart: dayOf(mixed(at)) };
  return { ...row, deal_id: `deal-${at}`, life: { ...row.life, context: { ...context, terms } } };
};

/** More of the deal that is there. */
const fill = async ({ store }: World, from: number, to: number): Promise<void> => {
  const [row] = await store.list({ kind: dealKind.name, terms: [], order: "oldest", limit: 1 });
  for (let start = from; start < to; start += batch) {
    const changes = Array.from({ length: Math.min(batch, to - start) }, (_, step) =>
      create(dealKind, `deal-${start + step}`, dealLike(row?.body as DealRow, start + step)),
    );
    await store.commit({ changes, audit: null });
  }
};

interface Listed {
  readonly deals: readonly {
    readonly deal_id: string;
    readonly value: number;
    readonly terms: { readonly flight_start: string };
  }[];
  readonly total: number;
  readonly next_cursor: string | null;
}

test("ten thousand deals are sorted by value and by flight, one more is refused with the cure", async () => {
  const world = await openWorld({});
  const ask = async (input: object) => world.send({ caller: "operator", operation: "list_deals", input });
  const list = async (input: object) => (await ask(input)).body as unknown as Listed;
  const terms = { product_id: "prod-53e78a97", deal_type: "PG", impressions: 500_000 };
  const quote = await world.send({ caller: "agency", operation: "request_quote", input: terms });
  await world.send({ caller: "agency", operation: "book_deal", input: { quote_id: quote.body["quote_id"] } });
  await fill(world, 0, most - 1);

  const one = await list({ sort: "value", limit: 100 });
  const two = await list({ sort: "value", limit: 100, cursor: one.next_cursor });
  const values = [...one.deals, ...two.deals].map(({ value }) => value);
  expect(one.total).toBe(most);
  expect(values).toEqual(values.toSorted((left, right) => right - left));
  expect(new Set(values).size).toBe(200);
  expect(one.deals[0]?.deal_id).toBe(`deal-${Array.from({ length: most }, (_, at) => mixed(at)).indexOf(most - 1)}`);

  const { deals } = await list({ sort: "flight", limit: 200 });
  const days = deals.map((deal) => deal.terms.flight_start);
  expect(days).toEqual(days.toSorted());

  await fill(world, most - 1, most);
  const refused = await ask({ sort: "value" });
  expect(refused.status).toBe(422);
  expect(JSON.stringify(refused.body)).toContain("More than 10,000 match. Narrow the list, or leave sort out.");
  await world.close();
});
