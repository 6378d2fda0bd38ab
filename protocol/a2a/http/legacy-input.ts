import { isMembers } from "../../neutral/json-input.ts";
import type { Members } from "../../neutral/members.ts";

/** Protobuf's JSON has a member's name in both spellings. */
const member = (from: Members, name: string): unknown =>
  from[name] ?? from[name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];

/** In protobuf null and an empty text are the same as none. */
const picked = (from: Members, names: readonly string[]): Members =>
  Object.fromEntries(
    names.map((name) => [name, member(from, name)] as const).filter(([, value]) => value != null && value !== ""),
  );

const roles: Readonly<Record<string, string>> = { ROLE_USER: "user", 1: "user", ROLE_AGENT: "agent", 2: "agent" };

const fileIn = (file: unknown): unknown => {
  if (!isMembers(file)) return file;
  return { uri: member(file, "fileWithUri"), bytes: member(file, "fileWithBytes") };
};

/** A part that is none of these, or several, stays as it is and so has no kind: it is refused. */
const partIn = (part: unknown): unknown => {
  if (!isMembers(part)) return part;
  const { text, data, file } = part;
  const [kind, ...others] = Object.entries({ text, data, file }).filter(([, value]) => value != null);
  if (kind === undefined || others.length > 0) return part;
  const metadata = picked(part, ["metadata"]);
  if (kind[0] === "text") return { kind: "text", text, ...metadata };
  if (kind[0] === "file") return { kind: "file", file: fileIn(file) };
  return { kind: "data", data: isMembers(data) ? data["data"] : data, ...metadata };
};

const messageIn = (message: unknown): unknown => {
  if (!isMembers(message)) return message;
  const { role, content } = message;
  return {
    kind: "message",
    ...picked(message, ["messageId", "contextId", "taskId", "metadata", "extensions"]),
    role: roles[String(role)] ?? role,
    parts: Array.isArray(content) ? (content as readonly unknown[]).map(partIn) : content,
  };
};

const configIn = (config: unknown): unknown =>
  isMembers(config) ? picked(config, ["id", "url", "token", "authentication"]) : config;

const configurationIn = (configuration: unknown): unknown => {
  if (!isMembers(configuration)) return configuration;
  const pushed = configIn(member(configuration, "pushNotification"));
  return {
    // Clients leave out what is false.
    blocking: configuration["blocking"] ?? false,
    ...picked(configuration, ["acceptedOutputModes", "historyLength"]),
    ...(pushed == null ? {} : { pushNotificationConfig: pushed }),
  };
};

/** `SendMessageRequest` as the params of `message/send`. Its message is `request` where names are not in JSON form. */
export const sendParams = (body: Members): Members => ({
  message: messageIn(body["message"] ?? body["request"]),
  ...(body["configuration"] == null ? {} : { configuration: configurationIn(body["configuration"]) }),
  ...picked(body, ["metadata"]),
});

/** Clients send `TaskPushNotificationConfig`, alone or as `config` of the request that creates it. */
export const configParams = (taskId: string, body: Members): Members => {
  const given = isMembers(body["config"]) ? body["config"] : body;
  const named = picked({ id: member(body, "configId") }, ["id"]);
  const config = configIn(member(given, "pushNotificationConfig"));
  return { taskId, pushNotificationConfig: isMembers(config) ? { ...named, ...config } : config };
};
