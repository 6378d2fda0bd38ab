import type { z } from "zod";
import { isOperator, ownersOf } from "../../../protocol/seam/caller.ts";
import { update } from "../../../protocol/seam/changes.ts";
import { defineOperation, type Loaded } from "../../../protocol/seam/operation.ts";
import { isRefusal, missing, type Refusal } from "../../../protocol/neutral/refusals.ts";
import { fieldRefusal } from "../../../protocol/neutral/validation.ts";
import { isoTime } from "../../../protocol/neutral/iso-time.ts";
import { emptySelection, readSelection, selectedTerms } from "../../../protocol/seam/selection.ts";
import { type AccountNamed, idOfAccount, usedAccount } from "../accounts/record.ts";
import { accountView } from "../accounts/view.ts";
import type { SellerContext } from "../context.ts";
import { newMediaBuy } from "./booking.ts";
import { boughtPlan, type WantedByPlan, wantedByPlan } from "./by-plan.ts";
import { changedBuy } from "./changing.ts";
import * as contract from "./contract.ts";
import { mediaBuyEvent } from "./events.ts";
import { pricedLines, type WantedPackage } from "./lines.ts";
import { mediaBuyKind, type MediaBuyRow, settledBuy, taskTerm } from "./record.ts";
import { buyReport, reportSpan, spanDates } from "./report.ts";
import { buyAfter, buyNow, newBuyNow } from "./state.ts";
import { readTimes, type Times } from "./times.ts";
import { mediaBuyView, viewWith } from "./view.ts";

type BookInput = z.output<typeof contract.bookMediaBuy.input>;

const buyTimes = (input: BookInput, nowMs: number): Times | Refusal => {
  const start_time = input.start_time === "asap" ? null : input.start_time;
  return readTimes({ start_time, end_time: input.end_time }, { startMs: nowMs, endMs: nowMs });
};

interface AskedPackages {
  readonly wanted: readonly WantedPackage[];
  readonly plan: WantedByPlan | null;
}

const wantedOf = async (context: SellerContext, input: BookInput): Promise<AskedPackages | Refusal> => {
  if (input.plan_id == null) {
    const { packages } = input;
    return packages == null
      ? fieldRefusal("packages", "Send packages, or plan_id with total_budget.")
      : { wanted: packages, plan: null };
  }
  if (input.packages != null) return fieldRefusal("packages", "Send packages or plan_id, not both.");
  const plan = await wantedByPlan(context, input.plan_id, input.total_budget);
  return isRefusal(plan) ? plan : { wanted: plan.wanted, plan };
};

export const bookMediaBuy = defineOperation(contract.bookMediaBuy, async (context: SellerContext, input) => {
  const times = buyTimes(input, context.nowMs);
  if (isRefusal(times)) return times;
  const asked = await wantedOf(context, input);
  if (isRefusal(asked)) return asked;
  const { wanted, plan } = asked;
  const account = await usedAccount(context, input.account);
  if (isRefusal(account)) return account;
  const lines = await pricedLines(context, wanted, times, input.currency);
  if (isRefusal(lines)) return lines;
  const bought = await newMediaBuy(context, {
    account: account.row,
    brandDomain: input.brand_domain,
    poNumber: input.po_number ?? null,
    planId: input.plan_id ?? null,
    times,
    lines,
  });
  if (isRefusal(bought)) return bought;
  const { row } = bought;
  const isWaiting = row.life.value === "submitted";
  const now = isWaiting ? { row, orders: [], status: "submitted" as const } : await newBuyNow(context, row);
  return {
    output: viewWith(now, accountView(account.row), now.status),
    meta: { revision: row.revision },
    changes: [
      ...account.changes,
      ...bought.changes,
      ...(plan === null ? [] : boughtPlan(plan, row.media_buy_id, context.nowMs)),
    ],
    events: bought.events,
  };
});

const own = async (context: SellerContext, id: string): Promise<Loaded<MediaBuyRow>> => {
  const loaded = await context.own(mediaBuyKind, id, "media_buy_not_found");
  return { ...loaded, body: settledBuy(loaded.body, context.nowMs) };
};

export const getMediaBuy = defineOperation(contract.getMediaBuy, async (context: SellerContext, input) => {
  const { body } = await own(context, input.media_buy_id);
  return { output: await mediaBuyView(context, await buyNow(context, body)), meta: { revision: body.revision } };
});

export const changeMediaBuy = defineOperation(contract.changeMediaBuy, async (context: SellerContext, input) => {
  const loaded = await own(context, input.media_buy_id);
  // What waits is no buy yet, and is decided as it was asked for.
  if (loaded.body.life.value === "submitted") return missing("media_buy_not_found", input.media_buy_id);
  context.matchRevision(loaded.body.revision);
  const now = await buyNow(context, loaded.body);
  const changed = await changedBuy(context, now, input);
  if (isRefusal(changed)) return changed;
  const { row, affected } = changed;
  const after = await buyAfter(context, now, row);
  const isEnd = row.life.value === "canceled";
  return {
    output: { ...(await mediaBuyView(context, after)), affected_packages: [...affected] },
    meta: { revision: row.revision },
    changes: [update(mediaBuyKind, loaded, row), ...changed.changes],
    events: [mediaBuyEvent(isEnd ? "media_buy.canceled" : "media_buy.changed", row), ...changed.events],
  };
});

