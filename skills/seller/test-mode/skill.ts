import type { z } from "zod";
import { newCreative } from "../../../machines/creative/machine.ts";
import { confirmedBuy } from "../../../machines/media-buy/machine.ts";
import { fromMicros, toMicros } from "../../../machines/money.ts";
import { missing, isRefusal, type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { create, update } from "../../../protocol/seam/changes.ts";
import { membersOf } from "../../../protocol/neutral/members.ts";
import { defineOperation, type EventDraft } from "../../../protocol/seam/operation.ts";
import type { Change } from "../../../storage/store.ts";
import { accountKind, usedAccount } from "../accounts/record.ts";
import type { SellerContext } from "../context.ts";
import { creativeKey, creativeKind } from "../creatives/record.ts";
import { formatIdsOf } from "../creatives/formats.ts";
import { storeRows } from "../delivery/rows.ts";
import { mediaBuyKind, type MediaBuyRow, totalMicros, withMove } from "../media-buys/record.ts";
import { buyNow } from "../media-buys/state.ts";
import type { Product } from "../products/record.ts";
import * as contract from "./contract.ts";
import type { Fixtures } from "./fixtures.ts";
import { actAsOperator, passTime } from "./stand-in.ts";
import { mayMoveBuy, mayMoveCreative } from "./moves.ts";

type Test = z.output<typeof contract.runTest.input>["test"];
type Of<W extends Test["what"]> = Extract<Test, { readonly what: W }>;

interface Played {
  readonly previous?: string;
  readonly current?: string;
  readonly delivered?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly changes?: readonly Change[];
  readonly events?: readonly EventDraft[];
}

type Play = (context: SellerContext, fixtures: Fixtures, test: never) => Promise<Played | Refusal>;

export const testProduct = (product_id: string, more: Partial<Product> = {}): Product => ({
  product_id,
  name: `Test product ${product_id}`.slice(0, 128),
  description: "Put in by a test.",
  inventory_type: "display",
  deal_types: ["PG"],
  pricing_models: ["cpm"],
  base_cpm_micros: 10_000_000,
  floor_cpm_micros: null,
  currency: "USD",
  minimum_impressions: 1,
  maximum_impressions: null,
  audience_targeting: null,
  content_targeting: null,
  ad_product_targeting: null,
  ...more,
});

const seedProduct = async (
  _context: SellerContext,
  fixtures: Fixtures,
  { product_id: id, deal_type, inventory_type, format_ids: formats }: Of<"seed_product">,
): Promise<Played> => {
  const known = fixtures.product(id);
  const more = { inventory_type, deal_types: [deal_type] };
  fixtures.putProduct(known === null ? testProduct(id, more) : { ...known, ...more }, formats);
  return {};
};

const seedOption = async (
  _context: SellerContext,
  fixtures: Fixtures,
  { product_id: id, option_id: option, price, currency }: Of<"seed_option">,
): Promise<Played | Refusal> => {
  const known = fixtures.product(id) ?? testProduct(id);
  const micros = toMicros(price);
  if (micros === null || micros === 0) return refuse("not_found", { message: "A price is above zero." });
  fixtures.putProduct({ ...known, base_cpm_micros: micros, currency }, []);
  fixtures.putOption(id, option);
  return {};
};

const seedFormat = async (
  _context: SellerContext,
  fixtures: Fixtures,
  { format_id, name }: Of<"seed_format">,
): Promise<Played> => {
  fixtures.putFormat({ format_id, name, asset: "image", width: 300, height: 250, seconds: null });
  return {};
};

const seedCreative = async (
  context: SellerContext,
  _fixtures: Fixtures,
  { creative_id: id, status }: Of<"seed_creative">,
): Promise<Played> => {
  const key = creativeKey(context.caller.owner, id);
  const loaded = await context.load(creativeKind, key);
  const row = {
    creative_id: id,
    owner: context.caller.owner,
    account_id: null,
    name: id,
    format_id: formatIdsOf("display")[0] ?? "",
    assets: {},
    created_at_ms: loaded?.body.created_at_ms ?? context.nowMs,
    updated_at_ms: context.nowMs,
    revision: (loaded?.body.revision ?? 0) + 1,
    sandbox: true,
    life: { ...newCreative(), value: status },
  };
  const change = loaded === null ? create(creativeKind, key, row) : update(creativeKind, loaded, row);
  return { current: status, changes: [change] };
};

const testAccount = { brand_domain: "test.example", operator: "test.example", sandbox: true } as const;

const seedMediaBuy = async (
  context: SellerContext,
  _fixtures: Fixtures,
  { media_buy_id: id, status }: Of<"seed_media_buy">,
): Promise<Played | Refusal> => {
  if ((await context.load(mediaBuyKind, id)) !== null) return { current: status };
  const account = await usedAccount(context, testAccount);
  if (isRefusal(account)) return account;
  const { nowMs } = context;
  const row: MediaBuyRow = {
    media_buy_id: id,
    owner: context.caller.owner,
    account_id: account.row.account_id,
    brand_domain: testAccount.brand_domain,
    po_number: null,
    plan_id: null,
    currency: "USD",
    start_ms: nowMs,
    end_ms: nowMs + 86_400_000,
    packages: [],
    paused: false,
    task_id: null,
    approval_id: null,
    quotes: null,
    wseat: [],
    history: [],
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    revision: 1,
    sandbox: true,
    forced: status,
    life: confirmedBuy(nowMs),
  };
  return { current: status, changes: [...account.changes, create(mediaBuyKind, id, row)] };
};

const invalidMove = (from: string, to: string): Refusal =>
  refuse("invalid_transition", {
    message: `From ${from} it does not move to ${to}.`,
    extras: { current_status: from, allowed_transitions: [] },
  });

const setMediaBuy = async (
  context: SellerContext,
  _fixtures: Fixtures,
  { media_buy_id: id, status }: Of<"set_media_buy">,
): Promise<Played | Refusal> => {
  const loaded = await context.load(mediaBuyKind, id);
  if (loaded === null || loaded.body.owner !== context.caller.owner) return missing("not_found", id, "Media buy");
  const now = await buyNow(context, loaded.body);
  if (!mayMoveBuy(now.status, status)) return invalidMove(now.status, status);
  const note = { action: status, actor: "test", summary: "Set by a test", at_ms: context.nowMs };
  const row = withMove({ ...loaded.body, forced: status, paused: status === "paused" }, note);
  return { previous: now.status, current: status, changes: [update(mediaBuyKind, loaded, row)] };
};

const setCreative = async (
  context: SellerContext,
  _fixtures: Fixtures,
  { creative_id: id, status, reason }: Of<"set_creative">,
): Promise<Played | Refusal> => {
  const loaded = await context.load(creativeKind, creativeKey(context.caller.owner, id));
  if (loaded === null) return missing("not_found", id, "Creative");
  const { body } = loaded;
  const previous = body.life.value;
  if (!mayMoveCreative(previous, status)) return invalidMove(previous, status);
  const life = {
    value: status,
    context: { rejectionReason: status === "rejected" ? (reason ?? "Set by a test") : null },
  };
  const row = { ...body, life, revision: body.revision + 1, updated_at_ms: context.nowMs };
  return { previous, current: status, changes: [update(creativeKind, loaded, row)] };
};

const setAccount = async (
  context: SellerContext,
  _fixtures: Fixtures,
  { account_id: id, status }: Of<"set_account">,
): Promise<Played | Refusal> => {
  const loaded = await context.load(accountKind, id);
  if (loaded === null || loaded.body.owner !== context.caller.owner) return missing("not_found", id, "Account");
  const row = { ...loaded.body, status, revision: loaded.body.revision + 1 };
  return { previous: loaded.body.status, current: status, changes: [update(accountKind, loaded, row)] };
};

/** The same rows as an ad server's, under a source of their own. */
const source = "test";

const deliver = async (context: SellerContext, _fixtures: Fixtures, test: Of<"deliver">): Promise<Played | Refusal> => {
  const loaded = await context.load(mediaBuyKind, test.media_buy_id);
  if (loaded === null || loaded.body.owner !== context.caller.owner) {
    return missing("not_found", test.media_buy_id, "Media buy");
  }
  const [first] = loaded.body.packages;
  if (first === undefined) return missing("not_found", test.media_buy_id, "Package");
  const share = test.budget_share ?? null;
  const spend = share === null ? (test.spend ?? null) : (fromMicros(totalMicros(loaded.body)) * share) / 100;
  const cents = spend === null ? null : Math.round(spend * 100) / 100;
  const impressions = test.impressions ?? Math.floor(((cents ?? 0) / fromMicros(first.price_micros)) * 1000);
  const date = new Date(context.nowMs).toISOString().slice(0, 10);
  const row = { deal_id: first.deal_id, date, impressions, clicks: test.clicks ?? null, spend: cents };
  const stored = await storeRows(context, source, [row]);
  if (isRefusal(stored)) return stored;
  return { delivered: { impressions, clicks: test.clicks ?? null, spend: cents }, changes: stored.changes ?? [] };
};

const submitNext = async (
  _context: SellerContext,
  fixtures: Fixtures,
  { task_id: taskId }: Of<"submit_next">,
): Promise<Played> => {
  fixtures.putNextTask(taskId);
  return { current: "submitted" };
};

const asOperator = async (
  context: SellerContext,
  _fixtures: Fixtures,
  { operation, input }: Of<"as_operator">,
): Promise<Played | Refusal> => {
  const done = await actAsOperator(context, operation, input);
  return isRefusal(done) ? done : { result: membersOf(done.result) };
};

const letTimePass = (
  context: SellerContext,
  _fixtures: Fixtures,
  { record, id }: Of<"pass_time">,
): Promise<Played | Refusal> => passTime(context, record, id);

const plays: Readonly<Record<Test["what"], Play>> = {
  seed_product: seedProduct,
  seed_option: seedOption,
  seed_format: seedFormat,
  seed_creative: seedCreative,
  seed_media_buy: seedMediaBuy,
  set_media_buy: setMediaBuy,
  set_creative: setCreative,
  set_account: setAccount,
  deliver,
  submit_next: submitNext,
  as_operator: asOperator,
  pass_time: letTimePass,
};

/** For the fixtures of one agent. */
export const runTestWith = (fixtures: Fixtures) =>
  defineOperation(contract.runTest, async (context: SellerContext, { test }) => {
    const done = await plays[test.what](context, fixtures, test as never);
    if (isRefusal(done)) return done;
    const { previous = null, current = null, delivered = null, result = null, changes = [], events = [] } = done;
    return { output: { previous, current, delivered, result }, changes, events };
  });
