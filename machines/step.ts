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

/** One record's life as it is stored: a state of the machine and its plain JSON context. */
export interface InstanceOf<M extends AnyStateMachine> {
  readonly value: StateValueFrom<M> & string;
  readonly context: ContextFrom<M>;
}

/** What is due by itself: from `atMs` (milliseconds) on, the event of this type moves the instance. */
export interface Deadline<Type extends string = string> {
  readonly atMs: number;
  readonly type: Type;
}

/** Tells the next deadline of an instance; null when nothing is due however long one waits. */
export type DeadlineOf<M extends AnyStateMachine> = (at: InstanceOf<M>) => Deadline<EventFrom<M>["type"]> | null;

/** What a step may keep of a snapshot: states have no inner states, and nothing remains to be done. */
const instanceOf = <M extends AnyStateMachine>(
  machine: M,
  [snapshot, actions]: readonly [AnyMachineSnapshot, readonly unknown[]],
): InstanceOf<M> => {
  if (typeof snapshot.value !== "string") throw new Error(`The machine ${machine.id} has states within states.`);
  if (actions.length > 0) throw new Error(`The machine ${machine.id} does more than assign.`);
  return { value: snapshot.value, context: snapshot.context } as InstanceOf<M>;
};

/** A new instance in the machine's initial state. */
export const begin = <M extends AnyStateMachine>(machine: M, input: InputFrom<M>): InstanceOf<M> =>
  instanceOf(machine, initialTransition<AnyStateMachine>(machine, input));

/**
 * One pure step: the instance after the event, or null when its state and guards do not allow the event. Nothing
 * is timed and the instance given is not changed.
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

/**
 * The instance as it is at this time: every deadline that has passed is applied, earliest first. A read calls it
 * before it looks at the state, so that an answer never depends on when a sweeper last ran.
 */
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
