import { type Failure, type Reply, request, signedOut } from "./api.ts";
import { agent } from "./session.ts";

/** What a button takes: the agent knows it by its id and does it only while its digest is that of its terms. */
export interface Option {
  readonly option: string;
  readonly n: number;
  readonly label: string;
  readonly terms: string;
  readonly digest: string;
}

export interface SaidBack {
  readonly contextId: string;
  readonly text: string;
  readonly options: readonly Option[];
}

export type Words = { readonly text: string } | { readonly data: { readonly option: string; readonly digest: string } };

interface Part {
  readonly kind: string;
  readonly text?: string;
  readonly data?: { readonly options?: readonly Option[] };
}

interface FlatReply {
  readonly error?: { readonly message?: string };
  readonly result?: { readonly contextId: string; readonly parts: readonly Part[] };
}

const refusedWith = (message: string): Failure => ({
  ok: false,
  kind: "refused",
  status: 200,
  code: "rpc_error",
  message,
  requestId: null,
});

export type Say = (words: Words, messageId: string, contextId: string | null) => Promise<Reply<SaidBack>>;

/** A message to this agent over A2A, as its flat form; sent again under its id it acts once. */
export const sayWith = async (
  headers: Readonly<Record<string, string>>,
  ...[words, messageId, contextId]: Parameters<Say>
): Promise<Reply<SaidBack>> => {
  const parts = [{ kind: "text" in words ? "text" : "data", ...words }];
  const message = { messageId, role: "user", parts, ...(contextId === null ? {} : { contextId }) };
  const reply = await request(`/a2a/${agent}/jsonrpc`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: messageId, method: "message/send", params: { message } }),
  });
  if (!reply.ok) {
    if (reply.kind === "signed-out") signedOut.value = true;
    return reply;
  }
  const { result, error } = reply.output as FlatReply;
  if (result === undefined) return refusedWith(error?.message ?? "The agent refused this.");
  const texts = result.parts.flatMap(({ text }) => (text === undefined ? [] : [text]));
  const options = result.parts.flatMap(({ data }) => data?.options ?? []);
  return { ok: true, output: { contextId: result.contextId, text: texts.join("\n"), options } };
};

/** As who is signed in. */
export const say: Say = (...message) => sayWith({}, ...message);
