import { z } from "zod";
import { membersOf, type Members } from "../../neutral/members.ts";
import { Faulty, invalid } from "../fault.ts";
import { accountRef, pageOf, paged, pagination, requestOf } from "../request.ts";
import { defineTask } from "../task.ts";
import { accountOf, namedAccount } from "./accounts.ts";
import { adcpInstant, boughtPackage, createdBuy, membersIn } from "./media-buys.ts";

const id = z.string().min(1).max(160);

const statuses = [
  "pending_creatives",
  "pending_start",
  "active",
  "paused",
  "completed",
  "rejected",
  "canceled",
] as const;

const status = z.enum(statuses);

const listRequest = {
  account: accountRef.nullish(),
  media_buy_ids: z.array(id).max(100).nullish(),
  status_filter: z.union([status, z.array(status).max(statuses.length)]).nullish(),
  pagination: pagination.nullish(),
};

interface Listed {
  readonly account?: z.output<typeof accountRef> | null | undefined;
  readonly media_buy_ids?: readonly string[] | null | undefined;
  readonly status_filter?: z.output<typeof listRequest.status_filter>;
  readonly pagination?: z.output<typeof pagination> | null | undefined;
}

/** Named buys in whatever state, else those that run: what waits for a person is no buy yet. */
const listInput = ({ account, media_buy_ids: ids, status_filter: filter, pagination: page }: Listed): Members => {
  const wanted = filter == null ? (ids == null ? ["active"] : statuses) : [filter].flat();
  return {
    ...pageOf(page),
    media_buy_ids: ids ?? null,
    statuses: [...wanted],
    account: account == null || ids != null ? null : namedAccount(account),
  };
};

const cancellationOf = (value: unknown): Members => (value == null ? {} : { cancellation: value });

const listedBuy = (buy: Members, withHistory: boolean): Members => ({
  media_buy_id: buy["media_buy_id"],
  account: accountOf(membersOf(buy["account"])),
  status: buy["status"],
  currency: buy["currency"],
  total_budget: buy["total_budget"],
  start_time: buy["start_time"],
  end_time: buy["end_time"],
  confirmed_at: buy["confirmed_at"],
  ...cancellationOf(buy["cancellation"]),
  revision: buy["revision"],
  created_at: buy["created_at"],
  updated_at: buy["updated_at"],
  valid_actions: buy["valid_actions"],
  packages: membersIn(buy["packages"]).map(boughtPackage),
  ...(withHistory ? { history: buy["history"] } : {}),
});

export const listBuysTask = defineTask({
  name: "get_media_buys",
  title: "Get media buys",
  summary: "The buyer's media buys with their packages and state.",
  writes: false,
  request: requestOf({ ...listRequest, include_history: z.unknown().optional() }),
  toCall: (given) => ({ operation: "list_media_buys", input: listInput(given) }),
  toAnswer: (output, _asked, given) => {
    const withHistory = given.include_history != null && given.include_history !== 0 && given.include_history !== false;
    return {
      media_buys: membersIn(output["media_buys"]).map((buy) => listedBuy(buy, withHistory)),
      ...paged(output["next_cursor"]),
    };
  },
});

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "Send a day as YYYY-MM-DD.");

const countsOf = (row: Members): Members => ({
  impressions: row["impressions"],
  spend: row["spend"] ?? 0,
  ...(row["clicks"] === null ? {} : { clicks: row["clicks"] }),
});

const packageDelivery = (row: Members, currency: unknown): Members => ({
  package_id: row["package_id"],
  ...countsOf(row),
  pricing_model: "cpm",
  rate: row["price"],
  currency,
  ...(Array.isArray(row["days"])
    ? { daily_breakdown: membersIn(row["days"]).map((one) => ({ date: one["date"], ...countsOf(one) })) }
    : {}),
});

const deliveryOf = (buy: Members): Members => ({
  media_buy_id: buy["media_buy_id"],
  status: buy["status"],
  totals: countsOf(buy),
  by_package: membersIn(buy["packages"]).map((row) => packageDelivery(row, buy["currency"])),
  ext: { parley: { data_source: buy["data_source"] } },
});

