import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Members = Readonly<Record<string, unknown>>;

/** `quote`: the turn that showed it; the rest are terms, several that are right in a list. */
export interface WantedEffect {
  /** At this turn or later. */
  readonly since?: number;
  readonly [kind: string]: Members | number | undefined;
}

/** Of a reply, in its text or in a data part; `text` and `data` are regular expressions. */
export interface Fact {
  readonly any?: readonly Fact[];
  readonly all?: readonly Fact[];
  readonly not?: Fact;
  readonly number?: number;
  readonly range?: readonly [number, number];
  readonly between?: readonly [number, number];
  readonly keys?: readonly string[];
  readonly id?: string;
  /** That id of an earlier turn; `only`: no other. */
  readonly same?: string;
  readonly only?: string;
  readonly turn?: number;
  readonly mentions?: string | readonly string[];
  readonly some_of?: readonly string[];
  readonly n?: number;
  readonly key?: string;
  readonly value?: unknown;
  readonly text?: string;
  readonly data?: string;
  /** An amount of money; in `never` only. */
  readonly money?: number;
}

export interface Terms {
  readonly product?: string;
  readonly impressions?: number;
  readonly deal_type?: string;
  readonly month?: number;
  readonly from?: string;
  readonly ask?: boolean;
}

/** What a turn must do and say; what is absent is not judged, but a commit, an offer or a start is only right where wanted. */
export interface Want {
  readonly commits?: readonly WantedEffect[];
  readonly may?: readonly WantedEffect[];
  /** Offers that the turn makes. */
  readonly bids?: number;
  readonly skill?: string | null | readonly (string | null)[];
  readonly outcome?: string | readonly string[];
  /** One for each thing that was asked. */
  readonly outcomes?: readonly string[];
  readonly understood?: Members;
  /** Terms that are not listed, carried over or defaults must be absent. */
  readonly only?: true;
  readonly absent?: readonly string[];
  readonly facts?: readonly Fact[];
  readonly never?: readonly Fact[];
  /** Words that the reply names as not used. */
  readonly not_used?: string | readonly string[];
  readonly product?: string | readonly string[];
  readonly excluded?: readonly string[];
  readonly quoted?: Terms;
  readonly shows?: Terms;
  readonly holds?: "yes" | "no";
  readonly lists?: true;
  readonly total?: true;
  readonly plan?: { readonly kinds?: readonly string[]; readonly at_least?: number; readonly budget?: number };
  /** An option of such an operation, or what it does. */
  readonly offers?: string;
  /** Whether a yes would take something. */
  readonly armed?: boolean;
  /** Of the buyer's open brief; of an object member only what is named here. */
  readonly brief?: Members;
  readonly without?: readonly string[];
  /** All campaigns and all booked lines after the turn. */
  readonly jobs?: number;
  readonly deals?: number;
  readonly status?: string;
  readonly max_ms?: number;
}

export interface Message {
  readonly text: string;
  /** Before it is said. */
  readonly hours?: number;
  readonly context?: string;
  /** Of another caller. */
  readonly tier?: string;
}

interface Quoting {
  /** `own`, `other`, `other2`, …: whose quote it is. */
  readonly quote: string;
  readonly input: Members;
  readonly book?: true;
}

/** Said or made before the first turn: it is followed, and not judged. */
export type Before = string | (Message & Want) | Quoting;

export interface Case {
  readonly id: string;
  readonly agent: "seller" | "buyer";
  readonly tier?: string;
  /** The other party's context goes on. */
  readonly context?: "other";
  /** Of a buyer: sellers that keep orders. */
  readonly market?: "real";
  readonly situation?: readonly Before[];
  readonly say: readonly (string | Message)[];
  readonly want: readonly Want[];
  /** It commits, offers and starts nothing. */
  readonly nothing?: true;
}

export interface Author {
  readonly about: string;
  /** Never used for rules. */
  readonly unseen?: true;
  /** The least share of conversations that are right with a pick, in percent. */
  readonly floor: number;
  /** Unwanted commits that the reader of today makes of them; else none. */
  readonly unwanted?: number;
}

const folder = join(import.meta.dirname, "..", "cases");

export const authors = (): ReadonlyMap<string, Author> =>
  new Map(Object.entries(JSON.parse(readFileSync(join(folder, "authors.json"), "utf8")) as Record<string, Author>));

export const casesOf = (author: string): readonly Case[] =>
  readFileSync(join(folder, `${author}.jsonl`), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Case);

export const filesOfCases = (): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => name.slice(0, -".jsonl".length));

/** Of several that are right, one. */
export const isOneOf = (is: unknown, wanted: unknown): boolean =>
  Array.isArray(wanted) ? wanted.includes(is) : wanted === is;

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

export const listOf = <T>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as readonly T[]) : [value as T];
