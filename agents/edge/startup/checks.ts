import ipaddr from "ipaddr.js";
import { profiles } from "../auction/profiles/profiles.ts";
import type { EdgeConfig } from "../config.ts";
import { type AllowList, allowListDefects, allowListOf, isListed } from "../../../protocol/neutral/address-guard.ts";
import type { EdgeTraits } from "../platform.ts";
import type { StartupProblem } from "./problems.ts";

const adminProbes: readonly (readonly [name: string, probes: readonly string[]])[] = [
  ["/_ts/admin/keys/rotate", ["/_ts/admin/keys/rotate"]],
  ["/_ts/admin/keys/deactivate", ["/_ts/admin/keys/deactivate"]],
  ["/_ts/admin/ec", ["/_ts/admin/ec"]],
  ["/_ts/admin/ec/{id}", ["/_ts/admin/ec/", `/_ts/admin/ec/${"a".repeat(64)}.Ab12Z9`]],
  ["/_ts/admin/eids", ["/_ts/admin/eids"]],
  ["/_ts/admin/metrics", ["/_ts/admin/metrics"]],
  ["/_ts/admin/auctions", ["/_ts/admin/auctions"]],
];

const adminCoverage = (config: EdgeConfig): StartupProblem[] => {
  const rules = config.handlers.map((handler) => new RegExp(handler.path));
  const open = adminProbes.filter(([, probes]) => !probes.every((probe) => rules.some((rule) => rule.test(probe))));
  if (open.length === 0) return [];
  const names = open.map(([name]) => name).join(", ");
  return [{ key: "handlers", message: `no rule covers ${names}; add a [[handlers]] entry with path = "^/_ts/admin"` }];
};

const httpsProblem = (key: string, text: string, allow: AllowList, what: string): StartupProblem[] => {
  const url = new URL(text);
  if (url.protocol === "https:" || isListed(allow, url)) return [];
  const message = `${what} must be an absolute HTTPS URL; use https, or list the host in OUTBOUND_ALLOW`;
  return [{ key, message }];
};

const endpoints = (config: EdgeConfig, allow: AllowList): StartupProblem[] => [
  ...Object.entries(config.auction.providers).flatMap(([id, provider]) =>
    httpsProblem(`auction.providers.${id}.endpoint`, provider.endpoint, allow, `provider ${id} endpoint`),
  ),
  ...(config.deals === undefined ? [] : httpsProblem("deals.seller_url", config.deals.seller_url, allow, "seller_url")),
  ...config.ec.partners.flatMap((partner, index) =>
    partner.pull_sync_enabled && partner.pull_sync_url !== undefined
      ? httpsProblem(`ec.partners[${index}].pull_sync_url`, partner.pull_sync_url, allow, "pull_sync_url")
      : [],
  ),
];

const maxProviders = 160;

type FanoutTraits = Pick<EdgeTraits, "fanout" | "place">;

const fanout = (config: EdgeConfig, traits: FanoutTraits): StartupProblem[] => {
  const count = Object.keys(config.auction.providers).length;
  const key = "auction.providers";
  if (count > maxProviders) {
    return [{ key, message: `backend not found: ${count} providers pass the limit of ${maxProviders}; remove some` }];
  }
  if (traits.fanout === "multiple" || !config.auction.enabled || count <= 1) return [];
  const message = `the runtime ${traits.place} does not support concurrent provider fanout and ${count} are configured`;
  return [{ key, message: `${message}; keep one provider or disable the auction` }];
};

const networks = (config: EdgeConfig): StartupProblem[] =>
  config.geo.networks.flatMap((network, index) =>
    ipaddr.isValidCIDR(network.cidr)
      ? []
      : [{ key: `geo.networks[${index}].cidr`, message: "is not an IPv4 or IPv6 network, as in 198.51.100.0/24" }],
  );

export const crossChecks = (
  config: EdgeConfig,
  traits: FanoutTraits,
  environment: Readonly<Record<string, string>>,
): StartupProblem[] => {
  const allowed = environment.OUTBOUND_ALLOW ?? "";
  return [
    ...allowListDefects(allowed).map((message) => ({ key: "OUTBOUND_ALLOW", message })),
    ...adminCoverage(config),
    ...endpoints(config, allowListOf(allowed)),
    ...fanout(config, traits),
    ...networks(config),
  ];
};

/** Of a provider that answers under its bidders' names a seat of none of them never sells a deal. */
const unownedSeats = ({ auction: { providers, bidders } }: EdgeConfig): StartupProblem[] =>
  Object.entries(providers).flatMap(([id, { profile, seats }]) => {
    const routed = Object.values(bidders).filter(({ provider }) => provider === id);
    const owned = new Set(routed.flatMap((bidder) => bidder.seats));
    const unowned = seats.filter((seat) => !owned.has(seat));
    const { answersAsBidders, title } = profiles[profile];
    if (answersAsBidders !== true || routed.length === 1 || unowned.length === 0) return [];
    const message = `${unowned.join(", ")}: ${title} answers under the bidder's name, so that bids on deals of`;
    const cure = "this seat are dropped; name the seat in auction.bidders.<bidder>.seats of its bidder";
    return [{ key: `auction.providers.${id}.seats`, message: `${message} ${cure}` }];
  });

export const startupWarnings = (config: EdgeConfig): StartupProblem[] => {
  const { cookie_domain: cookieDomain, domain } = config.publisher;
  const warnings: StartupProblem[] = [];
  if (cookieDomain !== undefined && !`.${domain}`.endsWith(`.${cookieDomain.replace(/^\./, "")}`)) {
    const message = "cookie domain mismatch: does not match publisher.domain; use its parent domain with a leading dot";
    warnings.push({ key: "publisher.cookie_domain", message });
  }
  if (config.proxy.allowed_domains.length === 0) {
    const message =
      "is empty: open mode, in which anybody can have any public address proxied; list the hosts of your ads, as in " +
      '["cdn.example", "*.ads.example"]';
    warnings.push({ key: "proxy.allowed_domains", message });
  }
  if (!config.proxy.certificate_check) {
    const message = "certificates of origins are not checked; never run like this in production";
    warnings.push({ key: "proxy.certificate_check", message });
  }
  return [...warnings, ...unownedSeats(config)];
};
