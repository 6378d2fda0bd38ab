import { styleText } from "node:util";
import { isMembers } from "../../../protocol/neutral/json-input.ts";
import type { Members } from "../../../protocol/neutral/members.ts";
import { printable, textTable } from "../../host/text-table.ts";
import type { TableColumn } from "./subjects.ts";

const longestCell = 44;
const money = /(^|_)(cpm|price|cost|value|budget|spent|gap|floor|list|offer)$/;
const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
const minuteMs = 60_000;

export const memberAt = (row: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, name) => (isMembers(value) ? value[name] : undefined), row);

const grouped = (value: number, least: number, most: number): string =>
  value.toLocaleString("en-US", { minimumFractionDigits: least, maximumFractionDigits: most });

export const moneyText = (value: number): string => grouped(value, 2, 2);

const leftText = (value: unknown, nowMs: number): string => {
  const minutes = Math.floor((Date.parse(String(value)) - nowMs) / minuteMs);
  if (Number.isNaN(minutes)) return "-";
  if (minutes < 0) return "over";
  const [hours, days] = [Math.floor(minutes / 60), Math.floor(minutes / 1440)];
  if (days > 1) return `${days} d`;
  return hours > 0 ? `${hours} h ${minutes % 60} m` : `${minutes} m`;
};

/** A value on one line; texts of others cannot move the cursor. Moments are UTC. */
export const valueText = (name: string, value: unknown): string => {
  if (value === null || value === undefined || value === "") return "-";
  if (typeof value === "number") return money.test(name) ? moneyText(value) : grouped(value, 0, 6);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.map((one) => valueText(name, one)).join(", ");
  if (typeof value !== "string") return printable(JSON.stringify(value));
  const text = printable(value.replace(/\s+/g, " "));
  return moment.test(text) ? text.slice(0, 16).replace("T", " ") : text;
};

const cut = (text: string): string => (text.length > longestCell ? `${text.slice(0, longestCell - 1)}…` : text);

const cellOf = (row: unknown, { paths, form }: TableColumn, nowMs: number): string => {
  const values = paths.map((path) => ({ name: path.split(".").at(-1) ?? path, value: memberAt(row, path) }));
  if (form === "left") return leftText(values[0]?.value, nowMs);
  if (values.every(({ value }) => value === null || value === undefined)) return "-";
  return cut(values.map(({ name, value }) => valueText(name, value)).join(" to "));
};

const isNumberIn = (rows: readonly unknown[], { paths }: TableColumn): boolean =>
  paths.length === 1 && rows.some((row) => typeof memberAt(row, paths[0] ?? "") === "number");

const headed = (text: string): string => styleText("bold", text);

/** The rows with a number each, which the command takes for the row's id. */
export const tableLines = (
  columns: readonly TableColumn[],
  rows: readonly unknown[],
  nowMs: number,
): readonly string[] => {
  const cells = rows.map((row, at) => [String(at + 1), ...columns.map((column) => cellOf(row, column, nowMs))]);
  const isRight = (place: number): boolean => {
    const column = columns[place - 1];
    return column === undefined || isNumberIn(rows, column);
  };
  const [head = "", ...lines] = textTable([["#", ...columns.map(({ title }) => title)], ...cells], isRight).lines;
  return [process.stdout.isTTY ? headed(head) : head, ...lines];
};

const isPlain = (value: unknown): boolean => !isMembers(value) && !(Array.isArray(value) && value.some(isMembers));

const columnsListed = 6;

/** Members by their paths; a list of records is a table of what is plain in them. */
export const recordLines = (record: Members): readonly string[] => {
  const plain: (readonly [string, string])[] = [];
  const tables: string[] = [];
  const read = (members: Members, before: string): void => {
    for (const [name, value] of Object.entries(members)) {
      if (value === null || value === "") continue;
      const path = `${before}${name}`;
      if (isPlain(value)) plain.push([path, valueText(name, value)]);
      else if (isMembers(value)) read(value, `${path}.`);
      else tables.push("", headedList(path), ...listLines(value as readonly unknown[]));
    }
  };
  read(record, "");
  const widest = Math.max(0, ...plain.map(([path]) => path.length));
  return [...plain.map(([path, text]) => `${path.padEnd(widest)}  ${text}`), ...tables];
};

const headedList = (path: string): string => (process.stdout.isTTY ? headed(path) : path);

const listLines = (rows: readonly unknown[]): readonly string[] => {
  const first = rows.find(isMembers) ?? {};
  const names = Object.keys(first).filter((name) => isPlain(first[name]));
  const columns = names.slice(0, columnsListed).map((name) => ({ title: name, paths: [name] }));
  return tableLines(columns, rows, 0);
};

const sumsText = (sums: unknown): string =>
  isMembers(sums)
    ? Object.entries(sums)
        .map(([currency, value]) => `${moneyText(Number(value))} ${printable(currency)}`)
        .join(", ")
    : "";

/** Where the next page begins, as a flag; null: this is the last. */
export const nextPage = (answer: Members, shown: number): { readonly flag: string; readonly input: Members } | null => {
  const { next_cursor: cursor, total, offset } = answer;
  if (typeof cursor === "string") return { flag: `--cursor ${printable(cursor)}`, input: { cursor } };
  const next = (typeof offset === "number" ? offset : 0) + shown;
  if (cursor !== undefined || typeof total !== "number" || next >= total || shown === 0) return null;
  return { flag: `--offset ${next}`, input: { offset: next } };
};

/** How many there are, what they are worth, and what the sandbox means where a row is of one. */
export const footLines = (command: string, answer: Members, rows: readonly unknown[]): readonly string[] => {
  const { total, waiting, totals } = answer;
  const count = typeof total === "number" && total !== rows.length ? `${rows.length} of ${total}` : `${rows.length}`;
  const lines = [`${count} ${count === "1" ? command.slice(0, -1) : command}.`];
  if (isMembers(waiting)) lines.push(`${String(waiting["count"])} wait: ${sumsText(waiting["values"]) || "-"}.`);
  if (isMembers(totals) && typeof totals["standing_count"] === "number") {
    const values = totals["standing_values"] ?? totals["standing_value"];
    const standing = [`${totals["standing_count"]} stand`, sumsText(values)].filter((text) => text !== "");
    lines.push(`Of all that match, ${standing.join(", ")}.`);
  }
  const next = nextPage(answer, rows.length);
  if (next !== null) lines.push(`More with ${next.flag}, all with --all.`);
  if (rows.some((row) => memberAt(row, "sandbox") === true)) {
    lines.push("sandbox: made while SANDBOX was on; nothing of it is bought, delivered or charged.");
  }
  return lines;
};
