/** How it answers, and what it needs: `push` a card with notifications, `card` a known caller. */
type MethodKind = "once" | "stream" | "push" | "card";

const methods: ReadonlyMap<unknown, MethodKind> = new Map([
  ["message/send", "once"],
  ["message/stream", "stream"],
  ["tasks/get", "once"],
  ["tasks/cancel", "once"],
  ["tasks/resubscribe", "stream"],
  ["tasks/pushNotificationConfig/set", "push"],
  ["tasks/pushNotificationConfig/get", "push"],
  ["tasks/pushNotificationConfig/list", "push"],
  ["tasks/pushNotificationConfig/delete", "push"],
  ["agent/getAuthenticatedExtendedCard", "card"],
  ["SendMessage", "once"],
  ["SendStreamingMessage", "stream"],
  ["GetTask", "once"],
  ["ListTasks", "once"],
  ["CancelTask", "once"],
  ["SubscribeToTask", "stream"],
  ["CreateTaskPushNotificationConfig", "push"],
  ["GetTaskPushNotificationConfig", "push"],
  ["ListTaskPushNotificationConfigs", "push"],
  ["DeleteTaskPushNotificationConfig", "push"],
  ["GetExtendedAgentCard", "card"],
]);

/** Null: A2A has no such method. */
export const methodKind = (method: unknown): MethodKind | null => methods.get(method) ?? null;

/** A2A 1.0 names methods in Pascal case, 0.3 with a slash. */
export const isCurrent = (method: unknown): boolean => typeof method === "string" && /^[A-Z]/.test(method);
