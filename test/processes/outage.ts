import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { parleyWith, startParley } from "../cli/program.ts";
import { type Backend, openTcpProxy } from "./tcp-proxy.ts";

interface Place {
  readonly backend: Backend;
  readonly through: (port: number) => string;
}

/** A database's address, and the same through a proxy of this machine. */
const placeOf = (url: string): Place => {
  const parsed = new URL(url);
  const folder = parsed.searchParams.get("host");
  const user = parsed.searchParams.get("user") ?? parsed.username;
  const password = parsed.password === "" ? "" : `:${parsed.password}`;
  return {
    backend: folder === null ? Number(parsed.port || 5432) : `${folder}/.s.PGSQL.5432`,
    through: (port) => `postgres://${user}${password}@127.0.0.1:${port}${parsed.pathname}`,
  };
};

const wanted = JSON.stringify({ product_id: "prod-15ba2543", deal_type: "PD", impressions: 100_000 });

/** `refuse`: the host is there and the server is not; `silent`: the network swallows everything. */
export type Outage = "refuse" | "silent";

/**
 * A seller whose database goes away for `seconds`: reads and writes are answered 503 with the time to come back, and
 * both work again by themselves. Returns the milliseconds from the database's return to the first write.
 */
export const loseDatabase = async (url: string, how: Outage, seconds: number): Promise<number> => {
  const place = placeOf(url);
  const proxy = await openTcpProxy([place.backend]);
  const environment = { DATABASE_URL: place.through(proxy.port), STORE_TIMEOUT_SECONDS: "1", LOG_LEVEL: "error" };
  const made = await parleyWith(
    ["call", "--agent", "seller", "create_api_key", JSON.stringify({ seat_id: `s-${how}`, agency_id: `a-${how}` })],
    "",
    environment,
  );
  const { api_key: key } = JSON.parse(made.out) as { api_key: string };
  const seller = startParley(["seller", "--port", "0"], environment);
  await seller.until("listening on");
  const base = /listening on (\S+)/.exec(seller.out())?.[1] ?? "";
  const headers = { "content-type": "application/json", "x-api-key": key };
  const write = (): Promise<Response> =>
    fetch(new URL("/api/v1/quotes", base), { method: "POST", headers, body: wanted });
  const first = (await (await write()).json()) as { quote_id: string };
  const read = (): Promise<Response> => fetch(new URL(`/api/v1/quotes/${first.quote_id}`, base), { headers });
  expect((await read()).status).toBe(200);
  proxy.mode(how);
  const until = Date.now() + seconds * 1_000;
  do {
    for (const ask of [read, write]) {
      const begun = performance.now();
      const answer = await ask();
      expect([answer.status, Number(answer.headers.get("retry-after")) >= 1]).toEqual([503, true]);
      expect(((await answer.json()) as { error: string }).error).toBe("unavailable");
      expect(performance.now() - begun).toBeLessThan(10_000);
    }
    expect((await fetch(new URL("/readyz", base))).status).toBe(503);
    await sleep(100);
  } while (Date.now() < until);
  proxy.mode("open");
  const back = performance.now();
  const works = async (ask: () => Promise<Response>): Promise<number> => (await ask()).status;
  await expect.poll(() => works(write), { timeout: 20_000, interval: 100 }).toBe(200);
  const recovered = performance.now() - back;
  await expect.poll(() => works(read), { timeout: 20_000 }).toBe(200);
  await expect.poll(() => works(() => fetch(new URL("/readyz", base))), { timeout: 20_000 }).toBe(200);
  expect(await seller.stop("SIGTERM")).toBe(0);
  await proxy.close();
  return recovered;
};
