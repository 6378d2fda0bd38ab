import { isMembers } from "../../neutral/json-input.ts";
import type { Members } from "../../neutral/members.ts";

/** Lists and members that an answer lacks stay out. */
const given = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

const each = (list: unknown, shown: (member: Members) => Members): readonly Members[] | undefined =>
  Array.isArray(list) ? (list as readonly Members[]).map(shown) : undefined;

const shownPart = ({ kind, text, data, metadata }: Members): Members =>
  given(kind === "text" ? { text, metadata } : { data: { data }, metadata });

const shownMessage = ({ messageId, contextId, taskId, role, parts, metadata, extensions }: Members): Members =>
  given({
    messageId,
    contextId,
    taskId,
    role: role === "agent" ? "ROLE_AGENT" : "ROLE_USER",
    content: each(parts, shownPart),
    metadata,
    extensions,
  });

const shownArtifact = (artifact: Members): Members => ({ ...artifact, parts: each(artifact["parts"], shownPart) });

const stateNames: Readonly<Record<string, string>> = {
  canceled: "TASK_STATE_CANCELLED",
  "input-required": "TASK_STATE_INPUT_REQUIRED",
};

const shownStatus = ({ state, timestamp, message }: Members): Members =>
  given({
    state: stateNames[String(state)] ?? `TASK_STATE_${String(state).toUpperCase()}`,
    timestamp,
    message: isMembers(message) ? shownMessage(message) : undefined,
  });

export const shownTask = (result: unknown): Members => {
  const { id, contextId, status, artifacts, history, metadata } = result as Members;
  return given({
    id,
    contextId,
    status: shownStatus(status as Members),
    artifacts: each(artifacts, shownArtifact),
    history: each(history, shownMessage),
    metadata,
  });
};

/** What `message/send` and a stream answer, named by its kind. */
export const shownEvent = (result: unknown): Members => {
  const { kind, ...event } = result as Members;
  if (kind === "task") return { task: shownTask(event) };
  if (kind === "message") return { message: shownMessage(event) };
  if (kind === "artifact-update") {
    return { artifactUpdate: { ...event, artifact: shownArtifact(event["artifact"] as Members) } };
  }
  return { statusUpdate: { ...event, status: shownStatus(event["status"] as Members) } };
};

export const shownConfig = (result: unknown): Members => {
  const { taskId, pushNotificationConfig } = result as { taskId: string; pushNotificationConfig: Members };
  const name = `tasks/${taskId}/pushNotificationConfigs/${String(pushNotificationConfig["id"])}`;
  return { name, pushNotificationConfig };
};

export const shownConfigs = (result: unknown): Members => ({ configs: each(result, shownConfig) });

const shownScheme = ({ type, in: location, ...scheme }: Members): Members =>
  type === "apiKey" ? { apiKeySecurityScheme: { ...scheme, location } } : { httpAuthSecurityScheme: scheme };

export const shownCard = (result: unknown): Members => {
  const { securitySchemes, ...card } = result as Members;
  const schemes = Object.entries((securitySchemes ?? {}) as Readonly<Record<string, Members>>);
  return { ...card, securitySchemes: Object.fromEntries(schemes.map(([name, scheme]) => [name, shownScheme(scheme)])) };
};
