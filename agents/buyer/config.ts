import { toMicros } from "../../machines/money.ts";
import { slotOfDate, startOfSlotMs } from "../../machines/inventory/dates.ts";
import type { AgenticExtension } from "../../protocol/audience-plan/openrtb.ts";
import { languageModelOf, languageModelSettings } from "../server/language-model.ts";
import { serverSettings } from "../server/server-settings.ts";
import {
  choiceSetting,
  entriesOf,
  flagSetting,
  httpAddressDefect,
  listSetting,
  numberSetting,
  optionalText,
  readBy,
  type ReadSettings,
  type Setting,
  StartFailure,
  textSetting,
} from "../../protocol/neutral/settings.ts";
import type { SupplyFees } from "../../skills/buyer/bookings/record.ts";
import type { BuyerIdentity } from "../../skills/buyer/ports.ts";
import { originOf, readSellerAddress, type SellerAddress, type SellerWire } from "../../skills/buyer/seller-url.ts";
import { isAdcpWire } from "../../skills/buyer/adcp-tasks.ts";
import type { AdcpBuyer } from "./adcp/link.ts";
import { readSecret } from "./clients/seal.ts";
import type { OpenDirectAccount } from "./opendirect/calls.ts";

const sellerKey = (entry: string): readonly [origin: string, key: string] | null => {
  const at = entry.indexOf("=");
  const address = entry.slice(0, at).trim();
  const key = entry.slice(at + 1).trim();
  return at > 0 && key !== "" && httpAddressDefect(address) === null ? [new URL(address).origin, key] : null;
};

const ratifiedKey: Setting<AgenticExtension["ratified"]> = {
  variable: "AGENTIC_OPENRTB_RATIFIED",
  form: "key@YYYY-MM-DD",
  shownDefault: "none",
  meaning:
    "The ratified key of user.ext for agentic audiences, and the day it was published: both are sent for 90 days.",
  schema: readBy(
    (text) => {
      const [, key, date] = /^([A-Za-z]\w{0,63})@(.+)$/.exec(text) ?? [];
      const slot = date === undefined ? null : slotOfDate(date);
      return key === undefined || slot === null ? null : { key, sinceMs: startOfSlotMs(slot) };
    },
    (text) => `${JSON.stringify(text)} is not a key and a day, for example agentic_audiences@2027-01-31.`,
  ),
  fallback: null,
};

const sellerAddressDefect = (entry: string): string | null =>
  readSellerAddress(entry) === null
    ? `${JSON.stringify(entry)} is not an http or https address without user and query, after mcp+, a2a+, ` +
      "adcp-mcp+ or adcp-a2a+ if any."
    : null;

const domainDefect = (text: string): string | null =>
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(text)
    ? null
    : `${JSON.stringify(text)} is not a domain in small letters, for example brand.example.`;

const sellerKeys: Setting<ReadonlyMap<string, string>> = {
  variable: "SELLER_API_KEYS",
  form: "comma list of address=key",
  isList: true,
  shownDefault: "empty",
  meaning: "The key for each seller, by scheme, host and port of its address.",
  secret: true,
  schema: readBy(
    (text) => {
      const entries = entriesOf(text);
      const pairs = entries.map(sellerKey).filter((pair) => pair !== null);
      return pairs.length === entries.length ? new Map(pairs) : null;
    },
    () => "entries like http://seller.example:8000=ask_live_… are wanted.",
  ),
  fallback: new Map(),
};

const sellerFee = (entry: string): readonly [origin: string, fees: SupplyFees] | null => {
  const [, address, percent, cpm] = /^([^=]+)=(\d{1,2}(?:\.\d{1,2})?)%\+(\d{1,4}(?:\.\d{1,6})?)$/.exec(entry) ?? [];
  const [share, tech] = [percent, cpm].map((text) => toMicros(Number(text)));
  if (address === undefined || share == null || tech == null || httpAddressDefect(address) !== null) return null;
  return [originOf(address), { intermediary_bps: share / 10_000, tech_cpm_micros: tech }];
};

const sellerFees: Setting<ReadonlyMap<string, SupplyFees>> = {
  variable: "SELLER_FEES",
  form: "comma list of address=PERCENT%+CPM",
  isList: true,
  shownDefault: "empty",
  meaning:
    "What buying from a seller costs beside its price: an intermediary's percentage and a technical fee per " +
    "thousand. Sellers are compared, and kpis.max_cpm is kept, with it; a budget pays the seller's price alone.",
  schema: readBy(
    (text) => {
      const entries = entriesOf(text);
      const pairs = entries.map(sellerFee).filter((pair) => pair !== null);
      return pairs.length === entries.length ? new Map(pairs) : null;
    },
    () => "entries like https://seller.example=5%+0.50 are wanted.",
  ),
  fallback: new Map(),
};

const sellerKeysSecret: Setting<Buffer | null> = {
  variable: "SELLER_KEYS_SECRET",
  form: "32 bytes, as hex or base64",
  shownDefault: "the file seller-keys.secret of the data directory",
  meaning: "What stored seller keys are encrypted with (AES-256-GCM); on PostgreSQL none can be stored without it.",
  secret: true,
  schema: readBy(readSecret, () => "32 bytes are wanted, as 64 hex digits or in base64."),
  fallback: null,
};

