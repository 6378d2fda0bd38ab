import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createCatalog } from "../../agents/seller/catalog/catalog.ts";
import { defaultProducts } from "../../agents/seller/catalog/default-products.ts";
import { serve } from "../../agents/server/serve.ts";
import type { SellerSettings } from "../../skills/seller/settings.ts";
import type { Store } from "../../storage/store.ts";
import { openWorld, type World } from "../skills/world.ts";

export interface Served {
  readonly world: World;
  readonly url: string;
  readonly operatorKey: string;
  nowMs(): number;
  send(caller: string, operation: string, input: unknown): Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

const root = join(import.meta.dirname, "..", "..");

const { buildConsole } = (await import(pathToFileURL(join(root, ".ci", "build.mjs")).href)) as {
  readonly buildConsole: (root: string) => Promise<readonly string[]>;
};

let built: Promise<readonly string[]> | undefined;

/** Once in a worker. Returns the files that it wrote. */
export const builtConsole = (): Promise<readonly string[]> => (built ??= buildConsole(root));

const gates: Partial<SellerSettings> = {
  sandbox: true,
  approvalGate: { enabled: true, flows: ["deal", "proposal", "negotiation", "api_key"], aboveMicros: 40_000_000_000 },
};

const logged = (): void => undefined;

/** A seller with its console on a port of its own. */
export const serveConsole = async (
  settings: Partial<SellerSettings> = {},
  more: { readonly openStore?: () => Promise<Store> } = {},
): Promise<Served> => {
  await builtConsole();
  const catalog = createCatalog(defaultProducts);
  const world = await openWorld({ settings: { ...gates, ...settings }, catalog, ...more });
  const { runner, pages } = world;
  const served = await serve(
    {
      name: "seller",
      title: "Seller",
      version: "0",
      description: "",
      runner,
      errorShape: "wrapped",
      pages,
      stop: world.close,
    },
    { host: "127.0.0.1", port: 0, log: { info: logged, warn: logged, error: logged } },
  );
  return {
    world,
    url: served.url,
    operatorKey: world.secretOf("operator") ?? "",
    nowMs: () => world.nowMs(),
    send: async (caller, operation, input) => {
      const { code, body } = await world.send({ caller, operation, input });
      if (code !== null) throw new Error(`${operation}: ${JSON.stringify(body)}`);
      return body;
    },
    close: async () => {
      await served.close();
      await world.close();
    },
  };
};

const june = { flight_start: "2027-06-01", flight_end: "2027-06-28" };

/** A buyer of that name, verified. */
export const buyerNamed = async ({ send }: Served, name: string): Promise<string> => {
  const id = `adv-${Buffer.from(name).toString("hex").slice(0, 16)}`;
  const input = { agency_id: `agency-${id}`, advertiser_id: id, advertiser_name: name, label: name.slice(0, 200) };
  return String((await send("operator", "create_api_key", input))["api_key"]);
};

/** The newest conversation. */
export const talkOf = async ({ send }: Served): Promise<string> => {
  const [newest] = (await send("operator", "list_conversations", {}))["conversations"] as { conversation_id: string }[];
  return String(newest?.conversation_id);
};

/** An offer of a value above the gate, after two rounds. */
export const offerOf = async ({ send }: Served, buyer: string, product = "prod-15ba2543"): Promise<string> => {
  const terms = { product_id: product, deal_type: "PD", impressions: 4_200_000, ...june };
  const quote = await send(buyer, "request_quote", terms);
  const { quote_id } = quote;
  const price = (quote["pricing"] as { final_cpm: number }).final_cpm;
  const offer = (share: number) => ({ action: "counter", buyer_price: Math.round(price * share * 100) / 100 });
  let answer = await send(buyer, "negotiate", { quote_id, ...offer(0.88), rationale: "Launch of the summer blend" });
  for (const share of [0.9, 0.92, 0.94]) {
    if (answer["approval_id"] != null) break;
    answer = await send(buyer, "negotiate", { negotiation_id: answer["negotiation_id"], ...offer(share) });
  }
  return String(answer["approval_id"]);
};

export const bookingOf = async ({ send }: Served, buyer: string, product = "prod-53e78a97"): Promise<string> => {
  const quote = await send(buyer, "request_quote", {
    product_id: product,
    deal_type: "PG",
    impressions: 2_000_000,
    ...june,
  });
  return String((await send(buyer, "book_deal", { quote_id: quote["quote_id"] }))["approval_id"]);
};
