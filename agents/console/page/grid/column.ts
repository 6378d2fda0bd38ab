import type { ComponentChildren } from "preact";

/** A column of a working table. `key` stands in the address where columns are chosen. */
export interface WorkColumn<Row> {
  readonly key: string;
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Its text in a file; no such text, no such column there. */
  readonly text?: (row: Row) => string;
  readonly isNumber?: boolean;
  /** What the header sorts by; it begins with the order that `isRising` says. `isUsual`: without a choice too. */
  readonly sort?: { readonly by: string; readonly isRising?: boolean; readonly isUsual?: boolean };
  /** Shown once it is chosen. */
  readonly isExtra?: boolean;
  /** Where it stands in a narrow window: the first line at either end, the second line; left out: not at all. */
  readonly narrow?: "lead" | "end" | "second";
  readonly width?: string;
  /** In place of the name in the header. */
  readonly head?: ComponentChildren;
}

export const shownColumns = <Row>(
  columns: readonly WorkColumn<Row>[],
  chosen: string | null | undefined,
): readonly WorkColumn<Row>[] => {
  const keys = chosen == null || chosen === "" ? null : chosen.split(",");
  return columns.filter(({ key, isExtra }) => (keys === null ? isExtra !== true : keys.includes(key)));
};
