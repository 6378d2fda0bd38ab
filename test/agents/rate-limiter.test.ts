import { describe, expect, test } from "vitest";
import { createRateLimiter } from "../../agents/server/rate-limiter.ts";
import { createPriceProbes } from "../../agents/seller/ports/price-probes.ts";
import { anonymousCaller, type Caller, hostCaller } from "../../protocol/seam/caller.ts";
import { openWorld } from "../skills/world.ts";

const keyCaller = (id: string): Caller => ({ ...anonymousCaller("203.0.113.1"), kind: "key", limitKey: `key:${id}` });

describe("rate limits", () => {
  test("each principal has its own count, and the one too many is refused with the seconds to wait", async () => {
    const limiter = createRateLimiter({ rateLimitPerMinute: 2, rateLimitAnonymousPerMinute: 1 });
    expect(await limiter.take(keyCaller("a"))).toMatchObject({ allowed: true, limit: 2, remaining: 1 });
    expect(await limiter.take(keyCaller("a"))).toMatchObject({ allowed: true, remaining: 0 });
    const refused = await limiter.take(keyCaller("a"));
    expect(refused).toMatchObject({ allowed: false, limit: 2, remaining: 0 });
    expect(refused?.resetSeconds).toBeGreaterThanOrEqual(1);
    expect(refused?.resetSeconds).toBeLessThanOrEqual(60);
    expect(await limiter.take(keyCaller("b"))).toMatchObject({ allowed: true });
  });

  test("anonymous callers are counted by address, and apart from keys", async () => {
    const limiter = createRateLimiter({ rateLimitPerMinute: 1, rateLimitAnonymousPerMinute: 1 });
    expect((await limiter.take(anonymousCaller("203.0.113.1")))?.allowed).toBe(true);
    expect((await limiter.take(anonymousCaller("203.0.113.1")))?.allowed).toBe(false);
    expect((await limiter.take(anonymousCaller("203.0.113.2")))?.allowed).toBe(true);
    expect((await limiter.take(keyCaller("a")))?.allowed).toBe(true);
  });

  test("a limit of 0 is none, and the host is never limited", async () => {
    const off = createRateLimiter({ rateLimitPerMinute: 0, rateLimitAnonymousPerMinute: 0 });
    expect(await off.take(anonymousCaller("203.0.113.1"))).toBeNull();
    expect(await off.take(keyCaller("a"))).toBeNull();
    const on = createRateLimiter({ rateLimitPerMinute: 1, rateLimitAnonymousPerMinute: 1 });
    expect(await on.take(hostCaller)).toBeNull();
  });

  test("a flood of addresses shares counters and leaves those alone that came before", async () => {
    const limiter = createRateLimiter({ rateLimitPerMinute: 0, rateLimitAnonymousPerMinute: 10 }, 5);
    const early = Array.from({ length: 5 }, (_, index) => anonymousCaller(`198.51.100.${index}`));
    for (const caller of early) await limiter.take(caller);
    let refused = 0;
    for (let index = 0; index < 20_000; index += 1) {
      const state = await limiter.take(anonymousCaller(`2001:db8::${index.toString(16)}`));
      if (state?.allowed === false) refused += 1;
    }
    expect(refused).toBeGreaterThan(9_000);
    for (const caller of early) expect((await limiter.take(caller))?.remaining).toBe(8);
  });

  test("the runner answers 429 with the wait, before it reads the input", async () => {
    const world = await openWorld({ settings: { rateLimitAnonymousPerMinute: 2 } });
    const request = { caller: "anonymous", operation: "list_products", input: { limit: "nonsense" } };
    expect((await world.send(request)).code).toBe("validation_error");
    expect((await world.send(request)).code).toBe("validation_error");
    const limited = await world.send(request);
    expect([limited.code, limited.status]).toStrictEqual(["rate_limited", 429]);
    expect(limited.body["retry_after_seconds"]).toBeGreaterThanOrEqual(1);
    await world.close();
  });
});

describe("price probes", () => {
  test("are counted per buyer and product", async () => {
    const probes = createPriceProbes({ priceProbeLimit: 1 });
    expect(await probes.take("seat:a", "p")).toMatchObject({ allowed: true });
    const refused = await probes.take("seat:a", "p");
    expect(refused.allowed).toBe(false);
    expect(refused.retryAfterSeconds).toBeGreaterThan(3_500);
    expect(await probes.take("seat:a", "q")).toMatchObject({ allowed: true });
    expect(await probes.take("seat:b", "p")).toMatchObject({ allowed: true });
  });

  test("a limit of 0 is none", async () => {
    const probes = createPriceProbes({ priceProbeLimit: 0 });
    for (let index = 0; index < 1_000; index += 1) expect((await probes.take("b", "p")).allowed).toBe(true);
  });
});
