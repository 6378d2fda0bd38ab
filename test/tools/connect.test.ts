import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parse } from "smol-toml";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectEntries } from "../../agents/commands/connect/entries.ts";
import { type DoctorStep, examine } from "../../agents/commands/connect/examine.ts";
import { type Started, startBuyer, startSeller } from "../spec/launched.ts";

let seller: Started;
let buyer: Started;
beforeAll(async () => {
  [seller, buyer] = await Promise.all([startSeller(), startBuyer()]);
});
afterAll(() => Promise.all([seller.close(), buyer.close()]));

const stepsOf = async (url: string, key: string | null = null, timeoutMs = 5000): Promise<readonly DoctorStep[]> => {
  const steps: DoctorStep[] = [];
  for await (const step of examine({ url, key, version: "1.0.0", timeoutMs })) steps.push(step);
  return steps;
};

describe("doctor", () => {
  test("goes an assistant's way to both agents", async () => {
    for (const { url } of [seller, buyer]) {
      const steps = await stepsOf(`${url}/mcp`);
      expect(steps.map(({ name, cure }) => [name, cure])).toEqual([
        ["reachable", undefined],
        ["initialize", undefined],
        ["list", undefined],
        ["read", undefined],
      ]);
    }
  });

  test.each<[string, () => string, string | null, RegExp, RegExp]>([
    ["a wrong key", () => `${seller.url}/mcp`, "ask_live_wrong", /HTTP 401/, /PARLEY_KEY/],
    ["a wrong path", () => `${seller.url}/mpc`, null, /HTTP 404/, /\/mcp/],
    ["a page", () => `${seller.url}/docs`, null, /HTTP 40[45]/, /\/mcp/],
    ["a port where nothing listens", () => "http://127.0.0.1:9/mcp", null, /./, /Nothing listens|another way/],
  ])("%s ends it at the first step, with the cure", async (_name, url, key, said, cure) => {
    const steps = await stepsOf(url(), key);
    expect(steps).toEqual([
      { name: "reachable", said: expect.stringMatching(said) as string, cure: expect.stringMatching(cure) as string },
    ]);
  });

  test("a server that never answers, and one that is a web page", async () => {
    const silent = createServer((request, response) => {
      if (request.url === "/page") response.setHeader("content-type", "text/html").end("<p>Hello</p>");
    });
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const at = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    expect(await stepsOf(`${at}/mcp`, null, 200)).toMatchObject([{ said: "no answer in time" }]);
    expect(await stepsOf(`${at}/page`)).toMatchObject([{ cure: expect.stringMatching(/web page/) as string }]);
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
  });
});

describe("what an assistant's settings need", () => {
  const connection = {
    name: "parley-seller",
    agent: "seller",
    url: "https://seller.example/mcp",
    keyVariable: "PARLEY_KEY",
    version: "1.0.0",
  };

  test.each(connectEntries.map((entry) => [entry.assistant, entry] as const))("%s", (assistant, { where, text }) => {
    expect(where).toMatch(/./);
    const printed = text(connection);
    if (assistant === "chatgpt") return expect(printed).toBe(connection.url);
    const read = assistant === "codex" ? parse(printed) : (JSON.parse(printed) as unknown);
    const isLocal = assistant === "claude-desktop";
    return expect(JSON.stringify(read)).toContain(isLocal ? '"--agent","seller"' : connection.url);
  });
});
