import { createRequire } from "node:module";
import { join } from "node:path";
import type { BenchCase, CaseModule, Info, LoadRequest, SideOptions } from "./cases.ts";

interface Shot {
  readonly "2xx": number;
  readonly non2xx: number;
  readonly errors: number;
  readonly mismatches: number;
  readonly duration: number;
  readonly latency: { readonly p99: number };
}

type Cannon = (options: {
  readonly url: string;
  readonly connections: number;
  readonly duration: number;
  readonly requests: readonly LoadRequest[];
  readonly verifyBody?: (body: string) => boolean;
}) => Promise<Shot>;

const answer = (value: unknown): void => void process.send?.(value);

const findCase = async (module: string, name: string): Promise<BenchCase> => {
  const { cases } = (await import(join(import.meta.url, "..", module).replace(/^file:/, "file://"))) as CaseModule;
  const found = cases.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no case ${name} in ${module}`);
  return found;
};

const serveSide = async (one: BenchCase, side: string, options: SideOptions): Promise<void> => {
  const server = await (side === "sut" ? one.sut(options) : one.bound(options));
  process.on("message", (message) => {
    if (message !== "cpu") return;
    const { user, system } = process.cpuUsage();
    answer({ cpuMicros: user + system, rssBytes: process.memoryUsage().rss });
  });
  answer({ url: server.url, info: server.info });
};

const serveLoad = (one: BenchCase): void => {
  const cannon = createRequire(import.meta.url)("autocannon") as Cannon;
  process.on("message", (message) => {
    const order = message as { url: string; info: Info; side: "sut" | "bound"; seconds: number; connections: number };
    const requests = one.load(order.info, order.side);
    const { url, connections, seconds: duration } = order;
    const check = one.isGood === undefined ? {} : { verifyBody: (body: string) => one.isGood?.(String(body)) === true };
    void cannon({ url, connections, duration, requests, ...check }).then((shot) =>
      answer({
        done: shot["2xx"],
        failed: shot.non2xx + shot.errors + shot.mismatches,
        seconds: shot.duration,
        p99Ms: shot.latency.p99,
      }),
    );
  });
  answer({ ready: true });
};

const [role = "", module = "", name = "", side = "", options = "{}"] = process.argv.slice(2);
process.on("disconnect", () => process.exit(0));
const one = await findCase(module, name);
if (role === "load") serveLoad(one);
else await serveSide(one, side, JSON.parse(options) as SideOptions);
