import type { ComponentType } from "preact";
import type { Failure } from "../agent/api.ts";

/** A row of the navigation. `path` without `/console`; `key` after `g` goes there. */
export interface Screen {
  readonly path: string;
  readonly label: string;
  readonly key: string;
  /** Opens `path/ID`. */
  readonly hasRows?: true;
  /** Its part of the script, which comes when it is first opened. */
  readonly load: () => Promise<ComponentType<ScreenProps>>;
  readonly useBadge?: () => number | null;
}

export interface ScreenProps {
  /** The open row, from the address. */
  readonly id: string | null;
}

/** Found by the search; its text is already safe to show. */
export interface FoundPlace {
  readonly href: string;
  readonly kind: string;
  readonly title: string;
  readonly note: string;
  /** Exactly what was typed: it comes first. */
  readonly isExact: boolean;
}

/** What an agent finds for a text; an empty text finds nothing. */
export type UseFound = (text: string) => {
  readonly found: readonly FoundPlace[];
  readonly isLooking: boolean;
  readonly failure: Failure | null;
};