export const buyerSettingTable = {
  ...serverSettings,
  ...languageModelSettings,
  port: numberSetting({ variable: "PORT", meaning: "Port to listen on; 0 takes any free one." }, 8001, {
    min: 0,
    max: 65_535,
    whole: true,
  }),
  sellerEndpoints: listSetting(
    {
      variable: "SELLER_ENDPOINTS",
      meaning:
        "Addresses of the sellers to buy from. mcp+ or a2a+ before one fixes the protocol; else REST is tried first. " +
        "adcp-mcp+ or adcp-a2a+ is a seller of AdCP, at its MCP or A2A address.",
    },
    [],
    sellerAddressDefect,
  ),
  sellerKeys,
  sellerKeysSecret,
  sellerFees,
  sellerHeaderType: choiceSetting({ variable: "SELLER_HEADER_TYPE", meaning: "How seller keys are sent." }, "api_key", [
    "api_key",
    "bearer",
  ]),
  sellerTimeoutSeconds: numberSetting(
    { variable: "SELLER_TIMEOUT_SECONDS", meaning: "How long one attempt at a seller may take." },
    30,
    { min: 0.01, max: 600 },
  ),
  sellerDialect: choiceSetting(
    {
      variable: "SELLER_DIALECT",
      meaning: "How quotes and deals are written; auto remembers of each seller what it reads.",
    },
    "auto",
    ["auto", "flat", "envelope"],
  ),
  researchDeadlineSeconds: numberSetting(
    {
      variable: "RESEARCH_DEADLINE_SECONDS",
      meaning: "How long the catalog and quotes of one seller may take per job.",
    },
    120,
    { min: 0.01, max: 3600 },
  ),
  negotiates: flagSetting(
    { variable: "NEGOTIATION_ENABLED", meaning: "True: lower prices are asked for where the seller negotiates." },
    true,
  ),
  iabServerUrl: optionalText(
    {
      variable: "IAB_SERVER_URL",
      meaning: "The agentic-direct server, apart from any seller: the registry where AGENT_REGISTRY_URL is not set.",
    },
    httpAddressDefect,
  ),
  aampRegistryUrl: optionalText(
    {
      variable: "AAMP_REGISTRY_URL",
      meaning: "Agent registry that is asked in the AAMP form, in place of the others.",
    },
    httpAddressDefect,
  ),
  aampRegistryToken: optionalText({
    variable: "AAMP_REGISTRY_AUTH_TOKEN",
    meaning: "Bearer token for the AAMP registry.",
    secret: true,
  }),
  discovers: flagSetting(
    {
      variable: "BUYER_DISCOVERS",
      meaning:
        "True: sellers that the agent registry lists for the wanted inventory are asked beside SELLER_ENDPOINTS.",
    },
    false,
  ),
  bookingProtocol: choiceSetting(
    {
      variable: "BOOKING_PROTOCOL",
      meaning:
        "How approved lines are booked: deals by quotes and deals, opendirect by orders and lines of OpenDirect 2.1, " +
        "which every seller of SELLER_ENDPOINTS must then offer.",
    },
    "deals",
    ["deals", "opendirect"],
  ),
  openDirectAccountId: optionalText({
    variable: "OPENDIRECT_ACCOUNT_ID",
    meaning: "The buyer's account at the sellers; BOOKING_PROTOCOL=opendirect needs it.",
  }),
  openDirectBrandId: optionalText({
    variable: "OPENDIRECT_ADVERTISER_BRAND_ID",
    meaning: "The advertiser's brand; with it availability is asked for in the form of OpenDirect 2.1.",
  }),
  openDirectBaseUrl: optionalText(
    {
      variable: "OPENDIRECT_BASE_URL",
      meaning: "Seller whose catalog is searched; the first of SELLER_ENDPOINTS when left empty.",
    },
    httpAddressDefect,
  ),
  openDirectApiKey: optionalText({
    variable: "OPENDIRECT_API_KEY",
    meaning: "Key for OPENDIRECT_BASE_URL; it goes before the token.",
    secret: true,
  }),
  openDirectToken: optionalText({
    variable: "OPENDIRECT_TOKEN",
    meaning: "Bearer token for OPENDIRECT_BASE_URL.",
    secret: true,
  }),
  adcpBrand: optionalText(
    {
      variable: "ADCP_BRAND_DOMAIN",
      meaning: "Domain of the brand that is advertised, as sellers of AdCP are told; they need it.",
    },
    domainDefect,
  ),
  adcpOperator: optionalText(
    {
      variable: "ADCP_OPERATOR_DOMAIN",
      meaning: "Domain of who buys for the brand, as sellers of AdCP are told; the brand's when left empty.",
    },
    domainDefect,
  ),
  adcpSandbox: flagSetting(
    {
      variable: "ADCP_SANDBOX",
      meaning: "True: sellers of AdCP are asked for sandbox accounts, in which nothing runs.",
    },
    false,
  ),
  seatId: optionalText({ variable: "BUYER_SEAT_ID", meaning: "The buyer's seat." }),
  agencyId: optionalText({ variable: "BUYER_AGENCY_ID", meaning: "The buyer's agency." }),
  advertiserId: optionalText({ variable: "BUYER_ADVERTISER_ID", meaning: "The buyer's advertiser." }),
  dspPlatform: optionalText({ variable: "BUYER_DSP_PLATFORM", meaning: "The buyer's DSP." }),
  agentUrl: textSetting(
    { variable: "BUYER_AGENT_URL", meaning: "Public address of this agent; where it listens, when left empty." },
    "",
    httpAddressDefect,
  ),
  agenticExtension: flagSetting(
    {
      variable: "ENABLE_AGENTIC_OPENRTB_EXT",
      meaning: "True: agentic audiences travel in user.ext.iab_agentic_audiences of OpenRTB requests.",
    },
    false,
  ),
  agenticRatified: ratifiedKey,
  legacyApiKey: optionalText({
    variable: "API_KEY",
    meaning: "Old shared key; accepted only while no operator key was ever minted.",
    secret: true,
  }),
} as const;

