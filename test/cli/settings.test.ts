import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, test } from "vitest";
import { addConfigCommand } from "../../agents/commands/settings/check.ts";
import { runCommand } from "./in-process.ts";
import type { Said } from "./program.ts";

const root = mkdtempSync(join(tmpdir(), "parley-settings-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const fileWith = (text: string | Uint8Array, mode = 0o600): string => {
  const path = join(mkdtempSync(join(root, "file-")), "parley.toml");
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
};

type Environment = Readonly<Record<string, string>>;

const check = (agent: string, environment: Environment, ...more: readonly string[]): Promise<Said> =>
  runCommand(addConfigCommand, ["config", "check", "--agent", agent, ...more], environment);

const checkFile = (text: string, environment: Environment = {}, mode?: number): Promise<Said> =>
  check("seller", environment, "--config", fileWith(text, mode));

interface Row {
  readonly variable: string;
  readonly value: string;
  readonly origin: string;
  readonly at: string | null;
}

const rowsOf = async (agent: string, environment: Environment): Promise<ReadonlyMap<string, Row>> => {
  const said = await check(agent, environment, "--json");
  expect(said).toMatchObject({ code: 0, err: "" });
  return new Map((JSON.parse(said.out) as Row[]).map((row) => [row.variable, row]));
};

describe("parley config check", () => {
  it("prints each setting with its value and where it is from, and secrets masked", async () => {
    const key = fileWith("canary-model-key\n", 0o640);
    const config = fileWith(`
log_level = "warn"
store_timeout_seconds = 2.5
[seller]
port = 8100
sandbox = true
approval_required_flows = ["deal", "proposal"]
tier_discounts = [0, 1, 2.5, 3]
llm_api_key_file = "${key}"
ad_server_feed_token = "canary-feed-token"
quote_ttl_seconds = 60
log_level = "error"
[buyer]
seller_api_keys = "http://127.0.0.1:8000=canary-seller-key"
`);
    const seller = await rowsOf("seller", { PARLEY_CONFIG: config, QUOTE_TTL_SECONDS: " 90 ", API_KEY: "ignored" });
    const of = (name: string): unknown => seller.get(name);
    expect(of("PORT")).toMatchObject({ value: "8100", origin: "file", at: `${config}, line 5: port` });
    expect(of("LOG_LEVEL")).toMatchObject({ value: "error", at: `${config}, line 12: log_level` });
    expect(of("STORE_TIMEOUT_SECONDS")).toMatchObject({ value: "2.5", at: `${config}, line 3: store_timeout_seconds` });
    expect(of("APPROVAL_REQUIRED_FLOWS")).toMatchObject({ value: "deal,proposal", origin: "file" });
    expect(of("TIER_DISCOUNTS")).toMatchObject({ value: "0,1,2.5,3" });
    expect(of("QUOTE_TTL_SECONDS")).toMatchObject({ value: "90", origin: "environment", at: "QUOTE_TTL_SECONDS" });
    expect(of("LLM_API_KEY")).toMatchObject({ value: "***", origin: "secret file" });
    expect(of("AD_SERVER_FEED_TOKEN")).toMatchObject({ value: "***", origin: "file" });
    expect(of("HOST")).toMatchObject({ value: "127.0.0.1", origin: "default", at: null });
    const buyer = await rowsOf("buyer", { PARLEY_CONFIG: config });
    expect(buyer.get("LOG_LEVEL")).toMatchObject({ value: "warn", origin: "file" });
    expect(buyer.get("SELLER_API_KEYS")).toMatchObject({ value: "***", origin: "file" });
    const table = await check("seller", { PARLEY_CONFIG: config });
    expect(table.out).toMatch(/^Setting +Value +From$/m);
    expect(table.out).toMatch(/^LLM_API_KEY +\*{3} +secret file: .*parley\.toml, line 9: llm_api_key_file \(.*\)$/m);
    expect(table.out + JSON.stringify([...seller.values(), ...buyer.values()])).not.toContain("canary");
  });

  it("says of a variable that is spelled almost as a setting, and of no other", async () => {
    const said = await check("seller", { LOGLEVEL: "debug", LLM_API_KEY_FIL: "x", PATH: "/bin", HOME: "/root" });
    expect(said.code).toBe(0);
    expect(said.err).toBe(
      "parley: LOGLEVEL is set and is no setting. Did you mean LOG_LEVEL?\n" +
        "parley: LLM_API_KEY_FIL is set and is no setting. Did you mean LLM_API_KEY_FILE?\n",
    );
  });

  it("also checks what one setting wants of another, and the catalog", async () => {
    expect((await check("seller", { AD_SERVER_TYPE: "csv" })).err).toContain("CSV_DATA_DIR: AD_SERVER_TYPE=csv needs");
    expect((await check("seller", { CATALOG_FILE: join(root, "none.csv") })).code).toBe(1);
    expect((await check("buyer", { BOOKING_PROTOCOL: "opendirect" })).err).toContain("OPENDIRECT_ACCOUNT_ID: ");
  });
});

describe("a settings file that is wrong stops the start with the place and the cure", () => {
  const wrong: readonly (readonly [text: string, words: RegExp])[] = [
    ["[seller]\nport = 80 80\n", /parley\.toml, line 2, column \d+: .*Write one key = value a line, texts in double /],
    ["[seller]\nhost = canary\n", /parley\.toml, line 2, column 8: invalid value\. /],
    [
      "[seller]\nquote_ttl_second = 3\n",
      /line 2: quote_ttl_second is no setting here\. Did you mean quote_ttl_seconds\?/,
    ],
    ['LOG_LEVEL = "info"\n', /line 1: LOG_LEVEL is no setting here\. Did you mean log_level\?/],
    ["[seler]\nport = 1\n", /seler is no setting here\. Did you mean seller\?/],
    ["quote_ttl_seconds = 3\n", /line 1: quote_ttl_seconds is a setting of one agent\. Write it below \[seller\]/],
    [
      "quote_ttl_second = 3\n",
      /line 1: quote_ttl_second .*Did you mean quote_ttl_seconds\? .*setting of one agent: write it below \[seller\]/,
    ],
    [
      '[seller]\nport = "x"\nquote_ttl_seconds = 0\n',
      /line 2: port: "x" is not .*\n.*line 3: quote_ttl_seconds: "0" is/,
    ],
    ["[seller]\nport = [1, 2]\n", /line 2: port: a text, number, true or false is wanted\./],
    ["[seller]\nport = 1979-05-27\n", /line 2: port: a text, number, true or false is wanted\./],
    ['mcp_allowed_origins = ["a,b"]\n', /line 1: mcp_allowed_origins: a text, or a list of texts without commas/],
    ["seller = 3\n", /seller is no table\. Write \[seller\] above its settings\./],
    ["[[seller]]\nport = 1\n", /seller is no table/],
    ["__proto__ = 1\n[seller]\nconstructor = 1\n", /__proto__ is no setting[^]*line 3: constructor is no setting/],
    ['[seller]\nllm_api_key = "canary"\nllm_api_key_file = "x"\n', /line 2: llm_api_key and .*line 3.* are both set/],
  ];

  it.each(wrong)("%j", async (text, words) => {
    const said = await checkFile(text);
    expect(said).toMatchObject({ code: 1, out: "" });
    expect(said.err).toMatch(words);
    expect(said.err).not.toContain("canary");
  });

  it("one that is not there, no file, too large or not UTF-8", async () => {
    const at = (path: string): Promise<Said> => check("seller", { PARLEY_CONFIG: path });
    expect((await at(join(root, "none.toml"))).err).toMatch(
      /The settings file .*none\.toml is not there\. Check the path/,
    );
    expect((await at(root)).err).toContain(" is no file. Name a file.");
    expect((await at(fileWith("#".repeat(1_048_577)))).err).toContain(" is larger than 1048576 bytes.");
    expect((await at(fileWith(Uint8Array.of(35, 255)))).err).toContain(" is not UTF-8. Save it in that encoding.");
    expect(await check("seller", {}, "--config", "")).toMatchObject({ code: 2 });
  });

  it("one with a secret that all users can read; without a secret they may", async () => {
    const said = await checkFile('[seller]\nllm_api_key = "canary"\n', {}, 0o644);
    expect(said).toMatchObject({ code: 1, out: "" });
    expect(said.err).toMatch(
      /llm_api_key is a secret, and all .* Run chmod o= .*toml, or put .* in llm_api_key_file\.\n$/,
    );
    expect(await checkFile("[seller]\nport = 1\n", {}, 0o644)).toMatchObject({ code: 0 });
  });
});

describe("a secret file that cannot be used stops the start with one sentence", () => {
  const wrong: readonly (readonly [path: string, words: string])[] = [
    [join(root, "none"), "is not there. Check the path."],
    [root, "is no file. Name a file."],
    [fileWith("\n"), "is empty. Write the secret into it."],
    [fileWith("canary", 0o644), "Run: chmod o= "],
    [fileWith("canary", 0o602), "all users of this machine can read or write "],
    [fileWith("two words of a canary"), "a token has printable ASCII characters only"],
  ];

  it.each(wrong)("%s: %s", async (path, words) => {
    const said = await check("seller", { LLM_API_KEY_FILE: path });
    expect(said).toMatchObject({ code: 1, out: "" });
    expect(said.err).toMatch(/^parley: LLM_API_KEY_FILE[^\n]*\n$/);
    expect(said.err).toContain(words);
    expect(said.err).not.toContain("canary");
  });

  test("beside the value itself it is refused; a setting that is no secret has none", async () => {
    const path = fileWith("x");
    const both = await check("seller", { LLM_API_KEY_FILE: path, LLM_API_KEY: "y" });
    expect(both.err).toBe("parley: LLM_API_KEY and LLM_API_KEY_FILE are both set. Leave one of them out.\n");
    expect((await rowsOf("seller", { LLM_MODEL_FILE: path })).get("LLM_MODEL")).toMatchObject({ origin: "default" });
  });
});
