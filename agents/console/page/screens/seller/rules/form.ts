import type { InputOf, OutputOf } from "../../../agent/api.ts";
import type * as seller from "../../../agent/seller.generated.ts";
import { amountIn, wholeCount } from "../../../amount.ts";
import { count, money, plain } from "../../../form.ts";
import { flowWords, wordOf } from "../../../words.ts";

export type Rules = OutputOf<typeof seller.getSellingRules>;
export type Values = Rules["values"];
export type StoredRule = Rules["stored"][number];
export type RuleChange = InputOf<typeof seller.updateSellingRules>;

/** What people type, by the name of a field. */
export type TypedTexts = Readonly<Record<string, string>>;

export interface Entry {
  readonly key: string;
  readonly label: string;
  /** `flag` holds true or false, `flows` the chosen ones with a comma between them. */
  readonly kind: "text" | "lines" | "flag" | "flows";
  readonly hint?: string;
}

export interface Rule {
  readonly name: StoredRule;
  readonly label: string;
  readonly entries: readonly Entry[];
  readonly says: (values: Values) => string;
  readonly read: (values: Values) => TypedTexts;
  /** Null: not readable. */
  readonly write: (texts: TypedTexts) => RuleChange | null;
}

export interface Section {
  readonly title: string;
  readonly note: string;
  readonly rules: readonly Rule[];
}

const one = (
  name: StoredRule,
  label: string,
  of: Pick<Rule, "says"> & {
    readonly text: (values: Values) => string;
    readonly value: (text: string) => RuleChange | null;
    readonly kind?: Entry["kind"];
    readonly hint?: string;
    readonly field?: string;
  },
): Rule => ({
  name,
  label,
  entries: [
    {
      key: name,
      label: of.field ?? label,
      kind: of.kind ?? "text",
      ...(of.hint === undefined ? {} : { hint: of.hint }),
    },
  ],
  says: of.says,
  read: (values) => ({ [name]: of.text(values) }),
  write: (texts) => of.value(texts[name] ?? ""),
});

/** Null where a text is no amount. */
const amountsOf = (texts: TypedTexts, keys: readonly string[]): Readonly<Record<string, number>> | null => {
  const found = keys.map((key) => [key, amountIn(texts[key] ?? "")] as const);
  return found.every((pair): pair is readonly [string, number] => pair[1] !== null) ? Object.fromEntries(found) : null;
};

const ofAmount = (text: string, make: (amount: number) => RuleChange): RuleChange | null => {
  const amount = amountIn(text);
  return amount === null ? null : make(amount);
};

const buyerTiers = ["public", "seat", "agency", "advertiser"] as const;

export const flows = ["deal", "proposal", "negotiation", "api_key", "media_buy"] as const;

const flowText = (names: readonly string[]): string =>
  names.length === 0 ? "nothing" : names.map((name) => wordOf(flowWords, name)).join(", ");

const stepsIn = (text: string): RuleChange | null => {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const steps = lines.map((line) => {
    const [volume = "", percent = ""] = line.split(":");
    return { min_impressions: wholeCount(volume), discount_pct: amountIn(percent.replace("%", "")) };
  });
  const read = steps.filter(
    (step): step is { min_impressions: number; discount_pct: number } =>
      step.min_impressions !== null && step.discount_pct !== null,
  );
  return read.length < steps.length ? null : { volume_discounts: read };
};

const hourSeconds = 3600;

const talkers = ["seat", "agency", "advertiser"] as const;

const limits = [
  ["rounds", "rounds at most"],
  ["round_cap_pct", "% in a round"],
  ["total_cap_pct", "% in all"],
  ["gap_share", "of the gap (0 to 1)"],
] as const;

const talkKeys = talkers.flatMap((tier) => limits.map(([limit]) => `${tier}.${limit}`));

const limitsTyped = (amounts: Readonly<Record<string, number>>, tier: string) => ({
  rounds: amounts[`${tier}.rounds`] ?? 0,
  round_cap_pct: amounts[`${tier}.round_cap_pct`] ?? 0,
  total_cap_pct: amounts[`${tier}.total_cap_pct`] ?? 0,
  gap_share: amounts[`${tier}.gap_share`] ?? 0,
});

const negotiation: Rule = {
  name: "negotiation",
  label: "How far price talks go",
  entries: talkers.flatMap((tier) =>
    limits.map(([limit, words]) => ({
      key: `${tier}.${limit}`,
      label: `${wordOf({}, tier)}: ${words}`,
      kind: "text" as const,
    })),
  ),
  says: ({ negotiation: talks }) =>
    talkers.map((tier) => `${tier} ${talks[tier].rounds} rounds, at most ${talks[tier].total_cap_pct} %`).join("; "),
  read: ({ negotiation: talks }) =>
    Object.fromEntries(
      talkers.flatMap((tier) => limits.map(([limit]) => [`${tier}.${limit}`, String(talks[tier][limit])])),
    ),
  write: (texts) => {
    const amounts = amountsOf(texts, talkKeys);
    return amounts === null
      ? null
      : {
          negotiation: {
            seat: limitsTyped(amounts, "seat"),
            agency: limitsTyped(amounts, "agency"),
            advertiser: limitsTyped(amounts, "advertiser"),
          },
        };
  },
};

