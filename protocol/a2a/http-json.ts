import {
  type A2AError,
  ContentTypeNotSupportedError,
  fromJsonRpcErrorResponse,
  RequestMalformedError,
  restStatusFor,
  toRestErrorBody,
} from "@a2a-js/sdk/errors";
import type { DoorRequest, DoorResponse, DoorRoute } from "../door/door.ts";
import { refusalHeaders } from "../jsonrpc/answers.ts";
import { parseMessage, type RpcAnswer, RpcFailure } from "../jsonrpc/dispatcher.ts";
import { isMembers } from "../neutral/json-input.ts";
import { queryOf } from "../neutral/query.ts";
import { refusalBody } from "../neutral/refusal-body.ts";
import { type Refusal, Refused, refusalTable } from "../neutral/refusals.ts";
import { type A2aWire, answerRpc } from "./exchange.ts";
import type { Members } from "../neutral/members.ts";

/** A2A 1.0, 11.1: clients of its first release read JSON alone. */
const mediaTypeOf = ({ headers }: DoorRequest): string =>
  headers["accept"]?.includes("application/a2a+json") === true ? "application/a2a+json" : "application/json";

interface Call {
  readonly http: DoorRoute["method"];
  readonly path: string;
  /** The JSON-RPC method of the same meaning. */
  readonly method: string;
  readonly params: (path: Readonly<Record<string, string>>, query: Members, body: Members) => Members;
  readonly status?: number;
}

const idOf = ({ taskId }: Readonly<Record<string, string>>): Members => ({ id: taskId });
const config = "/tasks/:taskId/pushNotificationConfigs";

/** A2A 1.0, 11.3. */
const calls: readonly Call[] = [
  { http: "POST", path: "/message\\:send", method: "SendMessage", params: (_path, _query, body) => body },
  { http: "POST", path: "/message\\:stream", method: "SendStreamingMessage", params: (_path, _query, body) => body },
  {
    http: "POST",
    path: "/tasks/:taskId\\:cancel",
    method: "CancelTask",
    params: (path, _query, body) => ({ ...body, ...idOf(path) }),
  },
  { http: "GET", path: "/tasks/:taskId\\:subscribe", method: "SubscribeToTask", params: idOf },
  { http: "POST", path: "/tasks/:taskId\\:subscribe", method: "SubscribeToTask", params: idOf },
  { http: "GET", path: "/tasks/:taskId", method: "GetTask", params: (path, query) => ({ ...query, ...idOf(path) }) },
  { http: "GET", path: "/tasks", method: "ListTasks", params: (_path, query) => query },
  {
    http: "POST",
    path: config,
    method: "CreateTaskPushNotificationConfig",
    params: ({ taskId }, _query, body) => ({ ...body, taskId }),
    status: 201,
  },
  { http: "GET", path: config, method: "ListTaskPushNotificationConfigs", params: ({ taskId }) => ({ taskId }) },
  {
    http: "GET",
    path: `${config}/:configId`,
    method: "GetTaskPushNotificationConfig",
    params: ({ taskId, configId }) => ({ taskId, id: configId }),
  },
  {
    http: "DELETE",
    path: `${config}/:configId`,
    method: "DeleteTaskPushNotificationConfig",
    params: ({ taskId, configId }) => ({ taskId, id: configId }),
    status: 204,
  },
  { http: "GET", path: "/extendedAgentCard", method: "GetExtendedAgentCard", params: () => ({}) },
];

const integers: ReadonlySet<string> = new Set(["historyLength", "pageSize"]);

/** A text that is no number is kept, so that it is refused. */
const valueOf = (name: string, text: string): unknown => {
  if (integers.has(name) && /^-?\d{1,9}$/.test(text)) return Number(text);
  return name === "includeArtifacts" && (text === "true" || text === "false") ? text === "true" : text;
};

const queryMembers = ({ node }: DoorRequest): Members =>
  Object.fromEntries([...(queryOf(node.request.url ?? "") ?? [])].map(([name, text]) => [name, valueOf(name, text)]));

const json = (status: number, value: unknown, more: Readonly<Record<string, string>> = {}): DoorResponse => ({
  status,
  headers: status === 204 ? more : { "content-type": "application/json", ...more },
  body: status === 204 ? null : JSON.stringify(value),
});

const typed = (request: DoorRequest, response: DoorResponse): DoorResponse =>
  response.headers["content-type"] === "application/json"
    ? { ...response, headers: { ...response.headers, "content-type": mediaTypeOf(request) } }
    : response;

const failedResponse = (error: unknown, status: number = restStatusFor(error)): DoorResponse =>
  json(status, toRestErrorBody(error, status));

const errorOf = (answer: RpcAnswer): A2AError =>
  fromJsonRpcErrorResponse(answer as Parameters<typeof fromJsonRpcErrorResponse>[0]);

/** google.rpc.Status, with the REST body of the refusal beside it. */
const statusNames: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  413: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

const refusedAnswer = (refusal: Refusal): DoorResponse => {
  const { status } = refusalTable[refusal.code];
  const details = [{ "@type": "type.googleapis.com/google.protobuf.Struct", value: refusalBody(refusal) }];
  const error = { code: status, status: statusNames[status] ?? "INVALID_ARGUMENT", message: refusal.message, details };
  return json(status, { error }, refusalHeaders(status, refusal));
};

const unread = (error: unknown): DoorResponse => {
  if (error instanceof RpcFailure) return failedResponse(new RequestMalformedError(error.message));
  if (!(error instanceof Refused)) throw error;
  const { code, message, issues } = error.refusal;
  // A2A 1.0, 5.4; the SDK has 400.
  if (code === "unsupported_media_type") return failedResponse(new ContentTypeNotSupportedError(message), 415);
  return issues === undefined
    ? refusedAnswer(error.refusal)
    : failedResponse(new RequestMalformedError(issues[0]?.msg ?? message));
};

const bodyOf = async ({ limits }: A2aWire, request: DoorRequest): Promise<Members> => {
  const text = request.method === "POST" ? await request.readBody() : "";
  const body = text.trim() === "" ? {} : (parseMessage(text, limits) ?? {});
  if (!isMembers(body)) throw new RpcFailure("The body must be an object.", -32600);
  return body;
};

const serve = async (wire: A2aWire, call: Call, request: DoorRequest): Promise<DoorResponse> => {
  const params = call.params(request.params, queryMembers(request), await bodyOf(wire, request));
  const message = { jsonrpc: "2.0", id: request.requestId, method: call.method, params };
  const { answer, context } = await answerRpc(wire, request, message, "HTTP+JSON");
  if (context.stream !== null) return context.stream;
  const reply = answer as RpcAnswer;
  if (reply.error !== undefined) return failedResponse(errorOf(reply));
  return json(call.status ?? 200, reply.result ?? {});
};

/** The HTTP+JSON binding of A2A 1.0: each call is the JSON-RPC call of the same meaning, with other envelopes. */
export const httpJsonRoutes = (wire: A2aWire, base: string, access: Pick<DoorRoute, "access">): readonly DoorRoute[] =>
  calls.map((call) => ({
    method: call.http,
    path: `${base}${call.path}`,
    ...access,
    refused: (request, refusal) => Promise.resolve(typed(request, refusedAnswer(refusal))),
    handle: async (request) => typed(request, await serve(wire, call, request).catch(unread)),
  }));
