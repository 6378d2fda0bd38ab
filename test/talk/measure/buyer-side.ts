import { openDoors } from "../../doors/doors.ts";
import { startFakeSeller } from "../../buyer/fake-seller.ts";
import { keyFor, sellerHere } from "../../buyer/seller-here.ts";
import { callAgent, type Job, openBuyer, settledJob } from "../../buyer/world.ts";
import type { Members } from "./case.ts";
import { type Effect, type OpenSide, partsOf, type Seen, sendA2a } from "./side.ts";

type Line = Job["recommendations"][number];

const lineId = (line: Members): string => String(line["recommendation_id"]);

/** A line keeps its state of approval apart from its terms. */
const lineTerms = ({ impressions, cpm, cost, flight_start: from, flight_end: to }: Line): string =>
  JSON.stringify([impressions, cpm, cost, from, to]);

const effectOf = (kind: string, job: Job, line?: Members): Effect => ({
  kind,
  job_id: job.job_id,
  campaign: (job as unknown as Members)["campaign_name"],
  ...(line === undefined ? {} : { product: line["product_id"], channel: line["channel"], cost: line["cost"] }),
});

const started = (job: Job): Effect => ({
  ...effectOf("started", job),
  brief: (job as unknown as Members)["brief"],
});

const lineEffects = (before: Job, now: Job): readonly Effect[] =>
  now.recommendations.flatMap((line): readonly Effect[] => {
    const was = before.recommendations.find((one) => lineId(one) === lineId(line));
    if (was === undefined) return [];
    if (was.status !== line.status && /reject|drop/.test(line.status)) return [effectOf("dropped", now, line)];
    return lineTerms(was) === lineTerms(line) ? [] : [effectOf("changed", now, line)];
  });

const bookedEffects = (before: Job, now: Job): readonly Effect[] =>
  now.booked_lines.flatMap((line): readonly Effect[] => {
    const was = before.booked_lines.find(({ deal_id }) => deal_id === line.deal_id);
    if (was === undefined) return [{ ...effectOf("booked", now, line), deal_id: line.deal_id }];
    const isAsked = (one: Members): boolean => (one["cancellation"] ?? null) !== null;
    return isAsked(was) === isAsked(line) ? [] : [{ ...effectOf("asked", now, line), deal_id: line.deal_id }];
  });

const goneLines = (before: Job, now: Job): readonly Effect[] =>
  before.recommendations
    .filter((line) => !now.recommendations.some((one) => lineId(one) === lineId(line)))
    .map((line) => effectOf("dropped", now, line));

const effectsOf = (before: Job | undefined, now: Job): readonly Effect[] => {
  if (before === undefined) return [started(now)];
  const isCancelled = before.status !== now.status && now.errors.includes("cancelled");
  const budget = (job: Job): unknown => (job as unknown as Members)["budget"];
  return [
    ...(isCancelled ? [effectOf("cancelled", now)] : [...lineEffects(before, now), ...goneLines(before, now)]),
    ...bookedEffects(before, now),
    ...(budget(before) === budget(now) ? [] : [{ ...effectOf("changed", now), budget: budget(now) }]),
  ];
};

/** The lines that an approval books, or that a new plan drops. */
const foreseenOf = (known: ReadonlyMap<string, Job>, input: Members): readonly Effect[] | null => {
  const job = known.get(String(input["job_id"]));
  const [kind, ids] = Array.isArray(input["reject"])
    ? ["dropped", input["reject"] as unknown[]]
    : ["booked", input["recommendation_ids"]];
  if (job === undefined || !Array.isArray(ids)) return null;
  return job.recommendations.filter((line) => ids.includes(lineId(line))).map((line) => effectOf(kind, job, line));
};

const openMarket = async (isReal: boolean) => {
  if (!isReal) {
    const seller = await startFakeSeller();
    return { url: seller.url, key: null, close: () => seller.close() };
  }
  const seller = await sellerHere();
  const key = await keyFor(seller, { seat_id: "s1", agency_id: "a1", advertiser_id: "v1" });
  return { url: seller.url, key, close: () => seller.close() };
};

export const openBuyerSide: OpenSide = async ({ market }) => {
  const { url, key: sellerKey, close: closeMarket } = await openMarket(market === "real");
  const world = await openBuyer({ sellers: [{ url, key: sellerKey, headerType: "api_key" }] });
  const doors = await openDoors(world.buyer.runner, () => world.clock.nowMs());
  const { output } = await callAgent(world.buyer, "create_operator_key", { label: "desk" });
  const key = String(output["api_key"]);
  const known = new Map<string, Job>();
  const settled = async (): Promise<readonly Job[]> => {
    const { output: listed } = await callAgent(world.buyer, "list_bookings", {});
    const jobs: Job[] = [];
    for (const { job_id: id } of listed["jobs"] as { job_id: string }[]) jobs.push(await settledJob(world.buyer, id));
    return jobs;
  };
  const look = async (): Promise<Seen> => {
    const jobs = await settled();
    const effects = jobs.flatMap((job) => effectsOf(known.get(job.job_id), job));
    for (const job of jobs) known.set(job.job_id, job);
    const deals = jobs.reduce((sum, job) => sum + job.booked_lines.length, 0);
    return { effects, bids: 0, quotes: [], jobs: jobs.length, deals, status: jobs[0]?.status ?? "" };
  };
  const close = async (): Promise<void> => {
    await doors.close();
    await world.close();
    await closeMarket();
  };
  return {
    look,
    say: (spoken) =>
      sendA2a({ url: doors.url, key, parts: partsOf(spoken), contextId: spoken.contextId ?? crypto.randomUUID() }),
    quoteOf: () => undefined,
    foreseen: ({ operation, input }) =>
      /^(?:approve|replan)_booking$/.test(operation) ? foreseenOf(known, input) : null,
    quote: () => Promise.reject(new Error("a buyer has no quotes of its own")),
    standing: () => [],
    advance: (hours) => world.clock.move(hours * 3_600_000),
    names: () => {
      const jobs = [...known.values()];
      const [deal] = jobs.flatMap((job) => job.booked_lines);
      return { deal: deal?.deal_id ?? "{deal}", other: jobs[0]?.job_id ?? "{other}" };
    },
    close,
  };
};
