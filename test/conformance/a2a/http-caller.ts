import type { Started } from "../../spec/launched.ts";
import type { Members } from "../wire.ts";

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Members;
}

interface Sent {
  /** Text goes as it is, values as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly agent?: Started;
  readonly name?: string;
}

/** Calls the HTTP+JSON binding below `root` ("v1", "v0.3/v1"), by default the seller's with a buyer's key. */
export const httpCaller =
  (root: string, known: () => { readonly seller: Started; readonly key: string }) =>
  async (
    method: string,
    path: string,
    { body, headers = {}, agent, name = "seller" }: Sent = {},
  ): Promise<Answered> => {
    const { seller, key } = known();
    const typed = body === undefined ? {} : { "content-type": "application/json" };
    const text = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
    const answer = await fetch(`${(agent ?? seller).url}/a2a/${name}/${root}${path}`, {
      method,
      headers: { "x-api-key": key, ...typed, ...headers },
      ...text,
    });
    const said = await answer.text();
    const parsed = /^[{[]/.test(said) ? (JSON.parse(said) as Members) : {};
    return { status: answer.status, headers: answer.headers, text: said, body: parsed };
  };
