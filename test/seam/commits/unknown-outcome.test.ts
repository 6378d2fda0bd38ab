import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createSeller } from "../../../agents/seller/app.ts";
import { createCatalog } from "../../../agents/seller/catalog/catalog.ts";
import { canaryProducts } from "../../secrecy/canaries.ts";
import { openMemoryStore } from "../../../storage/memory/driver.ts";
import type { Store } from "../../../storage/store.ts";
import { openDoors } from "../../doors/doors.ts";
import { plainSettings, startMs } from "../../skills/world.ts";

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

test.each([true, false])(
  "a2a: a text whose quote met a commit of unknown outcome (it stands: %s) has no answer; sent again it is one quote",
  async (stands) => {
    const store = openMemoryStore();
    let fails = 1;
    const commit: Store["commit"] = async (of) => {
      fails -= 1;
      if (fails !== 0) return store.commit(of);
      if (stands) await store.commit(of);
      throw new Error("the connection was lost during a commit");
    };
    const seller = createSeller({
      store: { ...store, commit },
      settings: plainSettings,
      catalog: createCatalog(canaryProducts),
      clock: { nowMs: () => startMs },
      log: silent,
    });
    const doors = await openDoors(seller.runner, () => startMs);
    const parts = [{ kind: "text", text: "quote 500k of prod-91ddc363 as PD" }];
    const message = { messageId: randomUUID(), role: "user", parts };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/send", params: { message } });
    const headers = { "content-type": "application/json" };
    const send = async (): Promise<string> =>
      (await fetch(`${doors.url}/a2a/seller/jsonrpc`, { method: "POST", headers, body })).text();
    expect(await send()).toContain('"internal_error"');
    expect(await store.count("quote", null)).toBe(stands ? 1 : 0);
    const quoted = await send();
    expect(/qt-[0-9a-f]{12}/.test(quoted), quoted).toBe(true);
    expect(await store.count("quote", null)).toBe(1);
    await doors.close();
    await store.close();
  },
);