export type BuyerConfig = ReadSettings<typeof buyerSettingTable>;

const identityOf = (config: BuyerConfig): BuyerIdentity => ({
  ...(config.seatId === null ? {} : { seat_id: config.seatId }),
  ...(config.agencyId === null ? {} : { agency_id: config.agencyId }),
  ...(config.advertiserId === null ? {} : { advertiser_id: config.advertiserId }),
  ...(config.dspPlatform === null ? {} : { dsp_platform: config.dspPlatform }),
});

export interface SellerEndpoint {
  readonly url: string;
  readonly key: string | null;
  readonly headerType: "api_key" | "bearer";
  /** Without one it is whichever the seller answers, REST first. */
  readonly wire?: SellerWire | null;
}

const endpointOf = (config: BuyerConfig, { url, wire }: SellerAddress): SellerEndpoint => ({
  url,
  wire,
  key: config.sellerKeys.get(originOf(url)) ?? null,
  headerType: config.sellerHeaderType,
});

const authorityOf = (url: string): string => {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port === "" ? (protocol === "https:" ? 443 : 80) : port}`;
};

const sellersOf = (config: BuyerConfig): readonly SellerAddress[] =>
  config.sellerEndpoints.map(readSellerAddress).filter((address) => address !== null);

const accountOf = (config: BuyerConfig): OpenDirectAccount | null => {
  const { bookingProtocol, openDirectAccountId: accountId, openDirectBrandId: brandId } = config;
  if (bookingProtocol === "deals") return null;
  if (accountId !== null) return { accountId, brandId };
  throw new StartFailure(
    "OPENDIRECT_ACCOUNT_ID: BOOKING_PROTOCOL=opendirect needs the buyer's account at the sellers.",
  );
};

const adcpBuyerOf = (config: BuyerConfig): AdcpBuyer | null => {
  const { adcpBrand: brand, adcpOperator, adcpSandbox: isSandbox } = config;
  if (!sellersOf(config).some(({ wire }) => isAdcpWire(wire))) return null;
  if (brand !== null) return { brand, operator: adcpOperator ?? brand, isSandbox };
  throw new StartFailure("ADCP_BRAND_DOMAIN: sellers of AdCP in SELLER_ENDPOINTS need the domain of the brand.");
};

export const buyerSettingsOf = (config: BuyerConfig) => ({
  sellers: sellersOf(config).map((address) => endpointOf(config, address)) as readonly SellerEndpoint[],
  identity: identityOf(config),
  sellerTimeoutSeconds: config.sellerTimeoutSeconds,
  sellerDialect: config.sellerDialect,
  researchDeadlineSeconds: config.researchDeadlineSeconds,
  negotiates: config.negotiates,
  sellerFees: config.sellerFees,
  eventStreamsPerCaller: config.eventStreamsPerCaller,
  console: config.console,
  sandbox: config.sandbox === "all",
  /** It is null where there is no registry. */
  registryUrl: config.agentRegistryUrl ?? config.iabServerUrl,
  aampRegistry:
    config.aampRegistryUrl === null ? null : { url: config.aampRegistryUrl, token: config.aampRegistryToken },
  discovers: config.discovers,
  /** When it is empty, the address is where the agent listens. */
  agentUrl: config.agentUrl,
  /** The seller of product search, and how lines are booked: without an account by quotes. */
  openDirect: {
    account: accountOf(config),
    baseUrl: config.openDirectBaseUrl,
    apiKey: config.openDirectApiKey,
    token: config.openDirectToken,
  },
  /** Null where no seller speaks AdCP. */
  adcp: adcpBuyerOf(config),
  /** A configured seller may be on a private address; what it redirects to may not. */
  outboundAllow: [...config.outboundAllow, ...sellersOf(config).map(({ url }) => authorityOf(url))],
  agenticExtension: { isOn: config.agenticExtension, ratified: config.agenticRatified },
  legacyApiKey: config.legacyApiKey,
  languageModel: languageModelOf(config),
});

export type BuyerSettings = Readonly<ReturnType<typeof buyerSettingsOf>>;
