import type { Context } from "../../../protocol/seam/operation.ts";
import { changeRequestKind, type ChangeRequestRow, waitingTerm } from "./record.ts";

const mostWaiting = 10;

/** Asked for, and neither decided against nor written: the deal is as it was until then. */
export const waitingChanges = async (context: Context, dealId: string): Promise<readonly ChangeRequestRow[]> => {
  const query = { terms: [waitingTerm(dealId)], order: "newest", limit: mostWaiting } as const;
  return (await context.list(changeRequestKind, query)).map(({ body }) => body);
};
