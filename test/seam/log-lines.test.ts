import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { openDoors } from "../doors/doors.ts";
import { openWorld, startMs } from "../skills/world.ts";

test.each(["referenceTaskIds", "reference_task_ids"])(
  "a2a: what a message names in %s is written to no log",
  async (member) => {
    const world = await openWorld();
    const doors = await openDoors(world.runner, () => startMs);
    const printed: unknown[] = [];
    const spies = (["warn", "error", "log", "info"] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((...words: unknown[]) => void printed.push(...words)),
    );
    const forged = 'none\n{"level":50,"msg":"forged"}';
    const ask = async (method: string, version: string, parts: unknown, role: string) => {
      const message = { messageId: randomUUID(), role, parts, [member]: [forged] };
      const headers = { "content-type": "application/json", "a2a-version": version };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { message } });
      const answer = await fetch(`${doors.url}/a2a/seller/jsonrpc`, { method: "POST", headers, body });
      expect(await answer.json()).toHaveProperty("result");
    };
    await ask("message/send", "0.3", [{ kind: "text", text: "hello" }], "user");
    await ask("SendMessage", "1.0", [{ text: "hello" }], "ROLE_USER");
    for (const spy of spies) spy.mockRestore();
    expect(printed).toEqual([]);
    expect(JSON.stringify(world.logged)).not.toContain("forged");
    await doors.close();
    await world.close();
  },
);
