import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buyerSettingTable } from "../../agents/buyer/config.ts";
import { launchBuyer } from "../../agents/buyer/launch.ts";
import { hostCall, outputOf } from "../../agents/commands/host/answers.ts";
import { hostOver, serveHostRequest } from "../../agents/host/host.ts";
import type { Launched } from "../../agents/server/launch.ts";
import { createCatalog } from "../../agents/seller/catalog/catalog.ts";
import { sellerSettingTable } from "../../agents/seller/config.ts";
import { launchSeller } from "../../agents/seller/launch.ts";
import { canaryProducts, secretEnvironment } from "../secrecy/canaries.ts";
import type { StoreLocation } from "../../agents/host/store-location.ts";
import { watch } from "../secrecy/watch.ts";
import { readSettings } from "../../protocol/neutral/settings.ts";
import type { Contract } from "../../protocol/seam/operation.ts";
import type { Log } from "../../protocol/seam/ports.ts";
import type { Store } from "../../storage/store.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Started {
  readonly url: string;
  readonly store: Store;
  readonly contracts: readonly Contract[];
  /** With SANDBOX=calls. */
  readonly sandboxStore: Store | null;
  readonly logged: readonly { readonly level: string; readonly fields: unknown; readonly message: string }[];
  ask(method: string, path: string, asked?: Asked): Promise<Answer>;
  host(operation: string, input: unknown): Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

const asJson = (text: string): Answer["body"] => {
  try {
    return JSON.parse(text) as Answer["body"];
  } catch {
    return {};
  }
};

export const askAt =
  (url: string): Started["ask"] =>
  async (method, path, { headers = {}, body } = {}) => {
    const typed = body === undefined ? {} : { "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
    const answer = await fetch(new URL(path, url), { method, headers: { ...typed, ...headers }, ...sent });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: asJson(text) };
  };

const started = (launched: Launched, logged: Started["logged"], dir: string): Started => {
  const { agent, store, sandboxStore, url } = launched;
  const ask = (request: Parameters<typeof serveHostRequest>[2]): ReturnType<typeof serveHostRequest> =>
    serveHostRequest(agent.runner, store, request);
  const host = hostOver(ask, agent.runner.contracts, () => launched.close());
  return {
    url,
    store,
    contracts: agent.runner.contracts,
    sandboxStore,
    logged,
    ask: askAt(url),
    host: async (operation, input) => (await outputOf(host, hostCall(operation, input))) as Answer["body"],
    close: async () => {
      await host.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
};

const recorder = (): { log: Log; logged: { level: string; fields: unknown; message: string }[] } => {
  const logged: { level: string; fields: unknown; message: string }[] = [];
  const at = (level: string) => (fields: unknown, message: string) => void logged.push({ level, fields, message });
  return { log: watch.logging({ debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") }), logged };
};

type Environment = Readonly<Record<string, string>>;

const place = async (name: string) => ({
  driver: "lowdb" as const,
  dir: await mkdtemp(join(tmpdir(), `parley-spec-${name}-`)),
});

/** Rate limits are off unless the environment sets them. */
export const startSeller = async (
  environment: Environment = {},
  products = canaryProducts,
  elsewhere: StoreLocation | null = null,
): Promise<Started> => {
  const { log, logged } = recorder();
  const limits = { RATE_LIMIT_PER_MINUTE: "0", RATE_LIMIT_ANONYMOUS_PER_MINUTE: "0" };
  const given = new Set(Object.keys(environment));
  const config = { ...readSettings(sellerSettingTable, { ...secretEnvironment, ...limits, ...environment }), given };
  const at = await place("seller");
  return started(
    await launchSeller({
      config,
      host: "127.0.0.1",
      port: 0,
      place: elsewhere ?? at,
      catalog: createCatalog(products),
      log,
    }),
    logged,
    at.dir,
  );
};

/** `dir` keeps its records; else a fresh folder. */
export const startBuyer = async (environment: Environment = {}, dir?: string): Promise<Started> => {
  const { log, logged } = recorder();
  const config = readSettings(buyerSettingTable, { ...secretEnvironment, RATE_LIMIT_PER_MINUTE: "0", ...environment });
  const at = dir === undefined ? await place("buyer") : ({ driver: "lowdb", dir } as const);
  return started(await launchBuyer({ config, host: "127.0.0.1", port: 0, place: at, log }), logged, at.dir);
};