export const sections: readonly Section[] = [
  {
    title: "Who sells",
    note: "The name is on quotes and in the supply chain at once, on the agent's card after the next start.",
    rules: [
      one("seller_name", "Name", {
        says: ({ seller_name: name }) => plain(name, 200),
        text: ({ seller_name: name }) => name,
        value: (text) => (text.trim() === "" ? null : { seller_name: text }),
      }),
      one("publisher_domain", "Domain of media buys", {
        says: ({ publisher_domain: domain }) => (domain === "" ? "the host of this agent" : plain(domain, 260)),
        text: ({ publisher_domain: domain }) => domain,
        value: (text) => ({ publisher_domain: text.trim().toLowerCase() }),
        hint: "For example news.example. Empty: the host of this agent.",
      }),
    ],
  },
  {
    title: "What waits for a person",
    note: "What waits already goes on as it began.",
    rules: [
      one("approval_enabled", "Approvals", {
        says: ({ approval_enabled: isOn }) => (isOn ? "on" : "off: nothing waits"),
        text: ({ approval_enabled: isOn }) => String(isOn),
        value: (text) => ({ approval_enabled: text === "true" }),
        kind: "flag",
        field: "Let these wait for a person",
      }),
      one("approval_flows", "Of these", {
        says: ({ approval_flows: names }) => flowText(names),
        text: ({ approval_flows: names }) => names.join(","),
        value: (text) => ({ approval_flows: flows.filter((flow) => text.split(",").includes(flow)) }),
        kind: "flows",
      }),
      one("approval_above_value", "From this value on", {
        says: ({ approval_above_value: value }) => (value === 0 ? "every one" : money(value, "USD")),
        text: ({ approval_above_value: value }) => String(value),
        value: (text) => ofAmount(text, (approval_above_value) => ({ approval_above_value })),
        hint: "In USD; 0 is every one.",
      }),
      one("approval_timeout_hours", "Ends unanswered after", {
        says: ({ approval_timeout_hours: hours }) => `${hours} h`,
        text: ({ approval_timeout_hours: hours }) => String(hours),
        value: (text) => ofAmount(text, (approval_timeout_hours) => ({ approval_timeout_hours })),
        field: "Hours until it ends unanswered",
      }),
    ],
  },
  {
    title: "How long offers hold",
    note: "Quotes and deals that are there keep their times.",
    rules: [
      one("quote_ttl_seconds", "A quote holds", {
        says: ({ quote_ttl_seconds: seconds }) => `${count(Math.round((seconds / hourSeconds) * 100) / 100)} h`,
        text: ({ quote_ttl_seconds: seconds }) => String(seconds / hourSeconds),
        value: (text) =>
          ofAmount(text, (hours) => ({ quote_ttl_seconds: Math.max(1, Math.round(hours * hourSeconds)) })),
        field: "Hours that a quote holds its price",
      }),
      one("deal_proposal_ttl_days", "A deal is activated within", {
        says: ({ deal_proposal_ttl_days: days }) => `${days} days`,
        text: ({ deal_proposal_ttl_days: days }) => String(days),
        value: (text) => ofAmount(text, (deal_proposal_ttl_days) => ({ deal_proposal_ttl_days })),
        field: "Days that a booked deal waits for its activation",
      }),
    ],
  },
  {
    title: "Prices",
    note: "Of quotes from now on. List prices of products are changed on their own pages.",
    rules: [
      {
        name: "tier_discounts",
        label: "Discount by tier",
        entries: buyerTiers.map((tier) => ({ key: tier, label: `${wordOf({}, tier)}, %`, kind: "text" })),
        says: ({ tier_discounts: of }) => buyerTiers.map((tier) => `${tier} ${of[tier]} %`).join(", "),
        read: ({ tier_discounts: of }) => Object.fromEntries(buyerTiers.map((tier) => [tier, String(of[tier])])),
        write: (texts) => {
          const amounts = amountsOf(texts, buyerTiers);
          const { public: none = 0, seat = 0, agency = 0, advertiser = 0 } = amounts ?? {};
          return amounts === null ? null : { tier_discounts: { public: none, seat, agency, advertiser } };
        },
      },
      one("volume_discounts", "Discount by volume", {
        says: ({ volume_discounts: steps }) =>
          steps.length === 0
            ? "none"
            : steps.map((step) => `${count(step.min_impressions)}: ${step.discount_pct} %`).join(", "),
        text: ({ volume_discounts: steps }) =>
          steps.map((step) => `${count(step.min_impressions)}: ${step.discount_pct}`).join("\n"),
        value: stepsIn,
        kind: "lines",
        field: "Discount by volume, a step a line: impressions: percent",
      }),
      one("global_floor_cpm", "Lowest price of any product", {
        says: ({ global_floor_cpm: cpm }) => money(cpm, "USD"),
        text: ({ global_floor_cpm: cpm }) => String(cpm),
        value: (text) => ofAmount(text, (global_floor_cpm) => ({ global_floor_cpm })),
        hint: "Per thousand, in USD.",
      }),
    ],
  },
  { title: "Price talks", note: "Of talks that begin from now on.", rules: [negotiation] },
];
