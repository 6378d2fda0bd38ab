import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { parleyWith, type Running, startParley } from "../cli/program.ts";
import { openTcpProxy, type TcpProxy } from "./tcp-proxy.ts";

export interface RollingResult {
  /** Quotes that were answered with 200. */
  readonly accepted: number;
  /** Calls that were sent again because a connection broke or the answer was 503. */
  readonly repeated: number;
}

interface Seller {
  readonly running: Running;
  readonly port: number;
}

const environmentOf = (url: string) => ({
  DATABASE_URL: url,
  DRAIN_SECONDS: "1",
  RATE_LIMIT_PER_MINUTE: "0",
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: "0",
});

const startSeller = async (url: string): Promise<Seller> => {
  const running = startParley(["seller", "--port", "0"], environmentOf(url));
  await running.until("listening on");
  return { running, port: Number(/listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(running.out())?.[1]) };
};

const isReady = async ({ port }: Seller): Promise<boolean> =>
  (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status === 200;

/** As a load balancer does: who is not ready gets no new connection. */
const watchReadiness = (proxy: TcpProxy, sellers: readonly Seller[], signal: AbortSignal): Promise<void> =>
  (async () => {
    while (!signal.aborted) {
      const ready = await Promise.all(sellers.map(isReady));
      const ports = sellers.filter((_, at) => ready[at]).map(({ port }) => port);
      if (ports.length > 0) proxy.set(ports);
      await sleep(150);
    }
  })();

const wanted = { product_id: "prod-15ba2543", deal_type: "PD", impressions: 100_000 };

class Load {
  readonly accepted = new Map<string, string>();
  repeated = 0;
  isStopped = false;
  readonly #port: number;
  readonly #key: string;

  constructor(port: number, key: string) {
    this.#port = port;
    this.#key = key;
  }

  async #post(idempotency: string): Promise<string | null> {
    const headers = { "content-type": "application/json", "idempotency-key": idempotency, "x-api-key": this.#key };
    const request = { method: "POST", headers, body: JSON.stringify(wanted) };
    const answer = await fetch(`http://127.0.0.1:${this.#port}/api/v1/quotes`, request).catch(() => null);
    if (answer === null || answer.status === 503 || answer.status === 409) return null;
    const body = (await answer.json()) as { quote_id: string };
    expect(answer.status, JSON.stringify(body)).toBe(200);
    return body.quote_id;
  }

  async run(writer: number): Promise<void> {
    for (let n = 0; !this.isStopped; n += 1) {
      const key = `w${writer}-${n}`;
      let id = await this.#post(key);
      for (let left = 100; id === null && left > 0; left -= 1) {
        this.repeated += 1;
        await sleep(100);
        id = await this.#post(key);
      }
      expect(id, `${key} was never answered`).not.toBeNull();
      if (id !== null) this.accepted.set(key, id);
    }
  }
}

const call = async (url: string, operation: string, input: unknown): Promise<Record<string, unknown>> => {
  const args = ["call", "--agent", "seller", operation, JSON.stringify(input)];
  const said = await parleyWith(args, "", environmentOf(url));
  expect(said.code, said.err).toBe(0);
  return JSON.parse(said.out) as Record<string, unknown>;
};

/**
 * Two sellers on one database behind a proxy of connections are restarted by turns while writers ask for quotes. Every
 * accepted quote must be there afterwards, and no key may have made two.
 */
export const rollRestarts = async (
  url: string,
  restarts: number,
  told: (done: number, accepted: number) => void = () => undefined,
): Promise<RollingResult> => {
  const sellers = [await startSeller(url), await startSeller(url)];
  const { api_key: key } = await call(url, "create_api_key", { seat_id: "s", agency_id: "a" });
  const proxy = await openTcpProxy(sellers.map(({ port }) => port));
  const watching = new AbortController();
  const watched = watchReadiness(proxy, sellers, watching.signal);
  const load = new Load(proxy.port, String(key));
  const writers = [0, 1, 2, 3].map((writer) => load.run(writer));
  for (let round = 0; round < restarts; round += 1) {
    const at = round % 2;
    const before = load.accepted.size;
    expect(await sellers[at]?.running.stop("SIGTERM")).toBe(0);
    sellers[at] = await startSeller(url);
    await expect.poll(() => load.accepted.size, { timeout: 30_000 }).toBeGreaterThan(before);
    await expect.poll(() => isReady(sellers[at] as Seller), { timeout: 30_000 }).toBe(true);
    told(round + 1, load.accepted.size);
  }
  load.isStopped = true;
  await Promise.all(writers);
  const last = sellers[0] as Seller;
  for (const id of load.accepted.values()) {
    const answer = await fetch(`http://127.0.0.1:${last.port}/api/v1/quotes/${id}`, {
      headers: { "x-api-key": String(key) },
    });
    expect(answer.status, `quote ${id} was lost`).toBe(200);
    await answer.body?.cancel();
  }
  expect(new Set(load.accepted.values()).size).toBe(load.accepted.size);
  const { total } = await call(url, "list_quotes", { limit: 1 });
  expect(total, "a key made more than one quote").toBe(load.accepted.size);
  watching.abort();
  await watched;
  await proxy.close();
  for (const { running } of sellers) expect(await running.stop("SIGTERM")).toBe(0);
  return { accepted: load.accepted.size, repeated: load.repeated };
};
