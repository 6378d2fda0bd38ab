import { JSONRPCServer } from "json-rpc-2.0";
import { type BodyLimits, checkDepth, isMembers, type Members } from "../neutral/json-input.ts";
import { Refused } from "../neutral/refusals.ts";

/** A JSON-RPC 2.0 answer: exactly one of `result` and `error`. */
export interface RpcAnswer {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly result?: unknown;
  readonly error?: RpcError;
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * How a door differs from strict JSON-RPC 2.0: `batches` are allowed or refused; a request without an id is a
 * notification or (A2A) answered with id null; `strictIds` refuses fractional numbers.
 */
export interface RpcProfile {
  readonly batches: boolean;
  readonly notifications: boolean;
  readonly strictIds: boolean;
}

/** JSON-RPC 2.0, section 7 in full: what `/rpc` speaks. */
export const strictProfile: RpcProfile = { batches: true, notifications: true, strictIds: false };

/** What A2A asks of JSON-RPC: no batches, every request answered. */
export const a2aProfile: RpcProfile = { batches: false, notifications: false, strictIds: true };

/** Most requests of one batch: each counts as a request of its own, so a batch must not hide a flood. */
const largestBatch = 50;

const failure = (id: RpcAnswer["id"], code: number, message: string): RpcAnswer => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});

const isId = (id: unknown, strict: boolean): id is string | number | null =>
  id === null || typeof id === "string" || (typeof id === "number" && (!strict || Number.isInteger(id)));

const envelopeDefect = (message: unknown, strictIds: boolean): string | null => {
  if (!isMembers(message)) return "A request must be an object.";
  if (message["jsonrpc"] !== "2.0") return 'The member jsonrpc must be "2.0".';
  if (typeof message["method"] !== "string") return "The member method must be a string.";
  if ("id" in message && !isId(message["id"], strictIds)) return "The member id must be a string, an integer or null.";
  const params = message["params"];
  if (params !== undefined && (typeof params !== "object" || params === null)) {
    return "The member params must be an object or an array.";
  }
  return null;
};

const batchDefect = ({ batches }: RpcProfile, length: number): string | null => {
  if (!batches) return "Batches are not accepted here. Send one request.";
  if (length === 0) return "A batch must hold at least one request.";
  return length > largestBatch ? `Send at most ${largestBatch} requests in a batch.` : null;
};

/** The dispatcher of a door: methods are registered on `server`, `receive` takes body text and answers what to send. */
export interface RpcDispatcher<C> {
  readonly server: JSONRPCServer<C>;
  /** Null: nothing to send (only notifications). */
  receive(text: string, context: C): Promise<RpcAnswer | readonly RpcAnswer[] | null>;
  /** One envelope that is already parsed. */
  receiveMessage(message: unknown, context: C): Promise<RpcAnswer | null>;
  parse(text: string): { readonly message: unknown } | { readonly refused: RpcAnswer };
  /** The refusal of a message that is no request, null for one that is: `receiveMessage` begins with it. */
  refusedForm(message: unknown): RpcAnswer | null;
  /** What is answered to something that reaches no method: the gate's refusal, else `answer`. */
  behindGate(answer: RpcAnswer, context: C): Promise<RpcAnswer>;
}

/** Judges and counts what reaches no method, where the method would do it; null where it passes. */
export type Gate<C> = (context: C) => Promise<RpcError | null>;

/** The gate of a door that judges every request itself. */
export const noGate: Gate<unknown> = () => Promise.resolve(null);

/** The library, silent on stderr; what a method throws without meaning it is -32603 without its text. */
const libraryServer = <C>(): JSONRPCServer<C> => {
  const server = new JSONRPCServer<C>({ errorListener: () => undefined });
  server.mapErrorToJSONRPCErrorResponse = (id, error) => {
    const known = error as { code?: unknown; message?: unknown; data?: unknown; rpc?: unknown } | null;
    const isDeclared = known?.rpc === true && typeof known.code === "number" && typeof known.message === "string";
    if (!isDeclared) return { jsonrpc: "2.0", id, error: { code: -32603, message: "Internal error" } };
    const data = known.data === undefined ? {} : { data: known.data };
    return { jsonrpc: "2.0", id, error: { code: known.code as number, message: known.message as string, ...data } };
  };
  return server;
};

/**
 * A front for the JSON-RPC library that settles what it leaves open: envelope defects are -32600 also without an id,
 * a batch of one is answered as a batch, and an unexpected throw is -32603 without its text.
 */
export const createRpcDispatcher = <C>(profile: RpcProfile, limits: BodyLimits, gate: Gate<C>): RpcDispatcher<C> => {
  const server = libraryServer<C>();

  const parse = (text: string): { message: unknown } | { refused: RpcAnswer } => {
    try {
      checkDepth(text, limits.depth);
      return { message: JSON.parse(text) as unknown };
    } catch (error) {
      if (error instanceof Refused) return { refused: failure(null, -32600, error.refusal.message) };
      return { refused: failure(null, -32700, "The body is not valid JSON.") };
    }
  };

  const refusedForm = (message: unknown): RpcAnswer | null => {
    const defect = envelopeDefect(message, profile.strictIds);
    if (defect === null) return null;
    const id = isMembers(message) && isId(message["id"], profile.strictIds) ? message["id"] : null;
    return failure(id, -32600, defect);
  };

  const behindGate = async (answer: RpcAnswer, context: C): Promise<RpcAnswer> => {
    const error = await gate(context);
    return error === null ? answer : { jsonrpc: "2.0", id: answer.id, error };
  };

  const receiveMessage = async (message: unknown, context: C): Promise<RpcAnswer | null> => {
    const refused = refusedForm(message);
    if (refused !== null) return behindGate(refused, context);
    const envelope = message as Members & { jsonrpc: "2.0"; method: string };
    const isNotification = !("id" in envelope);
    const request = isNotification && !profile.notifications ? { ...envelope, id: null } : envelope;
    const answer = (await server.receive(request, context)) as RpcAnswer | null;
    if (server.hasMethod(envelope.method)) return answer;
    if (answer !== null) return behindGate(answer, context);
    await gate(context);
    return null;
  };

  const receiveBatch = async (
    batch: readonly unknown[],
    context: C,
  ): Promise<RpcAnswer | readonly RpcAnswer[] | null> => {
    const defect = batchDefect(profile, batch.length);
    if (defect !== null) return behindGate(failure(null, -32600, defect), context);
    const answers = await Promise.all(batch.map((message) => receiveMessage(message, context)));
    const sent = answers.filter((answer) => answer !== null);
    return sent.length === 0 ? null : sent;
  };

  return {
    server,
    parse,
    refusedForm,
    behindGate,
    receiveMessage,
    receive: async (text, context) => {
      const parsed = parse(text);
      if ("refused" in parsed) return behindGate(parsed.refused, context);
      return Array.isArray(parsed.message)
        ? receiveBatch(parsed.message, context)
        : receiveMessage(parsed.message, context);
    },
  };
};

/** A JSON-RPC error that a method means to give; any other throw is answered as -32603. */
export const rpcError = (code: number, message: string, data?: unknown): Error =>
  Object.assign(new Error(message), { rpc: true, code, ...(data === undefined ? {} : { data }) });
