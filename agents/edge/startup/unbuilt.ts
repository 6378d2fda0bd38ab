import type { StartupProblem } from "./problems.ts";

interface Unbuilt {
  readonly path: readonly string[];
  /** Whether a value asks for nothing, so that a file with it means the same here. */
  readonly asksNothing: (value: unknown) => boolean;
  readonly why: string;
  readonly cure?: string;
}

const always = (): boolean => true;
const never = (): boolean => false;
const isFalse = (value: unknown): boolean => value === false;
const enabledOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? (value as { enabled?: unknown }).enabled : null;
/** Integrations and the optimizer are on unless a file says otherwise, telemetry is not. */
const isOff = (value: unknown): boolean => enabledOf(value) === false;
const isNotOn = (value: unknown): boolean => isOff(value) || enabledOf(value) === undefined;
const areOff = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.values(value).every(isOff);

const inline = { why: "pages are never put together from templates", cure: "write inline" };
const asTheyAre = { why: "images pass through as they are", cure: "set enabled = false" };
const opportunity = "creative_opportunities";
const route = ["proxy", "asset_routes", "*"];

const unbuilt: readonly Unbuilt[] = [
  { path: ["integrations"], asksNothing: areOff, why: "this edge has none", cure: "set enabled = false in each" },
  { path: ["tinybird"], asksNothing: isNotOn, why: "telemetry goes to the log alone", cure: "set enabled = false" },
  { path: ["ec", "cluster_trust_threshold"], asksNothing: always, why: "nothing is decided by a cluster's size" },
  {
    path: ["ec", "partners", "*", "pull_sync_ttl_sec"],
    asksNothing: always,
    why: "an id is asked for until it is there",
  },
  { path: ["consent", "consent_store"], asksNothing: never, why: "consent is read from each request" },
  { path: ["auction", "mediator"], asksNothing: never, why: "the highest bid wins here" },
  { path: ["auction", "creative_store"], asksNothing: always, why: "creatives are not stored" },
  { path: ["debug", "auction_html_comment"], asksNothing: isFalse, why: "the log says what an auction did" },
  { path: ["debug", "auction_html_comment_options"], asksNothing: always, why: "pages get no comment" },
  { path: ["debug", "inject_adm_for_testing"], asksNothing: isFalse, why: "no markup is made up" },
  { path: ["image_optimizer"], asksNothing: always, ...asTheyAre },
  { path: [...route, "image_optimizer"], asksNothing: isOff, ...asTheyAre },
  { path: [...route, "auth", "secret_store"], asksNothing: always, why: "all secrets are in the one file" },
  { path: [opportunity, "slot", "*", "providers", "aps"], asksNothing: always, why: "a slot's own id names it" },
  { path: [opportunity, "assembly_mode"], asksNothing: (value) => value === "inline", ...inline },
  { path: [opportunity, "template_cache_vary"], asksNothing: always, ...inline },
  { path: [opportunity, "template_cache_max_age_seconds"], asksNothing: always, ...inline },
  { path: [opportunity, "origin_is_cookie_independent"], asksNothing: always, ...inline },
];

interface Found {
  readonly key: string;
  readonly holder: Record<string, unknown>;
  readonly name: string;
}

const find = (holder: unknown, [name = "", ...rest]: readonly string[], key = ""): Found[] => {
  if (typeof holder !== "object" || holder === null) return [];
  const members = holder as Record<string, unknown>;
  const names = name === "*" ? Object.keys(members) : Object.hasOwn(members, name) ? [name] : [];
  return names.flatMap((one) => {
    const next = Array.isArray(holder) ? `${key}[${one}]` : key === "" ? one : `${key}.${one}`;
    return rest.length === 0 ? [{ key: next, holder: members, name: one }] : find(members[one], rest, next);
  });
};

/**
 * Takes the contract's keys for what this edge does not do out of a parsed file. One that asks for it is a problem:
 * nobody must believe that it happens. One that asks for nothing is left out with a word in the log.
 */
export const takeUnbuilt = (
  table: Record<string, unknown>,
): { readonly problems: readonly StartupProblem[]; readonly ignored: readonly StartupProblem[] } => {
  const problems: StartupProblem[] = [];
  const ignored: StartupProblem[] = [];
  for (const { path, asksNothing, why, cure = "remove it" } of unbuilt) {
    for (const { key, holder, name } of find(table, path)) {
      if (asksNothing(holder[name])) ignored.push({ key, message: `has no effect: ${why}` });
      else problems.push({ key, message: `is not supported: ${why}; ${cure}` });
      delete holder[name];
    }
  }
  return { problems, ignored };
};
