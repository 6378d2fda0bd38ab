import { createHash } from "node:crypto";
import type { Contract } from "../../protocol/seam/operation.ts";
import type { Store } from "../../storage/store.ts";

export type Members = Readonly<Record<string, unknown>>;
export type Headers = Readonly<Record<string, string>>;

export const inSandbox: Headers = { "x-parley-sandbox": "true" };

/** Changes with every row and every record of the audit trail. */
export const contentOf = async (store: Store): Promise<string> => {
  const hash = createHash("sha256").update(JSON.stringify(await store.auditHeads()));
  for (const [kind, count] of [...(await store.size()).rows].sort(([left], [right]) => left.localeCompare(right))) {
    hash.update(`${kind} ${count}`);
    for (let offset = 0; offset < count; offset += 500)
      hash.update(JSON.stringify(await store.list({ kind, terms: [], order: "oldest", limit: 500, offset })));
  }
  return hash.digest("hex");
};

/** Once what an agent does at its start is done. */
export const settled = async (store: Store): Promise<string> => {
  let before = await contentOf(store);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 400));
    const now = await contentOf(store);
    if (now === before) return now;
    before = now;
  }
};

export interface Sent {
  readonly status: number;
  readonly marked: string | null;
  readonly body: Members;
}

export const readAs = async (answer: Response, pick: (body: Members) => unknown): Promise<Sent> => {
  const body = (await answer.json()) as Members;
  const marked = answer.headers.get("x-parley-sandbox");
  return { status: answer.status, marked, body: (pick(body) ?? body) as Members };
};

export type Send = (url: string, contract: Contract, input: Members, headers: Headers) => Promise<Sent>;

export const overRest: Send = async (url, { rest }, input, headers) => {
  const left: Record<string, unknown> = { ...input };
  const path = (rest?.path ?? "/").replace(/:([a-z_]+)/g, (_, name: string) => {
    const value = String(left[name]);
    delete left[name];
    return encodeURIComponent(value);
  });
  const method = rest?.method ?? "GET";
  if (method === "POST" || method === "PUT") {
    const init = { method, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(left) };
    return readAs(await fetch(new URL(path, url), init), () => undefined);
  }
  const target = new URL(path, url);
  for (const [name, value] of Object.entries(left)) target.searchParams.set(name, String(value));
  return readAs(await fetch(target, { method, headers }), () => undefined);
};
