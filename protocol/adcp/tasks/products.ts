import { z } from "zod";
import { membersOf, type Members } from "../../neutral/members.ts";
import { invalid } from "../fault.ts";
import { accountRef, brand, formatRef, pageOf, paged, pagination, requestOf } from "../request.ts";
import { type Asked, defineTask } from "../task.ts";

/** AdCP's channels, and the inventory that is bought by each. */
const typesOf: Readonly<Record<string, readonly string[]>> = {
  display: ["display", "native", "branding", "mobile_app"],
  olv: ["video"],
  ctv: ["ctv"],
  linear_tv: ["linear_tv"],
};

export const typesOfChannel = (channel: string): readonly string[] => typesOf[channel] ?? [channel];

const channelOf = (inventoryType: unknown): string =>
  Object.keys(typesOf).find((channel) => typesOf[channel]?.includes(String(inventoryType)) === true) ?? "display";

const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(membersOf) : []);

const formatIds = (ids: unknown, { facts }: Asked): readonly Members[] =>
  (Array.isArray(ids) ? (ids as unknown[]) : []).map((id) => ({ agent_url: facts.agentUrl, id }));

const pricingOption = (option: Members, offer: Members): Members => {
  const { option_id: id, price_kind: kind, price, minimum_budget: least } = option;
  return {
    pricing_option_id: id,
    pricing_model: "cpm",
    currency: offer["currency"],
    ...(price === null ? {} : { [kind === "fixed" ? "fixed_price" : "floor_price"]: price }),
    ...(least === null ? {} : { min_spend_per_package: least }),
  };
};

/** Counts are what there is to report: no other figure has a source. */
const reporting = {
  available_reporting_frequencies: ["daily"],
  expected_delay_minutes: 1440,
  timezone: "UTC",
  supports_webhooks: false,
  available_metrics: ["impressions", "spend", "clicks"],
  date_range_support: "date_range",
} as const;

const productOf = (offer: Members, asked: Asked): Members => ({
  product_id: offer["offer_id"],
  name: offer["name"],
  description: offer["description"] ?? offer["name"],
  publisher_properties: [{ publisher_domain: offer["publisher_domain"], selection_type: "all" }],
  channels: [channelOf(offer["inventory_type"])],
  format_ids: formatIds(offer["formats"], asked),
  delivery_type: offer["deal_type"] === "PG" ? "guaranteed" : "non_guaranteed",
  pricing_options: listOf(offer["options"]).map((option) => pricingOption(option, offer)),
  reporting_capabilities: reporting,
  ...(offer["fit"] === null ? {} : { brief_relevance: `Fits the brief by ${Number(offer["fit"]) * 100} of 100.` }),
});

const filters = z.looseObject({
  delivery_type: z.enum(["guaranteed", "non_guaranteed"]).nullish(),
  channels: z.array(z.string().max(64)).max(50).nullish(),
  format_ids: z.array(formatRef).max(50).nullish(),
  start_date: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, "Send a day as YYYY-MM-DD.")
    .nullish(),
});

const id = z.string().min(1).max(160);

const request = requestOf({
  buying_mode: z.enum(["brief", "wholesale", "refine"]),
  brief: z.string().max(20_000).nullish(),
  refine: z
    .array(
      z.looseObject({
        scope: z.enum(["request", "product", "proposal"]),
        product_id: id.nullish(),
        proposal_id: id.nullish(),
        action: z.string().max(64).nullish(),
        ask: z.string().max(20_000).nullish(),
      }),
    )
    .min(1)
    .max(50)
    .nullish(),
  brand: brand.nullish(),
  account: accountRef.nullish(),
  filters: filters.nullish(),
  fields: z.array(z.string().max(64)).max(100).nullish(),
  pagination: pagination.nullish(),
});

export type ProductsRequest = z.output<typeof request>;

const dealTypes = { guaranteed: ["PG"], non_guaranteed: ["PD", "PA"] } as const;

