import { useLocation } from "preact-iso";

type Query = Readonly<Record<string, string>>;

export interface Address {
  readonly query: Query;
  /** This screen with other filters; null takes one away, and a new filter starts at the first page. */
  readonly linkTo: (patch: Readonly<Record<string, string | null>>) => string;
}

export const useAddress = (): Address => {
  const { path, query } = useLocation();
  return {
    query,
    linkTo: (patch) => {
      const { cursor: _cursor, ...before } = query;
      const next = Object.entries({ ...before, ...patch }).filter(
        (entry): entry is [string, string] => entry[1] !== null && entry[1] !== "",
      );
      const text = new URLSearchParams(next).toString();
      return text === "" ? path : `${path}?${text}`;
    },
  };
};

export const screenOf = (path: string, id?: string): string =>
  id === undefined ? `/console/${path}` : `/console/${path}/${encodeURIComponent(id)}`;

/** A filter of the address, when it is one that the operation takes. */
export const oneOf = <T extends string>(choices: readonly T[], text: string | undefined): T | null =>
  choices.find((choice) => choice === text) ?? null;

/** A day of the address, where it is one. */
export const isoDayIn = (text: string | undefined): string | undefined =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined;
