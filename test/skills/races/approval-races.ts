import { expect } from "vitest";
import { createCatalog } from "../../../agents/seller/catalog/catalog.ts";
import { parseCatalog } from "../../../agents/seller/catalog/load.ts";
import { eventChange } from "../../../protocol/seam/events.ts";
import { sellerDueWork } from "../../../skills/seller/due-work.ts";
import { dealKind, type DealRow } from "../../../skills/seller/deals/record.ts";
import { openWorld, plainSettings, type Reply, type World } from "../world.ts";

export const gatedDeals = { approvalGate: { enabled: true, flows: ["deal"], aboveMicros: 0 } } as const;

const flight = { flight_start: "2027-03-01", flight_end: "2027-03-02" };
const firstDay = Date.UTC(2027, 2, 1) / 86_400_000;
const impressions = 1_000;
const productId = "p-1";

const product = {
  product_id: productId,
  name: "Run of network",
  inventory_type: "display",
  deal_types: ["PG"],
  base_cpm: 10,
  floor_cpm: 5,
  minimum_impressions: 1,
};

/** The product never sells out. */
export const openRaces = (
  place: Pick<NonNullable<Parameters<typeof openWorld>[0]>, "openStore"> = {},
): Promise<World> =>
  openWorld({
    ...place,
    settings: gatedDeals,
    catalog: createCatalog(parseCatalog("races.json", JSON.stringify([product]), "USD")),
  });

interface HeldDeal {
  readonly dealId: string;
  readonly approvalId: string;
}

const bookHeld = async (world: World): Promise<HeldDeal> => {
  const wish = { product_id: productId, deal_type: "PG", impressions, ...flight };
  const quote = await world.send({ caller: "agency", operation: "request_quote", input: wish });
  const input = { quote_id: quote.body["quote_id"] };
  const { code, body } = await world.send({ caller: "agency", operation: "book_deal", input });
  expect(code).toBeNull();
  return { dealId: String(body["deal_id"]), approvalId: String(body["approval_id"]) };
};

const decide = (world: World, caller: string, held: HeldDeal, decision: string): Promise<Reply> =>
  world.send({ caller, operation: "approve_or_reject", input: { approval_id: held.approvalId, decision } });

/** With a clock a day ahead: it commits the timeout, or loses its race. */
const timeOut = async (world: World, held: HeldDeal): Promise<"timed out" | "lost"> => {
  const nowMs = world.nowMs() + 86_400_000;
  const loaded = await world.store.get("approval", held.approvalId);
  if (loaded === null) throw new Error("no approval");
  const work = await sellerDueWork(plainSettings)(loaded, nowMs, world.store);
  if (work === null) return "lost";
  const events = work.events.map((draft) => eventChange(draft, nowMs, "system"));
  const outcome = await world.store.commit({ changes: [...work.changes, ...events], audit: null });
  return outcome.ok ? "timed out" : "lost";
};

const racesOf: readonly ((world: World, held: HeldDeal) => Promise<unknown>[])[] = [
  (world, held) => [decide(world, "operator", held, "approve"), decide(world, "senior", held, "reject")],
  (world, held) => [decide(world, "operator", held, "reject"), decide(world, "senior", held, "approve")],
  (world, held) => [decide(world, "operator", held, "approve"), timeOut(world, held)],
  (world, held) => [timeOut(world, held), decide(world, "operator", held, "reject")],
  (world, held) => [decide(world, "operator", held, "reject"), timeOut(world, held), timeOut(world, held)],
];

const wonBy = (ends: readonly unknown[]): number =>
  ends.filter((end) => end === "timed out" || (typeof end === "object" && (end as Reply).code === null)).length;

const refusals = new Set(["approval_already_decided", "approval_timed_out"]);

const raceOnce = async (world: World, index: number): Promise<boolean> => {
  const held = await bookHeld(world);
  const race = racesOf[index % racesOf.length] ?? (() => []);
  const ends = await Promise.all(race(world, held));
  expect(wonBy(ends)).toBe(1);
  for (const end of ends) {
    const code = typeof end === "object" && end !== null ? (end as Reply).code : null;
    if (code !== null) expect(refusals).toContain(code);
  }
  const deal = (await world.store.get(dealKind.name, held.dealId))?.body as DealRow;
  const { value, context } = deal.life;
  expect([value, context.awaitingApproval, deal.revision]).toEqual([value, false, 2]);
  expect(["proposed", "rejected"]).toContain(value);
  return value === "proposed";
};

const inParallel = 50;

/**
 * Each meets two decisions, or a decision and a timeout: one takes effect, the other gets an error. Refused deals give
 * their impressions back once, approved ones hold them.
 */
export const raceForApprovals = async (world: World, races: number): Promise<void> => {
  let approved = 0;
  for (let done = 0; done < races; done += inParallel) {
    const round = Math.min(inParallel, races - done);
    const ends = await Promise.all(Array.from({ length: round }, (_, place) => raceOnce(world, done + place)));
    approved += ends.filter(Boolean).length;
  }
  const counts = await Promise.all(
    ["approval.granted", "approval.denied", "approval.timed_out", "deal.rejected", "deal.changed"].map((type) =>
      world.store.count("event", `type=${type}`),
    ),
  );
  const [granted = 0, denied = 0, timedOut = 0, rejected = 0, changed = 0] = counts;
  expect(granted + denied + timedOut).toBe(races);
  expect([granted, changed]).toEqual([approved, approved]);
  expect(denied + timedOut).toBe(rejected);
  expect(await world.store.count("approval", "status=pending")).toBe(0);
  expect(await world.store.reserved(`inventory/${productId}`, firstDay, firstDay + 1)).toBe(approved * impressions);
};
