import { z } from "zod";
import { type ApprovalGate, type GatedFlow, gatedFlows, readFlows } from "../../machines/approval/gate.ts";
import { defaultNegotiationLimits } from "../../machines/negotiation/limits.ts";
import { type PricingPolicy, defaultPricingPolicy } from "../../machines/pricing/price.ts";
import type { Tier } from "../../machines/pricing/tiers.ts";
import type { VolumeStep } from "../../machines/pricing/volume.ts";
import type { AdServerSettings } from "../../skills/seller/packages/ad-server.ts";
import { type SellerSettings, sellerSettings } from "../../skills/seller/settings.ts";
import { addressList, serverSettings } from "../server/server-settings.ts";
import { languageModelOf, languageModelSettings } from "../server/language-model.ts";
import { audienceOf, audienceSettings } from "./audience-settings.ts";
import {
  choiceSetting,
  flagSetting,
  httpAddressDefect,
  numberSetting,
  optionalText,
  readBy,
  readOf,
  type ReadSettings,
  type Setting,
  StartFailure,
  tokenDefect,
} from "../../protocol/neutral/settings.ts";

const tierNames: readonly Tier[] = ["public", "seat", "agency", "advertiser"];

const tierDiscounts: Setting<readonly number[]> = {
  variable: "TIER_DISCOUNTS",
  form: "four percentages",
  isList: true,
  shownDefault: "0,5,10,15",
  meaning: "Discounts of the tiers public, seat, agency and advertiser, in percent.",
  schema: readBy(
    (text) => {
      const value = text.split(",").map((entry) => (entry.trim() === "" ? Number.NaN : Number(entry)));
      return value.length === 4 && value.every((pct) => pct >= 0 && pct < 100) ? value : null;
    },
    () => "four numbers from 0 to below 100 are wanted, for example 0,5,10,15.",
  ),
  fallback: [0, 5, 10, 15],
};

const stepOf = (entry: string): VolumeStep | null => {
  const match = /^(\d{1,15}):(\d{1,2}(?:\.\d+)?)$/.exec(entry.trim());
  return match === null ? null : { minImpressions: Number(match[1]), discountPct: Number(match[2]) };
};

const volumeDiscounts: Setting<readonly VolumeStep[]> = {
  variable: "VOLUME_DISCOUNTS",
  form: "comma list of impressions:percent",
  isList: true,
  shownDefault: "5000000:5,10000000:10,20000000:15,50000000:20",
  meaning: "Volume discounts of the tiers agency and advertiser.",
  schema: readBy(
    (text) => {
      const steps = text.split(",").map(stepOf);
      const value = steps.filter((step) => step !== null);
      return value.length === steps.length ? value : null;
    },
    () => "entries like 5000000:5 are wanted, impressions and percent.",
  ),
  fallback: defaultPricingPolicy.volume,
};

const approvalFlows: Setting<readonly GatedFlow[]> = {
  variable: "APPROVAL_REQUIRED_FLOWS",
  form: "comma list",
  isList: true,
  shownDefault: "empty",
  meaning: `What waits for an approval: any of ${gatedFlows.join(", ")} (proposal_decision means proposal).`,
  schema: z.string().transform((text, context) => {
    const read = readFlows(text);
    if ("flows" in read) return read.flows;
    const message = `${JSON.stringify(read.unknown)} is no flow; use any of ${gatedFlows.join(", ")}.`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  }),
  fallback: [],
};

