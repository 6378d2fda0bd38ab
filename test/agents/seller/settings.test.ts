import { describe, expect, test } from "vitest";
import { sellerSettingsOf, sellerSettingTable } from "../../../agents/seller/config.ts";
import { readSettings } from "../../../protocol/neutral/settings.ts";
import { covers } from "../../requirements.ts";
import { startSeller } from "../../spec/launched.ts";

const settingsOf = (environment: Readonly<Record<string, string>>) =>
  sellerSettingsOf(readSettings(sellerSettingTable, environment), "http://127.0.0.1:8000");

describe("settings of the seller", () => {
  test.each([
    ["SELLER_AGENT_URL", "seller.example"],
    ["SELLER_AGENT_URL", "ftp://seller.example"],
    ["OUTBOUND_ALLOW", "http://127.0.0.1/"],
    ["OUTBOUND_ALLOW", "127.0.0.1,a b"],
    ["OUTBOUND_ALLOW", "127.0.0.1:99999"],
    ["AAMP_REGISTRY_AUTH_TOKEN", "two\nlines"],
    ["AD_SERVER_FEED_TOKEN", "two words"],
    ["AUDIENCE_MAX_CONSTRAINTS", "-1"],
    ["AUDIENCE_AGENTIC", "perhaps"],
  ])("%s=%j stops the start and is named", (variable, value) => {
    expect(() => settingsOf({ [variable]: value })).toThrow(new RegExp(`^${variable}: `));
  });

  test("a secret that is refused is not repeated", () => {
    expect(() => settingsOf({ AD_SERVER_FEED_TOKEN: "canary word" })).toThrow(/^(?!.*canary)/);
  });
});

describe("settings of lifetimes, limits and prices", () => {
  test("nothing set: a quote lives 24 hours, a session 7 days, and the tiers get 0, 5, 10 and 15 percent", () => {
    covers("seller.quotes.expires-at", "seller.sessions.lifetime-7-days");
    const { pricing, ...settings } = settingsOf({});
    expect(settings).toMatchObject({
      quoteTtlSeconds: 86_400,
      sessionTtlSeconds: 604_800,
      dealProposalTtlDays: 30,
      approvalTimeoutHours: 24,
      priceProbeLimit: 100,
      rateLimitPerMinute: 6_000,
      rateLimitAnonymousPerMinute: 3_000,
      outboundAllow: [],
    });
    const discounts = Object.entries(pricing.tiers).map(([name, { discountPct }]) => [name, discountPct]);
    expect(Object.fromEntries(discounts)).toEqual({ public: 0, seat: 5, agency: 10, advertiser: 15 });
    expect(pricing.globalFloorMicros).toBe(1_000_000);
  });
});

describe("settings of authentication", () => {
  test("nothing set: keys and the registry count, no registry is asked, nothing ends, approvals as published", () => {
    covers("seller.auth.setting.auth-enabled", "seller.auth.setting.default-expiry");
    covers("seller.auth.setting.registry-enabled", "seller.auth.setting.registry-url");
    covers("seller.auth.setting.auto-approve-registered", "seller.auth.setting.approval-for-unregistered");
    expect(settingsOf({})).toMatchObject({
      apiKeyAuthEnabled: true,
      apiKeyDefaultExpiryDays: null,
      agentRegistryEnabled: true,
      agentRegistryUrls: [],
      autoApproveRegisteredAgents: true,
      requireApprovalForUnregistered: true,
    });
  });

  test("each of the seven variables of the document reaches the seller", () => {
    covers("seller.auth.setting.auth-enabled", "seller.auth.setting.default-expiry");
    covers("seller.auth.setting.registry-enabled", "seller.auth.setting.registry-url");
    covers("seller.auth.setting.registry-extra-urls", "seller.auth.setting.auto-approve-registered");
    covers("seller.auth.setting.approval-for-unregistered");
    const set = settingsOf({
      API_KEY_AUTH_ENABLED: "false",
      API_KEY_DEFAULT_EXPIRY_DAYS: "7",
      AGENT_REGISTRY_ENABLED: "false",
      AGENT_REGISTRY_URL: "https://first.example",
      AGENT_REGISTRY_EXTRA_URLS: "https://second.example, https://third.example",
      AUTO_APPROVE_REGISTERED_AGENTS: "false",
      REQUIRE_APPROVAL_FOR_UNREGISTERED: "false",
    });
    expect(set).toMatchObject({
      apiKeyAuthEnabled: false,
      apiKeyDefaultExpiryDays: 7,
      agentRegistryEnabled: false,
      agentRegistryUrls: ["https://first.example", "https://second.example", "https://third.example"],
      autoApproveRegisteredAgents: false,
      requireApprovalForUnregistered: false,
    });
  });
});

