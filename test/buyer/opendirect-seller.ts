import type { ServerResponse } from "node:http";
import { answerJson, type Loopback, type Seen, startLoopback } from "../client/loopback.ts";

type Body = Record<string, unknown>;

type Step = "order" | "line" | "reserve" | "book" | "cancel";

/** True: the hook has answered. `before`: nothing is done yet; `after`: it is done, and not answered. */
export interface LineBends {
  readonly before?: (step: Step, response: ServerResponse) => boolean;
  readonly after?: (step: Step, response: ServerResponse, line: Body) => boolean;
  /** Changes the line as the server keeps it. */
  readonly keeps?: (line: Body) => Body;
  /** What is asked of another server: catalog and availability. */
  readonly elsewhere?: (request: Seen, response: ServerResponse) => Promise<void>;
  readonly spec?: boolean;
}

export interface OpenDirectSeller {
  readonly url: string;
  readonly server: Loopback;
  readonly orders: Map<string, Body>;
  readonly lines: Map<string, Body>;
  sold(): readonly Body[];
  close(): Promise<void>;
}

const account = "acc-1";

/** A server of OpenDirect 2.1 without idempotency keys: each POST makes another order or line. */
export const startOpenDirectSeller = async (bends: LineBends = {}): Promise<OpenDirectSeller> => {
  const orders = new Map<string, Body>();
  const lines = new Map<string, Body>();

  const paged = (items: readonly Body[], query: URLSearchParams): readonly Body[] => {
    const skip = Number(query.get("$skip") ?? 0);
    return items.slice(skip, skip + Number(query.get("$top") ?? 50));
  };

  const makeOrder = (body: Body, response: ServerResponse): void => {
    if (bends.before?.("order", response) === true) return;
    const made = { ...body, id: `o-${orders.size + 1}` };
    orders.set(made.id, made);
    if (bends.after?.("order", response, made) !== true) answerJson(response, 201, made);
  };

  const makeLine = (orderId: string, body: Body, response: ServerResponse): void => {
    if (bends.before?.("line", response) === true) return;
    const id = `l-${lines.size + 1}`;
    const cost = Math.round((Number(body["rate"]) * Number(body["qty"])) / 10) / 100;
    const made: Body = { ...body, id, orderid: orderId, cost, bookingstatus: "Draft" };
    const kept = bends.keeps?.(made) ?? made;
    lines.set(id, kept);
    if (bends.after?.("line", response, kept) !== true) answerJson(response, 201, kept);
  };

  const moves: Readonly<Record<string, readonly [from: string, to: string]>> = {
    reserve: ["Draft", "Reserved"],
    book: ["Reserved", "Booked"],
    cancel: ["Booked", "Canceled"],
  };

  const moveLine = (line: Body, action: string, response: ServerResponse): void => {
    const [from, to] = moves[action] ?? [];
    if (bends.before?.(action as Step, response) === true) return;
    if (line["bookingstatus"] !== from) return answerJson(response, 409, { error: "wrong_status", detail: "No." });
    line["bookingstatus"] = to;
    if (bends.after?.(action as Step, response, line) !== true) answerJson(response, 200, line);
  };

  const catalog = (): Body[] =>
    [
      ["p-display", "display", 10],
      ["p-ctv", "ctv", 20],
    ].map(([id, format, price]) => ({
      id,
      publisherid: "pub-1",
      name: `Product ${String(id)}`,
      currency: "USD",
      baseprice: price,
      ratetype: "CPM",
      deliverytype: "Guaranteed",
      ext: { ad_formats: [format], minimum_impressions: 1000 },
    }));

  const avails = (body: Body, response: ServerResponse): void => {
    const ids = body["productids"] as string[] | undefined;
    if (ids !== undefined && bends.spec !== true)
      return answerJson(response, 422, { error: "validation_error", detail: "" });
    const id = ids?.[0] ?? body["productid"];
    const price = catalog().find((item) => item["id"] === id)?.["baseprice"];
    const impressions = Number(body["requestedImpressions"] ?? 100_000_000);
    if (ids === undefined) {
      const answer = { productid: id, availableImpressions: impressions, estimatedCpm: price, totalCost: 1 };
      return answerJson(response, 200, answer);
    }
    const { accountid, startdate, enddate } = body;
    const status = { availsstatus: { status: "Available" }, availability: impressions };
    answerJson(response, 200, {
      avails: [{ productid: id, accountid, ...status, price, currency: "USD", startdate, enddate }],
    });
  };

  const server = await startLoopback(async (request, response) => {
    const url = new URL(request.path, "http://opendirect.example");
    const body = request.body === "" ? {} : (JSON.parse(request.body) as Body);
    const [root, owner, , orderId = "", , lineId = ""] = url.pathname.split("/").slice(1);
    if (root === "products" && bends.elsewhere !== undefined) return bends.elsewhere(request, response);
    if (url.pathname === "/products") return answerJson(response, 200, { products: catalog(), total_count: 2 });
    if (url.pathname === "/products/avails") return avails(body, response);
    if (root !== "accounts" || owner !== account) return answerJson(response, 404, { error: "not_found", detail: "" });
    const order = orders.get(orderId);
    const line = lines.get(lineId);
    if (orderId === "") {
      if (request.method === "POST") return makeOrder(body, response);
      return answerJson(response, 200, paged([...orders.values()], url.searchParams));
    }
    if (order === undefined) return answerJson(response, 404, { error: "not_found", detail: "" });
    if (lineId === "") {
      if (request.method === "POST") return makeLine(orderId, body, response);
      const own = [...lines.values()].filter((one) => one["orderid"] === orderId);
      return answerJson(response, 200, { lines: paged(own, url.searchParams) });
    }
    if (line?.["orderid"] !== orderId) return answerJson(response, 404, { error: "not_found", detail: "" });
    if (request.method === "PATCH") return moveLine(line, url.searchParams.get("action") ?? "", response);
    return answerJson(response, 200, line);
  });
  return {
    url: server.url,
    server,
    orders,
    lines,
    sold: () => [...lines.values()].filter((line) => line["bookingstatus"] === "Booked"),
    close: () => server.close(),
  };
};
