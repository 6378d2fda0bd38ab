import { isMembers } from "../../neutral/json-input.ts";
import type { Members } from "../../neutral/members.ts";
import { idDefect, isTextUpTo, mostIdLength } from "../messages/message-form.ts";
import { methodKind } from "../methods.ts";

/** A 0.3 request may leave the id out, in `set` and in `get`. */
const unnamed = "default";

const mostUrlLength = 2048;
/** A token may be a JWT. */
const mostSecretLength = 8192;

const texts = (from: Members, names: readonly string[], length: number): boolean =>
  names.every((name) => from[name] === undefined || from[name] === null || isTextUpTo(length, from[name]));

const authenticationDefect = (authentication: unknown): string | null => {
  if (authentication === undefined || authentication === null) return null;
  if (!isMembers(authentication) || !texts(authentication, ["scheme", "credentials"], mostSecretLength)) {
    return `The authentication must have a scheme and credentials, texts of at most ${mostSecretLength} characters.`;
  }
  const { schemes } = authentication;
  const isList = Array.isArray(schemes) && schemes.every((scheme) => typeof scheme === "string");
  return schemes === undefined || isList ? null : "The schemes of the authentication must be a list of texts.";
};

/** The SDK reads other types as an empty text. */
export const configDefect = (config: unknown): string | null => {
  if (!isMembers(config)) return "A push configuration must be an object.";
  if (!texts(config, ["id"], mostIdLength)) return idDefect;
  if (!texts(config, ["token"], mostSecretLength))
    return `A token must be a text of at most ${mostSecretLength} characters.`;
  if (config["url"] === "" || !isTextUpTo(mostUrlLength, config["url"])) {
    return `A push configuration must have a url, of at most ${mostUrlLength} characters.`;
  }
  return authenticationDefect(config["authentication"]);
};

export const pushDefect = ({ method, params }: Members): string | null => {
  if (!isMembers(params) || methodKind(method) !== "push") return null;
  if (method === "CreateTaskPushNotificationConfig") return configDefect(params);
  if (method !== "tasks/pushNotificationConfig/set") {
    return texts(params, ["id", "taskId", "pushNotificationConfigId"], mostIdLength) ? null : idDefect;
  }
  return configDefect(params["pushNotificationConfig"]);
};

/** Null: the message asks for no notifications. */
export const inlineConfig = (params: unknown): unknown => {
  const configuration = isMembers(params) ? params["configuration"] : undefined;
  if (!isMembers(configuration)) return null;
  const names = ["pushNotificationConfig", "taskPushNotificationConfig", "task_push_notification_config"];
  return names.map((name) => configuration[name]).find((config) => config !== undefined && config !== null) ?? null;
};

export const asksForPush = ({ method, params }: Members): boolean =>
  methodKind(method) === "push" || inlineConfig(params) !== null;

export const namedConfig = (body: Members): Members => {
  const { method, params } = body;
  if (!isMembers(params)) return body;
  if (method === "tasks/pushNotificationConfig/get" && params["pushNotificationConfigId"] === undefined) {
    return { ...body, params: { ...params, pushNotificationConfigId: unnamed } };
  }
  const config = params["pushNotificationConfig"];
  if (method !== "tasks/pushNotificationConfig/set" || !isMembers(config) || config["id"] !== undefined) return body;
  return { ...body, params: { ...params, pushNotificationConfig: { ...config, id: unnamed } } };
};
