import { afterEach, describe, expect, test } from "vitest";
import type { EdgeTraits } from "../../../agents/edge/platform.ts";
import { routes } from "../../../agents/edge/routing/routes.ts";
import { nodeTraits } from "../../../agents/edge/runtimes/node/entry.ts";
import { loadConfig } from "../../../agents/edge/startup/load.ts";
import { covers } from "../../requirements.ts";
import { call } from "../harness/client.ts";
import { LETTERS, SECRETS, startTestEdge, type TestEdge } from "../harness/edge.ts";

const GOOD = `
[publisher]
domain = "pub.example"
origin_url = "https://origin.pub.example"
proxy_secret = "proxy-entry"
max_buffered_body_bytes = 1000
[ec]
passphrase = "passphrase-entry"
[[ec.partners]]
name = "Alpha"
source_domain = "alpha.example"
api_token = "alpha-token"
[[handlers]]
path = "^/_ts/admin"
username = "ops"
password = "admin-entry"
[auction]
enabled = true
[auction.providers.pbs-main]
protocol = "openrtb-2.6"
endpoint = "https://pbs.example/openrtb2/auction"
[auction.bidders.alpha]
provider = "pbs-main"
`;

type Change = {
  readonly config?: string;
  readonly secrets?: Readonly<Record<string, string>> | string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly traits?: Partial<EdgeTraits>;
};

const load = ({ config = GOOD, secrets = SECRETS, environment = {}, traits = {} }: Change) =>
  loadConfig(
    {
      configText: config,
      secretsText: typeof secrets === "string" ? secrets : JSON.stringify(secrets),
      environment,
    },
    { ...nodeTraits, ...traits },
  );

const problems = (change: Change): string[] => {
  const loaded = load(change);
  return loaded.ok ? [] : loaded.problems.map(({ key, message }) => `${key}: ${message}`);
};

const without = (line: string): string => {
  expect(GOOD).toContain(line);
  return GOOD.replace(line, "");
};

