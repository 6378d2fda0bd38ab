import { describe, expect, it, test } from "vitest";
import { redactor } from "../../agents/redaction.ts";

const line = (fields: Readonly<Record<string, unknown>>): string => `${JSON.stringify({ level: 30, ...fields })}\n`;

const shown = (fields: Readonly<Record<string, unknown>>, known: readonly string[] = []): Record<string, unknown> => {
  const text = redactor(known)(line(fields));
  expect(text).not.toContain("canary");
  expect(text.endsWith("\n")).toBe(true);
  return JSON.parse(text) as Record<string, unknown>;
};

describe("a log line without secrets", () => {
  const secret: readonly Readonly<Record<string, unknown>>[] = [
    { authorization: "Bearer canary" },
    { "x-api-key": 'canary "quoted" canary\\' },
    { API_KEY: "canary\ncanary" },
    { client_secret: "" + "canary".repeat(3), accessToken: "canary" },
    { cookies: ["canary=1", "canary=2"] },
    { headers: { "proxy-authorization": "Basic canary", "set-cookie": "canary" } },
    { error: "request failed: Authorization: Bearer canary, retry" },
    { error: 'body {"api_key":"canary more canary"} refused' },
    { error: JSON.stringify({ inner: JSON.stringify({ token: "canary" }) }) },
    { error: "GET https://host/path?access_token=canary&x=1 failed" },
    { error: "connect to postgres://parley:canary@db:5432/x failed" },
    { error: "key ask_live_canary-Qw_1 is not known" },
    { error: "sealed with whsec_canary+/9w==" },
    { error: "eyJhbGciOiJub25l.canary.canary" },
    { error: "-----BEGIN EC PRIVATE KEY-----\ncanary\n-----END EC PRIVATE KEY-----" },
    { stack: "Error: x-api-key=canary\n    at f (file.ts:1:1)" },
    { 'x","api_key': "canary" },
    { 'x":1,"secret': "canary" },
  ];

  it.each(secret)("%j", (fields) => {
    expect(shown(fields)["level"]).toBe(30);
  });

  test("known secrets are taken out in whatever form they stand, short ones are not looked for", () => {
    const known = ['canary "one"', "canary-two", "info"];
    expect(shown({ error: 'failed with canary "one"', operation: "canary-two", level: "info" }, known)).toEqual({
      error: "failed with [redacted]",
      operation: "[redacted]",
      level: "info",
    });
  });

  test("what is no secret stays as it is", () => {
    const fields = {
      request_id: "r-1",
      route: "/api/v1/auth/api-keys/:key_id",
      operation: "create_api_key",
      outcome: "invalid_api_key",
      principal: "key:key-0a1b2c3d",
      keys: [{ key_id: "key-0a1b2c3d", role: "senior" }],
      status: 401,
      url: "http://127.0.0.1:8000/products?limit=5",
      disk: "task-runner and risk-free",
      cure: "keys are older than KEY_ROTATION_DAYS: mint new ones and revoke these",
    };
    expect(shown(fields)).toEqual({ level: 30, ...fields });
  });
});
