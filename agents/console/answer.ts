import type { DoorResponse } from "../../protocol/door/door.ts";

export const answerOf = (status: number, body: unknown, more: Readonly<Record<string, string>> = {}): DoorResponse => ({
  status,
  headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", ...more },
  body: JSON.stringify(body),
});
