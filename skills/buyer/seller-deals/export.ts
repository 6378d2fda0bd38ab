import type { DealView } from "./view.ts";

const columns = [
  "seller_url",
  "quote_id",
  "deal_id",
  "status",
  "product_id",
  "product_name",
  "deal_type",
  "price",
  "currency",
  "impressions",
  "value",
  "flight_start",
  "flight_end",
  "buyer_tier",
  "job_id",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof DealView)[];

/** RFC 4180; a text that a spreadsheet would run as a formula gets an apostrophe before it. */
const cell = (value: string | number | null): string => {
  if (typeof value !== "string") return value === null ? "" : String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

export const csvOf = (deals: readonly DealView[]): string => {
  const rows = deals.map((deal) => columns.map((column) => cell(deal[column])).join(","));
  return `${[columns.join(","), ...rows].join("\r\n")}\r\n`;
};
