import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Router from "@koa/router";
import Koa, { type Middleware } from "koa";
import { koaBody } from "koa-body";
import { openJournal } from "../../storage/lowdb/log/index.ts";
import type { BenchServer, Info } from "./cases.ts";
import { scratchFolder, slowFiles } from "./seller-side.ts";

/** Durable in groups, as the store does. */
export type Append = (bytes: number) => Promise<void>;

export const openAppend = async (flushDelayMs: number): Promise<Append> => {
  const journal = await openJournal({
    files: slowFiles(flushDelayMs),
    dir: scratchFolder(),
    first: 1,
    before: [],
    retryMs: 3_000,
    recovered: () => undefined,
  });
  const lines = new Map<number, Buffer>();
  return (bytes) => {
    const line = lines.get(bytes) ?? Buffer.from(`${"x".repeat(Math.max(0, bytes - 1))}\n`);
    lines.set(bytes, line);
    return new Promise((resolve, reject) => {
      journal.append(line, (failure) => (failure === null ? resolve() : reject(failure)));
    });
  };
};

export const startBare = async (info: Info, mount: (router: Router) => void): Promise<BenchServer> => {
  const app = new Koa();
  const router = new Router();
  app.use(koaBody() as unknown as Middleware);
  mount(router);
  app.use(router.routes() as unknown as Middleware);
  const answer = app.callback();
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, info };
};
