import { describe, expect, test } from "vitest";
import { reportLines } from "../../../agents/edge/runtimes/check.ts";
import { checkConfig, diffSettings, type CheckInput } from "../../../agents/edge/startup/check.ts";
import { covers } from "../../requirements.ts";
import { SECRETS } from "../harness/edge.ts";
import { LEAST_CONFIG } from "../harness/least-config.ts";

const check = (input: Partial<CheckInput>) =>
  checkConfig({
    configText: LEAST_CONFIG,
    environment: {},
    traits: { adapter: "A", fanout: "multiple", place: "A" },
    ...input,
  });

describe("edge check", () => {
  test("shows what differs from the defaults, secrets by name", () => {
    expect(check({}).changes).toEqual(
      [
        { key: "handlers[0].password", after: "admin-entry" },
        { key: "handlers[0].path", after: "^/_ts/admin" },
        { key: "handlers[0].username", after: "ops" },
        { key: "ec.passphrase", after: "passphrase-entry" },
        { key: "publisher.domain", after: "pub.example" },
        { key: "publisher.origin_url", after: "https://origin.pub.example" },
        { key: "publisher.proxy_secret", after: "proxy-entry" },
      ].toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    );
  });

  test("shows what differs from another file, overrides applied", () => {
    const before = `${LEAST_CONFIG}\n[proxy]\nallowed_domains = ["cdn.example"]\n`;
    const after = `${before}\n[auction]\ntimeout_ms = 1500\n`;
    const report = check({
      configText: after,
      againstText: before,
      environment: { TRUSTED_SERVER__AUCTION__TIMEOUT_MS: "1200" },
    });
    expect(report.problems).toEqual([]);
    expect(reportLines(report, "old.toml")).toEqual([
      "settings that differ from old.toml:",
      "~ auction.timeout_ms = 2000 -> 1200",
      "the configuration can be used",
    ]);
  });

  test("reports problems of both files, and never a secret's value", () => {
    const report = check({
      againstText: "x",
      secretsText: JSON.stringify({ ...SECRETS, "passphrase-entry": "a-short-passphrase" }),
    });
    const lines = reportLines(report, "old.toml").join("\n");
    expect(lines).toContain(
      'error: ec.passphrase: EC id generation failure (HMAC): the secret entry "passphrase-entry" short_passphrase',
    );
    expect(lines).toContain("error: --against --config: settings load failure");
    expect(lines).toContain("the configuration cannot be used");
    expect(lines).not.toContain("a-short-passphrase");
  });

  test("a cookie domain that does not fit is a warning, not a problem", () => {
    covers("edge.errors.cookie-domain-warning");
    const configText = LEAST_CONFIG.replace("origin_url", 'cookie_domain = ".other.example"\norigin_url');
    const report = check({ configText });
    expect(report.problems).toEqual([]);
    expect(reportLines(report, "the defaults")[0]).toBe(
      "warning: publisher.cookie_domain: cookie domain mismatch: does not match publisher.domain; " +
        "use its parent domain with a leading dot",
    );
  });

  test("added, changed and removed settings are told apart", () => {
    expect(diffSettings({ a: 1, b: { c: [1, 2] }, e: [] }, { a: 2, b: { c: [1] }, d: "x" })).toEqual([
      { key: "a", before: 1, after: 2 },
      { key: "b.c[1]", before: 2 },
      { key: "d", after: "x" },
    ]);
  });
});
