import type { BookedDeal, BookingReport } from "./book.ts";

interface Column {
  readonly title: string;
  readonly right: boolean;
  readonly text: (deal: BookedDeal) => string;
}

const grouped = (value: number, decimals: number): string =>
  value.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });

const columns: readonly Column[] = [
  { title: "deal", right: false, text: (deal) => deal.deal_id },
  { title: "product", right: false, text: (deal) => deal.product_name },
  { title: "channel", right: false, text: (deal) => deal.channel },
  { title: "flight", right: false, text: (deal) => `${deal.flight_start ?? "?"} to ${deal.flight_end ?? "?"}` },
  { title: "type", right: false, text: (deal) => deal.deal_type },
  { title: "tier", right: false, text: (deal) => deal.buyer_tier },
  { title: "impressions", right: true, text: (deal) => grouped(deal.impressions, 0) },
  { title: "CPM USD", right: true, text: (deal) => grouped(deal.cpm, 2) },
  { title: "cost USD", right: true, text: (deal) => grouped(deal.cost, 2) },
];

/** Names come from sellers: what would move a terminal's cursor is shown as a question mark. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e\u00a1-\uffff]/g, "?");

/** The result of a booking as aligned plain text: a line per deal, the money, and what went wrong. */
export const renderBookingTable = (report: BookingReport): string => {
  const rows = report.deals.map((deal) => columns.map((column) => printable(column.text(deal))));
  const widths = columns.map((column, index) =>
    Math.max(column.title.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const aligned = (cell: string, index: number): string =>
    columns[index]?.right === true ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0);
  const line = (cells: readonly string[]): string => cells.map(aligned).join("  ").trimEnd();
  const head = line(columns.map((column) => column.title));
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  const table = rows.length === 0 ? [] : [head, rule, ...rows.map(line), ""];
  const left = Math.round((report.budget - report.spent) * 100) / 100;
  const money = `budget ${grouped(report.budget, 2)} USD, spent ${grouped(report.spent, 2)}, left ${grouped(left, 2)}`;
  const isWaiting = report.status === "awaiting_approval";
  const waiting = isWaiting ? [`${report.recommended} recommendations wait for approval`] : [];
  const errors = report.errors.map((error) => `! ${printable(error)}`);
  const deals = report.deals.length === 1 ? "1 deal" : `${report.deals.length} deals`;
  return [...table, `booking ${report.jobId}: ${report.status}, ${deals}, ${money}`, ...waiting, ...errors].join("\n");
};
