import { createSeal } from "../../agents/buyer/clients/seal.ts";
import { serve } from "../../agents/server/serve.ts";
import type { Product } from "../../skills/seller/products/record.ts";
import { a2aRoutes } from "../../protocol/a2a/routes.ts";
import { defaultBodyLimits } from "../../protocol/neutral/json-input.ts";
import { sellerHere, type SellerHere } from "../buyer/seller-here.ts";
import { callAgent, openBuyer, sampleBrief, settledJob } from "../buyer/world.ts";
import { cardOf } from "../doors/doors.ts";
import { builtConsole } from "./harness.ts";
import type { Visited } from "./page.ts";

export interface ServedBuyer extends Visited {
  readonly sellers: readonly SellerHere[];
  call(operation: string, input: unknown): Promise<Readonly<Record<string, unknown>>>;
  /** A campaign whose sellers have answered. */
  jobOf(name: string, isApproved: boolean): Promise<string>;
  close(): Promise<void>;
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A buyer with its console on a port of its own, a seller, and one more for each further list of products. */
export const serveBuyer = async (...catalogs: readonly (readonly Product[])[]): Promise<ServedBuyer> => {
  await builtConsole();
  const sellers = await Promise.all(catalogs.map((products) => sellerHere({ products })));
  const world = await openBuyer(
    { sellers: sellers.map(({ url }) => ({ url, wire: "rest", key: null, headerType: "api_key" })) },
    { seal: createSeal(Buffer.alloc(32, 7)) },
  );
  const a2a = a2aRoutes({
    runner: world.buyer.runner,
    card: cardOf("http://127.0.0.1"),
    agentType: "buyer",
    limits: defaultBodyLimits,
    clock: world.clock,
    mostTasks: 100,
  });
  const served = await serve(world.buyer, { host: "127.0.0.1", port: 0, log: silent, doors: a2a.routes });
  const call = async (operation: string, input: unknown): Promise<Readonly<Record<string, unknown>>> => {
    const { code, output } = await callAgent(world.buyer, operation, input);
    if (code !== null) throw new Error(`${operation}: ${JSON.stringify(output)}`);
    return output;
  };
  const { api_key: key } = await call("create_operator_key", { label: "Maja" });
  return {
    url: served.url,
    operatorKey: String(key),
    nowMs: () => world.clock.nowMs(),
    call,
    sellers,
    jobOf: async (name, isApproved) => {
      const { job_id: id } = await call("create_booking", {
        brief: { ...sampleBrief, name },
        auto_approve: isApproved,
      });
      await settledJob(world.buyer, String(id));
      return String(id);
    },
    close: async () => {
      await served.close();
      await a2a.close();
      await world.close();
      for (const seller of sellers) await seller.close();
    },
  };
};
