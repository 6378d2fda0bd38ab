import type { DealDesk, EdgeEnv } from "../../platform.ts";
import type { Bid } from "../provider/bid-answer.ts";
import type { ProviderPlan } from "../provider/plan.ts";
import type { PlannedSlot } from "../slot.ts";
import type { Deal } from "./deal.ts";

/** The plans of an auction, with what it took of the seller's deals. */
export interface TakenPlans {
  readonly plans: readonly ProviderPlan[];
  /** Gives back what no winner will show. */
  settle(winners: readonly Bid[]): void;
}

const isCounted = ({ impressions }: Deal): boolean => impressions !== undefined && impressions !== null;

const keyOf = (slot: string, dealId: string): string => JSON.stringify([slot, dealId]);

const takeAll = async (desk: DealDesk, dealIds: readonly string[], log: EdgeEnv["log"]) => {
  try {
    return await desk.take(dealIds);
  } catch (error) {
    log({ level: "error", event: "deals_not_taken", cause: String(error) });
    return [];
  }
};

/**
 * Takes an impression of each deal with a volume for each slot that offers it, so that auctions of the same moment do
 * not sell one impression twice. A deal of which there is none to take is not offered.
 */
export const takeImpressions = async (
  plans: readonly ProviderPlan[],
  { dealDesk: desk, log }: Pick<EdgeEnv, "dealDesk" | "log">,
): Promise<TakenPlans> => {
  const offers = plans.flatMap(({ impressions }) =>
    impressions.flatMap(({ slot, deals }) =>
      (deals?.list ?? []).filter(isCounted).map(({ id }) => [keyOf(slot.code, id), id] as const),
    ),
  );
  if (desk === undefined || offers.length === 0) return { plans, settle: () => undefined };
  const wanted = new Map(offers);
  const answers = await takeAll(desk, [...wanted.values()], log);
  const taken = new Map([...wanted.keys()].map((key, index) => [key, answers[index] ?? null]));
  const withTaken = (planned: PlannedSlot): PlannedSlot => {
    const { slot, deals } = planned;
    if (deals === undefined) return planned;
    const list = deals.list.flatMap((deal) => {
      if (!isCounted(deal)) return deal;
      const impressionId = taken.get(keyOf(slot.code, deal.id)) ?? null;
      return impressionId === null ? [] : { ...deal, impressionId };
    });
    return { ...planned, deals: { ...deals, list } };
  };
  return {
    plans: plans.map((plan) => ({ ...plan, impressions: plan.impressions.map(withTaken) })),
    settle(winners) {
      const kept = new Set(winners.map(({ deal }) => deal?.impressionId));
      const others = [...taken.values()].filter((id) => id !== null && !kept.has(id)) as string[];
      if (others.length > 0) desk.giveBack(others);
    },
  };
};
