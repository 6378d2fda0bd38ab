import type { z } from "zod";
import { slotOfDate } from "../../../machines/inventory/dates.ts";
import { quoteDeadline } from "../../../machines/quote/machine.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import { selectedTerms, type Selection, visitSelection } from "../../../protocol/seam/selection.ts";
import type { SellerContext } from "../context.ts";
import type { TimeSpan } from "../../date-filter.ts";
import { isForgotten, quoteKind, type QuoteRow, settledQuote } from "../pricing/record.ts";
import type { listQuotes } from "./contract.ts";
import { isFoundIn, only } from "./filters.ts";

type Input = z.output<typeof listQuotes.input>;
type QuoteCounts = NonNullable<z.input<typeof listQuotes.output>["counts"]>;

interface QuoteFilter {
  readonly owners: readonly string[] | null;
  readonly created: TimeSpan;
}

export const selectedQuotes = (
  context: SellerContext,
  { status: statuses = null, product_id: productId, q }: Pick<Input, "status" | "product_id" | "q">,
  { owners, created }: QuoteFilter,
): Selection<QuoteRow> => ({
  kind: quoteKind,
  terms: selectedTerms([owners, statuses, only(productId)]),
  ...created,
  createdAtMs: (row) => row.created_at_ms,
  isCurrent: (row) => {
    const settled = settledQuote(row, context.nowMs);
    return !isForgotten(settled, context.nowMs) && (statuses?.includes(settled.life.value) ?? true);
  },
  keep:
    q == null
      ? null
      : ({ quote_id, product, owner }) =>
          isFoundIn(q, [quote_id, product.product_id, product.name, isOperator(context.caller) ? owner : null]),
});

const sortKeys: Readonly<Record<Input["sort"], (row: QuoteRow) => number>> = {
  created: (row) => -row.created_at_ms,
  price: (row) => -row.life.context.priceMicros,
  impressions: (row) => -(row.impressions ?? -1),
  flight: (row) => slotOfDate(row.flight_start) ?? 0,
  expires: (row) => quoteDeadline(row.life)?.atMs ?? Number.MAX_SAFE_INTEGER,
};

/** The smallest first. Null: as they are kept, newest first. */
export const quoteOrder = ({ sort, reversed }: Input): ((row: QuoteRow) => number) | null => {
  if (sort === "created" && reversed !== true) return null;
  return reversed === true ? (row) => -sortKeys[sort](row) : sortKeys[sort];
};

/** By one look at each match of the other filters. Null: more than may be looked at. */
export const countedQuotes = async (
  context: SellerContext,
  input: Input,
  filter: QuoteFilter,
): Promise<QuoteCounts | null> => {
  const counts = { all: 0, available: 0, booked: 0, expired: 0, declined: 0 };
  const selection = selectedQuotes(context, { ...input, status: null }, filter);
  const isAll = await visitSelection(context, selection, ({ body }) => {
    counts.all += 1;
    counts[settledQuote(body, context.nowMs).life.value] += 1;
  });
  return isAll ? counts : null;
};
