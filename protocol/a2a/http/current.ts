import { toRestErrorBody } from "@a2a-js/sdk/errors";
import type { DoorResponse } from "../../door/door.ts";
import { refusalHeaders } from "../../jsonrpc/answers.ts";
import { refusalBody } from "../../neutral/refusal-body.ts";
import { type Refusal, refusalTable } from "../../neutral/refusals.ts";
import { type HttpBinding, type HttpCall, httpStatusOf, jsonResponse, type Texts } from "./binding.ts";
import type { Members } from "../../neutral/members.ts";

const idOf = ({ taskId }: Texts): Members => ({ id: taskId });
const config = "/tasks/:taskId/pushNotificationConfigs";

const integers: ReadonlySet<string> = new Set(["historyLength", "pageSize"]);

/** A text that is no number is kept, so that it is refused. */
const valueOf = (name: string, text: string): unknown => {
  if (integers.has(name) && /^-?\d{1,9}$/.test(text)) return Number(text);
  return name === "includeArtifacts" && (text === "true" || text === "false") ? text === "true" : text;
};

const read = (query: Texts): Members =>
  Object.fromEntries(Object.entries(query).map(([name, text]) => [name, valueOf(name, text)]));

/** A2A 1.0, 11.3. */
const calls: readonly HttpCall[] = [
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
  {
    http: "GET",
    path: "/tasks/:taskId",
    method: "GetTask",
    params: (path, query) => ({ ...read(query), ...idOf(path) }),
  },
  { http: "GET", path: "/tasks", method: "ListTasks", params: (_path, query) => read(query) },
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

const failureOf = (error: unknown): object => toRestErrorBody(error, httpStatusOf(error));

/** google.rpc.Status, with the REST body of the refusal beside it. */
const statusNames: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  413: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

const refused = (refusal: Refusal): DoorResponse => {
  const { status } = refusalTable[refusal.code];
  const details = [{ "@type": "type.googleapis.com/google.protobuf.Struct", value: refusalBody(refusal) }];
  const error = { code: status, status: statusNames[status] ?? "INVALID_ARGUMENT", message: refusal.message, details };
  return jsonResponse(status, { error }, refusalHeaders(refusal));
};

/** HTTP+JSON of A2A 1.0. */
export const currentHttp: HttpBinding = {
  version: "1.0",
  calls,
  failed: (error) => jsonResponse(httpStatusOf(error), failureOf(error)),
  refused,
  envelope: {
    binding: "HTTP+JSON",
    event: ({ result }) => result as object,
    failure: (_body, error) => failureOf(error),
  },
};
