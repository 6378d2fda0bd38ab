import { defineOperation } from "../../../protocol/seam/operation.ts";
import { selectedTerms, readSelection } from "../../../protocol/seam/selection.ts";
import type { SellerContext } from "../context.ts";
import { dealKind, settledDeal } from "../deals/record.ts";
import { buyerNames } from "../portfolio/buyer-names.ts";
import * as contract from "./contract.ts";
import {
  buyersFound,
  type FoundRecord,
  productById,
  productsFound,
  recordSearches,
  type SearchFor,
} from "./sources.ts";

/** Whoever types a buyer's name looks for its deals as often as for the buyer. */
const dealsOf = async (
  context: SellerContext,
  owners: readonly string[],
  limit: number,
): Promise<readonly FoundRecord[]> => {
  if (owners.length === 0) return [];
  const terms = selectedTerms([owners, null, null]);
  const { rows } = await readSelection(
    context,
    { kind: dealKind, terms, createdAtMs: (row) => row.created_at_ms },
    { limit },
  );
  return rows.map(({ body }) => {
    const { deal_id: id, product, owner, life } = settledDeal(body, context.nowMs);
    return { kind: "deal", id, name: product.name, owner, status: life.value };
  });
};

/** A whole id leaves nothing else to look for. */
const recordsById = async (context: SellerContext, q: string): Promise<readonly FoundRecord[]> => {
  const found = await Promise.all(recordSearches.map(({ byId }) => byId(context, q)));
  return [...productById(context, q), ...found.flat()];
};

const recordsByPart = async (context: SellerContext, wanted: SearchFor): Promise<readonly FoundRecord[]> => {
  const found = await Promise.all(recordSearches.map(({ byPart }) => byPart(context, wanted)));
  const buyers = await buyersFound(context, wanted);
  const theirs = await dealsOf(
    context,
    buyers.map(({ id }) => id),
    wanted.limit,
  );
  const hits = [...buyers, ...productsFound(context, wanted), ...found.flat(), ...theirs];
  return [...new Map(hits.map((hit) => [`${hit.kind} ${hit.id}`, hit])).values()];
};

const isExact = ({ id }: FoundRecord, q: string): boolean => id.toLowerCase() === q.toLowerCase();

export const searchRecords = defineOperation(contract.searchRecords, async (context: SellerContext, input) => {
  const { q, each: limit } = input;
  const exact = await recordsById(context, q);
  const found = exact.length > 0 ? exact : await recordsByPart(context, { q, limit });
  const names = await buyerNames(
    context,
    found.flatMap(({ owner }) => owner ?? []),
  );
  const records = found.map((hit) => {
    const buyerName = hit.owner === null ? null : (names.get(hit.owner) ?? null);
    return {
      kind: hit.kind,
      id: hit.id,
      name: hit.kind === "buyer" ? buyerName : hit.name,
      buyer: hit.owner,
      buyer_name: buyerName,
      status: hit.status,
      is_exact: isExact(hit, q),
    };
  });
  return { output: { records, count: records.length } };
});