export const sellerSettingTable = {
  ...serverSettings,
  port: numberSetting({ variable: "PORT", meaning: "Port to listen on; 0 takes any free one." }, 8000, {
    min: 0,
    max: 65_535,
    whole: true,
  }),
  ...sellerSettings,
  catalogFile: optionalText({
    variable: "CATALOG_FILE",
    meaning:
      "Products on sale, a JSON or CSV file; --catalog FILE goes before it. The store keeps which file it was: a " +
      "start or command that names none is then refused, and default goes over to the default catalog.",
  }),
  tierDiscounts,
  volumeDiscounts,
  globalFloorCpm: numberSetting(
    { variable: "GLOBAL_FLOOR_CPM", meaning: "Lowest price of any product, per thousand impressions." },
    1,
    { min: 0, max: 100_000 },
  ),
  approvalGateEnabled: flagSetting(
    { variable: "APPROVAL_GATE_ENABLED", meaning: "True: the listed flows wait for an operator's approval." },
    false,
  ),
  approvalFlows,
  approvalAboveValue: numberSetting(
    {
      variable: "APPROVAL_REQUIRED_ABOVE_VALUE",
      meaning:
        "Value in USD from which a listed flow waits: price x impressions / 1000; 0 is every one. " +
        "A value in another currency always waits.",
    },
    0,
    { min: 0, max: 4_000_000_000 },
  ),
  agentRegistryExtraUrls: addressList("AGENT_REGISTRY_EXTRA_URLS", "More agent registries."),
  aampRegistryUrl: optionalText(
    { variable: "AAMP_REGISTRY_URL", meaning: "Agent registry that is asked in the AAMP form." },
    httpAddressDefect,
  ),
  aampRegistryToken: optionalText(
    { variable: "AAMP_REGISTRY_AUTH_TOKEN", meaning: "Bearer token for the AAMP registry.", secret: true },
    tokenDefect,
  ),
  ...audienceSettings,
  adServerType: choiceSetting(
    { variable: "AD_SERVER_TYPE", meaning: "Where inventory is imported from; none: four sample packages." },
    "none",
    ["none", "csv", "http"],
  ),
  csvFolder: optionalText({
    variable: "CSV_DATA_DIR",
    meaning: "Folder of inventory.csv (columns id, name, inventory_type, status, updated_at), for the type csv.",
  }),
  adServerFeedUrl: optionalText(
    { variable: "AD_SERVER_FEED_URL", meaning: "Address of the JSON feed of items, for the type http." },
    httpAddressDefect,
  ),
  adServerFeedToken: optionalText(
    { variable: "AD_SERVER_FEED_TOKEN", meaning: "Bearer token for the feed.", secret: true },
    tokenDefect,
  ),
  inventorySyncEnabled: flagSetting(
    { variable: "INVENTORY_SYNC_ENABLED", meaning: "True: the ad server's inventory is imported on a schedule." },
    false,
  ),
  inventorySyncIntervalMinutes: numberSetting(
    { variable: "INVENTORY_SYNC_INTERVAL_MINUTES", meaning: "Wait between two scheduled imports." },
    60,
    { min: 0.001, max: 20_000 },
  ),
  inventorySyncIncludeArchived: flagSetting(
    { variable: "INVENTORY_SYNC_INCLUDE_ARCHIVED", meaning: "True: archived items are imported like the others." },
    false,
  ),
  ...languageModelSettings,
} as const;

export type SellerConfig = ReadSettings<typeof sellerSettingTable> & {
  /** The variables that the environment sets; left out: none. */
  readonly given?: ReadonlySet<string>;
};

const pricingOf = (config: SellerConfig): PricingPolicy => {
  const tiers = { ...defaultPricingPolicy.tiers };
  for (const [place, name] of tierNames.entries()) {
    tiers[name] = { ...tiers[name], discountPct: config.tierDiscounts[place] ?? 0 };
  }
  const globalFloorMicros = Math.round(config.globalFloorCpm * 1_000_000);
  return { tiers, volume: config.volumeDiscounts, rules: defaultPricingPolicy.rules, globalFloorMicros };
};

const approvalGateOf = (config: SellerConfig): ApprovalGate => ({
  enabled: config.approvalGateEnabled,
  flows: config.approvalFlows,
  aboveMicros: Math.round(config.approvalAboveValue * 1_000_000),
});

const registriesOf = (config: SellerConfig): readonly string[] => [
  ...new Set([config.agentRegistryUrl ?? [], config.agentRegistryExtraUrls].flat()),
];

const adServerOf = (config: SellerConfig): AdServerSettings => {
  const { adServerType: type, csvFolder, adServerFeedUrl, inventorySyncIncludeArchived: includeArchived } = config;
  if (type === "none") return { type };
  if (type === "csv") {
    if (csvFolder === null) {
      throw new StartFailure("CSV_DATA_DIR: AD_SERVER_TYPE=csv needs the folder of inventory.csv.");
    }
    return { type, dir: csvFolder, includeArchived };
  }
  if (adServerFeedUrl === null) {
    throw new StartFailure("AD_SERVER_FEED_URL: AD_SERVER_TYPE=http needs the address of the feed.");
  }
  return { type, feedUrl: adServerFeedUrl, token: config.adServerFeedToken, includeArchived };
};

export const sellerSettingsOf = (config: SellerConfig, listenUrl: string): SellerSettings => ({
  ...readOf(sellerSettings, config),
  sandbox: config.sandbox === "all",
  agentUrl: config.agentUrl === "" ? listenUrl : config.agentUrl,
  pricing: pricingOf(config),
  negotiation: defaultNegotiationLimits,
  given: config.given ?? new Set(),
  approvalGate: approvalGateOf(config),
  agentRegistryUrls: registriesOf(config),
  aampRegistry:
    config.aampRegistryUrl === null ? null : { url: config.aampRegistryUrl, token: config.aampRegistryToken },
  eventStreamsPerCaller: config.eventStreamsPerCaller,
  console: config.console,
  outboundAllow: config.outboundAllow,
  audience: audienceOf(config),
  adServer: adServerOf(config),
  inventorySync: { enabled: config.inventorySyncEnabled, intervalMinutes: config.inventorySyncIntervalMinutes },
  languageModel: languageModelOf(config),
  rateLimitPerMinute: config.rateLimitPerMinute,
  rateLimitAnonymousPerMinute: config.rateLimitAnonymousPerMinute,
});
