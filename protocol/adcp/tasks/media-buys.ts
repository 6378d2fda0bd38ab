import { z } from "zod";
import { membersOf, type Members } from "../../neutral/members.ts";
import { invalid, unsupported } from "../fault.ts";
import { accountRef, brand, formatRef, requestOf } from "../request.ts";
import { type Asked, defineTask } from "../task.ts";
import { accountOf, namedAccount } from "./accounts.ts";

/** Of anything else: none. */
export const membersIn = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(membersOf) : []);

const id = z.string().min(1).max(160);
const money = z.number().min(0).max(4_000_000_000);
export const adcpInstant = z.iso.datetime({
  offset: true,
  error: "Send an instant, for example 2027-03-01T00:00:00Z.",
});
const anyMembers = z.looseObject({});

/** Members of a package that are keptMembers and given back: nothing here is decided by them. */
const keptMembers = {
  impressions: z.number().min(0).nullish(),
  pacing: z.string().max(64).nullish(),
  targeting_overlay: anyMembers.nullish(),
  measurement_terms: anyMembers.nullish(),
  performance_standards: z.array(anyMembers).max(50).nullish(),
  agency_estimate_number: z.string().max(255).nullish(),
  format_ids: z.array(formatRef).max(100).nullish(),
  context: anyMembers.nullish(),
};

const inPackage = {
  bid_price: money.nullish(),
  start_time: adcpInstant.nullish(),
  end_time: adcpInstant.nullish(),
  paused: z.boolean().nullish(),
  creative_assignments: z
    .array(z.looseObject({ creative_id: id }))
    .max(100)
    .nullish(),
  ...keptMembers,
};

const newPackage = z.looseObject({
  product_id: id,
  pricing_option_id: id,
  budget: money,
  ...inPackage,
});

const changedPackage = z.looseObject({
  package_id: id,
  budget: money.nullish(),
  canceled: z.boolean().nullish(),
  ...inPackage,
});

/** Named, because silence would let a buyer believe that it is done. */
const refusedInPackage: Readonly<Record<string, string>> = {
  creatives: "Send creatives with sync_creatives, and assign them with creative_assignments.",
  optimization_goals: "Nothing is optimized here. Leave it out.",
  catalogs: "Catalogs are not taken. Leave it out.",
  keyword_targets_add: "Keywords are not targeted. Leave it out.",
  keyword_targets_remove: "Keywords are not targeted. Leave it out.",
  negative_keywords_add: "Keywords are not targeted. Leave it out.",
  negative_keywords_remove: "Keywords are not targeted. Leave it out.",
};

const refusedInBuy: Readonly<Record<string, string>> = {
  artifact_webhook: "No artifacts are sent. Leave it out.",
  reporting_webhook: "Reports are not sent. Ask get_media_buy_delivery.",
  new_packages: "Buy what is new as a second media buy.",
};

const isSaid = (value: unknown): boolean => value != null && !(Array.isArray(value) && value.length === 0);

const checkFeatures = (members: Members, refused: Readonly<Record<string, string>>, at: string): void => {
  const name = Object.keys(refused).find((one) => isSaid(members[one]));
  if (name !== undefined) throw unsupported(`${at}${name}`, refused[name] ?? "");
};

const varianceOf = (terms: unknown): number | null => {
  const { max_variance_percent: variance } = membersOf(membersOf(terms)["billing_measurement"]);
  return typeof variance === "number" && variance >= 0 && variance <= 100 ? variance : null;
};

const detailsOf = (given: Members): Members =>
  Object.fromEntries(Object.keys(keptMembers).flatMap((name) => (given[name] == null ? [] : [[name, given[name]]])));

type GivenPackage = z.output<typeof changedPackage> | z.output<typeof newPackage>;

const packageInput = (given: GivenPackage): Members => {
  const { bid_price, start_time, end_time, paused, creative_assignments: assignments, measurement_terms } = given;
  const details = detailsOf(given);
  return {
    bid_price: bid_price ?? null,
    start_time: start_time ?? null,
    end_time: end_time ?? null,
    paused: paused ?? null,
    creative_ids: assignments == null ? null : assignments.map(({ creative_id: creativeId }) => creativeId),
    measurement_variance_pct: varianceOf(measurement_terms),
    details: Object.keys(details).length === 0 ? null : details,
  };
};

export const boughtPackage = (bought: Members): Members => ({
  ...membersOf(bought["details"]),
  package_id: bought["package_id"],
  product_id: bought["offer_id"],
  pricing_option_id: bought["option_id"],
  budget: bought["budget"],
  currency: bought["currency"],
  impressions: bought["impressions"],
  ...(bought["bid_price"] === null ? {} : { bid_price: bought["bid_price"] }),
  start_time: bought["start_time"],
  end_time: bought["end_time"],
  paused: bought["paused"],
  ...(bought["canceled_at"] === null
    ? {}
    : { canceled: true, cancellation: { canceled_at: bought["canceled_at"], canceled_by: "buyer" } }),
  ...(Array.isArray(bought["creative_ids"]) && bought["creative_ids"].length > 0
    ? { creative_assignments: (bought["creative_ids"] as unknown[]).map((creativeId) => ({ creative_id: creativeId })) }
    : {}),
  ext: { parley: { deal_id: bought["deal_id"], price: bought["price"] } },
});

/** Read by clients of 3.0 over A2A as the end of the A2A task itself. */
const endsTask = ["canceled", "rejected"];

