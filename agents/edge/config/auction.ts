import { z } from "zod";
import { configuredDeals, currencyCode } from "./deals.ts";
import { isHostName, nonEmpty, parseUrl, positiveInt } from "./rules.ts";

export const reservedBidders: readonly string[] = ["reservedServer", "trustedServer"];

/** Only control characters, outer blanks and 128 bytes are ruled out: bidder names are the partners' own. */
export const isBidderId = (text: string): boolean =>
  text !== "" &&
  text === text.trim() &&
  new TextEncoder().encode(text).length <= 128 &&
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for.
  !/[\u0000-\u001f\u007f-\u009f]/.test(text) &&
  !reservedBidders.includes(text);

const params = z.record(z.string(), z.unknown());

const isBoundedExt = (value: unknown, depth = 0): boolean => {
  if (typeof value !== "object" || value === null) return true;
  const members = Object.values(value);
  return depth < 8 && members.length <= 256 && members.every((member) => isBoundedExt(member, depth + 1));
};
const ext = params.refine(
  (value) => isBoundedExt(value) && JSON.stringify(value).length <= 16_384,
  "must be at most 16 KiB, 8 levels deep and 256 keys per object",
);

const notTrustedServer = (value: Record<string, unknown>): boolean => !Object.hasOwn(value, "trusted_server");

const standardProfile = z.strictObject({
  request_ext: ext.refine(notTrustedServer, "trusted_server is reserved").default({}),
  imp_ext: ext.default({}),
});

const prebidProfile = z.strictObject({
  account_id: z.string().min(1).max(256).optional(),
  stored_request_id: z.string().min(1).max(256).optional(),
  request_ext: ext.refine(notTrustedServer, "trusted_server is reserved").default({}),
  imp_ext: ext.default({}),
  debug: z.boolean().default(false),
  test_mode: z.boolean().default(false),
  debug_query_params: z.string().default(""),
  bid_param_overrides: z.record(z.string(), params).default({}),
  bid_param_zone_overrides: z.record(z.string(), z.record(z.string(), params)).default({}),
  bid_param_override_rules: z
    .array(
      z.strictObject({
        when: z
          .strictObject({ bidder: nonEmpty.optional(), zone: nonEmpty.optional() })
          .refine((when) => when.bidder !== undefined || when.zone !== undefined, "needs bidder, zone or both"),
        set: params.refine((set) => Object.keys(set).length > 0, "must not be empty"),
      }),
    )
    .default([]),
  consent_forwarding: z.enum(["openrtb_only", "cookies_only", "both"]).default("both"),
});

const apsProfile = z
  .strictObject({
    account_id: z
      .union([z.string(), z.int()])
      .transform(String)
      .refine((text) => text !== "" && text.length <= 1_024, "must be 1 to 1024 bytes"),
    debug: z.boolean().default(false),
    allow_script_creatives: z.boolean().default(false),
    inventory_domain: z
      .string()
      .refine((text) => isHostName(text), "must be a host name")
      .optional(),
    inventory_page_origin: z
      .string()
      .refine((text) => {
        const url = parseUrl(text);
        return url?.protocol === "https:" && url.port === "" && url.pathname === "/" && url.search === "";
      }, "must be an https origin without port and path")
      .optional(),
  })
  .refine(
    (profile) => (profile.inventory_domain === undefined) === (profile.inventory_page_origin === undefined),
    "inventory_domain and inventory_page_origin belong together: give both or none",
  )
  .refine((profile) => {
    if (profile.inventory_domain === undefined || profile.inventory_page_origin === undefined) return true;
    const host = new URL(profile.inventory_page_origin).hostname;
    return host === profile.inventory_domain || host.endsWith(`.${profile.inventory_domain}`);
  }, "the host of inventory_page_origin must be inventory_domain or below it");

const notifications = z
  .strictObject({
    suppress_all: z.boolean().default(false),
    suppress_seats: z
      .array(z.string().min(1).max(128))
      .max(128)
      .refine((seats) => new Set(seats).size === seats.length, "names a seat twice")
      .default([]),
    win: z.enum(["answer", "call"]).default("answer"),
  })
  .prefault({});

const endpoint = z.string().refine((text) => {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "" || text.includes("#")) return false;
  return url.username === "" && url.password === "";
}, "provider endpoint must be an absolute HTTPS URL with a host and no credentials or fragment");

