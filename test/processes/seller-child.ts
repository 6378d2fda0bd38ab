import { hostCall, outputOf } from "../../agents/commands/host/answers.ts";
import { hostOver, serveHostRequest } from "../../agents/host/host.ts";
import { createCatalog } from "../../agents/seller/catalog/catalog.ts";
import { canaryProducts } from "../secrecy/canaries.ts";
import { sellerSettingTable } from "../../agents/seller/config.ts";
import { launchSeller } from "../../agents/seller/launch.ts";
import type { StoreLocation } from "../../agents/host/store-location.ts";
import { readSettings } from "../../protocol/neutral/settings.ts";

const { place, environment } = JSON.parse(process.argv[2] ?? "{}") as {
  place: StoreLocation;
  environment: Record<string, string>;
};
const errors: unknown[] = [];
const log = {
  info: () => undefined,
  warn: () => undefined,
  error: (fields: unknown, message: string) => void errors.push({ message, fields }),
};
const config = readSettings(sellerSettingTable, environment);
const seller = await launchSeller({
  config,
  host: "127.0.0.1",
  port: 0,
  place,
  catalog: createCatalog(canaryProducts),
  log,
});
const ask = (request: Parameters<typeof serveHostRequest>[2]): ReturnType<typeof serveHostRequest> =>
  serveHostRequest(seller.agent.runner, seller.store, request);
const host = hostOver(ask, seller.agent.runner.contracts, async () => undefined);

const tasks: Readonly<Record<string, (input: unknown) => Promise<unknown>>> = {
  url: () => Promise.resolve(seller.url),
  call: (input) => {
    const { operation, input: given } = input as { operation: string; input: unknown };
    return outputOf(host, hostCall(operation, given));
  },
  errors: () => Promise.resolve(errors),
  /** Needs `--expose-gc`. */
  memory: async () => {
    for (let round = 0; round < 4; round += 1) {
      gc?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return process.memoryUsage().heapUsed;
  },
  audit: async () => (await host.verifyAudit()).verdict,
};

process.on("message", (message) => {
  const { task, input } = message as { task: string; input: unknown };
  const run = tasks[task] ?? (() => Promise.reject(new Error(`no task ${task}`)));
  run(input).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on("disconnect", () => void seller.close().then(() => process.exit(0)));