/** In 3.0 the state of the buy stands where 3.2 has that of the task. */
const statusIn = (status: unknown, { release, door }: Asked): Members => {
  if (release !== "3.0") return { media_buy_status: status };
  if (door === "a2a" && endsTask.includes(String(status))) return { status: undefined, media_buy_status: status };
  return { status };
};

const buyOutcome = (buy: Members, asked: Asked): Members => ({
  media_buy_id: buy["media_buy_id"],
  ...statusIn(buy["status"], asked),
  revision: buy["revision"],
  valid_actions: buy["valid_actions"],
});

const submittedOf = (buy: Members): Members => ({
  status: "submitted",
  task_id: buy["task_id"],
  message: buy["status_text"],
});

export const createdBuy = (buy: Members, asked: Asked): Members => ({
  ...buyOutcome(buy, asked),
  account: accountOf(membersOf(buy["account"])),
  confirmed_at: buy["confirmed_at"],
  packages: membersIn(buy["packages"]).map(boughtPackage),
  ...(buy["sandbox"] === true ? { sandbox: true } : {}),
});

const createRequest = requestOf({
  account: accountRef,
  brand,
  start_time: z.union([z.literal("asap"), adcpInstant]),
  end_time: adcpInstant,
  packages: z.array(newPackage).max(1000).nullish(),
  proposal_id: id.nullish(),
  total_budget: z.looseObject({ amount: money, currency: z.string().regex(/^[A-Z]{3}$/) }).nullish(),
  po_number: z.string().max(255).nullish(),
});

type CreateRequest = z.output<typeof createRequest>;

const mostPackages = 100;

const boughtBy = ({ packages, proposal_id: proposal, total_budget: total }: CreateRequest): Members => {
  if (proposal != null) {
    if (total == null) throw invalid("A proposal is bought with a total_budget.", "total_budget");
    return { plan_id: proposal, total_budget: total.amount, currency: total.currency };
  }
  if (packages == null || packages.length === 0) throw invalid("Send packages or a proposal_id.", "packages");
  if (packages.length > mostPackages) throw invalid(`A buy has at most ${mostPackages} packages.`, "packages");
  for (const [place, one] of packages.entries()) checkFeatures(one, refusedInPackage, `packages[${place}].`);
  return {
    packages: packages.map((one) => ({
      offer_id: one.product_id,
      option_id: one.pricing_option_id,
      budget: one.budget,
      ...packageInput(one),
    })),
  };
};

export const createBuyTask = defineTask({
  name: "create_media_buy",
  title: "Create a media buy",
  summary: "Buys packages at the prices that get_products showed, all of them or none. It commits money.",
  writes: true,
  isKeyed: true,
  request: createRequest,
  toCall: (given) => {
    checkFeatures(given, refusedInBuy, "");
    const { account, brand: of, start_time, end_time, po_number } = given;
    const more = { brand_domain: of.domain, start_time, end_time, po_number: po_number ?? null };
    return {
      operation: "book_media_buy",
      input: { account: namedAccount(account), ...more, ...boughtBy(given) },
    };
  },
  toAnswer: (output, asked) => (output["status"] === "submitted" ? submittedOf(output) : createdBuy(output, asked)),
});

const updateRequest = requestOf({
  account: accountRef.nullish(),
  media_buy_id: id,
  revision: z.int().min(1).nullish(),
  paused: z.boolean().nullish(),
  canceled: z.boolean().nullish(),
  cancellation_reason: z.string().max(2000).nullish(),
  start_time: z.union([z.literal("asap"), adcpInstant]).nullish(),
  end_time: adcpInstant.nullish(),
  packages: z.array(changedPackage).max(mostPackages).nullish(),
});

const onlyTrue = (canceled: boolean | null | undefined, field: string): true | null => {
  if (canceled === false) throw invalid("What was cancelled stays so: canceled is true or left out.", field);
  return canceled ?? null;
};

export const updateBuyTask = defineTask({
  name: "update_media_buy",
  title: "Update a media buy",
  summary: "Pauses, resumes, changes or cancels a media buy or its packages: all that is named, or nothing.",
  writes: true,
  isKeyed: true,
  request: updateRequest,
  toCall: (given) => {
    checkFeatures(given, refusedInBuy, "");
    const packages = given.packages ?? [];
    for (const [place, one] of packages.entries()) checkFeatures(one, refusedInPackage, `packages[${place}].`);
    if (given.start_time === "asap") throw unsupported("start_time", "A start is moved to an instant.");
    return {
      operation: "change_media_buy",
      input: {
        media_buy_id: given.media_buy_id,
        ...(given.revision == null ? {} : { if_match: String(given.revision) }),
        paused: given.paused ?? null,
        canceled: onlyTrue(given.canceled, "canceled"),
        reason: given.cancellation_reason ?? null,
        start_time: given.start_time ?? null,
        end_time: given.end_time ?? null,
        packages: packages.map((one, place) => ({
          package_id: one.package_id,
          budget: one.budget ?? null,
          canceled: onlyTrue(one.canceled, `packages[${place}].canceled`),
          ...packageInput(one),
        })),
      },
    };
  },
  toAnswer: (output, asked) => {
    const affected = Array.isArray(output["affected_packages"]) ? (output["affected_packages"] as unknown[]) : [];
    const packages = membersIn(output["packages"]).filter(({ package_id: packageId }) => affected.includes(packageId));
    return {
      ...buyOutcome(output, asked),
      affected_packages: packages.map(boughtPackage),
      implementation_date: output["updated_at"],
    };
  },
});
