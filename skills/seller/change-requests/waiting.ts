import type { Context } from "../../../protocol/seam/operation.ts";
import { changeRequestKind, type ChangeRequestRow, changeRequestTerm, unwrittenTerm, waitingTerm } from "./record.ts";

const mostWaiting = 10;

/** Asked for, and neither decided against nor written: the deal is as it was until then. */
export const waitingChanges = async (context: Context, dealId: string): Promise<readonly ChangeRequestRow[]> => {
  const query = { terms: [waitingTerm(dealId)], order: "newest", limit: mostWaiting } as const;
  return (await context.list(changeRequestKind, query)).map(({ body }) => body);
};

const page = 499;

const waitingTerms = [changeRequestTerm({ owner: null, orderId: null, status: "pending_approval" }), unwrittenTerm];

/** Of every buyer: what waits is the desk's work of some days. */
export const dealsWithWaitingChanges = async (context: Context): Promise<ReadonlySet<string>> => {
  const dealIds = new Set<string>();
  for (const term of waitingTerms) {
    for (let after: number | undefined; ;) {
      const terms = term === null ? [] : [term];
      const query = { terms, order: "newest", limit: page, ...(after === undefined ? {} : { after }) } as const;
      const found = await context.list(changeRequestKind, query);
      for (const { body } of found) if (body.deal_id !== null) dealIds.add(body.deal_id);
      if (found.length < page) break;
      after = found.at(-1)?.n;
    }
  }
  return dealIds;
};