describe("API_KEY_DEFAULT_EXPIRY_DAYS", () => {
  test("ends the keys whose request names no end; null asks for none", async () => {
    const seller = await startSeller({ API_KEY_DEFAULT_EXPIRY_DAYS: "7" });
    const endsAfter = async (wish: Readonly<Record<string, unknown>>): Promise<number | null> => {
      const made = (await seller.ask("POST", "/auth/api-keys", { body: wish })).body;
      const { created_at: start, expires_at: end } = made as { created_at: string; expires_at: string | null };
      return end === null ? null : Math.round((Date.parse(end) - Date.parse(start)) / 86_400_000);
    };
    expect(await endsAfter({ label: "none" })).toBe(7);
    expect(await endsAfter({ label: "named", expires_in_days: 3 })).toBe(3);
    expect(await endsAfter({ label: "never", expires_in_days: null })).toBeNull();
    await seller.close();
  });
});

describe("settings of audience plans", () => {
  test("nothing set: the published defaults", () => {
    expect(settingsOf({}).audience).toMatchObject({
      standard_taxonomy_versions: ["1.1"],
      contextual_taxonomy_versions: ["3.1"],
      agentic: { supported: false },
      supports_constraints: true,
      supports_extensions: false,
      supports_exclusions: false,
      max_refs_per_role: { primary: 1, constraints: 3, extensions: 0, exclusions: 0 },
    });
  });

  test("what is set is declared on the card, and is what a booking is held to", async () => {
    const seller = await startSeller({
      AUDIENCE_STANDARD_VERSIONS: "1.1, 1.2",
      AUDIENCE_MAX_CONSTRAINTS: "0",
      AUDIENCE_MAX_EXTENSIONS: "1",
    });
    const card = await seller.ask("GET", "/.well-known/agent.json");
    expect(card.body).toMatchObject({
      audience_capabilities: {
        standard_taxonomy_versions: ["1.1", "1.2"],
        supports_constraints: false,
        supports_extensions: true,
        max_refs_per_role: { primary: 1, constraints: 0, extensions: 1, exclusions: 0 },
      },
    });
    const ref = { type: "standard", identifier: "3-7", taxonomy: "iab-audience", version: "1.2", source: "explicit" };
    const quote = await seller.ask("POST", "/api/v1/quotes", {
      body: { product_id: "prod-15ba2543", deal_type: "PD" },
    });
    const book = (plan: unknown) =>
      seller.ask("POST", "/api/v1/deals", { body: { quote_id: quote.body["quote_id"], audience_plan: plan } });
    const refused = await book({ primary: ref, constraints: [ref], extensions: [ref, ref] });
    expect([refused.status, refused.body["unsupported"]]).toEqual([
      400,
      [
        { path: "constraints", reason: "constraints not supported by this seller" },
        { path: "extensions", reason: "2 refs in extensions exceeds max_refs_per_role.extensions=1" },
      ],
    ]);
    expect((await book({ primary: ref, extensions: [ref] })).status).toBe(200);
    await seller.close();
  });
});
