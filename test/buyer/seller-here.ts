import type { Agent } from "../../agents/server/agent.ts";
import { createSeller } from "../../agents/seller/app.ts";
import { createCatalog } from "../../agents/seller/catalog/catalog.ts";
import { serve } from "../../agents/server/serve.ts";
import type { Product } from "../../skills/seller/products/record.ts";
import { openMemoryStore } from "../../storage/memory/driver.ts";
import type { Store } from "../../storage/store.ts";
import { canaryProducts } from "../secrecy/canaries.ts";
import { plainSettings } from "../skills/world.ts";
import { callAgent, type Clock, logTo, movableClock } from "./world.ts";

export interface SellerHere {
  readonly url: string;
  /** As `kill -9` and a start: what is not committed is lost, and the address is another. */
  kill(): Promise<void>;
  readonly lines: readonly string[];
  readonly agent: Agent;
  rows(kind: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  close(): Promise<void>;
}

export const sellerHere = async (
  options: {
    readonly products?: readonly Product[];
    readonly settings?: Partial<typeof plainSettings>;
    readonly clock?: Clock;
  } = {},
): Promise<SellerHere> => {
  const store = openMemoryStore();
  const lines: string[] = [];
  const log = logTo(lines);
  const { clock = movableClock(), products = canaryProducts } = options;
  const settings = { ...plainSettings, ...options.settings };
  const start = async () => {
    let isDead = false;
    const commit: Store["commit"] = (commitment) =>
      isDead ? Promise.reject(new Error("killed")) : store.commit(commitment);
    const agent = createSeller({
      store: { ...store, commit },
      settings,
      catalog: createCatalog(products),
      clock,
      log,
    });
    const served = await serve(agent, { host: "127.0.0.1", port: 0, drainMs: 100, log });
    return { agent, served, die: () => void (isDead = true) };
  };
  let running = await start();
  const kill = async (): Promise<void> => {
    const { agent, served, die } = running;
    die();
    running = await start();
    await agent.stop().catch(() => undefined);
    await served.close();
  };
  const close = async (): Promise<void> => {
    await running.served.close();
    await running.agent.stop();
    await store.close();
  };
  const rows: SellerHere["rows"] = async (kind) => {
    const found: Readonly<Record<string, unknown>>[] = [];
    for (;;) {
      const page = await store.list({ kind, terms: [], order: "oldest", limit: 500, offset: found.length });
      found.push(...page.map((row) => row.body as Readonly<Record<string, unknown>>));
      if (page.length < 500) return found;
    }
  };
  return {
    get url() {
      return running.served.url;
    },
    get agent() {
      return running.agent;
    },
    lines,
    rows,
    kill,
    close,
  };
};

export const keyFor = async (seller: SellerHere, identity: Readonly<Record<string, string>>): Promise<string> => {
  const { output } = await callAgent(seller.agent, "create_api_key", { ...identity, label: "buyer" });
  return String(output["api_key"]);
};
