import { afterAll, expect, vi } from "vitest";
import { watch } from "./watch.ts";

/* A file whose agents leak fails, whatever its own tests say. */

vi.mock("../../agents/server/serve.ts", async (original) => {
  const actual = await original<typeof import("../../agents/server/serve.ts")>();
  return {
    ...actual,
    serve: async (...given: Parameters<typeof actual.serve>) => watch.serving(await actual.serve(...given)),
  };
});

vi.mock("../../protocol/seam/run/run.ts", async (original) => {
  const actual = await original<typeof import("../../protocol/seam/run/run.ts")>();
  const createRunner: typeof actual.createRunner = (parts) =>
    actual.createRunner({
      ...parts,
      callers: watch.naming(parts.callers),
      log: watch.logging(parts.log),
      store: watch.storing(parts.store),
    });
  return { ...actual, createRunner };
});

vi.mock("../../protocol/client/exchange.ts", async (original) => {
  const actual = await original<typeof import("../../protocol/client/exchange.ts")>();
  const exchange: typeof actual.exchange = (parts, request) => {
    watch.delivering(request);
    return actual.exchange(parts, request);
  };
  return { ...actual, exchange };
});

watch.start();

afterAll(() => {
  watch.stop();
  expect(watch.finish(), "what left the agents and should not have").toStrictEqual([]);
});
