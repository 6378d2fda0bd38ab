import { isMembers } from "../../neutral/json-input.ts";
import type { Members } from "../../neutral/members.ts";
import { isCurrent } from "../methods.ts";
import { configDefect, inlineConfig, pushDefect } from "../push/form.ts";
import { hasFile, idDefect, isListOrNone, isTextUpTo, messageDefect, mostIdLength } from "./message-form.ts";

const hasIds = (from: unknown, names: readonly string[]): boolean =>
  !isMembers(from) || names.every((name) => from[name] === undefined || isTextUpTo(mostIdLength, from[name]));

/** The SDK reads those of 1.0 in both spellings. */
const messageIds = ["messageId", "taskId", "contextId", "message_id", "task_id", "context_id"];

/** Protobuf's JSON has numbers as text too. */
const isLength = (asked: unknown): boolean =>
  asked == null || (typeof asked !== "object" && /^\d+$/.test(`${asked as string | number}`));

/** What A2A requires of params beyond the checks of the SDK's transports. */
export const paramsDefect = (body: Members): string | null => {
  const { method, params } = body;
  if (!isMembers(params)) return null;
  if (!hasIds(params, ["id", "taskId", "contextId"])) return idDefect;
  const { message, configuration: asked } = params;
  if (!hasIds(message, messageIds)) return idDefect;
  const malformed = isMembers(message) ? messageDefect(message, isCurrent(method)) : null;
  if (malformed !== null) return malformed;
  const configuration = isMembers(asked) ? asked : {};
  if (!isListOrNone(configuration["acceptedOutputModes"])) return "acceptedOutputModes must be a list.";
  const inline = inlineConfig(params);
  const push = inline === null ? pushDefect(body) : configDefect(inline);
  if (push !== null) return push;
  const length = configuration["historyLength"] ?? params["historyLength"];
  return isLength(length) ? null : "historyLength must be a whole number, 0 or more.";
};

/** No skill reads a file, and its words must not be lost in silence. */
export const bringsFile = ({ params }: Members): boolean =>
  isMembers(params) && isMembers(params["message"]) && hasFile(params["message"]);
