import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";
import type { OpenApiDocument } from "../../protocol/openapi/document.ts";
import { readDocument, type ReadDocument } from "./document.ts";
import { bodyAgreement, defectsOf, type Received } from "./judge.ts";
import { type Actor, type Plan, planRequests } from "./plans.ts";
import { createPool } from "./pool.ts";

/** Null: no credential. */
export interface Target {
  readonly url: string;
  readonly secrets: Readonly<Record<Actor, string | null>>;
  /** A loopback address that the seller may call. */
  readonly peerUrl: string;
}

export interface Findings {
  readonly faults: readonly string[];
  readonly statuses: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

export const openPeer = async (): Promise<{ readonly url: string; close(): Promise<void> }> => {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ name: "Peer", url: `http://${request.headers.host}`, version: "1", skills: [] }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
};

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const asText = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

/** An empty text would name another path; half a surrogate pair has no encoding. */
const encoded = (value: unknown): string => {
  const text = asText(value)
    .replace(/[\ud800-\udfff]/gu, "\ufffd")
    .slice(0, 1500);
  return text === "" ? "%20" : encodeURIComponent(text);
};

const pathOf = (plan: Plan, filled: Readonly<Record<string, unknown>>): string =>
  plan.operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(filled[name]));

const queryOf = (filled: Readonly<Record<string, unknown>>): string => {
  const pairs = Object.entries(filled).flatMap(([name, value]) =>
    value === undefined ? [] : (Array.isArray(value) ? value : [value]).map((one) => `${name}=${encoded(one)}`),
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
};

/** Whatever address was generated, only loopback is called. */
const onLoopback = (text: string, peerUrl: string): string =>
  text.replace(/https?:(?:\/|\\\/)*[^/?#\s"\\]*/gi, peerUrl);

const requestOf = (plan: Plan, target: Target, fill: (planned: unknown) => unknown): Sent => {
  const path = `${pathOf(plan, fill(plan.path) as never)}${queryOf(fill(plan.query) as never)}`;
  const secret = target.secrets[plan.actor];
  const withKey = secret === null ? {} : { "x-api-key": secret };
  if (plan.body === null) return { method: plan.method, path, headers: { ...plan.headers, ...withKey }, body: null };
  const text = "text" in plan.body ? String(fill(plan.body.text)) : (JSON.stringify(fill(plan.body.json)) ?? "");
  const headers = { "content-type": "application/json", ...plan.headers, ...withKey };
  return { method: plan.method, path, headers, body: onLoopback(text, target.peerUrl) };
};

/** Of an event stream only the first piece. */
const exchange = async (pool: Pool, sent: Sent): Promise<Received> => {
  const { method, path, headers, body } = sent;
  const answer = await pool.request({ method: method as "GET", path, headers: { ...headers }, body });
  const said = { status: answer.statusCode, headers: answer.headers };
  if (!String(answer.headers["content-type"]).startsWith("text/event-stream")) {
    return { ...said, text: await answer.body.text() };
  }
  for await (const piece of answer.body) return { ...said, text: String(piece) };
  return { ...said, text: "" };
};

const shown = (text: string): string => (text.length > 1500 ? `${text.slice(0, 1500)}… (${text.length})` : text);

const faultText = (seed: number, place: number, sent: Sent, got: Received, defects: readonly string[]): string =>
  [
    `seed ${seed}, request ${place}: ${defects.slice(0, 5).join("; ")}`,
    `${sent.method} ${shown(sent.path)} ${JSON.stringify(sent.headers)}`,
    ...(sent.body === null ? [] : [shown(sent.body)]),
    `${got.status} ${JSON.stringify(got.headers)}`,
    shown(got.text),
  ].join("\n");

const parsedOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
};

const readServed = async (url: string): Promise<ReadDocument> =>
  readDocument((await (await fetch(new URL("/openapi.json", url))).json()) as OpenApiDocument);

const bodyDefects = (plan: Plan, { method, body }: Sent, got: Received, document: ReadDocument): readonly string[] => {
  const { operation } = plan;
  if (body === null || operation.body === null || method !== operation.method) return [];
  const value = parsedOrNull(body);
  return value === null ? [] : bodyAgreement(operation, value, got, document);
};

const batch = 500;

/** Ids come from earlier answers by position, so the same seed asks the same of a fresh seller. */
export const fuzz = async (target: Target, seed: number, count: number): Promise<Findings> => {
  const document = await readServed(target.url);
  const pool = new Pool(target.url, { connections: 2, bodyTimeout: 20_000, headersTimeout: 20_000 });
  const { learn, fill } = createPool(document.words);
  const faults: string[] = [];
  const statuses = new Map<string, Map<number, number>>();
  for (let start = 0; start < count; start += batch) {
    const plans = planRequests(document, seed + start, Math.min(batch, count - start));
    for (const [at, plan] of plans.entries()) {
      const sent = requestOf(plan, target, fill);
      const got = await exchange(pool, sent);
      if (got.status < 300 || got.status === 409) learn(parsedOrNull(got.text));
      const { operation, method } = plan;
      const defects = [...defectsOf(operation, method, got, document), ...bodyDefects(plan, sent, got, document)];
      if (defects.length > 0) faults.push(faultText(seed, start + at, sent, got, defects));
      const counts = statuses.get(operation.id) ?? new Map<number, number>();
      statuses.set(operation.id, counts.set(got.status, (counts.get(got.status) ?? 0) + 1));
    }
  }
  await pool.close();
  return { faults, statuses };
};
