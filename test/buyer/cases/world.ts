import type { ServerResponse } from "node:http";
import { createBuyer } from "../../../agents/buyer/app.ts";
import { createSeal } from "../../../agents/buyer/clients/seal.ts";
import type { BuyerSettings } from "../../../agents/buyer/config.ts";
import { serve } from "../../../agents/server/serve.ts";
import { sellerDialects } from "../../../protocol/rest/dialects/seller.ts";
import type { Runner } from "../../../protocol/seam/run/run.ts";
import { openMemoryStore } from "../../../storage/memory/driver.ts";
import { answerJson, type Loopback, type Seen, startLoopback } from "../../client/loopback.ts";
import { type CaseWorld, resolve, type Saved, type SkillCase } from "../../skills/cases.ts";
import { openWorld, type Send, sendToRunner, startMs, type World } from "../../skills/world.ts";
import { logTo, plainBuyer, settledJob } from "../world.ts";

/** `times` answers, then the next counts. */
interface Scripted {
  readonly route: string;
  readonly status?: number;
  readonly body?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delay_ms?: number;
  readonly times?: number;
}

/**
 * `{{seller.url}}` is a real seller with an agency's `{{seller.key}}`, nobody listens at `{{dead.url}}`,
 * `{{scripted.url}}` answers what `scripted` says.
 */
export interface BuyerCase extends SkillCase {
  readonly buyer?: Partial<Omit<BuyerSettings, "sellers">> & { readonly sellers?: readonly unknown[] };
  readonly scripted?: readonly Scripted[];
  /** No secret to encrypt keys with. */
  readonly sealless?: true;
}

export interface BuyerCaseWorld extends CaseWorld {
  readonly saved: Saved;
  readonly seller: World;
  readonly scripted: Loopback;
  readonly runner: Runner;
}

const routeOf = ({ method, path }: Seen): string => `${method} ${path.split("?")[0]}`;

const matches = (route: string, request: Seen): boolean => {
  const pattern = route.replace(/[.+?]/g, "\\$&").replaceAll("*", "[^/ ]+");
  return new RegExp(`^${pattern}$`).test(routeOf(request));
};

/** Nobody waits for the rest of a delay once the caller has hung up. */
const delayOrHangUp = (delayMs: number, response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    response.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });

const startScripted = (script: readonly Scripted[]): Promise<Loopback> => {
  const left = new Map(script.map((entry) => [entry, entry.times ?? Infinity]));
  return startLoopback(async (request: Seen, response: ServerResponse) => {
    const entry = script.find((one) => matches(one.route, request) && (left.get(one) ?? 0) > 0);
    if (entry === undefined) return answerJson(response, 404, { error: "not_found", detail: "Not found" });
    left.set(entry, (left.get(entry) ?? 0) - 1);
    if (entry.delay_ms !== undefined) await delayOrHangUp(entry.delay_ms, response);
    return answerJson(response, entry.status ?? 200, entry.text ?? entry.body ?? {}, entry.headers ?? {});
  });
};

const deadUrl = async (): Promise<string> => {
  const server = await startLoopback(() => undefined);
  await server.close();
  return server.url;
};

const serveSeller = (world: World) =>
  serve(
    {
      name: "seller",
      title: "Seller",
      version: "0.0.0",
      description: "",
      runner: world.runner,
      errorShape: "wrapped",
      dialects: sellerDialects,
      pages: [],
      stop: () => Promise.resolve(),
    },
    { host: "127.0.0.1", port: 0, log: logTo([]) },
  );

type Endpoint = BuyerSettings["sellers"][number];

const settingsOf = ({ buyer = {}, scripted = [] }: BuyerCase, saved: Saved): BuyerSettings => {
  const fallback: readonly Endpoint[] = [
    {
      url: String(resolve("{{seller.url}}", saved)),
      key: String(resolve("{{seller.key}}", saved)),
      headerType: "api_key",
    },
  ];
  const { sellers, ...rest } = resolve(buyer, saved) as Partial<BuyerSettings>;
  const identity = { agency_id: "agency-2", seat_id: "seat-2" };
  const openDirect = { ...plainBuyer.openDirect, ...rest.openDirect };
  const isSlow = scripted.some(({ delay_ms }) => delay_ms !== undefined);
  const sellerTimeoutSeconds = isSlow ? 0.2 : 20;
  return { ...plainBuyer, identity, sellerTimeoutSeconds, ...rest, openDirect, sellers: sellers ?? fallback };
};

const mintSecrets = async (send: Send): Promise<ReadonlyMap<string, string>> => {
  const minted = await Promise.all(
    (["operator", "senior"] as const).map(async (role) => {
      const input = { label: `${role} of the tests`, role };
      const reply = await send({ caller: "host", operation: "create_operator_key", input }, null);
      return [role, String(reply.body["api_key"])] as const;
    }),
  );
  return new Map(minted);
};

export const openBuyerCase = async (
  of: BuyerCase,
  sendVia: (runner: Runner) => Send = sendToRunner,
): Promise<BuyerCaseWorld> => {
  const seller = await openWorld();
  const served = await serveSeller(seller);
  const scripted = await startScripted(of.scripted ?? []);
  const saved: Saved = new Map<string, unknown>([
    ["seller", { url: served.url, key: seller.secretOf("agency") }],
    ["scripted", { url: scripted.url }],
    ["dead", { url: await deadUrl() }],
  ]);
  const store = openMemoryStore();
  const logged: World["logged"] = [];
  const record = (level: string) => (fields: unknown, message: string) => void logged.push({ level, fields, message });
  let commits = 0;
  let now = startMs;
  const buyer = createBuyer({
    store: {
      ...store,
      commit: async (commit) => {
        const outcome = await store.commit(commit);
        // Not of an operation: the worker, the deal library and the counts of key uses write at their own time.
        const isOperation = commit.audit !== null && commit.audit.door !== "job";
        if (outcome.ok && isOperation) commits += 1;
        return outcome;
      },
    },
    settings: settingsOf(of, saved),
    clock: { nowMs: () => now },
    log: { info: record("info"), warn: record("warn"), error: record("error") },
    seal: of.sealless === true ? null : createSeal(Buffer.alloc(32, 7)),
    pause: async () => undefined,
  });
  const secrets = await mintSecrets(sendToRunner(buyer.runner));
  const send = sendVia(buyer.runner);
  const secretOf = (caller: string): string | null =>
    caller === "anonymous" || caller === "host" ? null : (secrets.get(caller) ?? caller);
  return {
    saved,
    seller,
    scripted,
    runner: buyer.runner,
    store,
    logged,
    commits: () => commits,
    advance: (ms) => {
      now += ms;
      seller.advance(ms);
    },
    nowMs: () => now,
    send: (request) => send(request, secretOf(request.caller)),
    settled: async (jobId) => void (await settledJob(buyer, jobId)),
    close: async () => {
      await buyer.stop();
      await store.close();
      await scripted.close();
      await served.close();
      await seller.close();
    },
  };
};
