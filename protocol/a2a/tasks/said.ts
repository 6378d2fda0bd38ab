import { type Message, Part, type Task } from "@a2a-js/sdk";
import { digestUuid } from "../digest-uuid.ts";

/** The same for the message as it arrives and as it was stored. */
export const saidMark = (contextId: string, { messageId, parts }: Pick<Message, "messageId" | "parts">): string =>
  digestUuid([contextId, messageId, parts.map((part) => Part.toJSON(part))]);

export const saidMarks = ({ contextId, history }: Task): readonly string[] => {
  const ends = history.length > 1 ? [history[0], history.at(-1)] : history;
  return [...new Set(ends.flatMap((said) => (said === undefined ? [] : saidMark(contextId, said))))];
};