const summed = (rows: readonly Members[], name: string): number =>
  rows.reduce((sum, row) => sum + Number(row[name] ?? 0), 0);

export const deliveryTask = defineTask({
  name: "get_media_buy_delivery",
  title: "Get delivery",
  summary: "Impressions, spend and clicks by package, from what edge and ad servers reported: zeros until then.",
  writes: false,
  request: requestOf({
    ...listRequest,
    start_date: day.nullish(),
    end_date: day.nullish(),
    include_package_daily_breakdown: z.boolean().nullish(),
  }),
  toCall: (given) => ({
    operation: "report_media_buys",
    input: {
      ...listInput(given),
      start_date: given.start_date ?? null,
      end_date: given.end_date ?? null,
      by_day: given.include_package_daily_breakdown === true,
    },
  }),
  toAnswer: (output) => {
    const buys = membersIn(output["media_buys"]);
    const currency = buys[0]?.["currency"] ?? "USD";
    const same = buys.filter((buy) => buy["currency"] === currency);
    return {
      reporting_period: {
        start: `${String(output["start_date"])}T00:00:00Z`,
        end: `${String(output["end_date"])}T23:59:59Z`,
      },
      currency,
      aggregated_totals: {
        impressions: summed(same, "impressions"),
        spend: summed(same, "spend"),
        media_buy_count: same.length,
      },
      media_buy_deliveries: buys.map(deliveryOf),
      ...paged(output["next_cursor"]),
    };
  },
});

const taskStatuses: Readonly<Record<string, string>> = {
  submitted: "submitted",
  completed: "completed",
  rejected: "rejected",
};

export const getTaskStatus = defineTask({
  name: "get_task_status",
  title: "Get the status of a task",
  summary: "What became of a media buy that waited for a person of the seller.",
  writes: false,
  request: requestOf({
    task_id: id.nullish(),
    taskId: id.nullish(),
    include_result: z.boolean().nullish(),
  }),
  toCall: ({ task_id: taskId, taskId: camel }) => {
    const named = taskId ?? camel;
    if (named == null) throw invalid("Send the task_id of the answer that was submitted.", "task_id");
    return { operation: "get_media_buy_task", input: { task_id: named } };
  },
  toAnswer: (output, asked, given) => {
    const said = taskStatuses[String(output["status"])] ?? "submitted";
    const error = { code: "TERMS_REJECTED", message: output["reason"] ?? "The seller did not take the media buy." };
    const isShown = given.include_result === true && output["media_buy"] !== null;
    return {
      task_id: output["task_id"],
      task_type: "create_media_buy",
      protocol: "media-buy",
      status: said,
      created_at: output["created_at"],
      updated_at: output["updated_at"],
      ...(output["completed_at"] === null ? {} : { completed_at: output["completed_at"] }),
      has_webhook: false,
      ...(said === "rejected" ? { error } : {}),
      ...(isShown ? { result: createdBuy(membersOf(output["media_buy"]), asked) } : {}),
    };
  },
});

export const performanceFeedback = defineTask({
  name: "provide_performance_feedback",
  title: "Provide performance feedback",
  summary: "How a media buy performed, told to the seller.",
  writes: true,
  isKeyed: true,
  request: requestOf({
    media_buy_id: id,
    package_id: id.nullish(),
    measurement_period: z.looseObject({ start: adcpInstant, end: adcpInstant }),
    performance_index: z.number().min(0).max(1000),
    metric_type: z.string().max(64).nullish(),
    feedback_source: z.string().max(64).nullish(),
  }),
  toCall: (given) => {
    const { start, end } = given.measurement_period;
    if (Date.parse(end) < Date.parse(start)) {
      throw new Faulty({
        code: "INVALID_REQUEST",
        message: "The period ends before it begins.",
        recovery: "correctable",
        field: "measurement_period.end",
      });
    }
    return {
      operation: "rate_media_buy",
      input: {
        media_buy_id: given.media_buy_id,
        package_id: given.package_id ?? null,
        performance_index: given.performance_index,
        start_time: start,
        end_time: end,
        metric: given.metric_type ?? null,
        source: given.feedback_source ?? null,
      },
    };
  },
  toAnswer: () => ({ success: true }),
});
