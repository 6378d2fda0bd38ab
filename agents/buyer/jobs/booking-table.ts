import { printable, textTable } from "../../host/text-table.ts";
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

export const renderBookingTable = (report: BookingReport): string => {
  const rows = report.deals.map((deal) => columns.map((column) => column.text(deal)));
  const { lines, widths } = textTable(
    [columns.map((column) => column.title), ...rows],
    (place) => columns[place]?.right === true,
  );
  const [head = "", ...deals] = lines;
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  const table = rows.length === 0 ? [] : [head, rule, ...deals, ""];
  const left = Math.round((report.budget - report.spent) * 100) / 100;
  const money = `budget ${grouped(report.budget, 2)} USD, spent ${grouped(report.spent, 2)}, left ${grouped(left, 2)}`;
  const isWaiting = report.status === "awaiting_approval";
  const waiting = isWaiting ? [`${report.recommended} recommendations wait for approval`] : [];
  const warnings = report.warnings.map(({ field, message }) => `~ ${printable(`${field}: ${message}`)}`);
  const errors = report.errors.map((error) => `! ${printable(error)}`);
  const count = report.deals.length === 1 ? "1 deal" : `${report.deals.length} deals`;
  return [
    ...table,
    `booking ${report.job_id}: ${report.status}, ${count}, ${money}`,
    ...waiting,
    ...warnings,
    ...errors,
  ].join("\n");
};
