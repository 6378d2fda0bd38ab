import { describe, expect, test } from "vitest";
import { drawn } from "../../skills/seller/oversight/machines.ts";
import { machineKinds, meanings } from "../../skills/seller/oversight/meanings.ts";

describe.each(machineKinds)("the machine of a record: %s", (kind) => {
  const { states, moves } = drawn(kind);

  test("each state has a meaning, and nothing else has", () => {
    expect(Object.keys(meanings[kind].states).sort()).toEqual(states.map(({ name }) => name).sort());
  });

  test("each move says who makes it", () => {
    expect(Object.keys(meanings[kind].movedBy).sort()).toEqual([...new Set(moves.map(({ event }) => event))].sort());
  });
});
