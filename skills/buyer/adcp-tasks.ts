import { z } from "zod";
import { type Contract, defineContract } from "../../protocol/seam/operation.ts";
import type { SellerWire } from "./seller-url.ts";

/** A seller that is asked by the tasks of AdCP 3, over MCP or A2A. */
export const isAdcpWire = (wire: SellerWire | null | undefined): boolean => wire === "adcp-mcp" || wire === "adcp-a2a";

/** What AdCP tasks are declared under; a seller that speaks AdCP is asked nothing else. */
export const adcpGroup = "adcp";

const task = <I extends z.ZodType, O extends z.ZodType>(
  name: string,
  effect: Contract["effect"],
  input: I,
  output: O,
): Contract<I, O> =>
  defineContract({ name, group: adcpGroup, summary: name, effect, access: "key", input, output, refusals: {} });

const spoken = ["3.2", "3.0", "3.1"] as const;

/** Which of them is asked for; a seller that names none is of AdCP 3.0. Null: none that this buyer speaks. */
export const servedVersion = (offered: readonly string[] | null | undefined): (typeof spoken)[number] | null => {
  if (offered == null || offered.length === 0) return "3.0";
  const releases = offered.map((version) => /^(3\.\d+)(?:\.\d+)?$/.exec(version)?.[1] ?? "");
  return spoken.find((version) => releases.includes(version)) ?? null;
};

const longText = z.string().max(4_000);
const anyItems = z.array(z.unknown()).max(1_000).nullish();
/** Members of the request besides those of a task: every task takes them (AdCP 3, version negotiation). */
const open = z.looseObject({});

const paging = z.looseObject({ has_more: z.boolean().nullish(), cursor: longText.nullish() }).nullish();

/** Not a task: the names of those that the seller has, from its tool list or agent card. */
export const listTasks = task("tasks/list", "read", z.object({}), z.looseObject({ tasks: z.array(z.string()) }));

export const getAdcpCapabilities = task(
  "get_adcp_capabilities",
  "read",
  open,
  z.looseObject({
    adcp: z
      .looseObject({
        supported_versions: z.array(z.string().max(32)).max(50).nullish().catch(null),
        idempotency: z.looseObject({ supported: z.boolean().nullish() }).nullish().catch(null),
      })
      .nullish(),
    account: z.looseObject({ require_operator_auth: z.boolean().nullish() }).nullish().catch(null),
  }),
);

const accountForm = z.looseObject({
  account_id: z.string().min(1).max(255).nullish(),
  name: longText.nullish(),
  brand: z.looseObject({ domain: longText.nullish() }).nullish(),
  operator: longText.nullish(),
  status: z.string().max(64).nullish(),
  setup: z.looseObject({ message: longText.nullish(), url: longText.nullish() }).nullish().catch(null),
  errors: z
    .array(z.looseObject({ message: longText.nullish() }))
    .nullish()
    .catch(null),
});

export type AdcpAccount = z.output<typeof accountForm>;

const accounts = z.looseObject({ accounts: z.array(accountForm).max(1_000), pagination: paging });

export const declareAccounts = task("sync_accounts", "write", open, accounts);
export const readAccounts = task("list_accounts", "read", open, accounts);

export const getAdcpProducts = task(
  "get_products",
  "read",
  open,
  z.looseObject({ products: anyItems, pagination: paging }),
);

const buyPackage = z.looseObject({
  package_id: z.string().max(255).nullish(),
  product_id: z.string().max(255).nullish(),
  pricing_option_id: z.string().max(255).nullish(),
  budget: z.number().nullish(),
  bid_price: z.number().nullish(),
  impressions: z.number().nullish(),
  start_time: longText.nullish(),
  end_time: longText.nullish(),
  canceled: z.boolean().nullish(),
});

export type BuyPackage = z.output<typeof buyPackage>;

/** Of a buy, as create, update and the list answer it. */
const buyMembers = {
  media_buy_id: z.string().min(1).max(255).nullish(),
  status: z.string().max(64).nullish(),
  media_buy_status: z.string().max(64).nullish(),
  packages: z.array(buyPackage).max(1_000).nullish(),
  currency: z.string().max(8).nullish(),
  start_time: longText.nullish(),
  end_time: longText.nullish(),
  revision: z.int().nullish(),
  po_number: longText.nullish(),
  cancellation: z.looseObject({ reason: longText.nullish() }).nullish().catch(null),
  rejection_reason: longText.nullish(),
};

const taskMembers = { task_id: z.string().min(1).max(255).nullish(), message: longText.nullish() };

const buy = z.looseObject({ ...buyMembers, ...taskMembers });

export type TaskAnswer = z.output<typeof buy>;

export const createMediaBuy = task("create_media_buy", "write", open, buy);
export const updateMediaBuy = task("update_media_buy", "write", open, buy);
export const getMediaBuys = task(
  "get_media_buys",
  "read",
  open,
  z.looseObject({ media_buys: z.array(z.looseObject(buyMembers)).max(1_000), pagination: paging }),
);

const taskStatus = z.looseObject({
  ...taskMembers,
  status: z.string().max(64),
  error: z.looseObject({ code: longText.nullish(), message: longText.nullish() }).nullish().catch(null),
  result: z.looseObject({}).nullish().catch(null),
});

/** Its name over MCP differs by the age of the seller's kit. */
export const taskStatusNames = ["get_task_status", "tasks/get", "tasks_get"] as const;

export const readsTaskStatus = (name: (typeof taskStatusNames)[number]) => task(name, "read", open, taskStatus);

/** What the result of a task is read with. */
export const buyResult = buy;