interface Listed {
  readonly limit: number;
  readonly cursor?: string | null | undefined;
  readonly media_buy_ids?: readonly string[] | null | undefined;
  readonly statuses?: readonly string[] | null | undefined;
  readonly account?: AccountNamed | null | undefined;
}

const mayRead = ({ caller }: SellerContext, row: MediaBuyRow): boolean =>
  isOperator(caller) || ownersOf(caller).includes(row.owner);

const namedRows = async (context: SellerContext, ids: readonly string[]): Promise<readonly MediaBuyRow[]> => {
  const rows = await Promise.all([...new Set(ids)].map((id) => context.load(mediaBuyKind, id)));
  return rows.flatMap((loaded) => (loaded !== null && mayRead(context, loaded.body) ? [loaded.body] : []));
};

const selected = async (context: SellerContext, input: Listed) => {
  const { caller } = context;
  if (input.media_buy_ids != null) {
    const rows = await namedRows(context, input.media_buy_ids);
    return { rows, page: { ...emptySelection.page, total: rows.length, count: rows.length } };
  }
  const owners = isOperator(caller) ? null : ownersOf(caller);
  const account = input.account == null ? null : [idOfAccount(caller.owner, input.account)];
  const selection = {
    kind: mediaBuyKind,
    terms: selectedTerms([owners, null, account]),
    createdAtMs: (row: MediaBuyRow) => row.created_at_ms,
  };
  const { rows, page } = await readSelection(context, selection, input);
  return { rows: rows.map(({ body }) => body), page };
};

/** Buys as they stand, of the states that are asked for. */
const listed = async (context: SellerContext, input: Listed) => {
  const { rows, page } = await selected(context, input);
  const all = await Promise.all(rows.map((row) => buyNow(context, settledBuy(row, context.nowMs))));
  const { statuses } = input;
  const kept = statuses == null ? all : all.filter(({ status }) => statuses.includes(status));
  return { kept, page: { ...page, total: statuses == null ? page.total : null, count: kept.length } };
};

export const listMediaBuys = defineOperation(contract.listMediaBuys, async (context: SellerContext, input) => {
  const { kept, page } = await listed(context, input);
  return { output: { media_buys: await Promise.all(kept.map((now) => mediaBuyView(context, now))), ...page } };
});

export const reportMediaBuys = defineOperation(contract.reportMediaBuys, async (context: SellerContext, input) => {
  const span = reportSpan(input, context.nowMs);
  if (isRefusal(span)) return span;
  const { kept, page } = await listed(context, input);
  const byDay = input.by_day === true;
  const media_buys = await Promise.all(kept.map((now) => buyReport(context, now, span, byDay)));
  return { output: { ...spanDates(span), media_buys, ...page } };
});

const taskStatus = {
  submitted: "submitted",
  confirmed: "completed",
  canceled: "completed",
  rejected: "rejected",
} as const;

export const getMediaBuyTask = defineOperation(contract.getMediaBuyTask, async (context: SellerContext, input) => {
  const query = { terms: [taskTerm(input.task_id)], order: "newest", limit: 100 } as const;
  const found = (await context.list(mediaBuyKind, query)).find(({ body }) => mayRead(context, body));
  if (found === undefined) return missing("task_not_found", input.task_id);
  const row = settledBuy(found.body, context.nowMs);
  const status = taskStatus[row.life.value];
  const { confirmedAtMs, decideUntilMs, rejectionReason } = row.life.context;
  const endedAtMs = status === "submitted" ? null : (confirmedAtMs ?? Math.min(row.updated_at_ms, decideUntilMs ?? 0));
  return {
    output: {
      task_id: input.task_id,
      status,
      created_at: isoTime(row.created_at_ms),
      updated_at: isoTime(row.updated_at_ms),
      completed_at: endedAtMs === null ? null : isoTime(endedAtMs),
      reason: rejectionReason,
      media_buy: status === "completed" ? await mediaBuyView(context, await buyNow(context, row)) : null,
    },
  };
});

export const rateMediaBuy = defineOperation(contract.rateMediaBuy, async (context: SellerContext, input) => {
  const { body } = await own(context, input.media_buy_id);
  const { package_id: packageId = null } = input;
  if (packageId !== null && !body.packages.some((bought) => bought.package_id === packageId)) {
    return missing("media_buy_package_not_found", packageId);
  }
  const rating = {
    package_id: packageId,
    performance_index: input.performance_index,
    start_time: input.start_time,
    end_time: input.end_time,
    metric: input.metric ?? null,
    source: input.source ?? null,
  };
  return { output: { success: true as const }, events: [mediaBuyEvent("media_buy.rated", body, rating)] };
});
