import type { z } from "zod";
import { create, update } from "../../../protocol/seam/changes.ts";
import { isRefusal, type Refusal } from "../../../protocol/neutral/refusals.ts";
import type { Change } from "../../../storage/store.ts";
import type { SellerContext } from "../context.ts";
import { afterAsk } from "./asking.ts";
import type { refinePlan } from "./contract.ts";
import { finalized, type FoundPlan, openPlan } from "./drafting.ts";
import { foundOffers, type OfferFilter } from "./finding.ts";
import { type Offer, offerById } from "./offer.ts";
import type { Ranked } from "./ranking.ts";
import { planKind, type PlanRow } from "./record.ts";

type Input = z.output<typeof refinePlan.input>;
type RefineStep = Input["changes"][number];
type Applied = z.input<typeof refinePlan.output>["applied"][number];

export interface Refined {
  readonly ranked: readonly Ranked[];
  readonly plans: readonly PlanRow[];
  readonly applied: readonly Applied[];
  readonly changes: readonly Change[];
}

interface Refining {
  readonly context: SellerContext;
  readonly plans: Map<string, { readonly found: FoundPlan; row: PlanRow }>;
  readonly included: Map<string, Offer>;
  readonly omitted: Set<string>;
  readonly texts: string[];
}

const answered = (wish: RefineStep, status: Applied["status"], notes: string | null): Applied => ({
  scope: wish.scope,
  offer_id: wish.offer_id ?? null,
  plan_id: wish.plan_id ?? null,
  status,
  notes,
});

const ofOffer = ({ context, included, omitted, texts }: Refining, wish: RefineStep): Applied => {
  const offer = wish.offer_id == null ? null : offerById(context.ports.catalog, wish.offer_id);
  if (offer === null) return answered(wish, "unable", "No offer has this id. Find the offers anew.");
  if (wish.action === "omit") {
    omitted.add(offer.offerId);
    return answered(wish, "applied", null);
  }
  included.set(offer.offerId, offer);
  if (wish.action === "more_like_this") {
    texts.push(`${offer.item.inventory_type} ${offer.item.name}`);
    return answered(wish, "applied", null);
  }
  const note = "An offer is bought as it is: say the budget when you buy it.";
  return wish.ask == null ? answered(wish, "applied", null) : answered(wish, "unable", note);
};

const ofPlan = async (refining: Refining, wish: RefineStep): Promise<Applied | Refusal> => {
  const { context, plans } = refining;
  const id = wish.plan_id ?? "";
  const known = plans.get(id);
  const found = known?.found ?? (await openPlan(context, id));
  if (isRefusal(found)) return found;
  const row = known?.row ?? found.row;
  if (wish.action === "omit") {
    plans.delete(id);
    return answered(wish, "applied", null);
  }
  if (wish.action === "finalize") {
    const held = finalized(context, row);
    plans.set(id, { found, row: held ?? row });
    const note = "Its offers are not all on sale at a price that your key sees. Draft a new plan.";
    return held === null ? answered(wish, "unable", note) : answered(wish, "applied", null);
  }
  const isDraft = row.life.value === "draft" || found.loaded === null;
  const asked = wish.ask == null || !isDraft ? null : afterAsk(row, wish.ask, context.ports.catalog.inventoryTypes);
  plans.set(id, { found, row: asked ?? row });
  if (asked !== null || wish.ask == null) return answered(wish, "applied", null);
  const note = isDraft
    ? "Say shift 60% of the budget to ctv, or drop the display."
    : "A committed plan stays as it is.";
  return answered(wish, "unable", note);
};

const ofAll = ({ texts }: Refining, wish: RefineStep): Applied => {
  if (wish.ask == null) return answered(wish, "applied", null);
  texts.push(wish.ask);
  return answered(wish, "partial", "What fits it comes first; nothing is hidden by words.");
};

/** Those of plans and those that were named come first. */
const offersAfter = (refining: Refining, filter: OfferFilter): readonly Ranked[] => {
  const { context, plans, included, omitted, texts } = refining;
  const ofPlans = [...plans.values()].flatMap(({ row }) =>
    row.lines.map((line) => offerById(context.ports.catalog, line.offer_id)).filter((offer) => offer !== null),
  );
  const first = [...new Map([...ofPlans, ...included.values()].map((offer) => [offer.offerId, offer])).values()];
  const named = new Set(first.map(({ offerId }) => offerId));
  const others = foundOffers(context, texts.length === 0 ? null : texts.join(" "), filter).filter(
    ({ offer }) => !named.has(offer.offerId),
  );
  const ranked = [...first.map((offer) => ({ offer, score: null })), ...others];
  return ranked.filter(({ offer }) => !omitted.has(offer.offerId));
};

const writtenOf = (plans: Refining["plans"]): readonly Change[] =>
  [...plans.values()].flatMap(({ found, row }) => {
    if (found.loaded === null || row === found.loaded.body) return [];
    const isSame = row === found.row;
    return [update(planKind, found.loaded, isSame ? row : { ...row, revision: found.row.revision + 1 })];
  });

export const refined = async (context: SellerContext, input: Input): Promise<Refined | Refusal> => {
  const refining: Refining = { context, plans: new Map(), included: new Map(), omitted: new Set(), texts: [] };
  const applied: Applied[] = [];
  for (const wish of input.changes) {
    const done =
      wish.scope === "plan"
        ? await ofPlan(refining, wish)
        : wish.scope === "offer"
          ? ofOffer(refining, wish)
          : ofAll(refining, wish);
    if (isRefusal(done)) return done;
    applied.push(done);
  }
  return {
    ranked: offersAfter(refining, input),
    plans: [...refining.plans.values()].map(({ row }) => row),
    applied,
    changes: writtenOf(refining.plans),
  };
};

export const createdPlan = (row: PlanRow): Change => create(planKind, row.plan_id, row);
