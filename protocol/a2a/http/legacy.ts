import { LegacyRestTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import { errorOf, refusalHeaders } from "../../jsonrpc/answers.ts";
import { refusalTable } from "../../neutral/refusals.ts";
import { type HttpBinding, type HttpCall, httpStatusOf, jsonResponse, type Texts } from "./binding.ts";
import { configParams, sendParams } from "./legacy-input.ts";
import { shownCard, shownConfig, shownConfigs, shownEvent, shownTask } from "./legacy-output.ts";
import type { Members } from "../../neutral/members.ts";

const idOf = ({ taskId }: Texts): Members => ({ id: taskId });
const namedConfig = ({ taskId, configId }: Texts): Members => ({ id: taskId, pushNotificationConfigId: configId });
const config = "/v1/tasks/:taskId/pushNotificationConfigs";

const queried = ({ historyLength, history_length: snake }: Texts): Members => {
  const length = historyLength ?? snake;
  return length === undefined ? {} : { historyLength: /^-?\d{1,9}$/.test(length) ? Number(length) : length };
};

/** A2A 0.3, 3.5.3. */
const calls: readonly HttpCall[] = [
  {
    http: "POST",
    path: "/v1/message\\:send",
    method: "message/send",
    params: (_path, _query, body) => sendParams(body),
    shown: shownEvent,
  },
  {
    http: "POST",
    path: "/v1/message\\:stream",
    method: "message/stream",
    params: (_path, _query, body) => sendParams(body),
  },
  { http: "POST", path: "/v1/tasks/:taskId\\:cancel", method: "tasks/cancel", params: idOf, shown: shownTask },
  { http: "GET", path: "/v1/tasks/:taskId\\:subscribe", method: "tasks/resubscribe", params: idOf },
  { http: "POST", path: "/v1/tasks/:taskId\\:subscribe", method: "tasks/resubscribe", params: idOf },
  {
    http: "GET",
    path: "/v1/tasks/:taskId",
    method: "tasks/get",
    params: (path, query) => ({ ...queried(query), ...idOf(path) }),
    shown: shownTask,
  },
  {
    http: "POST",
    path: config,
    method: "tasks/pushNotificationConfig/set",
    params: ({ taskId = "" }, _query, body) => configParams(taskId, body),
    status: 201,
    shown: shownConfig,
  },
  { http: "GET", path: config, method: "tasks/pushNotificationConfig/list", params: idOf, shown: shownConfigs },
  {
    http: "GET",
    path: `${config}/:configId`,
    method: "tasks/pushNotificationConfig/get",
    params: namedConfig,
    shown: shownConfig,
  },
  {
    http: "DELETE",
    path: `${config}/:configId`,
    method: "tasks/pushNotificationConfig/delete",
    params: namedConfig,
    status: 204,
  },
  {
    http: "GET",
    path: "/v1/card",
    method: "agent/getAuthenticatedExtendedCard",
    params: () => ({}),
    shown: shownCard,
  },
];

const failureOf = (error: unknown): object => LegacyRestTransportHandler.mapToLegacyHTTPError(error);

/** HTTP+JSON of A2A 0.3: messages and tasks are the JSON of its protobuf definitions. */
export const legacyHttp: HttpBinding = {
  version: "0.3",
  calls,
  failed: (error) => jsonResponse(httpStatusOf(error), failureOf(error)),
  refused: (refusal) => {
    const { status } = refusalTable[refusal.code];
    return jsonResponse(status, errorOf(refusal), refusalHeaders(refusal));
  },
  envelope: {
    binding: "HTTP+JSON",
    event: ({ result }) => shownEvent(result),
    failure: (_body, error) => failureOf(error),
  },
};
