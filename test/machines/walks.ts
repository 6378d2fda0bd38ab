import { createActor, type AnyStateMachine, type EventFrom, type StateValue } from "xstate";
import { getSimplePaths } from "xstate/graph";
import { expect } from "vitest";
import { step, type InstanceOf } from "../../machines/step.ts";
import { compileTable, nextStates } from "../../machines/table.ts";

/** Null when it was not allowed. */
interface Stride<M extends AnyStateMachine> {
  readonly before: InstanceOf<M>;
  readonly event: EventFrom<M>;
  readonly after: InstanceOf<M> | null;
}

/** Pure steps over stored instances and one live actor must agree; final states stay; allowed events are listed. */
export const walkBothWays = <M extends AnyStateMachine>(
  machine: M,
  start: InstanceOf<M>,
  events: readonly EventFrom<M>[],
): readonly Stride<M>[] => {
  const actor = createActor(machine, {
    snapshot: machine.resolveState({ value: start.value as StateValue, context: start.context }),
  } as never).start();
  let at = start;
  const trail = events.map((event) => {
    const before = at;
    const after = step(machine, before, event);
    if (statusOf(actor.getSnapshot()) === "active") actor.send(event);
    at = after ?? before;
    expect(actor.getSnapshot()).toMatchObject({ value: at.value, context: at.context });
    if (machine.states[before.value]?.type === "final") expect(after).toBeNull();
    return { before, event, after };
  });
  actor.stop();
  return trail;
};

interface SimplePath<M extends AnyStateMachine> {
  readonly steps: readonly { readonly event: EventFrom<M>; readonly state: { readonly value: unknown } }[];
}

const statusOf = (snapshot: unknown): string => (snapshot as { readonly status: string }).status;

const typeOf = (event: unknown): string => (event as { readonly type: string }).type;

/** A context may hold nothing but plain JSON. */
export const expectPlainJson = (instance: { readonly value: string; readonly context: unknown }): void => {
  expect(JSON.parse(JSON.stringify(instance))).toEqual(instance);
};

/**
 * Returns `from EVENT to` lines, each once, sorted. States differ by value alone, which keeps the graph finite;
 * `aspect` adds one part of the context, of few values.
 */
export const pathMoves = <M extends AnyStateMachine>(
  machine: M,
  start: InstanceOf<M>,
  events: readonly EventFrom<M>[],
  aspect: (context: InstanceOf<M>["context"]) => unknown = () => null,
): readonly string[] => {
  const paths = getSimplePaths(machine, {
    input: start.context,
    fromState: machine.resolveState({ value: start.value as StateValue, context: start.context }),
    events,
    serializeState: (state: InstanceOf<M>) => JSON.stringify([state.value, aspect(state.context)]),
  } as never) as unknown as readonly SimplePath<M>[];
  const moves = new Set<string>();
  for (const path of paths) {
    let at = start;
    for (const { event, state } of path.steps) {
      if (typeOf(event) === "xstate.init") continue;
      const next = step(machine, at, event);
      expect(next?.value).toEqual(state.value);
      if (next === null) continue;
      moves.add(`${at.value} ${typeOf(event)} ${next.value}`);
      at = next;
    }
  }
  return [...moves].sort();
};

/** Every move of a step must stand in it. */
export const checkedTable = <M extends AnyStateMachine>(
  machine: M,
  instances: readonly InstanceOf<M>[],
  events: readonly EventFrom<M>[],
): Readonly<Record<string, readonly string[]>> => {
  const table = compileTable(machine) as Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  for (const instance of instances) {
    for (const event of events) {
      const next = step(machine, instance, event);
      if (next !== null) expect(table[instance.value]?.[typeOf(event)]).toContain(next.value);
    }
  }
  return nextStates(compileTable(machine)) as Readonly<Record<string, readonly string[]>>;
};
