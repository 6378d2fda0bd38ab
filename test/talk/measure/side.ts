import type { Case, Members } from "./case.ts";

/** What exists since: a commit, with the terms of its record. */
export interface Effect extends Members {
  readonly kind: string;
}

/** Terms of a record that was shown or made. */
export interface Terms extends Members {
  readonly quote_id: string;
  readonly product: string;
  readonly impressions: number;
  readonly deal_type: string;
  readonly cpm: number;
  readonly from: string;
  readonly to: string;
}

/** Since the last look. */
export interface Seen {
  readonly effects: readonly Effect[];
  /** Offers and proposals sent. */
  readonly bids: number;
  readonly quotes: readonly Terms[];
  readonly jobs: number;
  readonly deals: number;
  readonly status: string;
}

export interface Answered {
  readonly parts: readonly Members[];
  readonly contextId: string;
  readonly ms: number;
}

export interface Spoken {
  readonly text?: string;
  readonly data?: Members;
  readonly contextId?: string | undefined;
  readonly tier: string;
}

/** An agent of its own for one conversation. */
export interface Side {
  say(spoken: Spoken): Promise<Answered>;
  look(): Promise<Seen>;
  quoteOf(id: unknown): Terms | undefined;
  /** What taking it does, where that can be told from the records. */
  foreseen(option: { readonly operation: string; readonly input: Members }): readonly Effect[] | null;
  /** A quote of somebody, made beside the talk; gives its id and that of its deal. */
  quote(tier: string, input: Members, isBooked: boolean): Promise<{ quoteId: string; dealId: string | null }>;
  /** The caller's deals that stand. */
  standing(): readonly { readonly deal_id: string; readonly cost: number }[];
  advance(hours: number): void;
  /** Ids that a message may name. */
  names(): Members;
  close(): Promise<void>;
}

export type OpenSide = (one: Case) => Promise<Side>;

interface Post {
  readonly url: string;
  readonly key: string | null;
  readonly parts: readonly Members[];
  readonly contextId: string | undefined;
}

export const sendA2a = async ({ url, key, parts, contextId }: Post): Promise<Answered> => {
  const headers = { "content-type": "application/json", ...(key === null ? {} : { "x-api-key": key }) };
  const message = { messageId: crypto.randomUUID(), role: "user", parts };
  const params = { message, ...(contextId === undefined ? {} : { contextId }) };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/send", params });
  const startedMs = performance.now();
  const answer = await fetch(`${url}/a2a/seller/jsonrpc`, { method: "POST", headers, body });
  const read = (await answer.json()) as { result?: { contextId: string; parts: readonly Members[] } };
  const ms = performance.now() - startedMs;
  if (read.result === undefined) throw new Error(`no result: ${JSON.stringify(read).slice(0, 200)}`);
  return { parts: read.result.parts, contextId: read.result.contextId, ms };
};

export const partsOf = ({ text, data }: Spoken): readonly Members[] => [
  ...(text === undefined ? [] : [{ kind: "text", text }]),
  ...(data === undefined ? [] : [{ kind: "data", data }]),
];
