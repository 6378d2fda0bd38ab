import {
  getNextTransitions,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type ContextFrom,
  type EventFrom,
  type StateValueFrom,
  type UnknownAction,
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

/** What `assign` of XState makes of an action: new values of members, or a function of all that gives some of them. */
type Assignment = Assigner | Readonly<Record<string, unknown>>;

type Assigner = (of: { readonly context: unknown; readonly event: unknown }) => unknown;

const isAssigner = (value: unknown): value is Assigner => typeof value === "function";

const assignmentOf = (machine: AnyStateMachine, action: UnknownAction): Assignment => {
  const known: unknown = typeof action === "string" ? machine.implementations.actions[action] : action;
  const assignment = (known as { readonly assignment?: Assignment } | undefined)?.assignment;
  if (assignment === undefined) throw new Error(`The machine ${machine.id} does more than assign.`);
  return assignment;
};

/** The context after one action, whose functions all see the context before it. */
const assigned = (assignment: Assignment, context: object, event: unknown): object => {
  const of = { context, event };
  if (isAssigner(assignment)) return { ...context, ...(assignment(of) as object) };
  const next: Record<string, unknown> = { ...context };
  for (const name of Object.keys(assignment)) {
    const value = assignment[name];
    next[name] = isAssigner(value) ? value(of) : value;
  }
  return next;
};

/**
 * One pure step: the instance after the event, or null when its state and guards do not allow the event. The machine
 * picks the transition. Where machines are flat and only assign, what is left of it is a target and new values: they
 * are applied here, because XState's own way through sets of nodes and clones of snapshots costs ten times as much.
 * Nothing is timed and the instance given is not changed.
 *
 * @throws Error when the machine has nested states, or does anything but assign.
 */
export const step = <M extends AnyStateMachine>(
  machine: M,
  at: InstanceOf<M>,
  event: EventFrom<M>,
): InstanceOf<M> | null => {
  const [taken] = machine.getTransitionData(resolved(machine, at), event);
  if (taken === undefined || (taken.target === undefined && taken.actions.length === 0)) return null;
  let context: object = at.context;
  for (const action of taken.actions) context = assigned(assignmentOf(machine, action), context, event);
  return { value: taken.target?.[0]?.key ?? at.value, context } as InstanceOf<M>;
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

/** Whether all that a transition does is to assign and to change the state. */
const isFlat = ({ states, root }: AnyStateMachine): boolean =>
  root.always === undefined &&
  Object.values(states).every(
    ({ type, entry, exit, invoke, always }) =>
      (type === "atomic" || type === "final") &&
      entry.length + exit.length + invoke.length === 0 &&
      always === undefined,
  );

const knownStates = (machine: AnyStateMachine): Map<string, AnyMachineSnapshot> => {
  if (!isFlat(machine)) throw new Error(`The machine ${machine.id} is not flat.`);
  const known = new Map<string, AnyMachineSnapshot>();
  restingStates.set(machine, known);
  return known;
};

/** What a machine knows of a state whatever its context is, found out once: no step changes a snapshot. */
const restingIn = (machine: AnyStateMachine, at: { readonly value: string; readonly context: unknown }) => {
  const known = restingStates.get(machine) ?? knownStates(machine);
  const before = known.get(at.value);
  if (before !== undefined) return before;
  const resting = machine.resolveState({ value: at.value, context: at.context }) as AnyMachineSnapshot;
  known.set(at.value, resting);
  return resting;
};

const resolved = <M extends AnyStateMachine>(machine: M, at: InstanceOf<M>): AnyMachineSnapshot => ({
  ...restingIn(machine, at),
  context: at.context,
});