const filterOf = ({ filters: given }: ProductsRequest) => ({
  ...(given?.delivery_type == null ? {} : { deal_types: dealTypes[given.delivery_type] }),
  ...(given?.channels == null ? {} : { inventory_types: given.channels.flatMap(typesOfChannel) }),
  ...(given?.start_date == null ? {} : { flight_start: given.start_date }),
  ...(given?.format_ids == null ? {} : { formats: given.format_ids.map((format) => format.id) }),
});

const scopes = { request: "all", product: "offer", proposal: "plan" } as const;
const actions: readonly unknown[] = ["include", "omit", "more_like_this", "finalize"];

const refinementOf = (entry: NonNullable<ProductsRequest["refine"]>[number], place: number): Members => {
  const { scope, product_id: product, proposal_id: proposal, action, ask } = entry;
  if (action != null && !actions.includes(action)) {
    throw invalid("An action is include, omit, more_like_this or finalize.", `refine[${place}].action`);
  }
  return {
    scope: scopes[scope],
    offer_id: product ?? null,
    plan_id: proposal ?? null,
    action: action ?? null,
    ask: ask ?? null,
  };
};

const proposalOf = (plan: Members): Members => ({
  proposal_id: plan["plan_id"],
  name: plan["name"],
  proposal_status: plan["status"] === "draft" ? "draft" : "committed",
  expires_at: plan["expires_at"],
  allocations: listOf(plan["lines"]).map((line) => ({
    product_id: line["offer_id"],
    allocation_percentage: line["share"],
    pricing_option_id: line["option_id"],
  })),
  total_budget_guidance: { min: plan["minimum_budget"], currency: plan["currency"] },
});

const scopeNames: Readonly<Record<string, string>> = { all: "request", offer: "product", plan: "proposal" };

const appliedOf = ({ scope, offer_id: offer, plan_id: plan, status, notes }: Members): Members => ({
  scope: scopeNames[String(scope)] ?? "request",
  ...(offer === null ? {} : { product_id: offer }),
  ...(plan === null ? {} : { proposal_id: plan }),
  status,
  ...(notes === null ? {} : { notes }),
});

const checkMode = ({ buying_mode: mode, brief, refine }: ProductsRequest): void => {
  if (mode === "brief" && (brief ?? "").trim() === "") throw invalid("The mode brief needs a brief.", "brief");
  if (mode === "wholesale" && brief != null) throw invalid("The mode wholesale takes no brief.", "brief");
  if (mode === "refine" && refine == null) throw invalid("The mode refine needs refine.", "refine");
};

/** What a client may leave away, and the schema does not want. */
const always = ["product_id", "name", "description", "publisher_properties", "format_ids", "delivery_type"];
const alwaysToo = ["pricing_options", "reporting_capabilities"];

const onlyFields = (product: Members, fields: readonly string[] | null | undefined): Members => {
  if (fields == null) return product;
  const names = [...always, ...alwaysToo, ...fields];
  return Object.fromEntries(Object.entries(product).filter(([name]) => names.includes(name)));
};

export const getProducts = defineTask({
  name: "get_products",
  title: "Get products",
  summary: "What this seller sells: by a brief, whole, or as a refinement of what was found before.",
  writes: false,
  request,
  toCall: (given) => {
    checkMode(given);
    const input = { ...filterOf(given), ...pageOf(given.pagination) };
    if (given.buying_mode === "wholesale") return { operation: "find_offers", input };
    if (given.buying_mode === "brief") return { operation: "draft_plan", input: { ...input, brief: given.brief } };
    return { operation: "refine_plan", input: { ...input, changes: (given.refine ?? []).map(refinementOf) } };
  },
  toAnswer: (output, asked, given) => ({
    products: listOf(output["offers"]).map((offer) => onlyFields(productOf(offer, asked), given.fields)),
    ...(output["plans"] === undefined ? {} : { proposals: listOf(output["plans"]).map(proposalOf) }),
    ...(output["applied"] === undefined ? {} : { refinement_applied: listOf(output["applied"]).map(appliedOf) }),
    ...(asked.release === "3.0" ? {} : { cache_scope: "account" }),
    ...paged(output["next_cursor"]),
  }),
});
