/** What this browser keeps of a table: the columns that were chosen, and views by name. */
export interface View {
  readonly name: string;
  /** Of the address, without `?`. */
  readonly query: string;
}

const nameOf = (table: string, what: "columns" | "views"): string => `parley-${what}-${table}`;

export const keptColumns = (table: string): string | null => localStorage.getItem(nameOf(table, "columns"));

export const keepColumns = (table: string, keys: readonly string[]): void =>
  localStorage.setItem(nameOf(table, "columns"), keys.join());

const isView = (value: unknown): value is View =>
  typeof (value as View | null)?.name === "string" && typeof (value as View).query === "string";

/** Another version's or another hand's text counts as nothing. */
export const keptViews = (table: string): readonly View[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(nameOf(table, "views")) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isView) : [];
  } catch {
    return [];
  }
};

export const keepViews = (table: string, views: readonly View[]): void =>
  localStorage.setItem(nameOf(table, "views"), JSON.stringify(views));
