import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { openPostgresStore } from "../../../storage/postgres/driver.ts";
import type { Store } from "../../../storage/store.ts";
import { auditEntry, commitOk, put } from "../contract/kit.ts";
import { describeOnPostgres } from "./database.ts";

/** Stands between a store and its server, and stops to pass anything on, without closing. */
const openProxy = async (socketFolder: string) => {
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((near) => {
    const far = connect(join(socketFolder, ".s.PGSQL.5432"));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes) => void (isSilent || to.write(bytes)));
      from.on("error", () => undefined);
      from.on("close", () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    silence: (wanted: boolean): void => {
      isSilent = wanted;
      if (!wanted) for (const socket of sockets) socket.destroy();
    },
    close: (): void => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};

await describeOnPostgres("postgres: a server that says nothing", (url) => {
  const undo: (() => unknown)[] = [];
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });

  const timed = async (work: Promise<unknown>): Promise<{ readonly code: unknown; readonly ms: number }> => {
    const startMs = performance.now();
    const code = await work.then(
      () => null,
      (error: unknown) => Reflect.get(error as object, "code"),
    );
    return { code, ms: performance.now() - startMs };
  };

  it("reads and commits are given up in the time that was set, and go on once it answers", async () => {
    const { pathname, searchParams } = new URL(url);
    const proxy = await openProxy(searchParams.get("host") ?? "");
    undo.push(() => proxy.close());
    const through = `postgres://${searchParams.get("user")}@127.0.0.1:${proxy.port}${pathname}`;
    const store: Store = await openPostgresStore({
      url: through,
      schema: "silence",
      log: () => undefined,
      answerMs: 1_000,
    });
    undo.push(() => store.close());
    await commitOk(store, put("d1", 0, 1));
    proxy.silence(true);
    const commit = (id: string) => store.commit({ changes: [put(id, 0, 1)], audit: auditEntry(id) });
    for (let round = 0; round < 3; round += 1) {
      const calls = await Promise.all([timed(store.get("deal", "d1")), timed(commit(`d${round + 2}`))]);
      for (const { code, ms } of calls) {
        expect(code).toMatch(/^(?:store_unreachable|commit_outcome_unknown)$/);
        expect(ms).toBeLessThan(2_500);
      }
    }
    expect(await store.failure()).not.toBeNull();
    proxy.silence(false);
    await expect.poll(() => store.failure()).toBeNull();
    await commitOk(store, put("d9", 0, 1));
    expect(await store.get("deal", "d9")).not.toBeNull();
  });
});
