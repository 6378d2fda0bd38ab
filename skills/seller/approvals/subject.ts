import { absent, unchanged } from "../../../protocol/seam/changes.ts";
import type { Context } from "../../../protocol/seam/operation.ts";
import type { CheckChange, StoredRow } from "../../../storage/store.ts";
import { apiKeyKind } from "../api-keys/record.ts";
import { dealKind } from "../deals/record.ts";
import { mediaBuyKind } from "../media-buys/record.ts";
import { negotiationKind } from "../negotiation/record.ts";
import { productChangesKind } from "../product-changes/record.ts";
import { proposalKind } from "../proposals/record.ts";
import type { ApprovalRow } from "./record.ts";

type Loads = Pick<Context, "load">;

const subjectOf = (context: Loads, { flow_type: flow, subject_id: id }: ApprovalRow): Promise<StoredRow | null> => {
  if (flow === "deal") return context.load(dealKind, id);
  if (flow === "media_buy") return context.load(mediaBuyKind, id);
  if (flow === "proposal") return context.load(proposalKind, id);
  return flow === "negotiation" ? context.load(negotiationKind, id) : context.load(apiKeyKind, id);
};

/**
 * What a person looks at before the decision. `revision` grows with each write of the waiting record and with each
 * change of its product's price, floor or cap. The commit writes the former; `checks` hold the latter still until then.
 */
export const decidedAbout = async (
  context: Loads,
  row: ApprovalRow,
): Promise<{ readonly revision: number; readonly checks: readonly CheckChange[] }> => {
  const version = (await subjectOf(context, row))?.version ?? 0;
  const { product_id: product } = row.context;
  if (typeof product !== "string") return { revision: version, checks: [] };
  const changes = await context.load(productChangesKind, product);
  if (changes === null) return { revision: version, checks: [absent(productChangesKind, product)] };
  return { revision: version + changes.version, checks: [unchanged(productChangesKind, changes)] };
};
