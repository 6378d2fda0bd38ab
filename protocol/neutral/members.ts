export type Members = Readonly<Record<string, unknown>>;

export const membersOrNull = (value: unknown): Members | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : null;

/** Of anything else: none. */
export const membersOf = (value: unknown): Members => membersOrNull(value) ?? {};
