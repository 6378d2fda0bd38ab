import type { Case, Members, Want } from "./case.ts";
import type { Effect, Side, Terms } from "./side.ts";

/** A turn as it went. */
export interface Turned {
  readonly said: string;
  readonly text: string;
  readonly effects: readonly Effect[];
  /** Made or shown by it. */
  readonly quotes: readonly Terms[];
  readonly want: Want;
  readonly ids: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A conversation on its way. */
export interface Course {
  readonly one: Case;
  readonly side: Side;
  readonly turns: Turned[];
  /** Of the situation. */
  readonly earlier: Turned[];
  /** Effects that a turn has been credited with. */
  readonly credited: Set<Effect>;
  readonly numbers: number[];
  /** Terms that the wanted slots of earlier turns named. */
  known: Members;
  /** Ids for placeholders. */
  names: Members;
}

export const filledWith = (text: string, names: Members): string =>
  text.replaceAll(/\{\{([^}]+)\}\}/g, (whole, name: string) => {
    if (name in names) return String(names[name]);
    throw new Error(`nothing is known for ${whole}`);
  });