describe("start-up: each cause names its key and its cure", () => {
  test("the plain configuration starts, with its secrets in place", () => {
    covers("edge.auth.secrets-by-name");
    const loaded = load({});
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    expect(loaded.config.publisher.proxy_secret).toBe("unit-test-proxy-secret");
    expect(loaded.config.ec.partners[0]?.api_token).toBe("integration-test-token-alpha-32-bytes-ok");
    expect(loaded.config.publisher.max_buffered_body_bytes).toBe(1_000);
    expect(loaded.config.auction.timeout_ms).toBe(2_000);
  });

  test("broken TOML", () => {
    covers("edge.errors.parse");
    expect(problems({ config: "[publisher\n" })).toEqual([
      expect.stringMatching(/^--config: settings load failure: parse error in line 1, column \d+; quote strings/),
    ]);
  });

  test.each([
    ['domain = "pub.example"\n', "publisher.domain"],
    ['origin_url = "https://origin.pub.example"\n', "publisher.origin_url"],
    ['proxy_secret = "proxy-entry"\n', "publisher.proxy_secret"],
    ['passphrase = "passphrase-entry"\n', "ec.passphrase"],
  ])("without %s", (line, key) => {
    covers("edge.errors.missing-domain", "edge.errors.missing-origin-url", "edge.errors.missing-passphrase");
    covers("edge.errors.missing-proxy-secret");
    expect(problems({ config: without(line) })).toEqual([`${key}: missing required field; add it`]);
  });

  test("a file without any section is told each field that it needs", () => {
    expect(problems({ config: "" }).map((text) => text.split(":", 1)[0])).toEqual([
      "publisher.domain",
      "publisher.origin_url",
      "publisher.proxy_secret",
      "ec.passphrase",
    ]);
  });

  test("unknown keys are refused in every section", () => {
    expect(problems({ config: `${GOOD}\n[surprise]\na = 1\n` })).toEqual([
      "surprise: unknown key; check its spelling or remove it",
    ]);
    expect(problems({ config: GOOD.replace('username = "ops"', 'username = "ops"\nrealm = "x"') })).toEqual([
      "handlers[0].realm: unknown key; check its spelling or remove it",
    ]);
  });

  test.each([
    ["pbs.example/x", "has no scheme"],
    ["https://user:pw@pbs.example/x", "has credentials"],
    ["https://pbs.example/x#y", "has a fragment"],
    ["http://pbs.example/x", "is plain http to a host that is not listed"],
  ])("a provider endpoint %s that %s", (endpoint) => {
    covers("edge.errors.provider-endpoint");
    const config = GOOD.replace("https://pbs.example/openrtb2/auction", endpoint);
    expect(problems({ config })).toEqual([
      expect.stringMatching(/^auction\.providers\.pbs-main\.endpoint: .*must be an absolute HTTPS URL/),
    ]);
  });

  test("plain http to a listed host is a provider endpoint", () => {
    const config = GOOD.replace("https://pbs.example/openrtb2/auction", "http://127.0.0.1:9/x");
    expect(problems({ config, environment: { OUTBOUND_ALLOW: "127.0.0.1" } })).toEqual([]);
    expect(problems({ config, environment: { OUTBOUND_ALLOW: "127.0.0.2" } })).toHaveLength(1);
  });

  test("an entry of the allow list that is no host is named, with its cure", () => {
    expect(problems({ environment: { OUTBOUND_ALLOW: "127.0.0.1, http://host" } })).toEqual([
      expect.stringMatching(/^OUTBOUND_ALLOW: "http:\/\/host" is neither a host nor host:port/),
    ]);
  });

  test("an override replaces a scalar leaf, and only one that is there", () => {
    const loaded = load({
      environment: {
        TRUSTED_SERVER__PUBLISHER__MAX_BUFFERED_BODY_BYTES: "2000",
        TRUSTED_SERVER__AUCTION__ENABLED: "0",
        "TRUSTED_SERVER__AUCTION__PROVIDERS__PBS-MAIN__ENDPOINT": "https://other.example/",
        TRUSTED_SERVER__PUBLISHER__COOKIE_DOMAIN: ".ignored.example",
      },
    });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    expect(loaded.config.publisher.max_buffered_body_bytes).toBe(2_000);
    expect(loaded.config.auction.enabled).toBe(false);
    expect(loaded.config.auction.providers["pbs-main"]?.endpoint).toBe("https://other.example/");
    expect(loaded.config.publisher.cookie_domain).toBeUndefined();
  });

  test.each([
    ["TRUSTED_SERVER__PUBLISHER__MAX_BUFFERED_BODY_BYTES", "1.5", "does not fit the type integer"],
    ["TRUSTED_SERVER__AUCTION__ENABLED", "yes", "does not fit the type boolean"],
    ["TRUSTED_SERVER__HANDLERS", "[]", "cannot override array / table values; edit the configuration file"],
    ["TRUSTED_SERVER__EC__PARTNERS", "x", "cannot override array / table values; edit the configuration file"],
    ["TRUSTED_SERVER__AUCTION", "{}", "cannot override array / table values; edit the configuration file"],
  ])("the override %s=%s", (name, value, text) => {
    covers("edge.errors.override", "edge.errors.override-collections");
    const found = problems({ environment: { [name]: value } });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`environment override ${name}`);
    expect(found[0]).toContain(text);
  });

  test("a missing entry of the secret store", () => {
    covers("edge.errors.ec-generation");
    const { "passphrase-entry": _, ...rest } = SECRETS;
    expect(problems({ secrets: rest })).toEqual([
      "ec.passphrase: EC id generation failure (HMAC): " +
        'the secret store has no entry "passphrase-entry"; add it to the secrets file',
    ]);
  });

  test.each([
    ["passphrase-entry", "x".repeat(31), "short_passphrase"],
    ["passphrase-entry", "trusted-server", "insecure default"],
    ["proxy-entry", "", "is empty"],
    ["proxy-entry", "change-me-proxy-secret", "insecure default"],
    ["admin-entry", "changeme", "insecure default"],
    ["alpha-token", "short", "short_api_token"],
  ])("the secret %s with a value that breaks its rule", (entry, value, text) => {
    covers("edge.auth.passphrase-length");
    const found = problems({ secrets: { ...SECRETS, [entry]: value } });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`the secret entry "${entry}" ${text}`);
    if (value.length > 8) expect(found[0]).not.toContain(value);
  });

  test("a secrets file that is no object of strings", () => {
    expect(problems({ secrets: "{" })).toEqual([
      expect.stringContaining("--secrets: the secrets file is not valid JSON"),
    ]);
    expect(problems({ secrets: '["a"]' })).toEqual([expect.stringContaining("must be a JSON object")]);
    expect(problems({ secrets: '{"a":1}' })).toEqual(['--secrets: the secret entry "a" must be a string']);
  });

  test("two partners with one token or one domain", () => {
    const second =
      '[[ec.partners]]\nname = "B"\nsource_domain = "beta.example"\napi_token = "alpha-token"\n[[handlers]]';
    expect(problems({ config: GOOD.replace("[[handlers]]", second) })).toEqual([
      "ec.partners[1].api_token: is the token of another partner too; give each its own",
    ]);
    const same = second.replace("beta.example", "ALPHA.example.");
    expect(problems({ config: GOOD.replace("[[handlers]]", same) })).toEqual([
      "ec.partners: two partners have the same source_domain; every partner needs its own",
    ]);
  });

  test("an admin route that no rule covers", () => {
    expect(problems({ config: GOOD.replace('"^/_ts/admin"', '"^/_ts/admin/(keys|eids|metrics|ec$)"') })).toEqual([
      'handlers: no rule covers /_ts/admin/ec/{id}, /_ts/admin/auctions; add a [[handlers]] entry with path = "^/_ts/admin"',
    ]);
  });

  test("every admin route of the route table needs a rule", () => {
    const admin = routes.flatMap(({ paths }) => (typeof paths === "function" ? [] : paths));
    const names = admin.filter((path) => path.startsWith("/_ts/admin/"));
    expect(names).toHaveLength(7);
    const [problem = ""] = problems({ config: GOOD.replace('"^/_ts/admin"', '"^/other"') });
    for (const name of names) expect(`${problem},`.replace(";", ",")).toContain(` ${name},`);
  });

  test.each([
    ['[integrations.prebid]\nserver_url = "https://x.example"', "integrations: is not supported: this edge has none"],
    ["[tinybird]\nenabled = true", "tinybird: is not supported: telemetry goes to the log alone"],
    ['[consent]\nconsent_store = "c"', "consent.consent_store: is not supported: consent is read from each request"],
    ["[debug]\nauction_html_comment = true", "debug.auction_html_comment: is not supported: the log says what"],
    ["[debug]\ninject_adm_for_testing = true", "debug.inject_adm_for_testing: is not supported"],
    [
      '[[proxy.asset_routes]]\nprefix = "/a"\norigin_url = "https://a.example"\nimage_optimizer = { region = "us" }',
      "proxy.asset_routes[0].image_optimizer: is not supported: images pass through as they are; set enabled = false",
    ],
    [
      '[creative_opportunities]\ngam_network_id = "1"\nassembly_mode = "esi"',
      "creative_opportunities.assembly_mode: is not supported",
    ],
  ])("a known key that asks for something that is not there: %s", (lines, text) => {
    const found = problems({ config: `${GOOD}\n${lines}\n` });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(text);
  });

  test("known keys that ask for nothing are left out with a word in the log", () => {
    const lines = [
      "[tinybird]\nenabled = false\nmax_body_bytes = 2048",
      "[integrations.aps]\nenabled = false\nanything = 1",
      '[image_optimizer.profile_sets.x]\na = "b"',
      "[debug]\nauction_html_comment = false",
      '[creative_opportunities]\ngam_network_id = "1"\nassembly_mode = "inline"\ntemplate_cache_max_age_seconds = 60',
    ];
    const loaded = load({ config: `${GOOD}\n${lines.join("\n")}\n` });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    expect(loaded.ignored.map(({ key, message }) => `${key}: ${message}`)).toEqual([
      "integrations: has no effect: this edge has none",
      "tinybird: has no effect: telemetry goes to the log alone",
      "debug.auction_html_comment: has no effect: the log says what an auction did",
      "image_optimizer: has no effect: images pass through as they are",
      "creative_opportunities.assembly_mode: has no effect: pages are never put together from templates",
      "creative_opportunities.template_cache_max_age_seconds: has no effect: pages are never put together from templates",
    ]);
  });

  test("more providers than there are backends", () => {
    covers("edge.errors.backend-not-found");
    const more = Array.from(
      { length: 160 },
      (_, index) => `[auction.providers.p${index}]\nprotocol = "openrtb-2.6"\nendpoint = "https://p.example/"\n`,
    ).join("");
    expect(problems({ config: `${GOOD}\n${more}` })).toEqual([
      "auction.providers: backend not found: 161 providers pass the limit of 160; remove some",
    ]);
  });

  test("two providers where only one can be asked", () => {
    covers("edge.service.fan-out.c-d");
    const config = `${GOOD}\n[auction.providers.second]\nprotocol = "openrtb-2.6"\nendpoint = "https://b.example/"\n`;
    expect(problems({ config })).toEqual([]);
    expect(problems({ config, traits: { fanout: "single", place: "on Deno" } })).toEqual([
      expect.stringContaining(
        "auction.providers: the runtime on Deno does not support concurrent provider fanout and 2",
      ),
    ]);
    const disabled = config.replace("enabled = true", "enabled = false");
    expect(problems({ config: disabled, traits: { fanout: "single" } })).toEqual([]);
  });

  test.each([
    ['ip_header = "x-ip"\nauth_header = "x-ip"', "identical_trusted_client_ip_headers"],
    ['ip_header = "client-ip"\nauth_header = "x-auth"', "unsafe_trusted_client_ip_header"],
    ['ip_header = "x-ip"\nauth_header = "auth"', "unsafe_trusted_client_ip_auth_header"],
    ['ip_header = "X-TS-TLS-Cipher"\nauth_header = "x-auth"', "reserved_trusted_client_ip_header"],
  ])("trusted_client_ip with %s", (lines, code) => {
    const found = problems({ config: `${GOOD}\n[trusted_client_ip]\n${lines}\nshared_secret = "front-entry"\n` });
    expect(found.join()).toContain(code);
  });

  test("keys that would reach a prototype are unknown keys", () => {
    expect(problems({ config: `${GOOD}\n[__proto__]\na = 1\n` }).join()).toContain("unknown key");
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });
});