const circuitBreaker = z
  .strictObject({
    enabled: z.boolean().default(false),
    window: positiveInt.default(20),
    failure_percent: z.int().min(1).max(100).default(80),
    pause_ms: positiveInt.default(10_000),
  })
  .prefault({});

const seats = z.array(z.string().min(1).max(128)).max(128).default([]);

const shared = {
  protocol: z.literal("openrtb-2.6", "uses an unsupported protocol; write openrtb-2.6"),
  endpoint,
  timeout_ms: positiveInt.optional(),
  tmax_reserve_ms: z.int().min(0).default(0),
  routing: z.enum(["explicit", "all_eligible"]).default("explicit"),
  seats,
  notifications,
  circuit_breaker: circuitBreaker,
};

const provider = z.preprocess(
  (table) =>
    typeof table === "object" && table !== null && !("profile" in table) ? { ...table, profile: "standard" } : table,
  z.discriminatedUnion(
    "profile",
    [
      z.strictObject({ ...shared, profile: z.literal("standard"), profile_config: standardProfile.prefault({}) }),
      z.strictObject({ ...shared, profile: z.literal("prebid-server"), profile_config: prebidProfile.prefault({}) }),
      z.strictObject({ ...shared, profile: z.literal("aps"), profile_config: apsProfile }),
    ],
    "uses an unknown OpenRTB profile; write standard, prebid-server or aps",
  ),
);

const providerId = z.string().regex(/^[a-z][a-z0-9-]{0,62}$/, "provider ID must match ^[a-z][a-z0-9-]{0,62}$");

/** One seller of the chain (IAB Tech Lab SupplyChain object 1.0). */
const chainNode = z.strictObject({
  asi: z.string().refine((text) => isHostName(text), "must be the host name of the seller's system"),
  sid: z.string().min(1).max(64),
  hp: z.literal(1).default(1),
  rid: z.string().min(1).max(256).optional(),
  name: z.string().min(1).max(256).optional(),
  domain: z.string().min(1).max(256).optional(),
});

const schain = z.strictObject({
  complete: z.literal([0, 1]).default(1),
  ver: z.literal("1.0").default("1.0"),
  nodes: z.array(chainNode).min(1, "needs at least one node").max(32),
});

const advertiser = z
  .string()
  .transform((text) => text.toLowerCase())
  .refine((text) => isHostName(text), "must be a host name");

const floorRule = z.strictObject({
  page: z.string().min(1).default("*"),
  slot: z.string().min(1).default("*"),
  sizes: z
    .array(z.string().regex(/^\d{1,5}x\d{1,5}$/, "must be a size, as in 300x250"))
    .min(1)
    .max(100)
    .optional(),
  floor: z.number().min(0),
});

export const auctionSchema = z
  .strictObject({
    enabled: z.boolean().default(false),
    timeout_ms: positiveInt.default(2_000),
    sanitize_creatives: z.boolean().default(false),
    rewrite_creatives: z.boolean().default(true),
    schain: schain.optional(),
    badv: z.array(advertiser).max(10_000).default([]),
    bcat: z.array(z.string().min(1).max(32)).max(1_000).default([]),
    truncate_ip: z.enum(["without_consent", "always", "never"]).default("without_consent"),
    deals: configuredDeals,
    prefer_deals: z.boolean().default(false),
    rates: z.record(currencyCode, z.number().positive("must be above 0")).default({}),
    floors: z.array(floorRule).max(1_000).default([]),
    allowed_context_keys: z.array(z.string()).default([]),
    providers: z.record(providerId, provider).default({}),
    bidders: z
      .record(
        z.string().refine(isBidderId, "is not a bidder name (1 to 128 bytes, not a reserved name)"),
        z.strictObject({ provider: z.string(), seats }),
      )
      .default({}),
  })
  .superRefine((auction, context) => {
    for (const [bidder, route] of Object.entries(auction.bidders)) {
      if (Object.hasOwn(auction.providers, route.provider)) continue;
      const message = `bidder ${bidder} references unknown provider ${route.provider}; add [auction.providers.<id>]`;
      context.addIssue({ code: "custom", path: ["bidders", bidder, "provider"], message });
    }
  });
