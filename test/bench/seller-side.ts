import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Agent } from "../../agents/agent.ts";
import { createSeller } from "../../agents/seller/app.ts";
import { createCatalog } from "../../agents/seller/catalog/catalog.ts";
import { defaultProducts } from "../../agents/seller/catalog/default-products.ts";
import { sellerSettingsOf, sellerSettingTable } from "../../agents/seller/config.ts";
import { readSettings } from "../../agents/settings.ts";
import type { Call } from "../../protocol/operation.ts";
import type { DoorRoute } from "../../protocol/door.ts";
import type { Log } from "../../protocol/ports.ts";
import { serve } from "../../agents/serve.ts";
import { openLowdbStore } from "../../storage/lowdb/driver.ts";
import { diskFiles, type Files } from "../../storage/lowdb/files.ts";
import type { Store } from "../../storage/store.ts";
import type { BenchServer, Info, SideOptions } from "./cases.ts";

/** What the seller's process offers a case beside the server. */
export interface SellerSide {
  readonly agent: Agent;
  readonly store: Store;
  readonly key: string;
  /** Calls an operation as the buyer whose key it is. */
  call(operation: string, input: unknown): Promise<Record<string, unknown>>;
  /** Bytes that the store has written so far. */
  written(): number;
}

const quiet: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: (fields, text) => console.error(text, fields),
};

/** A folder that is gone when the process ends. */
export const scratchFolder = (): string => {
  const dir = mkdtempSync(join(tmpdir(), "parley-bench-"));
  process.on("exit", () => rmSync(dir, { recursive: true, force: true }));
  return dir;
};

/** The disk, each flush slowed down, with a count of the bytes that went through it. */
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

/** A seller on the embedded store, with limits that no load reaches, and one buyer's key. */
export const startSeller = async (
  options: SideOptions,
  prepare: (seller: SellerSide) => Promise<Info>,
  doorsOf: (agent: Agent) => readonly DoorRoute[] = () => [],
): Promise<BenchServer> => {
  const files = slowFiles(options.flushDelayMs);
  const store = await openLowdbStore({ dir: scratchFolder(), files });
  const environment = {
    RATE_LIMIT_PER_MINUTE: "100000000",
    RATE_LIMIT_ANONYMOUS_PER_MINUTE: "100000000",
    PRICE_PROBE_LIMIT: "0",
  };
  const settings = sellerSettingsOf(readSettings(sellerSettingTable, environment), "http://127.0.0.1:8000");
  const clock = { nowMs: () => Date.now() };
  const agent = createSeller({ store, settings, catalog: createCatalog(defaultProducts), clock, log: quiet });
  const callAs = async (
    caller: Call["caller"],
    operation: string,
    input: unknown,
  ): Promise<Record<string, unknown>> => {
    const outcome = await agent.runner.run({ operation, door: "host", caller, requestId: "bench", input: () => input });
    if (outcome.kind !== "done") throw new Error(`${operation}: ${JSON.stringify(outcome)}`);
    return outcome.output as Record<string, unknown>;
  };
  const identity = { seat_id: "seat-bench", agency_id: "agency-bench", label: "bench" };
  const made = await callAs({ kind: "host" }, "create_api_key", identity);
  const key = String(made["api_key"]);
  const buyer = { kind: "request", apiKey: key, authorization: null, address: "127.0.0.1" } as const;
  const call: SellerSide["call"] = (operation, input) => callAs(buyer, operation, input);
  const info = await prepare({ agent, store, key, call, written: () => files.written() });
  const served = await serve(agent, { host: "127.0.0.1", port: 0, log: quiet, doors: doorsOf(agent) });
  return { url: served.url, info: { ...info, key } };
};
