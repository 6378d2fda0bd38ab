import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type ContextFrom,
  type EventFrom,
  initialTransition,
  type InputFrom,
  type StateValueFrom,
  transition,
} from "xstate";

export interface InstanceOf<M extends AnyStateMachine> {
  readonly value: StateValueFrom<M> & string;
  readonly context: ContextFrom<M>;
}

export interface Deadline<Type extends string = string> {
  readonly atMs: number;
  readonly type: Type;
}

export type DeadlineOf<M extends AnyStateMachine> = (at: InstanceOf<M>) => Deadline<EventFrom<M>["type"]> | null;

/** Nested states and pending actions cannot be stored. */
const instanceOf = <M extends AnyStateMachine>(
  machine: M,
  [snapshot, actions]: readonly [AnyMachineSnapshot, readonly unknown[]],
): InstanceOf<M> => {
  if (typeof snapshot.value !== "string") throw new Error(`The machine ${machine.id} has states within states.`);
  if (actions.length > 0) throw new Error(`The machine ${machine.id} does more than assign.`);
  return { value: snapshot.value, context: snapshot.context } as InstanceOf<M>;
};

/**
 * The state in which every record of a machine begins. `initialTransition` makes an actor for each record, which takes
 * 30 microseconds, so it runs once for each machine.
 *
 * @throws Error when the machine moves or assigns before its first event, or has nested states.
 */
const findFirstState = (machine: AnyStateMachine): string => {
  const { target, actions } = machine.root.initial;
  const { value } = instanceOf(machine, initialTransition<AnyStateMachine>(machine, {}));
  const acts = [machine.root, ...target].some(({ entry, always }) => entry.length > 0 || (always ?? []).length > 0);
  if (value !== target[0]?.key || acts || actions.length > 0) {
    throw new Error(`The machine ${machine.id} does more than begin in its first state.`);
  }
  return value;
};

const firstStates = new WeakMap<AnyStateMachine, string>();

/** @throws Error as `findFirstState`. */
export const begin = <M extends AnyStateMachine>(machine: M, input: InputFrom<M>): InstanceOf<M> => {
  const value = firstStates.get(machine) ?? findFirstState(machine);
  firstStates.set(machine, value);
  const { context = {} } = machine.config;
  return { value, context: typeof context === "function" ? context({ input }) : context } as InstanceOf<M>;
};

/**
 * Pure; null when state or guards do not allow the event.
 *
 * @throws Error when the machine has nested states, or does anything but assign.
 */
export const step = <M extends AnyStateMachine>(
  machine: M,
  at: InstanceOf<M>,
  event: EventFrom<M>,
): InstanceOf<M> | null => {
  const before: AnyMachineSnapshot = machine.resolveState({ value: at.value, context: at.context });
  return before.can(event) ? instanceOf(machine, transition<AnyStateMachine>(machine, before, event)) : null;
};

/** Applies every passed deadline, earliest first, so that a read never depends on when a sweeper last ran. */
export const settle = <M extends AnyStateMachine>(
  machine: M,
  deadlineOf: DeadlineOf<M>,
  at: InstanceOf<M>,
  nowMs: number,
): InstanceOf<M> => {
  const deadline = deadlineOf(at);
  if (deadline === null || deadline.atMs > nowMs) return at;
  const next = step(machine, at, { type: deadline.type, nowMs } as EventFrom<M>);
  return next === null ? at : settle(machine, deadlineOf, next, nowMs);
};
