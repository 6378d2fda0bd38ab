import type { EdgeContext } from "../context.ts";
import { expandPrice } from "./prices/price-macro.ts";
import type { Bid } from "./provider/bid-answer.ts";

const limitMs = 3_000;

const call = async (address: string, context: EdgeContext): Promise<void> => {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username === "";
  const result = isWeb
    ? await context.env.send({
        url,
        method: "GET",
        headers: new Headers({ host: url.host, "user-agent": "parley-edge" }),
        body: null,
        idleMs: limitMs,
        totalMs: limitMs,
        trust: "foreign",
      })
    : null;
  if (result?.ok === true) await result.body?.cancel().catch(() => undefined);
  const outcome = result === null ? "invalid" : result.ok ? "called" : result.fault;
  context.metrics.add("edge_win_notices_total", { outcome });
};

/**
 * The notices that go out with a bid that is shown. Where the operator lets the edge call the win notice, it is called
 * behind the answer and left out of it, so that it is not called twice. Billing stays with the page: only there is an
 * impression rendered.
 */
export const noticesOf = (bid: Bid, context: EdgeContext): { readonly nurl?: string; readonly burl?: string } => {
  const { nurl, burl, price } = bid;
  if (nurl !== undefined && bid.isWinCalled === true) context.after(call(expandPrice(nurl, price), context));
  return {
    ...(nurl === undefined || bid.isWinCalled === true ? {} : { nurl: expandPrice(nurl, price) }),
    ...(burl === undefined ? {} : { burl: expandPrice(burl, price) }),
  };
};
