import type { Context, Loaded } from "../../../protocol/seam/operation.ts";
import type { Page, PageRequest } from "../../../protocol/seam/paging.ts";
import { approvalKind, type ApprovalRow } from "./record.ts";

/** A preferred agent goes first (seller spec, Authentication, rule 4). */
const queues = ["status=pending+preferred", "status=pending"] as const;

interface Start {
  readonly queue: number;
  readonly place: { readonly after: number } | { readonly offset: number };
}

/** The digit of the queue, then the number of the last row shown. */
const startOf = ({ cursor, offset }: PageRequest, firstCount: number): Start => {
  if (cursor != null) return { queue: cursor.startsWith("0") ? 0 : 1, place: { after: Number(cursor.slice(1)) } };
  return offset < firstCount ? { queue: 0, place: { offset } } : { queue: 1, place: { offset: offset - firstCount } };
};

export const readQueues = async (context: Context, request: PageRequest): Promise<Page<ApprovalRow>> => {
  const [first, second] = await Promise.all(queues.map((term) => context.count(approvalKind, term)));
  const start = startOf(request, first ?? 0);
  const found: { readonly row: Loaded<ApprovalRow>; readonly cursor: string }[] = [];
  for (const [queue, term] of queues.entries()) {
    const wanted = request.limit + 1 - found.length;
    if (queue < start.queue || wanted === 0) continue;
    const place = queue === start.queue ? start.place : {};
    const rows = await context.list(approvalKind, { terms: [term], order: "newest", limit: wanted, ...place });
    found.push(...rows.map((row) => ({ row, cursor: `${queue}${row.n}` })));
  }
  const shown = found.slice(0, request.limit);
  return {
    rows: shown.map(({ row }) => row),
    page: {
      total: (first ?? 0) + (second ?? 0),
      count: shown.length,
      next_cursor: found.length > shown.length ? (shown.at(-1)?.cursor ?? null) : null,
    },
  };
};