describe("start-up error mode", () => {
  const started: TestEdge[] = [];
  afterEach(async () => {
    for (const edge of started.splice(0)) await edge.close();
  });

  test.each(LETTERS)(
    "%s answers the table's status on every path, and health where the table has it",
    async (letter) => {
      covers("edge.errors.status-500", "edge.startup.every-other-path", "edge.startup.health.a-d");
      covers("edge.startup.health.b-c", "edge.startup.status-500", "edge.startup.status-503");
      const edge = await startTestEdge(letter, { config: "[publisher]\n" });
      started.push(edge);
      const status = letter === "D" ? 503 : 500;
      const body = letter === "D" ? "Service Unavailable\n" : "An internal error occurred\n";
      for (const path of ["/", "/auction", "/_ts/admin/ec", "/.well-known/parley-edge.json", "/static/tsjs=x"]) {
        for (const method of ["GET", "POST", "DELETE"]) {
          const got = await call(edge.url, { method, path });
          expect([path, got.status, got.body.toString()]).toEqual([path, status, body]);
          expect(got.headers["content-type"]).toBe("text/plain; charset=utf-8");
          expect(got.headers["retry-after"]).toBe(letter === "D" ? "60" : undefined);
        }
      }
      const health = await call(edge.url, { path: "/health" });
      const hasHealth = letter === "A" || letter === "D";
      expect([health.status, health.body.toString()]).toEqual(hasHealth ? [200, "ok"] : [status, body]);
    },
  );
});
