import { z } from "zod";
import { profiles, type ProfileName } from "../auction/profiles/profiles.ts";
import { auctionRules } from "./auction-rules.ts";
import { configuredDeals } from "./deals.ts";
import { parseUrl, positiveInt } from "./rules.ts";

export const reservedBidders: readonly string[] = ["reservedServer", "trustedServer"];

/** Only control characters, outer blanks and 128 bytes are ruled out: bidder names are the partners' own. */
export const isBidderId = (text: string): boolean =>
  text !== "" &&
  text === text.trim() &&
  new TextEncoder().encode(text).length <= 128 &&
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for.
  !/[\u0000-\u001f\u007f-\u009f]/.test(text) &&
  !reservedBidders.includes(text);

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

const profileNames = Object.keys(profiles) as ProfileName[];

const ofProfile = (name: ProfileName) =>
  z.strictObject({ ...shared, profile: z.literal(name), profile_config: profiles[name].settings });

const provider = z.preprocess(
  (table) =>
    typeof table === "object" && table !== null && !("profile" in table) ? { ...table, profile: "standard" } : table,
  z.discriminatedUnion(
    "profile",
    profileNames.map(ofProfile) as [ReturnType<typeof ofProfile>],
    `uses an unknown OpenRTB profile; write ${profileNames.join(", ").replace(/, ([^,]*)$/, " or $1")}`,
  ),
);

const providerId = z.string().regex(/^[a-z][a-z0-9-]{0,62}$/, "provider ID must match ^[a-z][a-z0-9-]{0,62}$");

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
    ...auctionRules,
    truncate_ip: z.enum(["without_consent", "always", "never"]).default("without_consent"),
    deals: configuredDeals,
    prefer_deals: z.boolean().default(false),
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
