import { expect, test } from "vitest";
import { z } from "zod";
import { sellerOperations } from "../../../agents/seller/operations.ts";
import { conversationKind } from "../../../skills/seller/talk/memory.ts";
import { exchangeKind } from "../../../skills/seller/talk/exchanges.ts";
import type { Json, PutChange } from "../../../storage/store.ts";
import { loadCases, openCase, type SkillCase } from "../cases.ts";
import type { World } from "../world.ts";

type Body = Readonly<Record<string, unknown>>;

const copies = 520;
const largest = 500;

interface PagedInput {
  readonly properties?: { readonly limit?: { readonly maximum?: number }; readonly cursor?: unknown };
}

const paged = sellerOperations.flatMap(({ contract }) => {
  const { properties } = z.toJSONSchema(contract.input, { io: "input", unrepresentable: "any" }) as PagedInput;
  return properties?.limit?.maximum === largest ? [{ name: contract.name, hasCursor: "cursor" in properties }] : [];
});

/**
 * The catalog and what is planned from it stay within one page; owners, audit records and media buys, which are orders with
 * their deals, are no rows that could be copied.
 */
const notCopied = [
  "list_products",
  "discover_inventory",
  "find_offers",
  "draft_plan",
  "refine_plan",
  "list_creative_formats",
  "list_media_buys",
  "report_media_buys",
  "list_buyers",
  "list_audit",
];

const casesOf = (operation: string): readonly SkillCase[] =>
  loadCases()
    .map(({ skillCase }) => skillCase)
    .filter((one) => one.operation === operation && one.expect?.refusal === undefined);

/** Rows that are shown without their id are told apart by another member. */
const shownBy: Readonly<Record<string, string>> = {
  [conversationKind.name]: "context_id",
  [exchangeKind.name]: "said",
  creative: "creative_id",
};

/** Each under its own id. */
const multiply = async ({ store, changes }: World): Promise<void> => {
  const puts = new Map<string, PutChange>();
  for (const change of changes()) if (change.op === "put") puts.set(`${change.kind} ${change.id}`, change);
  for (const { kind, id, body, terms, dueAtMs } of puts.values()) {
    const made = Array.from({ length: copies }, (_, number): PutChange => {
      const own = `${id}-${number}`;
      const text = JSON.stringify({ body, terms }).replaceAll(JSON.stringify(id), JSON.stringify(own));
      const copy = JSON.parse(text) as Pick<PutChange, "terms"> & {
        readonly body: Readonly<Record<string, Json | undefined>>;
      };
      const member = shownBy[kind];
      const mark = member === undefined ? {} : { [member]: `${member} ${number}` };
      return { op: "put", kind, id: own, expect: 0, dueAtMs, body: { ...copy.body, ...mark }, terms: copy.terms };
    });
    await store.commit({ changes: made, audit: null });
  }
};

const itemsOf = (body: Body): readonly string[] => {
  const list = Object.values(body).findLast((value) => Array.isArray(value) && value.length === body["count"]);
  return ((list ?? []) as readonly unknown[]).map((item) => JSON.stringify(item));
};

const pagesOf = async (skillCase: SkillCase, hasCursor: boolean): Promise<readonly Body[]> => {
  const { world, request } = await openCase(skillCase, {});
  try {
    await multiply(world);
    const ask = async (more: object): Promise<Body> => {
      const input = { ...(request.input as object), limit: largest, ...more };
      const { code, body } = await world.send({ ...request, input });
      expect(code, JSON.stringify(body).slice(0, 500)).toBeNull();
      return body;
    };
    const first = await ask({ offset: 0, cursor: undefined });
    const cursor = first["next_cursor"] ?? null;
    return hasCursor && cursor !== null ? [first, await ask({ cursor })] : [first];
  } finally {
    await world.close();
  }
};

test.each(paged)("$name gives a page of 500, and the rows behind it", async ({ name, hasCursor }) => {
  for (const skillCase of casesOf(name)) {
    const [first = {}, second] = await pagesOf(skillCase, hasCursor);
    if (notCopied.includes(name)) return;
    // A filter without a term looks at one row less, and then nobody counts the matches.
    const isWalked = first["total"] === null;
    const whole = isWalked ? largest - 1 : largest;
    if (first["count"] !== whole) continue;
    if (!isWalked) expect(first["total"]).toBeGreaterThan(largest);
    expect(itemsOf(first)).toHaveLength(whole);
    if (hasCursor) {
      const items = [...itemsOf(first), ...itemsOf(second ?? {})];
      expect(items.length).toBeGreaterThan(largest);
      expect(new Set(items).size).toBe(items.length);
    }
    return;
  }
  expect.fail(`no case of ${name} lists rows`);
});

test("lists are found by the limit of their input", () => {
  expect(paged.length).toBeGreaterThan(12);
});
