import { carriesKey } from "../../seam/run/idempotency.ts";
import { isGiven, isMembers } from "../../neutral/json-input.ts";
import { digestUuid } from "../digest-uuid.ts";
import type { Members } from "../../neutral/members.ts";

/** In A2A 0.3 `message.kind` is a required constant; a message without it asks for the flat reply. */
export const asksFlat = (body: unknown): boolean => {
  if (!isMembers(body) || body["method"] !== "message/send" || !isMembers(body["params"])) return false;
  const message = body["params"]["message"];
  return isMembers(message) && message["kind"] === undefined;
};

const retryMark = ({ messageId, parts }: Members): unknown => {
  const said = Array.isArray(parts) ? (parts as unknown[]).filter(isMembers).map((part) => part["data"]) : [];
  const keyed = said.find(carriesKey) as Members | undefined;
  return keyed === undefined ? messageId : { key: keyed["idempotency_key"] };
};

/**
 * Stable, so that a retry opens the same one; with the address for anonymous callers, who could else guess their way
 * in.
 */
const openedContext = (message: Members, address: string): string => {
  const { parts } = message;
  return digestUuid(["context", address, retryMark(message), parts]);
};

/** The SDK would make a new context on every retry. */
export const withContext = (body: Members, address: string): Members => {
  const params = isMembers(body["params"]) ? body["params"] : {};
  const message = isMembers(params["message"]) ? params["message"] : {};
  const { messageId, contextId, context_id: snakeContext, taskId, task_id: snakeTask } = message;
  const beside = asksFlat(body) ? params["contextId"] : undefined;
  // A wrong type is kept: it is rejected, not replaced.
  if ([contextId, snakeContext, taskId, snakeTask, beside].some(isGiven) || typeof messageId !== "string") return body;
  return { ...body, params: { ...params, message: { ...message, contextId: openedContext(message, address) } } };
};

/** The same request as A2A 0.3; `contextId` may stand in `params` too. */
export const standardForm = (body: Members): Members => {
  const params = body["params"] as Members;
  const message = params["message"] as Members;
  const contextId = message["contextId"] ?? params["contextId"];
  const configuration = isMembers(params["configuration"]) ? params["configuration"] : {};
  return {
    ...body,
    params: {
      configuration: { ...configuration, blocking: true },
      message: { kind: "message", ...message, ...(contextId === undefined ? {} : { contextId }) },
    },
  };
};

const flatStatus: Readonly<Record<string, string>> = {
  completed: "completed",
  failed: "failed",
  rejected: "failed",
  canceled: "failed",
};

/** Of the last answer: one that continues a task repeats none of those before. */
const partsOf = (task: Members): readonly unknown[] => {
  const artifacts = Array.isArray(task["artifacts"]) ? (task["artifacts"] as readonly Members[]) : [];
  const parts = artifacts.at(-1)?.["parts"];
  return Array.isArray(parts) ? (parts as readonly unknown[]) : [];
};

/**
 * The flat reply `{taskId, contextId, parts, status}`, which is a valid 0.3 message too. `metadata` has the exact
 * state.
 */
export const flatReply = (task: Members): Members => {
  const given = (task["status"] as Members | undefined)?.["state"];
  const state = typeof given === "string" ? given : "";
  return {
    kind: "message",
    role: "agent",
    messageId: digestUuid(["reply", task["id"], partsOf(task)]),
    taskId: task["id"],
    contextId: task["contextId"],
    parts: partsOf(task),
    status: flatStatus[state] ?? "in_progress",
    metadata: { state },
  };
};
