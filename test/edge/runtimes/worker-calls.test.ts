import { expect, test } from "vitest";
import { createCaller } from "../../../agents/edge/runtimes/node/workers/calls.ts";

test("a worker whose primary is gone waits for no answer, asked before or after", async () => {
  const sent: unknown[] = [];
  const caller = createCaller((message) => void sent.push(message));
  const before = caller.call("deals", "shown", ["d-1"]);
  caller.fail("the primary process is gone");
  await expect(before).rejects.toThrow("the primary process is gone");
  await expect(caller.call("deals", "shown", ["d-2"])).rejects.toThrow("the primary process is gone");
  expect(sent).toHaveLength(1);
});
