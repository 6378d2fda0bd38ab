import type { ComponentType } from "preact";

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
