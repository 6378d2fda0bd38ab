import { exchange } from "../../../protocol/client/exchange.ts";
import type { Outbound } from "../../../protocol/client/outbound.ts";
import type { AdServer } from "../../../skills/seller/packages/ad-server.ts";
import { readItems, notRead } from "./item.ts";

/** Bounds of one page and of all pages of one import. */
const mostBytes = 16 * 1_048_576;
const mostPages = 100;
const mostItems = 50_000;

export const feedTimeoutMs = 15_000;

interface FeedPage {
  readonly rows: readonly unknown[];
  readonly nextCursor: string | null;
}

const longestCursor = 1024;

/** A bare array, or an object with `items` and, where there are more, `next_cursor`. */
const pageOf = (json: unknown): FeedPage | null => {
  if (Array.isArray(json)) return { rows: json, nextCursor: null };
  if (typeof json !== "object" || json === null) return null;
  const { items, next_cursor: cursor } = json as { items?: unknown; next_cursor?: unknown };
  if (!Array.isArray(items)) return null;
  if (cursor === undefined || cursor === null || cursor === "") return { rows: items, nextCursor: null };
  return typeof cursor === "string" && cursor.length <= longestCursor ? { rows: items, nextCursor: cursor } : null;
};

const urlOf = (feedUrl: string, changedSince: string | null, cursor: string | null): string => {
  const url = new URL(feedUrl);
  if (changedSince !== null) url.searchParams.set("updated_since", changedSince);
  if (cursor !== null) url.searchParams.set("cursor", cursor);
  return url.href;
};

export interface FeedParts {
  readonly feedUrl: string;
  readonly token: string | null;
  readonly includeArchived: boolean;
  readonly outbound: Pick<Outbound, "fetch">;
}

const readPages = async (parts: FeedParts, changedSince: string | null): Promise<readonly unknown[] | string> => {
  const headers = {
    accept: "application/json",
    "user-agent": "parley",
    ...(parts.token === null ? {} : { authorization: `Bearer ${parts.token}` }),
  };
  const rows: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | null = null;
  for (let place = 0; place < mostPages; place += 1) {
    const answer = await exchange(
      { fetch: parts.outbound.fetch, sellerUrl: "The ad server's feed", timeoutMs: feedTimeoutMs, mostBytes },
      { method: "GET", url: urlOf(parts.feedUrl, changedSince, cursor), headers, body: null },
    );
    if (!answer.ok) {
      const status = answer.status === 0 ? "" : ` (${answer.status})`;
      return `The ad server's feed failed: ${answer.code}${status}.`;
    }
    const page = pageOf(answer.json);
    if (page === null) return "The ad server's feed is neither a list of items nor an object with items.";
    if (rows.length + page.rows.length > mostItems) return `The ad server's feed has more than ${mostItems} items.`;
    rows.push(...page.rows);
    if (page.nextCursor === null) return rows;
    if (seen.has(page.nextCursor)) return "The ad server's feed gives the same page again and again.";
    seen.add(page.nextCursor);
    cursor = page.nextCursor;
  }
  return `The ad server's feed has more than ${mostPages} pages.`;
};

/**
 * Inventory as JSON over HTTP, paged by `cursor`; `updated_since` asks for changes. Redirects stay within the outbound
 * guard and drop the token.
 */
export const httpFeed = (parts: FeedParts): AdServer => ({
  source: "feed",
  read: async (changedSince) => {
    const rows = await readPages(parts, changedSince);
    if (typeof rows === "string") return notRead(rows);
    const raws = rows.map((raw, place) => ({ place: `item ${place + 1}`, raw }));
    return { ok: true, ...readItems(raws, parts.includeArchived) };
  },
});
