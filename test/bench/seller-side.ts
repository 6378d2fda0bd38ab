import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Agent } from "../../agents/server/agent.ts";
import { createBuyer } from "../../agents/buyer/app.ts";
import { createSeller } from "../../agents/seller/app.ts";
import { createCatalog } from "../../agents/seller/catalog/catalog.ts";
import { defaultProducts } from "../../agents/seller/catalog/default-products.ts";
import { sellerSettingsOf, sellerSettingTable } from "../../agents/seller/config.ts";
import { readSettings } from "../../protocol/neutral/settings.ts";
import { type Admission, hostAdmission } from "../../protocol/seam/admission.ts";
import type { DoorRoute } from "../../protocol/door/door.ts";
import type { Log } from "../../protocol/seam/ports.ts";
import { serve } from "../../agents/server/serve.ts";
import type { Product } from "../../skills/seller/products/record.ts";
import { openLowdbStore } from "../../storage/lowdb/driver.ts";
import { diskFiles, type Files } from "../../storage/lowdb/log/files.ts";
import type { Store } from "../../storage/store.ts";
import type { BenchServer, Info, SideOptions } from "./cases.ts";

export interface ListSide {
  readonly agent: Agent;
  readonly store: Store;
  host(operation: string, input: unknown): Promise<Record<string, unknown>>;
  call(operation: string, input: unknown): Promise<Record<string, unknown>>;
}

export interface SellerSide extends ListSide {
  readonly key: string;
  written(): number;
}

const quiet: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: (fields, text) => console.error(text, fields),
};

const clock = { nowMs: () => Date.now() };

export const scratchFolder = (): string => {
  const dir = mkdtempSync(join(tmpdir(), "parley-bench-"));
  process.on("exit", () => rmSync(dir, { recursive: true, force: true }));
  return dir;
};

export const slowFiles = (flushDelayMs: number): Files & { written(): number } => {
  let bytes = 0;
  const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, flushDelayMs));
  return {
    ...diskFiles,
    written: () => bytes,
    append: async (path) => {
      const file = await diskFiles.append(path);
      return {
        ...file,
        write: (piece) => {
          bytes += piece.length;
          return file.write(piece);
        },
        sync: async () => {
          await file.sync();
          if (flushDelayMs > 0) await pause();
        },
      };
    },
  };
};

const callAs =
  (agent: Agent, admission: () => Admission): ListSide["call"] =>
  async (operation, input) => {
    const outcome = await agent.runner.run({
      operation,
      door: "host",
      admission: admission(),
      requestId: "bench",
      input: () => ({ input }),
    });
    if (outcome.kind !== "done") throw new Error(`${operation}: ${JSON.stringify(outcome)}`);
    return outcome.output as Record<string, unknown>;
  };

/** With limits that no load reaches. */
export const openSeller = async (
  flushDelayMs: number,
  products: readonly Product[] = defaultProducts,
): Promise<SellerSide> => {
  const files = slowFiles(flushDelayMs);
  const store = await openLowdbStore({ dir: scratchFolder(), files });
  const environment = {
    RATE_LIMIT_PER_MINUTE: "100000000",
    RATE_LIMIT_ANONYMOUS_PER_MINUTE: "100000000",
    PRICE_PROBE_LIMIT: "0",
  };
  const settings = sellerSettingsOf(readSettings(sellerSettingTable, environment), "http://127.0.0.1:8000");
  const agent = createSeller({ store, settings, catalog: createCatalog(products), clock, log: quiet });
  const host = callAs(agent, () => hostAdmission);
  const identity = { seat_id: "seat-bench", agency_id: "agency-bench", label: "bench" };
  const key = String((await host("create_api_key", identity))["api_key"]);
  const call = callAs(agent, () => agent.runner.admit({ apiKey: key, authorization: null, address: "127.0.0.1" }));
  return { agent, store, key, host, call, written: () => files.written() };
};

export const openBuyer = async (): Promise<ListSide> => {
  const store = await openLowdbStore({ dir: scratchFolder() });
  const settings = {
    sellers: [],
    identity: {},
    sellerTimeoutSeconds: 1,
    sellerDialect: "auto" as const,
    researchDeadlineSeconds: 60,
    negotiates: true,
    sellerFees: new Map(),
    eventStreamsPerCaller: 50,
    console: false,
    sandbox: false,
    registryUrl: null,
    aampRegistry: null,
    discovers: false,
    agentUrl: "http://127.0.0.1:8001",
    adcp: null,
    openDirect: { account: null, baseUrl: null, apiKey: null, token: null },
    outboundAllow: [],
    agenticExtension: { isOn: false, ratified: null },
    legacyApiKey: null,
    languageModel: null,
  };
  const agent = createBuyer({ store, settings, clock, log: quiet });
  const host = callAs(agent, () => hostAdmission);
  return { agent, store, host, call: host };
};

export const startSeller = async (
  options: SideOptions,
  prepare: (seller: SellerSide) => Promise<Info>,
  doorsOf: (agent: Agent) => readonly DoorRoute[] = () => [],
): Promise<BenchServer> => {
  const seller = await openSeller(options.flushDelayMs);
  const { agent, key } = seller;
  const info = await prepare(seller);
  const served = await serve(agent, { host: "127.0.0.1", port: 0, log: quiet, doors: doorsOf(agent) });
  return { url: served.url, info: { ...info, key } };
};
