import { isRefusal } from "../../../protocol/neutral/refusals.ts";
import { defineOperation } from "../../../protocol/seam/operation.ts";
import type { SellerContext } from "../context.ts";
import * as contract from "./contract.ts";
import { bestScore, foundOffers } from "./finding.ts";
import type { Ranked } from "./ranking.ts";
import { draftOf } from "./drafting.ts";
import { createdPlan, refined } from "./refining.ts";
import { offerView, planView } from "./view.ts";

interface OfferPage {
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string | null | undefined;
}

const pageOf = (context: SellerContext, ranked: readonly Ranked[], { limit, offset, cursor }: OfferPage) => {
  const from = cursor == null ? offset : Number(cursor);
  const shown = ranked.slice(from, from + limit);
  const end = from + shown.length;
  return {
    offers: shown.map((one) => offerView(context, one, bestScore(ranked))),
    total: ranked.length,
    count: shown.length,
    next_cursor: shown.length > 0 && end < ranked.length ? String(end) : null,
  };
};

const textOf = (text: string | null | undefined): string | null => (text == null || text.trim() === "" ? null : text);

export const findOffers = defineOperation(contract.findOffers, async (context: SellerContext, input) => ({
  output: pageOf(context, foundOffers(context, textOf(input.text), input), input),
}));

export const draftPlan = defineOperation(contract.draftPlan, async (context: SellerContext, input) => {
  const ranked = foundOffers(context, textOf(input.brief), input);
  const row = draftOf(context, input.brief, ranked);
  return {
    output: { ...pageOf(context, ranked, input), plans: row === null ? [] : [planView(row)] },
    changes: row === null ? [] : [createdPlan(row)],
  };
});

export const refinePlan = defineOperation(contract.refinePlan, async (context: SellerContext, input) => {
  const done = await refined(context, input);
  if (isRefusal(done)) return done;
  return {
    output: {
      ...pageOf(context, done.ranked, input),
      plans: done.plans.map(planView),
      applied: [...done.applied],
    },
    changes: done.changes,
  };
});
