import {
  type AnyActorScope,
  createActor,
  getNextTransitions,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type ContextFrom,
  type EventFrom,
  type StateValueFrom,
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

const nothing = (): void => undefined;

const scopes = new WeakMap<AnyStateMachine, AnyActorScope>();

/** What a machine's pure steps run in: an actor that is never started, one for all of them because none changes it. */
const scopeOf = (machine: AnyStateMachine): AnyActorScope => {
  const known = scopes.get(machine);
  if (known !== undefined) return known;
  const self = createActor(machine);
  const outward = { defer: nothing, logger: nothing, stopChild: nothing, emit: nothing, actionExecutor: nothing };
  const scope: AnyActorScope = { self, system: self.system, id: "", sessionId: "", ...outward };
  scopes.set(machine, scope);
  return scope;
};

/**
 * One pure step: the instance after the event, or null when its state and guards do not allow the event. No actor is
 * started, nothing is timed and the instance given is not changed.
 */
export const step = <M extends AnyStateMachine>(
  machine: M,
  at: InstanceOf<M>,
  event: EventFrom<M>,
): InstanceOf<M> | null => {
  const snapshot = resolved(machine, at);
  if (!snapshot.can(event)) return null;
  return instanceOf<M>(machine.transition(snapshot, event, scopeOf(machine)));
};

/**
 * The event types that the instance would take at this time, in the machine's order. Guards that look at more of an
 * event than its time see nothing there and refuse.
 */
export const allowedEvents = <M extends AnyStateMachine>(
  machine: M,
  at: InstanceOf<M>,
  nowMs: number,
): readonly EventFrom<M>["type"][] => {
  const snapshot = resolved(machine, at);
  const types = new Set(getNextTransitions(snapshot).map((next) => next.eventType));
  return [...types].filter((type) => snapshot.can({ type, nowMs }));
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

const restingStates = new WeakMap<AnyStateMachine, Map<string, AnyMachineSnapshot>>();

/** What a machine knows of a state whatever its context is, found out once: no step changes a snapshot. */
const restingIn = (machine: AnyStateMachine, at: { readonly value: string; readonly context: unknown }) => {
  const known = restingStates.get(machine) ?? new Map<string, AnyMachineSnapshot>();
  const before = known.get(at.value);
  if (before !== undefined) return before;
  const resting = machine.resolveState({ value: at.value, context: at.context }) as AnyMachineSnapshot;
  restingStates.set(machine, known.set(at.value, resting));
  return resting;
};

const resolved = <M extends AnyStateMachine>(machine: M, at: InstanceOf<M>): AnyMachineSnapshot => ({
  ...restingIn(machine, at),
  context: at.context,
});

const instanceOf = <M extends AnyStateMachine>(snapshot: AnyMachineSnapshot): InstanceOf<M> => ({
  value: snapshot.value as InstanceOf<M>["value"],
  context: snapshot.context as ContextFrom<M>,
});
