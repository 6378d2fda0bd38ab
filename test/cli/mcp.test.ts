import { beforeAll, describe, expect, test } from "vitest";
import { buildProduct, parley } from "./program.ts";

beforeAll(buildProduct);

describe("parley mcp config", () => {
  test("prints every assistant's entry, of the agent and address that are named", () => {
    const { code, out } = parley(["mcp", "config", "--agent", "buyer", "--url", "https://buyer.example/mcp"]);
    expect(code).toBe(0);
    expect(out).toMatch(/# claude-code: .*\n/);
    expect(out).toContain('"parley-buyer"');
    expect(out).toContain("https://buyer.example/mcp");
  });

  test("prints one entry alone, ready to be piped into a file", () => {
    const { code, out } = parley(["mcp", "config", "--for", "cursor"]);
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { mcpServers: { "parley-seller": expect.objectContaining({ url: "http://127.0.0.1:8000/mcp" }) as unknown } },
    ]);
  });

  test.each([
    [["mcp", "config", "--for", "clippy"], /none of claude-code, /],
    [["mcp", "config", "--agent", "edge"], /neither seller nor buyer/],
    [["mcp"], /--agent is missing/],
    [["doctor", "mcp", "localhost"], /Write it as http:\/\/127\.0\.0\.1:8000\/mcp/],
  ])("%j is wrong usage", (args, message) => {
    const { code, err } = parley(args);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });
});

test("parley doctor mcp ends with 1 where nothing listens, and says so", () => {
  const { code, out } = parley(["doctor", "mcp", "http://127.0.0.1:1/mcp"]);
  expect(code).toBe(1);
  expect(out).toMatch(/^failed reachable: /);
});
