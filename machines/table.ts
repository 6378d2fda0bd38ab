import type { AnyStateMachine, EventFrom, StateValueFrom } from "xstate";

type StateOf<M extends AnyStateMachine> = StateValueFrom<M> & string;

/** Guards left open. */
export type TransitionTable<M extends AnyStateMachine> = Readonly<
  Record<StateOf<M>, Readonly<Partial<Record<EventFrom<M>["type"], readonly StateOf<M>[]>>>>
>;

/** Lists return `allowed_next` from it, so that no machine runs for each row. */
export const compileTable = <M extends AnyStateMachine>(machine: M): TransitionTable<M> => {
  const rows = Object.entries(machine.states).map(([state, node]) => {
    const moves = [...node.transitions, ...machine.root.transitions].map(([event, definitions]) => {
      const targets = definitions.map((definition) => definition.target?.[0]?.key ?? state);
      return [event, [...new Set(targets)]];
    });
    return [state, Object.fromEntries(moves)];
  });
  return Object.fromEntries(rows);
};

export const nextStates = <State extends string>(
  table: Readonly<Record<State, Readonly<Record<string, readonly State[] | undefined>>>>,
): Readonly<Record<State, readonly State[]>> => {
  const rows = (Object.keys(table) as State[]).map((state) => {
    const reached = Object.values(table[state]).flatMap((targets) => targets ?? []);
    return [state, [...new Set(reached)].filter((target) => target !== state)];
  });
  return Object.fromEntries(rows) as Record<State, readonly State[]>;
};
