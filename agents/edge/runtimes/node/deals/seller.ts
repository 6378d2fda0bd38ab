import { z } from "zod";
import {
  baseOf,
  callHeaders,
  type Target,
  type WireRequest,
  writeRequest,
} from "../../../../../protocol/client/request.ts";
import { reportDelivery } from "../../../../../skills/seller/delivery/contract.ts";
import { listDeals } from "../../../../../skills/seller/portfolio/contract.ts";
import type { SellerDealsConfig } from "../../../config.ts";
import { parseJson } from "../../../http/body.ts";
import type { Contract } from "../../../../../protocol/seam/operation.ts";
import type { ByteStream, EdgeEnv, OutboundResult, SellerDeal } from "../../../platform.ts";
import { readDecoded } from "../../../proxy/decoded-body.ts";
import type { DeliveryBatch } from "./delivery-ledger.ts";
import { listedPage, readListedDeal } from "./listed-deals.ts";

const pageSize = 200;
const mostPages = 500;
const mostBytes = 16_777_216;
const limitMs = 15_000;
/** The stream sends a comment line at least this often. */
const silenceMs = 60_000;
/** Only the first words of a line are looked at. */
const longestLine = 1_024;

export interface ListedDeals {
  readonly deals: readonly SellerDeal[];
  readonly unreadable: number;
}

/** Why the seller could not be read, in words for the operator's log. */
export class SellerCallError extends Error {
  readonly status: number | null;

  constructor(message: string, status: number | null = null) {
    super(message);
    this.status = status;
  }
}

const reported = z.object({ batch_id: z.string(), rejected: z.array(z.object({ deal_id: z.string() })).default([]) });

export interface Seller {
  activeDeals(): Promise<ListedDeals>;
  /** Deals that the seller does not know. Repeating a batch is harmless. */
  report(batch: DeliveryBatch): Promise<readonly string[]>;
  /** Opens the seller's event stream; resolves at its end. */
  follow(onDealEvent: () => void, signal: AbortSignal): Promise<void>;
}

type Sender = Pick<EdgeEnv, "send" | "decode">;

const readEvents = async (body: ByteStream, onDealEvent: () => void, signal: AbortSignal): Promise<void> => {
  const reader = body.getReader();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", stop, { once: true });
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      const lines = (rest + decoder.decode(step.value, { stream: true })).split("\n");
      rest = (lines.pop() ?? "").slice(-longestLine);
      if (lines.some((line) => line.startsWith("event: deal."))) onDealEvent();
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
};

export const createSeller = (config: SellerDealsConfig, env: Sender): Seller => {
  const target: Target = { baseUrl: config.seller_url, bearer: config.api_key };
  const send = ({ method, url, headers, body }: WireRequest, limits: { idleMs: number; totalMs?: number }) =>
    env.send({
      url: new URL(url),
      method,
      headers: new Headers({ host: new URL(url).host, ...headers }),
      body: body === null ? null : new TextEncoder().encode(body),
      ...limits,
      trust: "operator",
    });
  const opened = async (result: OutboundResult): Promise<Extract<OutboundResult, { ok: true }>> => {
    if (!result.ok) throw new SellerCallError(`the seller cannot be reached (${result.reason})`);
    if (result.status >= 200 && result.status < 300) return result;
    await result.body?.cancel().catch(() => undefined);
    throw new SellerCallError(`the seller answered ${result.status}`, result.status);
  };
  const call = async <I extends z.ZodType>(contract: Contract<I>, input: z.input<I>): Promise<unknown> => {
    const limits = { idleMs: limitMs, totalMs: limitMs };
    const { body, headers } = await opened(await send(writeRequest(target, contract, input, {}), limits));
    const read = await readDecoded(env, body, headers, mostBytes);
    const value = read.ok ? parseJson(read.bytes) : undefined;
    if (value === undefined) throw new SellerCallError("the seller's answer is no JSON, or too long");
    return value;
  };
  return {
    async activeDeals() {
      const deals: SellerDeal[] = [];
      let [unreadable, cursor] = [0, ""];
      for (let page = 0; page < mostPages; page += 1) {
        const after = cursor === "" ? {} : { cursor };
        const parsed = listedPage.safeParse(await call(listDeals, { status: ["active"], limit: pageSize, ...after }));
        if (!parsed.success) throw new SellerCallError("the seller's answer is no list of deals");
        const read = parsed.data.deals.map((one) => readListedDeal(one, config.sandbox));
        deals.push(...read.filter((deal) => deal !== null));
        unreadable += read.filter((deal) => deal === null).length;
        const next = parsed.data.next_cursor ?? "";
        if (next === "" || next === cursor) break;
        cursor = next;
      }
      return { deals, unreadable };
    },
    async report({ id, counts }) {
      const parsed = reported.safeParse(await call(reportDelivery, { batch_id: id, counts: [...counts] }));
      if (!parsed.success || parsed.data.batch_id !== id)
        throw new SellerCallError("the seller's answer names no batch");
      return parsed.data.rejected.map(({ deal_id: dealId }) => dealId);
    },
    async follow(onDealEvent, signal) {
      const url = `${baseOf(target.baseUrl)}/events/stream`;
      const headers = { ...callHeaders(target, {}), accept: "text/event-stream" };
      const request = { method: "GET", url, headers, body: null };
      const { body } = await opened(await send(request, { idleMs: silenceMs }));
      if (body !== null) await readEvents(body, onDealEvent, signal);
    },
  };
};
