export interface Requirement {
  /** A sentence said in several places is one requirement. */
  readonly source: string;
  readonly behavior: string;
  /** The decision that departs from the sentence or settles it. */
  readonly decision?: number;
}

interface Row {
  readonly behavior: string;
  readonly also?: string;
  readonly decision?: number;
}

/** `also`: other headings that repeat it, separated by `;`. */
export const noted = (behavior: string, marks: Omit<Row, "behavior">): Row => ({ behavior, ...marks });

const built = (place: string, row: string | Row): Requirement => {
  const { behavior, also, ...decision } = typeof row === "string" ? noted(row, {}) : row;
  return { source: also === undefined ? place : `${place}; ${also}`, behavior, ...decision };
};

/** The keys are the ids. */
export const documented =
  (document: string) =>
  <Id extends string>(heading: string, rows: Readonly<Record<Id, string | Row>>): Readonly<Record<Id, Requirement>> => {
    const entries = Object.entries<string | Row>(rows).map(([id, row]) => [id, built(`${document}, ${heading}`, row)]);
    return Object.fromEntries(entries) as Record<Id, Requirement>;
  };
